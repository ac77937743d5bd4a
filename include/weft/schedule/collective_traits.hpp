// The table of collectives: who has which blocks at first and in the end. Blocks, roots, bounds by
// ports, bus factors, cuts and places in buffers follow from these two columns.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/schedule/collective.hpp"

namespace weft::schedule {

/// Blocks that a rank has, at first or in the end.
enum class Holding : std::uint8_t {
  all,          // every rank has all blocks, or a contribution to each
  all_at_root,  // the root has all blocks, the other ranks have none
  all_at_peer,  // likewise the destination of point-to-point
  own,          // rank r has block r
  sent,         // rank r has the N blocks that it sends, from r N on
  received,     // rank r has the N blocks that are for it: r, r + N, ...
};

/// A row of the table.
struct CollectiveTraits {
  std::string_view name, summary;
  Holding at_first, at_end;

  /// Ranks begin with contributions to all blocks, which are combined.
  bool reduces() const { return at_first == Holding::all; }
  /// Each rank ends with the result of a reduction.
  bool reduces_to_all() const { return reduces() && at_end == Holding::all; }
  /// Data begins at the root and ends at several ranks.
  bool from_root() const {
    return at_first == Holding::all_at_root && at_end != Holding::all_at_peer;
  }
  /// Data begins at several ranks and ends at the root.
  bool to_root() const { return at_end == Holding::all_at_root; }
  /// Some rank has a part of the blocks, at first or in the end.
  bool splits() const;
};
const CollectiveTraits& traits_of(CollectiveKind kind);

/// The collective of the reversed messages, which combines where this one copies; nothing for an
/// allreduce, which does both.
std::optional<CollectiveKind> transposed(CollectiveKind kind);

/// The rank that a block is from, where data is not combined, and its place among the blocks that
/// this rank has at first.
struct Origin {
  Rank rank;
  std::int64_t position = 0;
};
Origin origin_of(const Collective& collective, std::int64_t block);

/// The place of a block among the runs; nothing where it is not there.
std::optional<std::int64_t> position_in(const BlockRuns& runs, std::int64_t block);
/// The block at a place among the runs.
std::int64_t block_at(const BlockRuns& runs, std::int64_t position);

}  // namespace weft::schedule
