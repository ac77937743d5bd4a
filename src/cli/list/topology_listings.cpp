#include "cli/list/listing.hpp"
#include "weft/topology/facts/family_facts.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

Listing list_topologies() {
  Listing listing{{"name", "parameters", "summary", "example", "nodes", "degree", "diameter",
                   "classes", "note", "source"},
                  {}};
  listing.only_in_full = {"nodes", "degree", "diameter", "classes", "note", "source"};
  const topology::Registry& registry = topology::standard_registry();
  for (const auto& family : registry.families) {
    const topology::FamilyFacts* found = topology::facts_of_family(family.name);
    const topology::FamilyFacts facts = found == nullptr ? topology::FamilyFacts{} : *found;
    listing.rows.push_back({family.name, family.parameters, family.summary, family.example,
                            std::string(facts.nodes), std::string(facts.degree),
                            std::string(facts.diameter), std::string(facts.classes),
                            std::string(facts.note), std::string(facts.source)});
  }
  for (const auto& function : registry.functions) {
    listing.rows.push_back(
        {function.name, function.parameters, function.summary, function.example});
    listing.rows.back().resize(listing.columns.size());
  }
  return listing;
}

Listing list_placements() {
  Listing listing{{"name", "summary"}, {}};
  for (const topology::PlacementFacts& placement : topology::placement_facts())
    listing.rows.push_back({std::string(placement.name), std::string(placement.summary)});
  return listing;
}

}  // namespace weft::cli
