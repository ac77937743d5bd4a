// Reduction order: on which side of a reduction what arrives stands, and whether all ranks put the
// same contributions together in the same way.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/verify.hpp"

namespace weft::schedule {

/// Units of a message that reduces, the operand with the lowest contributing rank on one side for
/// all of them.
struct ReducedPiece {
  std::int64_t message = 0;  // stored
  Piece piece;               // of the message's
  bool arrives_left = true;  // arriving op held, else held op arriving

  friend bool operator==(const ReducedPiece&, const ReducedPiece&) = default;
};

struct ReductionOrder {
  /// By message, then unit; all units of all messages that reduce.
  std::vector<ReducedPiece> pieces;
  /// Every rank that ends up with a unit has put its contributions together in one and the same
  /// association, so that rounding operations give all of them the same bits.
  bool one_association = true;
};

/// Of a schedule without a symmetry (expand_symmetry) or helpers. Follows the data as verify()
/// does: O(movements * log runs).
ReductionOrder reduction_order(const Verified& verified);

}  // namespace weft::schedule
