// Parts that rules of MPI libraries are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "weft/libraries/library.hpp"

namespace weft::libraries {

inline LibraryPart part(CollectiveKind collective, std::string algorithm) {
  LibraryPart made;
  made.collective = collective;
  made.algorithm = std::move(algorithm);
  return made;
}
/// In place of one that weft does not have, which sends about as much.
inline LibraryPart stand_in(CollectiveKind collective, std::string algorithm) {
  LibraryPart made = part(collective, std::move(algorithm));
  made.stand_in = true;
  return made;
}
/// A tree of a radix; one as large as the ranks has all of them as children of the root.
inline LibraryPart knomial(CollectiveKind collective, std::int64_t radix) {
  LibraryPart made = part(collective, "knomial");
  made.options.values["radix"] = std::max<std::int64_t>(2, radix);
  return made;
}

/// The same tree with all children of a rank served at once.
inline LibraryPart children_together(LibraryPart tree) {
  tree.options.values["children"] = std::string("together");
  return tree;
}

inline std::int32_t power_of_two_up_to(std::int32_t ranks) {
  std::int32_t power = 1;
  while (power <= ranks / 2) power *= 2;
  return power;
}

/// The same parts on another level.
inline std::vector<LibraryPart> on_level(LibraryLevel level, std::vector<LibraryPart> parts) {
  for (LibraryPart& each : parts) each.level = level;
  return parts;
}

inline void append(std::vector<LibraryPart>& all, std::vector<LibraryPart> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace weft::libraries
