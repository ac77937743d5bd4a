// What a fat tree for so many endpoints needs, counted.
#pragma once

#include <cstdint>

namespace weft::analysis {

/// A tree of switches of k = 2r ports for so many endpoints, at full bisection. Endpoints are
/// spread evenly over the leaf switches, leaf switches over the pods. Every switch has as many
/// cables upwards as downwards but for those at the top.
struct FatTreeParts {
  int levels = 1;             // 1 .. 3
  std::int64_t half = 1;      // r
  std::int64_t leaves = 1;    // switches that endpoints hang on
  std::int64_t most = 0;      // endpoints on a leaf, at most
  std::int64_t pods = 0;      // of three levels
  std::int64_t pod_size = 0;  // leaves in a pod, at most
  std::int64_t middle = 0;    // switches between leaves and top, in all pods
  std::int64_t top = 0;       // spines or cores; none of a single switch

  std::int64_t switches() const { return leaves + middle + top; }
  /// Between two neighbouring levels.
  std::int64_t cables() const { return leaves * most; }
};

/// Endpoints of the whole tree: k, k^2 / 2, k^3 / 4.
std::int64_t fat_tree_capacity(int levels, std::int64_t half);

/// The parts for `endpoints` in 1 .. fat_tree_capacity. O(1).
FatTreeParts fat_tree_parts(int levels, std::int64_t half, std::int64_t endpoints);

}  // namespace weft::analysis
