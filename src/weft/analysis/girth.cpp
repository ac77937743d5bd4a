// Girth: a search from each node, cut off where it can no longer find a shorter cycle.
#include <algorithm>
#include <limits>
#include <vector>

#include "flat_graph.hpp"
#include "transitive.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"

namespace weft::analysis {

namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

// Breadth-first searches that forget the last one in constant time.
class Searches {
 public:
  explicit Searches(const FlatGraph& graph)
      : graph_(graph),
        stamp_(graph.node_count, -1),
        depth_(graph.node_count, 0),
        cable_(graph.node_count, -1) {}

  /// The shortest directed cycle through `root` if it is below `best`, else `best`.
  std::int32_t directed_cycle(std::int32_t root, std::int32_t best) {
    start(root);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::int32_t at = queue_[i];
      const std::int32_t depth = depth_[index(at)] + 1;
      if (depth >= best) return best;
      for (std::int32_t head : graph_.out(at)) {
        if (head == root) return depth;
        reach(head, depth, -1, root);
      }
    }
    return best;
  }

  /// A cycle of cables seen from `root` if below `best`, else `best`: the least over all roots is
  /// the shortest cycle, since from a node on it both its halves are shortest paths.
  std::int32_t cable_cycle(std::int32_t root, std::int32_t best) {
    start(root);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::int32_t at = queue_[i];
      const std::int32_t depth = depth_[index(at)];
      if (2 * depth + 1 >= best) return best;
      auto link = index(graph_.heads.first(at));
      for (std::int32_t head : graph_.out(at)) {
        const std::int32_t cable = graph_.cables[link++];
        if (cable == cable_[index(at)]) continue;  // back the way it came
        if (!reach(head, depth + 1, cable, root))
          best = std::min(best, depth + depth_[index(head)] + 1);
      }
    }
    return best;
  }

 private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

  void start(std::int32_t root) {
    queue_.clear();
    reach(root, 0, -1, root);
  }

  // False when the node was reached before in this root's search.
  bool reach(std::int32_t node, std::int32_t depth, std::int32_t cable, std::int32_t root) {
    if (stamp_[index(node)] == root) return false;
    stamp_[index(node)] = root;
    depth_[index(node)] = depth;
    cable_[index(node)] = cable;
    queue_.push_back(node);
    return true;
  }

  const FlatGraph& graph_;
  std::vector<std::int32_t> stamp_;  // the last root whose search reached the node
  std::vector<std::int32_t> depth_, cable_;
  std::vector<std::int32_t> queue_;
};

}  // namespace

std::optional<std::int32_t> girth(const Topology& topology) {
  const FlatGraph graph = flatten_core(topology);
  const bool cables = is_bidirectional(topology);
  Searches searches(graph);
  std::int32_t best = kNone;
  // A shortest cycle goes through every node that is like one of its own.
  const std::int32_t roots = is_known_vertex_transitive(topology) ? 1 : graph.node_count;
  Progress progress("girth", roots);
  for (std::int32_t root = 0; root < roots; ++root) {
    best = cables ? searches.cable_cycle(root, best) : searches.directed_cycle(root, best);
    progress.advance();
  }
  WEFT_ASSERT(best >= 1);
  return best == kNone ? std::nullopt : std::optional(best);
}

}  // namespace weft::analysis
