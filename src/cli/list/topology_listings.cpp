#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/list/listing.hpp"
#include "weft/topology/facts/family_facts.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

std::vector<ListRow> topology_rows() {
  std::vector<ListRow> rows;
  const topology::Registry& registry = topology::standard_registry();
  for (const auto& family : registry.families) {
    const topology::FamilyFacts* found = topology::facts_of_family(family.name);
    const topology::FamilyFacts facts = found == nullptr ? topology::FamilyFacts{} : *found;
    rows.push_back({family.name, family.parameters, family.summary, family.example,
                    std::string(facts.nodes), std::string(facts.degree),
                    std::string(facts.diameter), std::string(facts.classes),
                    std::string(facts.note), std::string(facts.source)});
  }
  for (const auto& function : registry.functions) {
    rows.push_back({function.name, function.parameters, function.summary, function.example});
    rows.back().resize(rows.front().size());  // without facts
  }
  return rows;
}

std::vector<ListRow> placement_rows() {
  std::vector<ListRow> rows;
  for (const topology::PlacementFacts& placement : topology::placement_facts())
    rows.push_back({std::string(placement.name), std::string(placement.summary)});
  return rows;
}

std::vector<ListRow> network_rows() {
  std::vector<ListRow> rows;
  for (const topology::MachineInfo& machine : topology::machines())
    rows.push_back({"network:" + machine.name, machine.summary,
                    fmt::format("{}", fmt::join(machine.sources, "; "))});
  return rows;
}

}  // namespace weft::cli
