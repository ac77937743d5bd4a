#include "entry_check.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "weft/base/error.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

bool is_two_way(const Topology& topology) {
  for (const LinkId link : topology.links())
    if (!topology.reverse(link)) return false;
  return true;
}

bool has_cost(const CatalogueEntry& entry) {
  const algorithm::Prediction& facts = entry.facts;
  return holds({.expression = entry.expression,
                .nodes = static_cast<int>(facts.nodes),
                .degree = static_cast<int>(facts.degree),
                .direction = entry.cabled ? Direction::bidirectional : Direction::one_way,
                .steps = static_cast<int>(facts.steps),
                .bandwidth_factor = facts.bandwidth_factor,
                .how = {}});
}

std::optional<std::string> fault_of(const CatalogueEntry& entry, CheckOf what) {
  const algorithm::Prediction& facts = entry.facts;
  const Topology topology = build_topology_for(entry.expression, facts.nodes).topology;
  if (topology.node_count() != facts.nodes || topology.nominal_degree() != facts.degree)
    return fmt::format("{} has {} nodes of degree {}, and the line is of {} nodes of degree {}",
                       entry.expression, topology.node_count(), topology.nominal_degree(),
                       facts.nodes, facts.degree);
  if (entry.cabled && !is_two_way(topology))
    return fmt::format("{} has one-way links, and the line says bidirectional", entry.expression);
  if (what == CheckOf::cost && entry.source.starts_with("searched") && !has_cost(entry))
    return fmt::format("{} does not have {} steps and T_B {}, as the line states", entry.expression,
                       facts.steps, to_string(facts.bandwidth_factor));
  return std::nullopt;
}

}  // namespace

void require_true(const CatalogueEntry& entry, CheckOf what) {
  if (entry.file.empty()) return;
  std::optional<std::string> fault;
  try {
    fault = fault_of(entry, what);
  } catch (const InvalidInput& error) {
    fault = error.what();
  }
  require(!fault, "{}:{}: {}; remove the line", entry.file, entry.line, fault.value_or(""));
}

}  // namespace weft::search
