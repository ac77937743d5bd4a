// Which algorithms are worth a simulation for a group of many ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/network/network.hpp"
#include "weft/training/prices.hpp"
#include "weft/training/schedules/contestants.hpp"

namespace weft::training {

/// Of all that apply to each of these groups the few that are fastest on the first by the formula
/// at each size: at least one, but where none applies to each. Their prices are asked of the
/// algorithms without a schedule where they know them, else taken of the schedule, which is kept;
/// trees that are grown one by one on a large network are left out. What is said of a size does not
/// depend on the others. Throws InvalidInput where no algorithm applies to the first.
std::vector<Contestant> estimate(const Collective& collective, std::span<const Network> groups,
                                 const std::vector<std::int64_t>& sizes_B,
                                 const PriceOptions& options);

}  // namespace weft::training
