// InArcs: a graph as breadth-first broadcast sees it: the arcs into each node, without loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/graph/rows.hpp"
#include "weft/graph/sense.hpp"

namespace weft::graph {

/// A link into a node: bit k of a node's masks is its k-th arc.
struct InArc {
  std::int32_t from = 0;      // the node that passes data on
  std::int32_t link = 0;      // its number, by which the caller knows it
  std::int64_t capacity = 1;  // in units of InArcs::unit()
  std::int64_t delay = 0;     // until it carries anything, in any unit
};

class InArcs {
 public:
  /// each_arc(node, add) calls add(from, link, capacity), or with a delay behind, for each arc into
  /// the node; capacities are positive, in any unit. O(nodes + arcs), and a sort of each node's
  /// arcs.
  template <class EachArc>
  InArcs(std::int32_t nodes, Sense sense, EachArc&& each_arc) : sense_(sense) {
    for (std::int32_t node = 0; node < nodes; ++node) {
      each_arc(node, [&](std::int32_t from, std::int32_t link, std::int64_t capacity,
                         std::int64_t delay = 0) {
        WEFT_ASSERT(from >= 0 && from < nodes && capacity > 0 && delay >= 0);
        if (from == node) return;
        arcs_.add({from, link, capacity, delay});
        sources_.push_back(from);
      });
      arcs_.end_row();
    }
    settle();
  }

  Sense sense() const { return sense_; }
  std::int32_t nodes() const { return arcs_.size(); }
  /// In the order in which they were added.
  std::span<const InArc> into(std::int32_t node) const { return arcs_[node]; }
  /// The nodes that these arcs come from, alone: what a search reads.
  std::span<const std::int32_t> sources(std::int32_t node) const {
    return std::span(sources_).subspan(arcs_.first(node), arcs_.length(node));
  }
  int largest_degree() const { return largest_degree_; }
  /// Whether all links have the same capacity; then every arc's is 1.
  bool uniform() const { return uniform_; }
  /// Whether some arc has a delay.
  bool delayed() const { return delayed_; }
  /// What an arc's capacity of 1 stands for: the greatest common divisor of the links'.
  std::int64_t unit() const { return unit_; }
  /// Whether some node has two arcs from the same node.
  bool has_parallel() const { return has_parallel_; }

 private:
  void settle();

  Sense sense_;
  Rows<InArc> arcs_;
  std::vector<std::int32_t> sources_;  // beside the arcs
  std::int64_t unit_ = 0;
  int largest_degree_ = 0;
  bool uniform_ = true;
  bool delayed_ = false;
  bool has_parallel_ = false;
};

}  // namespace weft::graph
