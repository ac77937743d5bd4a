// Trees of switches that join hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::algorithm::trees {

/// A cable of a tree, between a node and the one nearer to the top.
struct SwitchBranch {
  NodeId node, parent;
  LinkId up, down;         // towards the top and back
  std::int32_t depth = 1;  // of the node; the top's is 0
};

/// A tree whose leaves are hosts. Its other nodes are switches, but for hosts by which it enters a
/// box.
struct SwitchTree {
  NodeId top = {};
  std::int32_t height = 0;
  std::vector<SwitchBranch> branches = {};  // by depth
};

/// The same cables with another node at the top. O(branches log branches).
SwitchTree with_top(const SwitchTree& tree, NodeId top);

/// The trees over which equal shares of the data load the busiest cable least, each joining
/// all of the hosts; one that should have more comes more than once. `most` at most. A cable counts
/// with the slower of its directions; links without a reverse, and hosts that are not asked for,
/// are left out. Precondition: misfit_of_switches() finds nothing, most >= 1. O(trees * switches *
/// links), and where those do not do a linear program of cables and trees.
std::vector<SwitchTree> switch_trees(const Fabric& fabric, std::span<const NodeId> hosts,
                                     std::int64_t most);

/// Why no tree of switches joins the hosts (two or more, distinct); nothing where one does.
std::optional<std::string> misfit_of_switches(const Topology& topology,
                                              std::span<const NodeId> hosts);

}  // namespace weft::algorithm::trees
