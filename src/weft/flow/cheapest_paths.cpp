// Flows of least cost by successive shortest paths.
//
// Latency first, hops second (graph/min_cost_flow.hpp says what the second is for). A flow is split
// by taking paths of fewest links off it.
#include "weft/flow/cheapest_paths.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "weft/base/id_vector.hpp"
#include "weft/graph/min_cost_flow.hpp"
#include "weft/topology/passing.hpp"

namespace weft::flow {

namespace {

class CheapestFlow {
 public:
  CheapestFlow(const Fabric& fabric, NodeId from, NodeId to)
      : fabric_(fabric),
        graph_(fabric.topology()),
        from_(from),
        to_(to),
        flow_(graph_.node_count(), arcs()) {}

  /// Sends more along a shortest way; false when no more fits.
  bool augment() { return flow_.augment(from_.value(), to_.value()); }

  /// The paths of the flow; nothing when there are more, or longer ones, than the limits allow.
  std::optional<std::vector<Path>> paths(const PathLimits& limits) const {
    IdVector<LinkId, std::int64_t> left(flow_.flows().begin(), flow_.flows().end());
    std::vector<Path> result;
    while (true) {
      Path path = fewest_links(left);
      if (path.links.empty()) return result;
      if (limits.most_hops > 0 && std::ssize(path.links) > limits.most_hops) return std::nullopt;
      if (limits.most_paths > 0 && std::ssize(result) == limits.most_paths) return std::nullopt;
      for (const LinkId link : path.links) left[link] -= path.bandwidth_Bps;
      result.push_back(std::move(path));
    }
  }

 private:
  // By link, so by tail; those that leave a relay carry nothing.
  std::vector<graph::CostArc> arcs() const {
    std::optional<topology::Passing> passing;  // nothing: all nodes pass all on
    if (graph_.has_switches()) passing.emplace(fabric_);
    std::vector<graph::CostArc> arcs;
    arcs.reserve(graph_.link_count());
    for (const LinkId link : graph_.links()) {
      const NodeId tail = graph_.tail(link);
      const bool open = !passing || tail == from_ || passing->passes(tail, from_, to_);
      arcs.push_back({tail.value(),
                      graph_.head(link).value(),
                      open ? fabric_.bandwidth_Bps(link) : 0,
                      {fabric_.latency_ps(link), 1}});
    }
    return arcs;
  }

  // Over links with something left, breadth first; empty when there is none.
  Path fewest_links(const IdVector<LinkId, std::int64_t>& left) const {
    IdVector<NodeId, std::optional<LinkId>> came_by(graph_.node_count());
    std::vector<NodeId> queue{from_};
    for (std::size_t i = 0; i < queue.size() && !came_by[to_]; ++i)
      for (const LinkId link : graph_.out_links(queue[i])) {
        const NodeId head = graph_.head(link);
        if (left[link] == 0 || head == from_ || came_by[head]) continue;
        came_by[head] = link;
        queue.push_back(head);
      }
    Path path;
    if (!came_by[to_]) return path;
    path.bandwidth_Bps = std::numeric_limits<std::int64_t>::max();
    for (NodeId at = to_; at != from_; at = graph_.tail(path.links.back())) {
      path.links.push_back(*came_by[at]);
      path.bandwidth_Bps = std::min(path.bandwidth_Bps, left[path.links.back()]);
      path.latency_ps += fabric_.latency_ps(path.links.back());
    }
    std::reverse(path.links.begin(), path.links.end());
    return path;
  }

  const Fabric& fabric_;
  const Topology& graph_;
  NodeId from_, to_;
  graph::MinCostFlow flow_;  // bytes per second
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
