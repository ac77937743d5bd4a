// Collective: what is to be done, as what each rank holds at first and must hold in the end.
//
// Data is counted in blocks: one for each rank, except all-to-all, where block source * N +
// destination is what the source sends to the destination, and point-to-point, which has one. In a
// collective that reduces, every rank starts with its own contribution to every block, and a block
// is complete when all N contributions are in it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/id.hpp"
#include "weft/base/rational.hpp"

namespace weft::schedule {

using Rank = Id<struct RankTag>;

enum class CollectiveKind : std::uint8_t {
  broadcast,
  reduce,
  scatter,
  gather,
  allgather,
  reduce_scatter,
  allreduce,
  alltoall,
  point_to_point,
};
inline constexpr std::array kCollectiveKinds = {
    CollectiveKind::broadcast, CollectiveKind::reduce,    CollectiveKind::scatter,
    CollectiveKind::gather,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::allreduce, CollectiveKind::alltoall,  CollectiveKind::point_to_point,
};

/// "allgather", "reduce-scatter", "alltoall", "point-to-point", ...
std::string_view name_of(CollectiveKind kind);
/// Reads a name; case, '-' and '_' are ignored ("all-to-all" too). Throws InvalidInput with the
/// nearest names.
CollectiveKind parse_collective(std::string_view name);
/// One line of `weft list collectives`: what it does and what --size means for it.
std::string_view summary_of(CollectiveKind kind);

/// Blocks first, first + stride, ..., `times` runs of `count` neighbouring blocks each.
struct BlockRuns {
  std::int64_t first = 0, count = 0, stride = 0, times = 1;

  std::int64_t total() const { return count * times; }
};

/// What is to be done by how many ranks.
struct Collective {
  CollectiveKind kind = CollectiveKind::allreduce;
  std::int32_t ranks = 0;
  Rank root = Rank(0);  // of broadcast, reduce, scatter, gather; the source of point-to-point
  Rank peer = Rank(0);  // the destination of point-to-point

  /// How many blocks the data is cut into: ranks, but ranks^2 of all-to-all and 1 of
  /// point-to-point.
  std::int64_t blocks() const;
  /// Whether contributions are combined.
  bool reduces() const;
  /// Whether one rank plays a special part.
  bool rooted() const;
  /// What `rank` holds at first: its input, or its contributions.
  BlockRuns held_at_first(Rank rank) const;
  /// What `rank` must hold in the end: complete blocks.
  BlockRuns wanted(Rank rank) const;

  /// Blocks in M, the size that bandwidth factors are relative to: N, or 1 for point-to-point.
  std::int64_t blocks_in_m() const;
  /// Whether --size is one block (all-to-all, allgather, gather, scatter) and not the whole buffer.
  bool size_is_block() const;
  /// Whether all that counts is that the whole buffer arrives (broadcast, reduce, allreduce): then
  /// a segment of a pipelined schedule is a contiguous part of the buffer, and not a part of each
  /// block.
  bool whole_buffer() const;
  /// Bytes in all blocks together when `--size` is `size_B`. Throws InvalidInput on overflow.
  std::int64_t total_bytes(std::int64_t size_B) const;
  /// Bytes of a rank's larger buffer, that of its input or its result. Throws as total_bytes().
  std::int64_t buffer_bytes(std::int64_t size_B) const;

  /// The bandwidth factor that no schedule beats by its ranks' ports alone, each on a node of its
  /// own: broadcast, reduce and point-to-point 1, allreduce 2(N-1)/N, the others (N-1)/N.
  Rational port_bound() const;

  friend bool operator==(const Collective&, const Collective&) = default;
};

/// Throws InvalidInput unless there is a rank and root and peer are ranks.
void check(const Collective& collective);

// The collectives by name: `allgather(16)`, `broadcast(16, Rank(3))`.
Collective broadcast(std::int32_t ranks, Rank root = Rank(0));
Collective reduce(std::int32_t ranks, Rank root = Rank(0));
Collective scatter(std::int32_t ranks, Rank root = Rank(0));
Collective gather(std::int32_t ranks, Rank root = Rank(0));
Collective allgather(std::int32_t ranks);
Collective reduce_scatter(std::int32_t ranks);
Collective allreduce(std::int32_t ranks);
Collective alltoall(std::int32_t ranks);
Collective point_to_point(std::int32_t ranks, Rank source, Rank destination);

}  // namespace weft::schedule

namespace weft {
using schedule::Collective;
using schedule::CollectiveKind;
using schedule::Rank;
}  // namespace weft
