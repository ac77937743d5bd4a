// Placement: which node each rank runs on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Rank r runs on nodes[r], a host; several ranks may share one (cores).
struct Placement {
  std::vector<NodeId> nodes;

  std::int32_t ranks() const { return static_cast<std::int32_t>(nodes.size()); }
};

struct PlacementOptions {
  std::int64_t ranks = 0;         // 0: one on every host
  std::string policy = "linear";  // linear | random | round-robin | file:PATH
  std::uint64_t seed = 1;         // for random
};

/// Places ranks on hosts: linear in host order; random, a uniform sample in sample order;
/// round-robin, one rank on each switch (or Dragonfly group) in turn; or by a file with one host
/// number (an index into the hosts) a line. Throws InvalidInput when there are more ranks than
/// hosts (files may put several on one), or no host.
Placement place(const Topology& topology, const PlacementOptions& options);

}  // namespace weft::topology

namespace weft {
using topology::Placement;
}
