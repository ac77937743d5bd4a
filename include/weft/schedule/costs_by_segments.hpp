// The exact cost of a schedule in several numbers of segments.
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

}  // namespace weft::schedule
