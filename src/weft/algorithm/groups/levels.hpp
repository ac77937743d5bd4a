// Levels: a collective composed of collectives within groups of ranks and across the groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Names of algorithms, one for each level.
struct LevelAlgorithms {
  std::string_view inner, outer;
};

/// What may stand at a level: algorithms that need to know nothing of the network.
inline constexpr std::string_view kLevelChoices[] = {
    "pairwise",
    "shift",
    "spread",
    "lin",
    "xor",
    "bruck",
    "ring",
    "bidirectional-ring",
    "neighbor",
    "recursive-doubling",
    "recursive-halving",
    "rabenseifner",
    "binomial",
    "knomial",
    "chain",
    "scatter-allgather",
    "scatter-doubling",
    "double-binary-tree",
};

/// Any collective but point-to-point, one level after the other, in segments a distance of one step
/// apart. Throws InvalidInput when the groups are not equal or do not hold each of the ranks once,
/// and as misfit_of_levels() says.
Schedule schedule_in_levels(const Collective& collective, const LocalGroups& groups,
                            const LevelAlgorithms& algorithms, std::int64_t segments = 1);

/// Why the algorithms cannot serve the collective on `groups` groups of `size` ranks; nothing when
/// they can.
std::optional<std::string> misfit_of_levels(const Collective& collective, std::int32_t groups,
                                            std::int32_t size, const LevelAlgorithms& algorithms);

/// Fills in the names that are left empty: of those that fit the ones of least T_B on the network
/// in many segments, of these of least T_B and T_L in one, the inner one beside the usual outer
/// one, then the outer one beside it; of few where ranks are many. Without a network, and beyond
/// kMostPricedRanks ranks, those that are usual: of least bytes on any number of ranks.
LevelAlgorithms best_levels(const Collective& collective, const LocalGroups& groups,
                            const Network* network, LevelAlgorithms given = {});
inline constexpr std::int32_t kMostPricedRanks = 1024;

}  // namespace weft::algorithm
