// The binomial broadcast as a pattern of messages.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/search/order_pattern.hpp"

namespace weft::test {

/// The binomial broadcast from rank 0: parent(r) = r & (r - 1), largest subtree first.
inline search::OrderPattern binomial_pattern(std::int32_t ranks, std::int64_t size_B = 1) {
  std::vector<search::OrderMessage> messages;
  std::vector<std::size_t> first{0};
  std::int64_t distance = 1;
  while (distance < ranks) distance *= 2;
  for (distance /= 2; distance > 0; distance /= 2) {
    for (std::int64_t r = 0; r + distance < ranks; r += 2 * distance)
      messages.push_back(
          {static_cast<std::int32_t>(r), static_cast<std::int32_t>(r + distance), size_B});
    first.push_back(messages.size());
  }
  return {ranks, messages, first};
}

}  // namespace weft::test
