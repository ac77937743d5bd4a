// A network as trees grow over it: the nodes of the ranks, and the links between them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/graph/rows.hpp"

namespace weft::algorithm::trees {

/// Outgoing trees spread data from their root (broadcast, scatter, allgather, all-to-all); incoming
/// ones collect it (reduce, gather, reduce-scatter), and run backwards in time. Source: Pham, 2026,
/// Table 3.1.
enum class Growth : std::uint8_t { outgoing, incoming };

/// Precondition: no allreduce, no point-to-point.
Growth growth_of(CollectiveKind kind);

/// A link as a tree grows over it: towards `node`, against the link's own direction when incoming.
struct Arc {
  std::int32_t node = 0;
  LinkId link;
};

/// Hosts that are linked directly, or the switches of a network with one host on each; self-loops
/// left out.
class TreeGraph {
 public:
  /// Throws InvalidInput where the switches are not the first nodes, as hosts(1, X) puts them.
  TreeGraph(const Topology& topology, Growth growth);

  Growth growth() const { return growth_; }
  std::int32_t nodes() const { return arcs_.size(); }
  /// Links of the topology, not all of which are arcs.
  std::int32_t links() const { return links_; }
  std::span<const Arc> from(std::int32_t node) const { return arcs_[node]; }
  const graph::Rows<Arc>& arcs() const { return arcs_; }
  /// Whether two arcs join the same nodes, so that messages need explicit routes.
  bool has_parallel() const { return has_parallel_; }

 private:
  Growth growth_;
  std::int32_t links_ = 0;
  graph::Rows<Arc> arcs_;  // by the node that they leave
  bool has_parallel_ = false;
};

/// Why trees cannot span the context's network; nothing when they can: rank r on node r, directly
/// or by the one host of its switch, and a way from every node to every other.
std::optional<std::string> tree_misfit(const Context& context);

/// How a tree is joined by a node: from `parent` over `link` in `step`. The root is its own parent.
struct Branch {
  std::int32_t parent = 0;
  LinkId link;
  std::int32_t step = 0;
};

/// A spanning tree: one branch for each node. A node joins in a later step than its parent.
struct Tree {
  std::int32_t root = 0;
  std::vector<Branch> branches;
};

/// The breadth-first tree, a node at distance t joining in step t - 1, ties to the parent found
/// first; nothing when some node is out of reach. O(arcs).
std::optional<Tree> shortest_tree(const TreeGraph& graph, std::int32_t root);

/// As many trees that share no link as there can be, shallow by preference
/// (graph::disjoint_branchings); a branch's step is its depth, from 0 on.
std::vector<Tree> pack_trees(const TreeGraph& graph, std::int32_t root);

/// Throws InvalidInput unless the ranks are the nodes and trees from every root that the collective
/// needs reach all of them.
void require_spanned(const TreeGraph& graph, const Collective& collective,
                     const Topology& topology);

}  // namespace weft::algorithm::trees
