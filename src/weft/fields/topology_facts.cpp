#include "weft/fields/topology_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/rank_names.hpp"
#include "weft/fields/setup.hpp"
#include "weft/network/routings.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {

namespace {

constexpr std::string_view kFile = "file:", kByName = "hosts:";

std::optional<std::uint32_t> checksum_of_tables(const Topology& topology) {
  const auto& tables = topology.facets().tables;
  return tables ? std::optional(checksum(format_routes(topology, *tables))) : std::nullopt;
}

std::optional<std::uint32_t> checksum_of_names(const Topology& topology) {
  if (!topology.facets().names) return std::nullopt;
  std::string text;
  for (const std::string& name : topology.facets().names->nodes) text += name + '\n';
  return checksum(text);
}

std::optional<std::uint32_t> checksum_of(const topology::FileSpeeds& speeds) {
  if (speeds.empty()) return std::nullopt;
  std::string text;
  for (const auto* values : {&speeds.bandwidth_Bps, &speeds.latency_ps}) {
    for (const auto& value : *values) text += value ? fmt::format("{},", *value) : "-,";
    text += ';';
  }
  return checksum(text);
}

auto hop_routings(const Topology& topology) {
  decltype(TopologyFacts::hops) chosen;
  for (const auto& routing : network::routings())
    if (routing.hops) chosen.emplace(routing.name, network::hop_routing(routing.name, topology));
  return chosen;
}

// Differs where ranks may be on other hosts, by the seed apart.
std::string placing_key(const Values& parameters) {
  std::string key = text_in(parameters, "topology") + '\n';
  for (const auto& [field, set] : placing_members()) key += text_in(parameters, field->name) + '\n';
  return key;
}

// Whether the number of places follows from more than the network.
bool counts_places(const Values& parameters) {
  return std::ranges::any_of(further_placing_fields(),
                             [&](const Field* field) { return !is_default(*field, parameters); });
}

double sampled_mean_links(const Topology& topology) {
  constexpr std::size_t kSources = 4;
  const auto hosts = topology.hosts();
  const std::size_t stride = std::max<std::size_t>(1, hosts.size() / kSources);
  double sum = 0, pairs = 0;
  for (std::size_t source = 0; source < hosts.size(); source += stride) {
    const auto distances = analysis::distances_from(topology, hosts[source]);
    for (const NodeId host : hosts) {
      const std::int32_t links = distances[host.index()];
      if (links == 0 || links == analysis::kUnreachable) continue;
      sum += links;
      ++pairs;
    }
  }
  return pairs > 0 ? sum / pairs : 0;
}

}  // namespace

bool names_file(std::string_view text) {
  return text.find(kFile) != std::string_view::npos ||
         text.find("file=") != std::string_view::npos || text.starts_with(kByName);
}

std::optional<std::uint32_t> content_of_placement(std::string_view policy) {
  for (const std::string_view prefix : {kFile, kByName})
    if (policy.starts_with(prefix))
      return checksum(read_file(std::string(policy.substr(prefix.size()))));
  return std::nullopt;
}

const BuiltTopology& FactsOfNetworks::built(const std::string& expression) {
  if (!built_ || !built_->names.contains(expression))
    built_.emplace(LastBuilt{{expression}, build_topology(expression)});
  WEFT_ASSERT(built_->names.contains(expression));
  return built_->topology;
}

const TopologyFacts& FactsOfNetworks::topology(const std::string& expression) {
  const auto found = topologies_.find(expression);
  if (found != topologies_.end()) return found->second;
  const BuiltTopology& built = this->built(expression);
  // A JSON file may hold the expression that it was written from, which has no speeds, names and
  // tables.
  const topology::Facets& facets = built.topology.facets();
  const bool is_expression =
      built.speeds.empty() && ((!facets.names && !facets.tables) || !names_file(expression));
  TopologyFacts facts{.name = is_expression ? built.topology.name() : expression,
                      .hash = built.topology.hash(),
                      .classes = fmt::format("{}", fmt::join(built.topology.class_names(), ",")),
                      .nodes = built.topology.node_count(),
                      .hosts = static_cast<std::int64_t>(built.topology.hosts().size()),
                      .routing = std::string(network::default_routing(built.topology)),
                      .hops = hop_routings(built.topology),
                      .speeds = checksum_of(built.speeds),
                      .tables = checksum_of_tables(built.topology),
                      .names = checksum_of_names(built.topology)};
  WEFT_ASSERT(facts.hosts >= 0 && facts.hosts <= facts.nodes);
  topologies_.try_emplace(facts.name, facts);  // rows name it so
  built_->names.insert(facts.name);
  return topologies_.try_emplace(expression, std::move(facts)).first->second;
}

const PlacementFacts& FactsOfNetworks::placement(const Values& parameters) {
  const std::string expression = text_in(parameters, "topology");
  const std::string key = placing_key(parameters);
  const auto found = placements_.find(key);
  if (found != placements_.end()) return found->second;
  const topology::PlacementOptions asked = placing_in(parameters);
  PlacementFacts facts{.ranks = asked.ranks > 0 ? asked.ranks : topology(expression).hosts,
                       .content = std::nullopt};
  facts.content = blame("placement", [&] { return content_of_placement(asked.policy); });
  if (facts.content || counts_places(parameters)) {
    const Topology built = this->built(expression).topology;
    const std::string hosts = text_in(parameters, "hosts");
    std::vector<std::int32_t> allowed;
    if (hosts != "all")
      allowed = blame("hosts", [&] { return topology::parse_hosts(hosts, built); });
    facts.hosts = topology::hosts_text(allowed);
    facts.ranks = topology::place(built, asked, allowed).ranks();
  }
  WEFT_ASSERT(facts.ranks >= 1);
  return placements_.emplace(key, facts).first->second;
}

std::int64_t FactsOfNetworks::rank_called(const Values& parameters, const std::string& field) {
  const auto text = [&](std::string_view name) { return text_in(parameters, name); };
  const std::string key = placing_key(parameters) + text("seed");
  if (!placed_ || placed_->key != key) {
    const Topology built = this->built(text("topology")).topology;
    std::vector<std::int32_t> hosts;
    if (!text("hosts").empty()) hosts = topology::parse_hosts(text("hosts"), built);
    topology::PlacementOptions options = placing_in(parameters);
    options.seed = seed_in(parameters);
    placed_.emplace(Placed{key, built, topology::place(built, options, hosts)});
  }
  return fields::rank_called(text(field), placed_->topology, placed_->placement.nodes, field);
}

double FactsOfNetworks::mean_links(const std::string& expression) {
  const auto found = mean_links_.find(expression);
  if (found != mean_links_.end()) return found->second;
  const double mean = sampled_mean_links(built(expression).topology);
  return mean_links_.emplace(expression, mean).first->second;
}

}  // namespace weft::fields
