#include "weft/topology/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

std::optional<LinkSpeed> class_speed(const LinkOptions& options, const std::string& name) {
  const auto entry = options.by_class.find(name);
  return entry == options.by_class.end() ? std::nullopt : std::optional(entry->second);
}

void require_known_classes(const Topology& topology, const LinkOptions& options) {
  const std::vector<std::string> known(topology.class_names().begin(),
                                       topology.class_names().end());
  for (const auto& [name, speed] : options.by_class)
    require(std::find(known.begin(), known.end(), name) != known.end(),
            "{} has no links of class \"{}\"; its classes are {}", topology.name(), name,
            fmt::format("{}", fmt::join(known, ", ")));
}

void apply_file(const FileSpeeds& file, LinkId link, LinkSpeed& speed) {
  if (!file.bandwidth_Bps.empty())
    speed.bandwidth_Bps = file.bandwidth_Bps[link].value_or(speed.bandwidth_Bps);
  if (!file.latency_ps.empty()) speed.latency_ps = file.latency_ps[link].value_or(speed.latency_ps);
}

IdVector<LinkId, LinkSpeed> link_speeds(const BuiltTopology& built, const LinkOptions& options) {
  const Topology& topology = built.topology;
  IdVector<ClassId, std::optional<LinkSpeed>> by_class;
  for (const std::string& name : topology.class_names())
    by_class.push_back(class_speed(options, name));
  IdVector<LinkId, LinkSpeed> speeds(topology.link_count());
  for (LinkId link : topology.links()) {
    LinkSpeed& speed = speeds[link];
    apply_file(built.speeds, link, speed);
    if (options.all) speed = *options.all;
    if (const auto& own = by_class[topology.link_class(link)]) speed = *own;
  }
  return speeds;
}

std::int64_t host_egress(const Topology& topology, const IdVector<LinkId, LinkSpeed>& speeds,
                         NodeId host) {
  std::int64_t egress = 0;
  for (LinkId link : topology.out_links(host))
    egress = checked_add(egress, speeds[link].bandwidth_Bps);
  return egress;
}

std::int64_t node_egress(const Topology& topology, const IdVector<LinkId, LinkSpeed>& speeds) try {
  const bool equal = std::all_of(speeds.begin(), speeds.end(), [&](const LinkSpeed& speed) {
    return speed.bandwidth_Bps == speeds.front().bandwidth_Bps;
  });
  if (equal && !speeds.empty() && !topology.has_switches())
    return checked_mul(topology.nominal_degree(), speeds.front().bandwidth_Bps);
  std::int64_t largest = 0;
  for (NodeId host : topology.hosts())
    largest = std::max(largest, host_egress(topology, speeds, host));
  return largest;
} catch (const InvalidInput&) {  // of checked sums
  reject("{}: the links out of a node have more than 2^63 bytes/s together; give lower bandwidths",
         topology.name());
}

}  // namespace

void parse_link_option(std::string_view text, LinkOptions& options) {
  std::string_view rest = trim(text), name;
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    name = trim(rest.substr(0, equals));
    require(!name.empty(), "link option \"{}\" names no class; for example global=4.7GBps,100ns",
            text);
    rest = rest.substr(equals + 1);
  }
  const auto parts = split(rest, ',');
  require(parts.size() == 2,
          "link option \"{}\" is not bandwidth,latency; for example 100Gbps,1us or "
          "global=4.7GBps,100ns",
          text);
  const LinkSpeed speed{parse_bandwidth(parts[0]), parse_time(parts[1])};
  if (name.empty())
    options.all = speed;
  else
    options.by_class[std::string(name)] = speed;
}

Fabric::Fabric(const BuiltTopology& built, const LinkOptions& options) : topology_(built.topology) {
  require_known_classes(topology_, options);
  speeds_ = link_speeds(built, options);
  node_egress_Bps_ = node_egress(topology_, speeds_);
}

Fabric::Fabric(Topology topology, LinkSpeed speed)
    : topology_(std::move(topology)),
      speeds_(topology_.link_count(), speed),
      node_egress_Bps_(node_egress(topology_, speeds_)) {}

}  // namespace weft::topology
