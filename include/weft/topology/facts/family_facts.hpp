// Facts about topology families and placements, as text for `weft list` and the reference pages.
#pragma once

#include <span>
#include <string_view>

namespace weft::topology {

/// Size and shape of a family's networks, in the letters of its parameters.
struct FamilyFacts {
  std::string_view family;
  std::string_view nodes;
  std::string_view degree;     // links that leave a node; of switches where hosts hang on them
  std::string_view diameter;   // in links
  std::string_view classes;    // link classes, separated by blanks: terminal, level1, ...
  std::string_view note = {};  // numbering and other rules, in whole sentences
  std::string_view source = {};
};

/// All families, in the order of the registry.
std::span<const FamilyFacts> family_facts();

/// The facts of a family; null where it has none.
const FamilyFacts* facts_of_family(std::string_view family);

/// A placement of ranks on hosts.
struct PlacementFacts {
  std::string_view name;
  std::string_view summary;
};

/// In the order of placement_policies().
std::span<const PlacementFacts> placement_facts();

}  // namespace weft::topology
