#include "cli/machine/link_origins.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/link_classes.hpp"

namespace weft::cli {

namespace {

using fields::has_part_for_all;
using fields::has_part_of;

constexpr const char* kDefault = "default";

// Whether the user gave --link for this class, or for all.
bool has_own_link(std::string_view link_class, const GivenFields& said) {
  const std::string own = said.own_text("link");
  return has_part_for_all(own) || has_part_of(own, link_class);
}

// Whether the machine measured this class. A speed that the user gives to all links replaces it.
bool is_measured(std::string_view link_class, const GivenFields& said) {
  if (!said.machine || has_own_link(link_class, said)) return false;
  const std::string links = fields::text_in(said.machine->values, "link");
  return has_part_for_all(links) || has_part_of(links, link_class);
}

// Whether a default of this class sets the speed of links of the other one.
bool serves(std::string_view named, std::string_view link_class) {
  return named == link_class || named == topology::bundle_in(link_class).link_class;
}

bool has_own_default(std::string_view link_class, const GivenFields& said) {
  const std::string own = said.own_text("link-default");
  return has_part_for_all(own) || has_part_of(own, link_class) ||
         has_part_of(own, topology::bundle_in(link_class).link_class);
}

// Of a value that neither --link nor the network's file gives.
std::string origin_of_default(std::string_view link_class, const GivenFields& said,
                              bool fields::MachineLinks::*sets) {
  if (has_own_default(link_class, said)) return "--link-default";
  if (!said.machine) return machine_name(said);
  const fields::MachineLinks* table = said.machine->table_of(link_class);
  if (table == nullptr) return std::string(fields::kGeneric);
  return table->*sets ? said.machine->path : kDefault;
}

void add(std::vector<std::string>& origins, const std::string& origin) {
  if (std::ranges::find(origins, origin) == origins.end()) origins.push_back(origin);
}

// A part of --link-default as the user wrote it has an effect on links that it serves and whose
// speed no --link and no measured table sets.
void require_effect_of_default(std::string_view part, const GivenFields& said,
                               const Topology& topology) {
  const std::size_t equals = part.find('=');
  const std::string_view named =
      equals == std::string_view::npos ? "" : trim(part.substr(0, equals));
  std::string taken;  // by what
  for (const std::string& name : topology.class_names()) {
    if (!named.empty() && !serves(named, name)) continue;
    if (!has_own_link(name, said) && !is_measured(name, said)) return;
    taken = has_own_link(name, said) ? "--link" : said.machine->path;
  }
  if (taken.empty())
    reject("--link-default {} has no effect, because {} has no link class '{}'; its classes are {}",
           part, topology.name(), named, fmt::join(topology.class_names(), ", "));
  if (taken == "--link")
    reject(
        "--link-default {} has no effect, because --link sets the speed of these links; leave "
        "one out",
        part);
  reject(
      "--link-default {} has no effect, because {} has a measured speed for these links; "
      "override it by --link {}BW,LAT",
      part, taken, named.empty() ? "" : fmt::format("{}=", named));
}

}  // namespace

SpeedsInFile speeds_in_file(const BuiltTopology& built) {
  SpeedsInFile found;
  const auto& [bandwidth_Bps, latency_ps] = built.speeds;
  if (built.speeds.empty()) return found;
  for (const LinkId link : built.topology.links()) {
    const std::string& name = built.topology.class_names()[built.topology.link_class(link)];
    if (!bandwidth_Bps.empty() && bandwidth_Bps[link]) found.bandwidth.insert(name);
    const bool has_latency = !latency_ps.empty() && latency_ps[link];
    (has_latency ? found.latency : found.open_latency).insert(name);
  }
  return found;
}

std::vector<std::string> LinkOrigins::both() const {
  std::vector<std::string> all = bandwidth;
  for (const std::string& origin : latency) add(all, origin);
  return all;
}

LinkOrigins link_origins(const Network& network, topology::ClassId link_class,
                         const GivenFields& said) {
  const std::string& name = network.topology().class_names()[link_class];
  const bool has_latency = !said.own_text("latency").empty();
  const topology::SpeedOrigins from = network.fabric().origins(link_class);
  // Networks made of others, as by weft order, keep the speeds of links as those of a file.
  const bool is_in_file = from.file && said.file_speeds->bandwidth.contains(name);
  const bool is_given = from.option || (from.file && !is_in_file);
  if (is_given && has_own_link(name, said)) return {{"--link"}, {"--link"}};
  LinkOrigins origins;
  if (is_given && is_measured(name, said)) {
    origins.bandwidth = {said.machine->path};
    origins.latency = {has_latency ? "--latency" : said.machine->path};
    return origins;
  }
  if (is_in_file) origins.bandwidth.emplace_back("the network");
  if (from.by_default || from.option ||  // weft find makes one speed of the machine's default
      !is_in_file)
    add(origins.bandwidth, origin_of_default(name, said, &fields::MachineLinks::sets_bandwidth));
  if (has_latency) {
    origins.latency = {"--latency"};
    return origins;
  }
  const SpeedsInFile& in_file = *said.file_speeds;
  if (in_file.latency.contains(name)) origins.latency.emplace_back("the network");
  if (!in_file.latency.contains(name) || in_file.open_latency.contains(name))
    add(origins.latency, origin_of_default(name, said, &fields::MachineLinks::sets_latency));
  return origins;
}

std::string machine_name(const GivenFields& said) {
  return said.machine ? said.machine->path : std::string(fields::kIdeal);
}

bool has_default_of_generic(std::string_view link_class, const GivenFields& said) {
  return !said.machine->has_speed_of(link_class) && !has_own_link(link_class, said) &&
         !has_own_default(link_class, said);
}

std::string overridden_speeds_note(const GivenFields& said) {
  std::set<std::string> names;
  for (const auto* in_file : {&said.file_speeds->bandwidth, &said.file_speeds->latency})
    for (const std::string& name : *in_file)
      if (has_own_link(name, said)) names.insert(name);
  if (names.empty()) return "";
  return fmt::format("--link overrides the speeds in the network's file, of link {} {}",
                     names.size() == 1 ? "class" : "classes", fmt::join(names, ", "));
}

void require_effect_of_speeds(const GivenFields& said, const Topology& topology) {
  const auto& names = topology.class_names();
  require(said.own_text("latency").empty() ||
              !std::ranges::all_of(
                  names, [&said](const std::string& name) { return has_own_link(name, said); }),
          "--latency has no effect, because --link sets the latency of all links; leave one out");
  const std::string defaults = said.own_text("link-default");
  if (defaults.empty()) return;
  for (const std::string_view part : split(defaults, ';'))
    require_effect_of_default(part, said, topology);
}

}  // namespace weft::cli
