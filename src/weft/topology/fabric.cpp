#include "weft/topology/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/link_classes.hpp"
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
            "{} has no link class '{}'; its classes are {}", topology.name(), name,
            fmt::format("{}", fmt::join(known, ", ")));
  // Defaults may be of other networks: profiles of machines have them for several.
  for (const auto& named : options.defaults.by_class) {
    const std::string& name = named.first;
    const auto is_name = [&name](const std::string& each) {
      return each == name || bundle_in(each).link_class == name;
    };
    require(is_usual_link_class(name) || std::ranges::any_of(known, is_name),
            "link default '{}': unknown link class; the classes of {} are {}", name,
            topology.name(), fmt::join(known, ", "));
  }
}

// Profiles give these links as all those of a GPU together.
constexpr std::string_view kAllOfGpu = "nvlink";

// The line rate of one link by default, where the topology bundles links of its class; nothing for
// other classes, whose default is that of a whole cable.
std::optional<double> rate_of_one(const BuiltTopology& built, const LinkOptions& options,
                                  std::string_view link_class) {
  const Topology& topology = built.topology;
  const auto own = options.defaults.by_class.find(link_class);
  std::int64_t most = 0;  // links of a host
  for (const NodeId host : topology.hosts()) {
    std::int64_t links = 0;
    for (const LinkId link : topology.out_links(host)) {
      const LinkBundle bundle = bundle_in(topology.class_names()[topology.link_class(link)]);
      if (bundle.link_class == link_class) links += bundle.links;
    }
    most = std::max(most, links);
  }
  const auto& file = built.speeds.bandwidth_Bps;
  if (!file.empty())
    for (const LinkId link : topology.links())
      if (file[link] && topology.class_names()[topology.link_class(link)] == link_class)
        return static_cast<double>(*file[link]);
  if (own == options.defaults.by_class.end()) return std::nullopt;
  const auto line_Bps = static_cast<double>(own->second.line.bandwidth_Bps);
  return link_class == kAllOfGpu && most > 0 ? line_Bps / static_cast<double>(most) : line_Bps;
}

// By class: the default, with the line rate of a cable that bundles links.
IdVector<ClassId, LinkDefault> class_defaults(const BuiltTopology& built,
                                              const LinkOptions& options) {
  std::map<std::string, std::optional<double>, std::less<>> of_one;  // by class of bundled links
  for (const std::string& name : built.topology.class_names())
    if (const LinkBundle bundle = bundle_in(name);
        bundle.links > 1 || bundle.link_class == kAllOfGpu)
      of_one.try_emplace(std::string(bundle.link_class),
                         rate_of_one(built, options, bundle.link_class));
  IdVector<ClassId, LinkDefault> defaults;
  for (const std::string& name : built.topology.class_names()) {
    const LinkBundle bundle = bundle_in(name);
    const bool has_own = name != bundle.link_class && options.defaults.by_class.contains(name);
    LinkDefault made = options.defaults.of(has_own ? name : bundle.link_class);
    const auto one = of_one.find(bundle.link_class);
    if (!has_own && one != of_one.end() && one->second)
      made.line.bandwidth_Bps = std::llround(*one->second * static_cast<double>(bundle.links));
    defaults.push_back(made);
  }
  return defaults;
}

/// Of a link for which the user gives no bandwidth: the file's or the default, less what carries
/// no data.
LinkSpeed open_speed(const BuiltTopology& built, const LinkOptions& options,
                     const LinkDefault& by_default, LinkId link) {
  const FileSpeeds& file = built.speeds;
  LinkSpeed speed = by_default.line;
  if (!file.bandwidth_Bps.empty())
    speed.bandwidth_Bps = file.bandwidth_Bps[link].value_or(speed.bandwidth_Bps);
  if (by_default.payload < 1)
    speed.bandwidth_Bps = std::max<std::int64_t>(
        1, std::llround(static_cast<double>(speed.bandwidth_Bps) * by_default.payload));
  if (options.latency_ps)
    speed.latency_ps = *options.latency_ps;
  else if (!file.latency_ps.empty() && file.latency_ps[link])
    speed.latency_ps = *file.latency_ps[link];
  else if (!built.topology.is_host(built.topology.head(link)))
    speed.latency_ps = checked_add(speed.latency_ps, by_default.switch_latency_ps);
  return speed;
}

