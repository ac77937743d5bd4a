// Paths between two nodes that carry as much as possible at the least latency.
//
// A flow of value F and least cost (bandwidth times latency) splits into paths; of all ways to use
// bandwidth F between the two nodes they have the least sum of bandwidth times latency. Where all
// links are equally fast, F is k links' bandwidth and the paths are k edge-disjoint ones of the
// least total length.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::flow {

/// A path and the bandwidth that is its own: paths of one set that share a link fit in it together.
struct Path {
  std::vector<LinkId> links;
  std::int64_t bandwidth_Bps = 0;
  std::int64_t latency_ps = 0;

  friend bool operator==(const Path&, const Path&) = default;
};

struct PathLimits {
  int most_paths = 0;  // of a set; 0: no limit
  int most_hops = 0;   // links of a path; 0: no limit
};

/// Sets of paths from one node to another, each a flow of least cost, with growing bandwidth up to
/// the maximum flow within the limits; a set that the next one only adds to is left out. Hosts
/// of a network with switches pass on what stays in their mesh alone (topology/passing.hpp). Empty
/// when no path is within the limits. With a limit on hops the flows are those of least cost that,
/// split by fewest links first, keep it: a lower bound on what the limit allows, since another
/// split or flow may keep it with more paths; the most paths of bounded length are NP-hard to find
/// from 5 links on. Precondition: from != to. O(augmentations * links log nodes); with equal
/// bandwidths there are as many augmentations as paths. Source: Ford, Fulkerson, "Flows in
/// Networks", 1962, III.3 (successive shortest paths); Itai, Perl, Shiloach, "The Complexity of
/// Finding Maximum Disjoint Paths with Length Constraints", Networks 12, 1982.
std::vector<std::vector<Path>> cheapest_paths(const Fabric& fabric, NodeId from, NodeId to,
                                              const PathLimits& limits = {});

}  // namespace weft::flow
