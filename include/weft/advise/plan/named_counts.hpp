// Counts of several collectives, as plans take them: one value for all with unequal blocks, or one
// for each by its name.
//
//   row.txt                                           for all of them
//   alltoallv=matrix.txt and allgatherv=row.txt       for each by its name
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::advise {

struct NamedCounts {
  std::optional<CollectiveKind> kind;  // nothing: of all that no other entry names
  std::string text;                    // a file or a distribution
};

/// Throws InvalidInput for a name of another collective, for one without a file, and for two of one
/// collective. Reads no file.
std::vector<NamedCounts> named_counts(std::span<const std::string> texts);

/// The counts of this collective, else those of all that are not named; null where there are none.
const NamedCounts* counts_for(std::span<const NamedCounts> all, CollectiveKind kind);

}  // namespace weft::advise
