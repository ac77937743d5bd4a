// A graph with nodes spliced into its links and heads of links exchanged, as the functions splice()
// and exchange() do it, but for the kernel.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/topology.hpp"

namespace weft::search {

/// What is done to the base: for every new node the links cut (a cable by the lower of its two
/// links), then exchanges of heads.
struct Edits {
  std::vector<std::vector<int>> cuts;
  std::vector<std::pair<int, int>> exchanges;

  bool touches(int link) const;
};

/// A base all of whose degrees are equal, and edited copies of it in the kernel's form.
class EditedGraph {
 public:
  /// `added` nodes will be spliced in.
  EditedGraph(Topology base, int added);

  const Topology& base() const { return base_; }
  int nodes() const { return base_.node_count() + added_; }
  int degree() const { return base_.nominal_degree(); }

  /// Builds the edited graph into rows(); false when it has a self-loop or parallel links. No link
  /// is named twice in the edits.
  bool apply(const Edits& edits);
  const InNeighbours& rows() const { return rows_; }
  /// The nodes near the edits first, where a worse candidate shows: all nodes, in the order for
  /// the kernel's roots.
  const std::vector<Node>& roots() const { return roots_; }

  /// The expression of the edited graph.
  std::string text(const Edits& edits) const;

 private:
  void splice(Node added, const std::vector<int>& cut);
  void touch(Node node);
  bool is_simple(Node node) const;

  Topology base_;
  int added_;
  std::vector<Node> tails_, heads_;  // by link, of the base
  std::vector<int> slots_;           // by link: its row among the head's in-links
  InNeighbours original_, rows_;
  std::vector<Node> roots_;
  std::vector<char> touched_;
};

}  // namespace weft::search
