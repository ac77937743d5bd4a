// Bunches: hosts alike that hang on one switch alone, which trees may take for one host.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/flow/trees/carrier.hpp"
#include "weft/graph/tree_cuts.hpp"

namespace weft::flow {

/// A host with its one arc out and in, of the carrier; none (-1) where it has no others beside it.
struct BunchHost {
  std::int32_t node = 0;
  std::int32_t out = -1, in = -1;
};

struct Bunch {
  std::vector<BunchHost> hosts;  // ascending; the first stands for all
  std::int64_t trees = 0;        // that each host can send, where there are several

  std::int32_t node() const { return hosts.front().node; }
};

/// The network with a host for each bunch; others have no capacity left.
struct Bunches {
  std::vector<Bunch> bunches;  // of one host or several, by their nodes
  std::vector<graph::CapacityArc> arcs;
  std::vector<graph::TreeRoot> roots;  // with the trees of all that they stand for
  std::vector<std::int32_t> goals;
};

/// Trees of a rate fit in what is left if they fit in the carrier, and trees of bunches can be
/// dealt to the hosts (trees_of_bunches.hpp). Nothing where all hosts are on their own.
/// O(hosts log hosts + arcs).
std::optional<Bunches> bunches_of(const Carrier& carrier, const graph::TreeRate& rate);

}  // namespace weft::flow
