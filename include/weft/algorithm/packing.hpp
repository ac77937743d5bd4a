// Packing: collectives over trees that reach the network's optimum.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/flow/rank_trees.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm {

/// Most ranks for which an allreduce gets shares of its own at each root: a linear program of
/// thousands of rows.
inline constexpr std::int32_t kMostRanksOfShares = 256;

struct PackingOptions {
  /// Nothing: one; tools that choose their number by the size take packing_variants().
  std::optional<std::int64_t> segments = {};
  /// Of each rank; of an allreduce whose halves are joined, on average.
  std::int64_t most_trees = std::int64_t{1} << 20;
  /// Links from the root to any rank at most; of an allreduce in each of its halves.
  std::optional<std::int32_t> depth = {};
};

/// Whether trees of its roots are all that the collective takes: allgather, reduce-scatter,
/// broadcast and reduce. An allreduce is two of these.
bool packs(schedule::CollectiveKind kind);
/// What trees it asks for. Precondition: packs().
flow::RankTreesQuestion trees_of(const schedule::Collective& collective, const Network& network);

/// Allgather, reduce-scatter, broadcast and reduce over as many trees from each root as reach the
/// least T_B that any schedule has on the network, or come near it (flow::rank_trees); an allreduce
/// is a reduce-scatter and an allgather, or has the shares of flow::allreduce_trees() at its roots
/// where that is better. Segments follow at a distance of one step: s of them over
/// trees of D steps take T_B at most (D + s - 1) / s times that of the trees. What leads through
/// switches has explicit routes. Throws InvalidInput for other collectives, ranks that do not reach
/// each other, and for less than one segment or tree.
schedule::Schedule packing(const Network& network, const schedule::Collective& collective,
                           const PackingOptions& options = {});

/// Of an allreduce by packing(): whether its halves share links and steps, or have roots of unlike
/// shares; false of a reduce-scatter that an allgather follows. O(messages + pieces).
bool joins_halves(const schedule::Schedule& schedule);

/// Of which packing() is the best in the segments that are asked for, and tools take the best for a
/// size: an allreduce in halves and with its own shares, and trees found for one segment and for
/// many; one or more. Throws likewise.
std::vector<schedule::Schedule> packing_variants(const Network& network,
                                                 const schedule::Collective& collective,
                                                 const PackingOptions& options = {});

}  // namespace weft::algorithm
