// The cost of a schedule in several numbers of segments, exact of links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/schedule/cost.hpp"

namespace weft::schedule {

/// cost() of the schedule in each of these numbers of segments. The links' loads are found once, so
/// that many numbers take little more than one. Throws likewise.
std::vector<Cost> costs_by_segments(const Verified& verified, const Network& network,
                                    std::span<const std::int64_t> segments);

/// The same of a schedule of our own that nothing has proved yet, to choose by among many. Such a
/// cost is not to be shown: what was chosen is proved first.
std::vector<Cost> costs_before_proof(const Schedule& schedule, const Network& network,
                                     std::span<const std::int64_t> segments);

}  // namespace weft::schedule
