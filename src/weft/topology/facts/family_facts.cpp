#include "weft/topology/facts/family_facts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "weft/topology/facts/facts.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

namespace {

constexpr auto kPlacementFacts = std::to_array<PlacementFacts>({
    {"linear", "Rank r runs on host r."},
    {"contiguous", "Another name of linear."},
    {"random", "Ranks run on a uniform sample of the hosts, in random order (--seed)."},
    {"round-robin",
     "One rank after the other goes to the next Dragonfly group; on other networks it is "
     "round-robin-router."},
    {"round-robin-router",
     "Ranks go to the first host of every switch, then to the second host of every switch, and so "
     "on."},
    {"round-robin-group", "One rank after the other goes to the next Dragonfly group."},
    {"lone-root",
     "As random, but rank 0 has no other rank in its Dragonfly group: the worst case of the "
     "algorithm llf."},
    {"deepest",
     "Rank 0 runs on the first host, the next ranks on the first host of every other Dragonfly "
     "group, and the rest in the group after the first, one on each router: the worst case of the "
     "algorithm glf."},
    {"file:PATH",
     "Line r of the file has the number of the host of rank r; ranks may share hosts."},
    {"hosts:PATH", "Line r of the file has the name of the host of rank r."},
});

std::vector<FamilyFacts> facts_in_order() {
  std::vector<FamilyFacts> made;
  for (const Family& family : standard_registry().families)
    for (const auto facts : {facts_of_graphs(), facts_of_machines()})
      std::ranges::copy_if(facts, std::back_inserter(made),
                           [&](const FamilyFacts& its) { return its.family == family.name; });
  return made;
}

}  // namespace

std::span<const FamilyFacts> family_facts() {
  static const std::vector<FamilyFacts> all = facts_in_order();
  return all;
}

const FamilyFacts* facts_of_family(std::string_view family) {
  const auto all = family_facts();
  const auto found = std::ranges::find(all, family, &FamilyFacts::family);
  return found == all.end() ? nullptr : &*found;
}

std::span<const PlacementFacts> placement_facts() {
  return kPlacementFacts;
}

}  // namespace weft::topology
