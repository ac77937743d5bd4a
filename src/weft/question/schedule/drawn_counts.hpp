// Sizes of blocks drawn from distributions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::question {

/// Weights of the collective's blocks, which add up to some 2^20 a block; nothing where the text
/// names no distribution. Throws InvalidInput where its numbers make no sense.
std::optional<std::vector<std::int64_t>> drawn_counts(std::string_view text,
                                                      const Collective& collective,
                                                      std::uint64_t seed);

}  // namespace weft::question
