// Levels: a collective composed of collectives within groups of ranks and across the groups, which
// may be groups of groups in turn.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/local_groups.hpp"

namespace weft::algorithm {

/// Names of algorithms, innermost first: within the groups of each level, then across the last.
using LevelAlgorithms = std::vector<std::string_view>;

/// What stands within the smallest groups alone, where cables of their own join each and all alike:
/// it goes by these cables.
inline constexpr std::string_view kOfMeshes = "bfb";

/// What may stand at any level: algorithms that need to know nothing of the network.
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

/// How many ranks, or groups, a group of each level has, innermost first; last the groups of the
/// last level.
using LevelShape = std::vector<std::int32_t>;
LevelShape shape_of(const GroupLevels& levels);

/// Any collective but point-to-point, one level after the other, in segments a distance of one step
/// apart. `mesh`: what joins the ranks of a smallest group (mesh_of_groups.hpp), if anything does.
/// Throws InvalidInput when the groups are not equal or do not hold each of the ranks once, and as
/// misfit_of_levels() says, and where try_in_levels() has nothing.
Schedule schedule_in_levels(const Collective& collective, const GroupLevels& levels,
                            const LevelAlgorithms& algorithms, std::int64_t segments = 1,
                            const Network* mesh = nullptr);

/// The same; nothing where the algorithms cut blocks into units without a common multiple in range.
std::optional<Schedule> try_in_levels(const Collective& collective, const GroupLevels& levels,
                                      const LevelAlgorithms& algorithms, std::int64_t segments,
                                      const Network* mesh);

/// Where a part of a collective in levels runs: within groups of ranks, or across them.
enum class Side : std::uint8_t { within, across };

/// Groups of the ranks that serve lanes, and the ranks of each group that serve none, which lists
/// of several sizes may hold; no lists where all serve.
struct LaneGroups {
  LocalGroups groups;
  std::vector<std::vector<Rank>> beyond = {};
};

/// The same of one level, of the schedules that `part` gives for what is to be done within the
/// groups, ranks beyond the lanes last, and across them; nothing where it gives none for a part, or
/// their units have no common multiple in range.
using PartOf = std::function<std::optional<Schedule>(const Collective& part, Side side)>;
std::optional<Schedule> schedule_of_parts(const Collective& collective, const LaneGroups& lanes,
                                          std::int64_t segments, const PartOf& part);

/// Why the algorithms cannot serve the collective on groups of this shape; nothing when they can.
std::optional<std::string> misfit_of_levels(CollectiveKind kind, const LevelShape& shape,
                                            const LevelAlgorithms& algorithms,
                                            const Network* mesh = nullptr);

/// Schedules of more ranks are not priced.
inline constexpr std::int32_t kMostPricedRanks = 1280;

/// What schedules in levels are compared by: T_B in many segments, then T_B and T_L in one.
/// Proofs take longer than prices, and most of what is tried is not taken: what is gets its proof
/// where it is used, as all schedules do.
using LevelPrice = std::tuple<Rational, Rational, std::int64_t>;
LevelPrice level_price(const Schedule& schedule, const Network& network);

/// Groups of ranks of some levels, the smallest first, and an algorithm for each and across.
struct LevelChoice {
  std::vector<LocalGroups> groups;
  LevelAlgorithms algorithms;
  std::optional<Network> mesh = {};  // of a smallest group
};

/// What a user says of levels: names of algorithms within groups, innermost first (none: as many
/// as are best), and across (empty: the best).
struct LevelOptions {
  std::vector<std::string_view> inner = {};
  std::string_view outer = {};
  bool all = false;  // levels, not those that are best
};

/// Why nothing of what is available is what is asked; nothing when something is. The network may be
/// unknown.
std::optional<std::string> misfit_of_asked(CollectiveKind kind, const LocalGroupLevels& available,
                                           const Network* network, const LevelOptions& asked);

/// Bytes of M at which one segment of a schedule in levels may take less time than the levels of
/// least T_B do: start-ups alone, and what some messages take to cross a link.
inline constexpr std::array<double, 2> kQuickSizes_B{0, 65536};

/// Estimates of one segment at kQuickSizes_B: steps * longest latency + start-ups one after the
/// other + T_B * M / B.
using QuickTimes = std::array<double, std::size(kQuickSizes_B)>;
QuickTimes quick_times_s(const Schedule& schedule, const Network& network);

struct LevelChoices {
  /// The levels among those available that cost least with the best of their algorithms: the usual
  /// level with each other that makes it cheaper. If a number of levels is asked for, the cheapest
  /// set of that number. If schedules are not priced, all levels from the usual one outwards.
  ///
  /// The best algorithms are chosen from the innermost level outwards, each next to those before it
  /// and the usual ones after it: the smallest T_B on the network in many segments, then the
  /// smallest T_B and T_L in one. Above 256 ranks few algorithms are tried. Without a network, and
  /// above kMostPricedRanks ranks, the usual algorithms are taken: those that move the fewest bytes
  /// on any number of ranks, and kOfMeshes within a mesh.
  LevelChoice best;
  /// The algorithms of least quick_times_s() at each of kQuickSizes_B: of the usual level, or of
  /// the given number of levels. Empty if prices are not compared.
  std::vector<LevelChoice> quick = {};
};
/// Nothing where no levels fit what is asked.
std::optional<LevelChoices> level_choices(const Collective& collective,
                                          const LocalGroupLevels& available, const Network* network,
                                          const LevelOptions& asked);

}  // namespace weft::algorithm
