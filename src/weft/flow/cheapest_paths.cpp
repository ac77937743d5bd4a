// Flows of least cost by successive shortest paths.
//
// Each round sends what fits along a shortest path of the residual graph, where a link that carries
// flow may also be walked back at minus its length. Lengths are kept non-negative by potentials
// (Edmonds and Karp 1972), so that Dijkstra's algorithm finds the path. A length is latency first,
// hops second: without latencies the paths are short all the same, and no circle costs nothing, so
// that a flow has none. A flow is split by taking paths of fewest links off it.
#include "weft/flow/cheapest_paths.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <optional>
#include <queue>

namespace weft::flow {

namespace {

struct Length {
  std::int64_t latency_ps = 0, hops = 0;

  Length operator+(const Length& o) const { return {latency_ps + o.latency_ps, hops + o.hops}; }
  Length operator-(const Length& o) const { return {latency_ps - o.latency_ps, hops - o.hops}; }
  friend auto operator<=>(const Length&, const Length&) = default;
};

constexpr Length kFar{std::numeric_limits<std::int64_t>::max() / 4, 0};

class CheapestFlow {
 public:
  CheapestFlow(const Fabric& fabric, NodeId from, NodeId to)
      : fabric_(fabric),
        graph_(fabric.topology()),
        from_(from),
        to_(to),
        flow_(static_cast<std::size_t>(graph_.link_count())),
        potential_(static_cast<std::size_t>(graph_.node_count())) {}

  /// Sends more along a shortest way; false when no more fits.
  bool augment() {
    search();
    if (length_[to_.index()] == kFar) return false;
    const Length farthest = length_[to_.index()];
    for (std::size_t v = 0; v < potential_.size(); ++v)
      potential_[v] = potential_[v] + std::min(length_[v], farthest);
    push();
    return true;
  }

  /// The paths of the flow; nothing when there are more, or longer ones, than the limits allow.
  std::optional<std::vector<Path>> paths(const PathLimits& limits) const {
    std::vector<std::int64_t> left = flow_;
    std::vector<Path> result;
    while (true) {
      Path path = fewest_links(left);
      if (path.links.empty()) return result;
      if (limits.most_hops > 0 && std::ssize(path.links) > limits.most_hops) return std::nullopt;
      if (limits.most_paths > 0 && std::ssize(result) == limits.most_paths) return std::nullopt;
      for (const LinkId link : path.links) left[link.index()] -= path.bandwidth_Bps;
      result.push_back(std::move(path));
    }
  }

 private:
  struct Step {
    LinkId link;
    bool back = false;
  };
  struct Candidate {
    Length length;
    NodeId node;
    bool operator>(const Candidate& o) const {
      return std::tie(length, node) > std::tie(o.length, o.node);
    }
  };

  bool passes_on(NodeId node) const {
    return node == from_ || !graph_.has_switches() || !graph_.is_host(node);
  }
  std::int64_t room(LinkId link) const { return fabric_.bandwidth_Bps(link) - flow_[link.index()]; }

  // Dijkstra by lengths that potentials have made non-negative; ends at the target.
  void search() {
    length_.assign(potential_.size(), kFar);
    came_by_.assign(potential_.size(), {});
    length_[from_.index()] = {};
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    queue.push({{}, from_});
    while (!queue.empty()) {
      const Length length = queue.top().length;
      const NodeId node = queue.top().node;
      queue.pop();
      if (node == to_) return;
      if (length > length_[node.index()]) continue;
      const auto reach = [&](NodeId next, Length cost, Step step) {
        const Length reached = length + cost + potential_[node.index()] - potential_[next.index()];
        if (reached >= length_[next.index()]) return;
        length_[next.index()] = reached;
        came_by_[next.index()] = step;
        queue.push({reached, next});
      };
      if (passes_on(node))
        for (const LinkId link : graph_.out_links(node))
          if (room(link) > 0)
            reach(graph_.head(link), {fabric_.latency_ps(link), 1}, {link, false});
      for (const LinkId link : graph_.in_links(node))
        if (flow_[link.index()] > 0)
          reach(graph_.tail(link), {-fabric_.latency_ps(link), -1}, {link, true});
    }
  }

  // As much as fits along the path that search() found.
  void push() {
    std::int64_t amount = std::numeric_limits<std::int64_t>::max();
    const auto each_step = [&](auto&& visit) {
      for (NodeId at = to_; at != from_;) {
        const Step step = came_by_[at.index()];
        visit(step);
        at = step.back ? graph_.head(step.link) : graph_.tail(step.link);
      }
    };
    each_step([&](const Step& step) {
      amount = std::min(amount, step.back ? flow_[step.link.index()] : room(step.link));
    });
    each_step([&](const Step& step) { flow_[step.link.index()] += step.back ? -amount : amount; });
  }

  // Over links with something left, breadth first; empty when there is none.
  Path fewest_links(const std::vector<std::int64_t>& left) const {
    std::vector<std::optional<LinkId>> came_by(potential_.size());
    std::vector<NodeId> queue{from_};
    for (std::size_t i = 0; i < queue.size() && !came_by[to_.index()]; ++i)
      for (const LinkId link : graph_.out_links(queue[i])) {
        const NodeId head = graph_.head(link);
        if (left[link.index()] == 0 || head == from_ || came_by[head.index()]) continue;
        came_by[head.index()] = link;
        queue.push_back(head);
      }
    Path path;
    if (!came_by[to_.index()]) return path;
    path.bandwidth_Bps = std::numeric_limits<std::int64_t>::max();
    for (NodeId at = to_; at != from_; at = graph_.tail(path.links.back())) {
      path.links.push_back(*came_by[at.index()]);
      path.bandwidth_Bps = std::min(path.bandwidth_Bps, left[path.links.back().index()]);
      path.latency_ps += fabric_.latency_ps(path.links.back());
    }
    std::reverse(path.links.begin(), path.links.end());
    return path;
  }

  const Fabric& fabric_;
  const Topology& graph_;
  NodeId from_, to_;
  std::vector<std::int64_t> flow_;  // by link, bytes per second
  std::vector<Length> potential_;   // by node
  std::vector<Length> length_;      // by node, of the last search
  std::vector<Step> came_by_;
};

bool holds_all_of(const std::vector<Path>& larger, const std::vector<Path>& smaller) {
  return std::all_of(smaller.begin(), smaller.end(), [&](const Path& path) {
    return std::find(larger.begin(), larger.end(), path) != larger.end();
  });
}

}  // namespace

std::vector<std::vector<Path>> cheapest_paths(const Fabric& fabric, NodeId from, NodeId to,
                                              const PathLimits& limits) {
  CheapestFlow flow(fabric, from, to);
  std::vector<std::vector<Path>> sets;
  while (flow.augment()) {
    auto paths = flow.paths(limits);
    if (!paths) continue;
    if (!sets.empty() && holds_all_of(*paths, sets.back())) sets.pop_back();
    sets.push_back(std::move(*paths));
  }
  return sets;
}

}  // namespace weft::flow
