// What no network can beat, and sizes for which there is one.
#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/search/finder.hpp"

namespace weft::search {

namespace {

// Cables: a network with degree d has N * d / 2 of them, and with one port a node only two nodes
// are connected. One-way links: parallel rings always do.
bool is_feasible(int nodes, int degree, Direction direction) {
  if (nodes < 2) return false;
  if (direction == Direction::one_way) return true;
  if (degree == 1) return nodes == 2;
  return nodes % 2 == 0 || degree % 2 == 0;
}

}  // namespace

std::optional<int> nearest_feasible_nodes(int nodes, int degree, Direction direction) {
  for (int away = 0; away <= std::max(nodes, 2); ++away) {
    if (is_feasible(nodes - away, degree, direction)) return nodes - away;
    if (is_feasible(nodes + away, degree, direction)) return nodes + away;
  }
  return std::nullopt;
}

std::int64_t least_distances(std::int64_t nodes, std::int64_t nearest, std::int64_t growth) {
  WEFT_ASSERT(nodes <= 1 || (nearest >= 1 && growth >= 1));  // else some are never reached
  std::int64_t left = nodes - 1, layer = nearest, sum = 0;
  for (std::int64_t distance = 1; left > 0; ++distance) {
    const std::int64_t here = std::min(layer, left);
    sum += distance * here;
    left -= here;
    layer = std::min(layer * growth, nodes);
  }
  return sum;
}

Rational throughput_bound(int nodes, int degree, Direction direction) {
  WEFT_ASSERT(nodes >= 2 && degree >= 1);
  const int growth = direction == Direction::one_way ? degree : std::max(degree - 1, 1);
  return {degree, least_distances(nodes, degree, growth)};
}

}  // namespace weft::search
