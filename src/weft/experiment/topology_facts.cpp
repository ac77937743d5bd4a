#include "weft/experiment/topology_facts.hpp"

#include <fmt/format.h>

#include "weft/base/file.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::experiment {

namespace {

constexpr std::string_view kFile = "file:";

std::optional<std::uint32_t> checksum_of(const topology::FileSpeeds& speeds) {
  if (speeds.empty()) return std::nullopt;
  std::string text;
  for (const auto* values : {&speeds.bandwidth_Bps, &speeds.latency_ps}) {
    for (const auto& value : *values) text += value ? fmt::format("{},", *value) : "-,";
    text += ';';
  }
  return checksum(text);
}

}  // namespace

const TopologyFacts& FactsOfNetworks::topology(const std::string& expression) {
  const auto found = topologies_.find(expression);
  if (found != topologies_.end()) return found->second;
  const BuiltTopology built = build_topology(expression);
  TopologyFacts facts{.name = built.topology.name(),
                      .hash = built.topology.hash(),
                      .hosts = static_cast<std::int64_t>(built.topology.hosts().size()),
                      .speeds = checksum_of(built.speeds)};
  return topologies_.emplace(expression, std::move(facts)).first->second;
}

const PlacementFacts& FactsOfNetworks::placement(const std::string& expression,
                                                 const std::string& policy, std::int64_t asked) {
  const std::string key = fmt::format("{}\n{}\n{}", expression, policy, asked);
  const auto found = placements_.find(key);
  if (found != placements_.end()) return found->second;
  PlacementFacts facts{.ranks = asked > 0 ? asked : topology(expression).hosts,
                       .content = std::nullopt};
  if (policy.starts_with(kFile)) {
    facts.content = checksum(read_file(policy.substr(kFile.size())));
    const Topology built = make_topology(expression);
    facts.ranks = topology::place(built, {.ranks = asked, .policy = policy}).ranks();
  }
  return placements_.emplace(key, facts).first->second;
}

}  // namespace weft::experiment
