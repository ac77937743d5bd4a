// The limits of work of contests and of the answers around them, each with its reason.
//
// Above a limit of ranks, messages or links something is left out or done in a cheaper way. Limits
// with one reason are one constant. Limits of files and printed tables are not limits of work, so
// they stay where files are read and tables are printed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::evaluate {

// Ranks.

/// Ranks up to which all algorithms that apply are built and timed where nobody named them: the
/// slow ones take seconds here and minutes for a few times as many. Used by design (above, the
/// algorithms run one by one) and by order (algorithms that follow the network).
inline constexpr std::int32_t kMostRanksOfAll = 256;
/// Ranks up to which packed trees and paths of flows are built without being named: a second for
/// this many, minutes for a few times as many. Used by optimum (schedules next to it) and by
/// design.
inline constexpr std::int32_t kMostMadeUnasked = 128;
/// Ranks up to which the throughput of a network is found, within 1 %, for the sake of a note or to
/// tell whether a flow may win: seconds. Used by compare, plan and design.
inline constexpr std::int32_t kMostRanksOfThroughput = 256;
/// Ranks up to which design runs an all-to-all over the paths of a flow by the fluid model whatever
/// its time by alpha-beta: a tenth of a second to build.
inline constexpr std::int32_t kMostFlowedAnyway = 24;
/// Ranks up to which the check of start-ups may use half of the work budget: above, loading steps
/// takes more time than the counted work shows. Used by compare.
inline constexpr std::int32_t kMostRanksOfHalfBudget = 256;
/// Networks of more ranks are large: one run of each algorithm may take more than the whole budget
/// of a contest, which then has levels. Used by contests, and for the shares of blocks.
inline constexpr std::int64_t kManyRanks = 8192;

/// Most ranks at which each schedule with paths of its own is simulated over the network's routes,
/// too; above, where a simulation takes long, only if the estimate prefers these by 2 %. Used by
/// candidates.
inline constexpr std::int32_t kMostRanksOfBothRoutes = 16;

// Messages and links.

/// Messages without a symmetry up to which a schedule is priced or bounded one by one: about 10 s.
/// Used by compare (an unnamed algorithm with more is left out), by the bounds of contests (none
/// with more) and for the shares of blocks (equal ones with more).
inline constexpr std::int64_t kMostMessagesOneByOne = 4'000'000;
/// Links up to which the number of segments of a schedule without a symmetry is chosen by price:
/// about 10 s. Used by compare.
inline constexpr std::int64_t kMostPricedLinks = 2'000'000;

// Candidates.

/// Algorithms, the first by alpha-beta, that design runs by the fluid model above kMostRanksOfAll.
inline constexpr std::size_t kMostLeadersOfMany = 2;
/// Winners for which compare tries other routings: a simulation of each routing.
inline constexpr int kMostJudgedRoutings = 2;

}  // namespace weft::evaluate
