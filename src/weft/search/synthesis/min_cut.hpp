// Minimum cuts of the small graphs that bounds are separated on.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::search {

/// A directed graph with integer capacities. Flows by shortest augmenting paths (Edmonds and Karp),
/// which is fast enough for the few hundred nodes of a time-expanded network.
class CutGraph {
 public:
  explicit CutGraph(int nodes) : out_(static_cast<std::size_t>(nodes)) {}

  void add_arc(int tail, int head, std::int64_t capacity);

  /// Pushes flow until it is a maximum or reaches `enough`; returns it.
  std::int64_t max_flow(int source, int sink, std::int64_t enough);

  /// After a flow that fell short: whether the node can still be reached, so that it is on the
  /// source's side of a minimum cut.
  bool on_source_side(int node) const { return reached_by_[static_cast<std::size_t>(node)] != -1; }

 private:
  struct Half {
    int head;
    std::int64_t left;  // capacity that is left; the reverse is the half next to it (index ^ 1)
  };
  bool find_path(int source, int sink);

  std::vector<Half> halves_;
  std::vector<std::vector<int>> out_;  // by node: indices of halves
  std::vector<int> reached_by_;        // by node: half; -2 for the source, -1 when not reached
};

}  // namespace weft::search
