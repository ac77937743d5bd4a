// UnionFind: disjoint sets that are joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace weft {

/// Sets of 0 ... count - 1, at first one for each; the least member names a set. Paths are halved
/// on the way: O(log count) a call, spread over many. Source: Tarjan, van Leeuwen, "Worst-Case
/// Analysis of Set Union Algorithms", JACM 31(2), 1984.
class UnionFind {
 public:
  /// Each of 0 ... count - 1 alone.
  explicit UnionFind(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// The least member of x's set.
  std::int32_t find(std::int32_t x) {
    while (up(x) != x) x = up(x) = up(up(x));
    return x;
  }
  /// Makes one set of both; whether they were two.
  bool join(std::int32_t a, std::int32_t b) {
    a = find(a);
    b = find(b);
    up(std::max(a, b)) = std::min(a, b);
    return a != b;
  }

 private:
  std::int32_t& up(std::int32_t x) { return parent_[x]; }

  std::vector<std::int32_t> parent_;
};

}  // namespace weft
