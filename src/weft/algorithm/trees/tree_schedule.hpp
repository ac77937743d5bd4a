// Collectives along spanning trees, one for each root.
#pragma once

#include <functional>
#include <vector>

#include "tree_graph.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::trees {

/// Collects what the trees send, and makes one message of all that crosses a link in a step.
class TreeSchedule {
 public:
  /// Any collective but allreduce and point-to-point; the graph's growth is the collective's.
  TreeSchedule(const TreeGraph& graph, const Collective& collective, const char* algorithm,
               std::int64_t units_per_block = 1);

  /// Adds the tree of one root; trees come in increasing order of roots. O(nodes), for scatter,
  /// gather and all-to-all O(nodes * depth).
  void add(const Tree& tree);
  /// Adds a tree that carries a part of the whole buffer: broadcast and reduce.
  void add(const Tree& tree, Piece part);

  Schedule build() &&;

 private:
  void put(const Branch& branch, Piece piece);
  /// Block of every node over each branch on its way to the root.
  void put_blocks(const Tree& tree, std::int64_t first_block);

  const TreeGraph& graph_;
  Collective collective_;
  const char* algorithm_;
  std::int64_t units_per_block_;
  /// What crosses the links in a step, by link. Most links carry one piece, which takes no memory
  /// of its own.
  struct Cargo {
    IdVector<LinkId, Piece> first;              // a count of 0: none
    IdVector<LinkId, std::vector<Piece>> more;  // empty where no link carries a second piece
  };
  std::vector<Cargo> cargo_;                        // by step
  IdVector<LinkId, std::pair<Agent, Agent>> ends_;  // sender, receiver
};

/// The collective along `tree_of(root)` of its root, or of every node.
Schedule along_each_tree(const TreeGraph& graph, const Collective& collective,
                         const char* algorithm,
                         const std::function<Tree(std::int32_t root)>& tree_of);

/// What trees serve: everything but point-to-point.
std::vector<CollectiveKind> served();

/// `along` the trees; an allreduce is a reduce-scatter and an allgather along theirs. Throws
/// InvalidInput for point-to-point.
Schedule in_parts(const Collective& collective,
                  const std::function<Schedule(const Collective& part)>& along);

}  // namespace weft::algorithm::trees
