// Sizes of blocks drawn from distributions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weft/schedule/collective.hpp"

namespace weft::advise {

/// Of the mean block: whole numbers of bytes at each multiple of 1 KiB.
inline constexpr std::int64_t kMeanCount = 1024;

/// Weights of the collective's blocks, of mean kMeanCount; nothing where the text names no
/// distribution. Throws InvalidInput where its numbers make no sense.
std::optional<std::vector<std::int64_t>> drawn_counts(std::string_view text,
                                                      const Collective& collective,
                                                      std::uint64_t seed);

}  // namespace weft::advise
