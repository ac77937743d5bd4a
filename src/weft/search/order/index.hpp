// Ranks, hosts and switches are 32-bit numbers; arrays are indexed by std::size_t.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::search {

constexpr std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace weft::search
