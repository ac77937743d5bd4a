// Chunking: how many equal units a block is cut into.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "weft/base/rational.hpp"

namespace weft::algorithm::bfb {

/// The least number of units for which every time is whole; nothing above `limit`.
std::optional<std::int64_t> exact_units(std::span<const Rational> times, std::int64_t limit);

/// The number P of units up to `limit` with the least sum of ceil(P * time) / P, the smallest of
/// equals: where links are alike, a step of time U takes ceil(P U) / P with P chunks, since flows
/// of whole limits are whole. The sum does not fall steadily with P. O(limit * times).
std::int64_t best_units(std::span<const Rational> times, std::int64_t limit);

}  // namespace weft::algorithm::bfb
