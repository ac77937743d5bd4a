// Sizes as weft writes them: "64KiB", "1MB", "4096", a list of them, or a doubling range.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weft::mpi_bench {

/// The largest size of one call.
inline constexpr std::int64_t kLargest_B = std::int64_t{1} << 30;

/// Nothing where the text is no such list, or a size is below 1 or above kLargest_B.
std::optional<std::vector<std::int64_t>> sizes_in(std::string_view text);

}  // namespace weft::mpi_bench
