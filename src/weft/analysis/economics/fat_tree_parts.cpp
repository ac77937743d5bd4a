// Fat trees of one, two and three levels, bought for as many endpoints as there are.
//
// Leaves: as many as hold the endpoints with half of their ports; spread evenly, a leaf has at most
// `most` endpoints and needs as many cables upwards. Above, every switch of a level is joined to
// each group below it by the same number of cables. Of two levels a spine has floor(k / leaves) to
// each leaf, so that ceil(most / floor(k / leaves)) spines take them all. Of three levels pod and
// core take the places of leaf and spine: the i-th cable of every leaf of a pod goes to the pod's
// i-th middle switch, which has as many cables upwards as leaves below, to the cores of group i.
//
// That is full bisection, and more: the endpoints' permutations are routed without two messages on
// a cable. What leaves and enters the leaves is a bipartite multigraph of degree `most`, which
// falls apart into `most` matchings (Koenig); the i-th crosses the i-th cable of each leaf. Since
// all leaves share out their cables over the spines alike, a matching has one spine for all of
// them. In three levels the same holds of the pods' middle switches, matching by matching. Source:
// Clos 1953; Leiserson 1985; k-port trees as Al-Fares, Loukissas, Vahdat, SIGCOMM 2008.
#include "weft/analysis/economics/fat_tree_parts.hpp"

#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  WEFT_ASSERT(a >= 0 && b >= 1);
  return (a + b - 1) / b;
}

// Switches of `ports` that take `cables` from each of so many groups, all alike.
std::int64_t switches_above(std::int64_t groups, std::int64_t cables, std::int64_t ports) {
  WEFT_ASSERT(groups >= 1 && groups <= ports);  // each switch takes a cable of every group
  return divide_up(cables, ports / groups);
}

}  // namespace

std::int64_t fat_tree_capacity(int levels, std::int64_t half) {
  std::int64_t endpoints = 2 * half;
  for (int level = 1; level < levels; ++level) endpoints *= half;
  return endpoints;
}

FatTreeParts fat_tree_parts(int levels, std::int64_t half, std::int64_t endpoints) {
  WEFT_ASSERT(levels >= 1 && levels <= 3 && half >= 1 && endpoints >= 1 &&
              endpoints <= fat_tree_capacity(levels, half));
  FatTreeParts parts{.levels = levels, .half = half, .most = endpoints};
  if (levels == 1) return parts;
  const std::int64_t ports = 2 * half;
  parts.leaves = divide_up(endpoints, half);
  parts.most = divide_up(endpoints, parts.leaves);
  if (levels == 2) {
    parts.top = switches_above(parts.leaves, parts.most, ports);
    return parts;
  }
  parts.pods = divide_up(parts.leaves, half);
  parts.pod_size = divide_up(parts.leaves, parts.pods);
  parts.middle = parts.pods * parts.most;
  parts.top = parts.most * switches_above(parts.pods, parts.pod_size, ports);
  return parts;
}

}  // namespace weft::analysis
