// The table of collectives: who has which blocks at first and in the end, and whose contributions a
// result has. Blocks, roots, bounds by ports, bus factors, cuts and places in buffers follow from
// these columns, so other code asks the predicates below and names no collective.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

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

/// Ranks [first, end).
struct RankInterval {
  std::int32_t first = 0, end = 0;
  friend bool operator==(const RankInterval&, const RankInterval&) = default;
};

/// A row of the table.
struct CollectiveTraits {
  std::string_view name, summary;
  Holding at_first, at_end;
  /// The functions of MPI that do this with blocks of one size, such as "MPI_Allgather".
  std::array<std::string_view, 2> of_mpi = {};
  /// The function with block sizes of their own, such as "MPI_Allgatherv"; empty: none.
  std::string_view of_mpi_with_counts = {};
  /// The ranks whose contributions are in the result of a rank; nullptr where it is all ranks.
  RankInterval (*contributors)(std::int32_t ranks, std::int32_t rank) = nullptr;

  /// Ranks begin with contributions to all blocks, which are combined.
  bool reduces() const { return at_first == Holding::all; }
  /// Each rank ends with the sum of all contributions.
  bool reduces_to_all() const {
    return reduces() && at_end == Holding::all && contributors == nullptr;
  }
  /// Data goes from one rank to another.
  bool between_two() const { return at_end == Holding::all_at_peer; }
  /// One rank plays a special part, so that data begins or ends at it.
  bool rooted() const { return at_first == Holding::all_at_root || at_end == Holding::all_at_root; }
  /// There is a block for each pair of ranks.
  bool by_pair() const { return at_first == Holding::sent; }
  /// Each rank begins with a block of its own.
  bool begins_with_own() const { return at_first == Holding::own; }
  /// Each rank ends with a block of its own.
  bool ends_with_own() const { return at_end == Holding::own; }
  /// Data of every rank goes to every rank: renumbering the ranks changes nothing.
  bool is_among_all() const { return !rooted() && contributors == nullptr; }
  /// Every rank ends with as many blocks as every other, each sent or summed for it alone or all of
  /// them: blocks may have sizes of their own.
  bool has_blocks_of_all() const { return is_among_all() && splits(); }
  /// Data begins at the root and ends at several ranks.
  bool from_root() const { return at_first == Holding::all_at_root && !between_two(); }
  /// Data begins at several ranks and ends at the root.
  bool to_root() const { return at_end == Holding::all_at_root; }
  /// Some rank has a part of the blocks, at first or in the end.
  bool splits() const;
};
const CollectiveTraits& traits_of(CollectiveKind kind);

/// The ranks whose contributions are in what `rank` must hold in the end, where data is combined.
RankInterval contributors_of(const Collective& collective, Rank rank);
/// The collective that a function of MPI does, such as "MPI_Allgatherv"; nothing for others.
std::optional<CollectiveKind> collective_of_mpi(std::string_view function);

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
