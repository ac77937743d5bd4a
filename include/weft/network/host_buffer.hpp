// The buffers of all ranks of a host, which share its cache.
#pragma once

#include <cstdint>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::network {

/// Bytes of the buffers of this number of ranks, at most the largest 64-bit number. Preconditions:
/// buffer_B >= 0, ranks >= 1.
constexpr std::int64_t host_buffer_B(std::int64_t buffer_B, std::int32_t ranks) {
  WEFT_ASSERT(buffer_B >= 0 && ranks >= 1);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return buffer_B > kMost / ranks ? kMost : buffer_B * ranks;
}

}  // namespace weft::network