IdVector<LinkId, LinkSpeed> link_speeds(const BuiltTopology& built, const LinkOptions& options,
                                        IdVector<ClassId, SpeedOrigins>& origins) {
  const Topology& topology = built.topology;
  IdVector<ClassId, std::optional<LinkSpeed>> by_class;
  for (const std::string& name : topology.class_names())
    by_class.push_back(class_speed(options, name));
  const IdVector<ClassId, LinkDefault> defaults = class_defaults(built, options);
  IdVector<LinkId, LinkSpeed> speeds(topology.link_count());
  for (LinkId link : topology.links()) {
    const ClassId of = topology.link_class(link);
    speeds[link] = by_class[of]  ? *by_class[of]
                   : options.all ? *options.all
                                 : open_speed(built, options, defaults[of], link);
    const bool by_option = by_class[of] || options.all;
    const auto& in_file = built.speeds.bandwidth_Bps;
    (by_option                           ? origins[of].option
     : !in_file.empty() && in_file[link] ? origins[of].file
                                         : origins[of].by_default) = true;
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
  reject(
      "{}: the links out of one node have more than 2^63 bytes/s in total; give lower "
      "bandwidths",
      topology.name());
}

}  // namespace

void parse_link_option(std::string_view text, LinkOptions& options) {
  std::string_view rest = trim(text), name;
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    name = trim(rest.substr(0, equals));
    require(!name.empty(), "link option '{}' names no class; for example global=4.7GBps,100ns",
            text);
    rest = rest.substr(equals + 1);
  }
  const auto parts = split(rest, ',');
  require(parts.size() == 2,
          "link option '{}' is not bandwidth,latency; for example 100Gbps,1us or "
          "global=4.7GBps,100ns",
          text);
  const LinkSpeed speed{parse_bandwidth(parts[0]), parse_time(parts[1])};
  if (name.empty())
    options.all = speed;
  else
    options.by_class[std::string(name)] = speed;
}

void parse_link_default(std::string_view text, LinkDefaults& defaults) {
  std::string_view rest = trim(text), name;
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    name = trim(rest.substr(0, equals));
    require(!name.empty(),
            "link default '{}' names no class; for example global=50Gbps,30ns,130ns,0.97", text);
    rest = rest.substr(equals + 1);
  }
  const auto parts = split(rest, ',');
  require(parts.size() == 4,
          "link default '{}' is not bandwidth,latency,switch latency,payload; for example "
          "100Gbps,30ns,130ns,0.97",
          text);
  const LinkDefault read{.line = {parse_bandwidth(parts[0]), parse_time(parts[1])},
                         .switch_latency_ps = parse_time(parts[2]),
                         .payload = number_in<double>(trim(parts[3])).value_or(0)};
  require(read.payload > 0 && read.payload <= 1,
          "the payload of a link default is {}; give the share of the line rate that carries data, "
          "above 0 and at most 1",
          parts[3]);
  if (name.empty())
    defaults.all = read;
  else
    defaults.by_class[std::string(name)] = read;
}

std::string to_text(const LinkDefaults& defaults) {
  const auto text = [](const LinkDefault& one) {
    return fmt::format("{},{},{},{}", format_bandwidth(one.line.bandwidth_Bps),
                       format_time(one.line.latency_ps), format_time(one.switch_latency_ps),
                       one.payload);
  };
  std::string all = text(defaults.all);
  for (const auto& [name, one] : defaults.by_class) all += fmt::format(";{}={}", name, text(one));
  return all;
}

Fabric::Fabric(const BuiltTopology& built, const LinkOptions& options)
    : topology_(built.topology), origins_(std::size(built.topology.class_names())) {
  require_known_classes(topology_, options);
  speeds_ = link_speeds(built, options, origins_);
  WEFT_ASSERT(speeds_.size() == topology_.link_count());
  node_egress_Bps_ = node_egress(topology_, speeds_);
  WEFT_ASSERT(node_egress_Bps_ >= 0);
}

Fabric::Fabric(Topology topology, LinkSpeed speed)
    : topology_(std::move(topology)),
      speeds_(topology_.link_count(), speed),
      origins_(std::size(topology_.class_names()), {.option = true}),
      node_egress_Bps_(node_egress(topology_, speeds_)) {}

}  // namespace weft::topology
