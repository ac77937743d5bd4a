// Dealing: destinations in turn to the links that lead to them equally well.
//
// Where several next links are as short, the tables of a subnet manager give each destination one
// of them, and each link about as many destinations. So does this, without tables: destinations are
// numbered switch after switch, and of k links the n-th destination takes number n mod k. Had all
// routers chosen so, the destinations that meet at the second would all be those of one remainder,
// and choose alike there. So the higher digits of n to the base k turn the choice, another digit at
// each distance from the destination.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/error.hpp"

namespace weft::network {

/// Numbers for all nodes, [0, nodes): by the router of each, then by the node.
/// O(nodes).
template <class RouterOf>
std::vector<std::int32_t> number_by_router(std::int32_t nodes, RouterOf&& router_of) {
  std::vector<std::int32_t> next(static_cast<std::size_t>(nodes) + 1, 0);
  for (std::int32_t node = 0; node < nodes; ++node) ++next[router_of(node) + 1];
  for (std::int32_t node = 0; node < nodes; ++node) next[node + 1] += next[node];
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(nodes));
  for (std::int32_t node = 0; node < nodes; ++node) numbers.push_back(next[router_of(node)]++);
  return numbers;
}

/// The place among `count` links, 1 or more, for the destination of that number, at a router so
/// many links from it. Consecutive numbers get different places.
inline std::int32_t dealt(std::int32_t number, std::int32_t count, std::int64_t distance) {
  WEFT_ASSERT(count > 0);
  std::int64_t turned = number;
  if (count > 1 && distance > 2) {
    std::int64_t digits = number;
    for (std::int64_t i = 2; i < distance && digits > 0; ++i) digits /= count;
    turned += digits;
  }
  return static_cast<std::int32_t>(turned % count);
}

}  // namespace weft::network
