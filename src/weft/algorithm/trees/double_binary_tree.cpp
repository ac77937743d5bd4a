// Double binary tree.
//
// In a binary tree half of the ranks are leaves, which receive but never send: half of the
// bandwidth is lost. Two trees in which no rank has children twice, each carrying half of the data,
// use it all. Let the root be 0 and the others 1 .. p.
//
// Trees. Tree 0 numbers its nodes in order: the parent of v is v with its lowest one moved up a
// place (or cleared, where that exceeds p), so that odd numbers are leaves and every subtree is an
// interval. Tree 1 is its mirror image when p is even, and the tree shifted down by one when p is
// odd: its leaves are then the even numbers (and for odd p one more). The root feeds both.
//
// Colours. Segments follow one another at a distance of two steps; an edge of colour c is used in
// steps of parity c. For each rank to send and to receive one message a step, the two edges into a
// rank must differ in colour, and so must the two out of it. Take each rank apart into a sender and
// a receiver: every vertex of that bipartite graph of edges has degree two or less, it falls into
// paths and even cycles, and colouring those in turn is always possible. A message then leaves as
// soon as its data is there and the parity is right: 2 steps a level at most.
//
// Where a rank has a link to each child it needs no turns: a message leaves as soon as its data is
// there, a step a level, and segments follow one another in every step. (So runs NCCL's tree, whose
// blocks work for both children at once.)
//
// Source: Sanders, Speck, Traff, "Two-tree Algorithms for Full Bandwidth Broadcast, Reduction and
// Scan", Parallel Computing 35(12), 2009.
#include "weft/algorithm/trees/double_binary_tree.hpp"

#include <vector>

#include "weft/algorithm/entries.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/families/double_binary_tree.hpp"

namespace weft::algorithm {

namespace {

/// The edge into node v of tree t has index v - 1 + t p.
struct TwoTrees {
  std::int64_t p = 0;
  std::vector<std::int64_t> parent, colour;  // by edge

  TreeChildren children = TreeChildren::in_turn;

  std::size_t edge(int tree, std::int64_t node) const {
    return static_cast<std::size_t>(node - 1 + tree * p);
  }
  /// The step in which the node receives the first segment.
  std::int64_t arrival(int tree, std::int64_t node) const {
    const std::int64_t above = parent[edge(tree, node)];
    const std::int64_t earliest = above == 0 ? 0 : arrival(tree, above) + 1;
    if (children == TreeChildren::together) return earliest;
    return earliest + (earliest + colour[edge(tree, node)]) % 2;
  }
};

/// Gives the edges that share a sender or a receiver different colours, path by path.
void colour_edges(TwoTrees& trees) {
  WEFT_ASSERT(std::ssize(trees.parent) == 2 * trees.p);
  constexpr std::int64_t kNone = -1;
  const std::size_t edges = trees.parent.size(), p = static_cast<std::size_t>(trees.p);
  std::vector<std::int64_t> sibling(edges, kNone);   // the other edge of the same sender
  std::vector<std::int64_t> first_of(p + 1, kNone);  // by sender
  for (std::size_t e = 0; e < edges; ++e) {
    // The root sends once in each tree, everyone else in one tree alone.
    std::int64_t& first = first_of[trees.parent[e]];
    if (first == kNone) {
      first = static_cast<std::int64_t>(e);
    } else {
      sibling[e] = first;
      sibling[first] = static_cast<std::int64_t>(e);
    }
  }
  trees.colour.assign(edges, kNone);
  std::vector<std::size_t> open;
  for (std::size_t start = 0; start < edges; ++start) {
    if (trees.colour[start] != kNone) continue;
    trees.colour[start] = 0;
    open.assign(1, start);
    while (!open.empty()) {
      const std::size_t e = open.back();
      open.pop_back();
      const auto twin = static_cast<std::int64_t>((e + p) % edges);  // into the same rank
      for (const std::int64_t next : {sibling[e], twin})
        if (next != kNone && trees.colour[next] == kNone) {
          trees.colour[next] = 1 - trees.colour[e];
          open.push_back(static_cast<std::size_t>(next));
        }
    }
  }
}

TwoTrees two_trees(std::int64_t p, TreeChildren children) {
  WEFT_ASSERT(p >= 0);
  TwoTrees trees{p, std::vector<std::int64_t>(2 * p), {}, children};
  const auto parents = topology::double_binary_tree_parents(p + 1);
  for (int tree = 0; tree < 2; ++tree)
    for (std::int64_t node = 1; node <= p; ++node)
      trees.parent[trees.edge(tree, node)] = parents[tree][node];
  colour_edges(trees);
  return trees;
}

DoubleBinaryTreeOptions options_in(const AlgorithmOptions& options) {
  return {.segments = segments_in(options), .children = children_in(options)};
}

}  // namespace

Schedule double_binary_tree_broadcast(std::int32_t ranks, Rank root,
                                      const DoubleBinaryTreeOptions& options) {
  const std::int64_t stride = options.children == TreeChildren::together ? 1 : 2;
  ScheduleBuilder builder(schedule::broadcast(ranks, root),
                          {.algorithm = "double-binary-tree",
                           .units_per_block = 2,
                           .segments = {.count = options.segments, .stride = stride}});
  const std::int64_t n = ranks;
  const TwoTrees trees = two_trees(n - 1, options.children);
  const auto agent = [&](std::int64_t node) { return Agent((root.value() + node) % n); };
  for (int tree = 0; tree < 2; ++tree)
    for (std::int64_t node = 1; node < n; ++node)
      builder.at(trees.arrival(tree, node))
          .send(agent(trees.parent[trees.edge(tree, node)]), agent(node), Piece{tree * n, n});
  return std::move(builder).build();
}

Schedule double_binary_tree_reduce(std::int32_t ranks, Rank root,
                                   const DoubleBinaryTreeOptions& options) {
  return schedule::transpose(double_binary_tree_broadcast(ranks, root, options));
}

Schedule double_binary_tree_allreduce(std::int32_t ranks, const DoubleBinaryTreeOptions& options) {
  return schedule::concatenate(double_binary_tree_reduce(ranks, Rank(0), options),
                               double_binary_tree_broadcast(ranks, Rank(0), options));
}

Algorithm double_binary_tree_entry() {
  return {
      .name = "double-binary-tree",
      .aliases = {"two-tree", "dbt"},
      .summary = "Two binary trees with half of the data each, pipelined in segments",
      .source =
          "Sanders, Speck, Traff, Two-tree Algorithms for Full Bandwidth Broadcast, Reduction "
          "and Scan, 2009",
      .collectives = {CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::allreduce},
      .options = {kSegments, kChildren},
      .build =
          [](const Context& context) {
            const auto& [kind, ranks, root, peer] = context.collective;
            const DoubleBinaryTreeOptions options = options_in(context.options);
            switch (kind) {
              case CollectiveKind::broadcast:
                return double_binary_tree_broadcast(ranks, root, options);
              case CollectiveKind::reduce:
                return double_binary_tree_reduce(ranks, root, options);
              default:
                return double_binary_tree_allreduce(ranks, options);
            }
          },
      .outline = {.messages = Outline::Messages::pipelined},
      .tried_early = TriedEarly::few_messages,
  };
}

}  // namespace weft::algorithm
