// From a host whose demand is open the way goes back over links that have something left, until it
// comes to the source: what a node sends on it has got. It takes the link from the node that is
// nearest to the source over such links, of several the one that has most left, since ranks that
// pass data on take as many steps as the longest path has links. A way that meets itself has found
// a circle, which is taken out of the flow. Where rounding has left a node with more to send than
// it gets, the link out of it is none.
#include "weft/flow/all_to_all/flow_paths.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/graph/breadth_first.hpp"

namespace weft::flow {

namespace {

class Decomposition {
 public:
  Decomposition(const FlowGraph& graph, const Topology& topology, Int source,
                std::vector<std::int64_t> left)
      : graph_(graph),
        topology_(topology),
        source_(source),
        left_(std::move(left)),
        place_(topology.node_count(), kNone),
        renews_(static_cast<double>(graph.hosts.size()) * topology.link_count() < kMostRenewed) {}

  std::vector<FlowPath> paths(std::int64_t demand) && {
    std::vector<FlowPath> found;
    for (const Int host : graph_.hosts) {
      if (host == source_) continue;
      if (found.empty() || renews_) find_distances();
      const std::int64_t pairs = graph_.ranks[source_] * graph_.ranks[host];
      for (std::int64_t open = demand * graph_.ranks[host]; open > 0;) {
        if (!walk_back(host)) break;
        const std::int64_t parts = std::min(open, least_left(0));
        take(0, parts);
        open -= parts;
        found.push_back(
            {NodeId(source_), NodeId(host), parts, {way_.rbegin(), way_.rend()}, pairs});
      }
    }
    return found;
  }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr double kMostRenewed = 1e6;  // hosts * links: then paths take about a second

  void find_distances() {
    const graph::BreadthFirst search(graph_.nodes, source_, [&](Int node, auto&& reach) {
      for (const LinkId link : topology_.out_links(NodeId(node)))
        if (left_[link] > 0) reach(topology_.head(link).value());
    });
    distances_ = search.distances();
  }

  // Leaves the links back to the source in way_; false where nothing comes to the host any more.
  bool walk_back(Int host) {
    clear();
    for (Int at = host; at != source_;) {
      place_[at] = static_cast<std::int32_t>(way_.size());
      nodes_.push_back(at);
      const auto link = best_link_into(at);
      if (!link) {
        if (way_.empty()) return false;
        left_[way_.back()] = 0;
        at = back_to(place_[at] - 1);
        continue;
      }
      way_.push_back(*link);
      at = topology_.tail(*link).value();
      if (place_[at] == kNone) continue;
      const auto first = static_cast<std::size_t>(place_[at]);
      take(first, least_left(first));
      at = back_to(place_[at]);
    }
    return true;
  }

  std::optional<LinkId> best_link_into(Int node) const {
    std::optional<LinkId> best;
    const auto rank = [&](LinkId link) {
      return std::pair(distances_[topology_.tail(link)], -left_[link]);
    };
    for (const LinkId link : topology_.in_links(NodeId(node)))
      if (left_[link] > 0 && (!best || rank(link) < rank(*best))) best = link;
    return best;
  }

  // Forgets the way from its node of this place on, which is where it goes on.
  Int back_to(std::int32_t place) {
    const auto kept = static_cast<std::size_t>(place);
    const Int node = nodes_[kept];
    for (std::size_t i = kept; i < nodes_.size(); ++i) place_[nodes_[i]] = kNone;
    nodes_.resize(kept);
    way_.resize(kept);
    return node;
  }
  void clear() {
    for (const Int node : nodes_) place_[node] = kNone;
    nodes_.clear();
    way_.clear();
  }

  std::int64_t least_left(std::size_t first) const {
    std::int64_t least = left_[way_[first]];
    for (std::size_t i = first; i < way_.size(); ++i) least = std::min(least, left_[way_[i]]);
    return least;
  }
  void take(std::size_t first, std::int64_t parts) {
    for (std::size_t i = first; i < way_.size(); ++i) left_[way_[i]] -= parts;
  }

  const FlowGraph& graph_;
  const Topology& topology_;
  Int source_;
  IdVector<LinkId, std::int64_t> left_;
  std::vector<LinkId> way_;          // from the host back
  std::vector<Int> nodes_;           // that it left
  std::vector<std::int32_t> place_;  // by node, in nodes_
  bool renews_;                      // distances, for every host
  IdVector<NodeId, Int> distances_;  // from the source over links with something left
};

}  // namespace

std::vector<FlowPath> paths_of(const FlowGraph& graph, const Topology& topology, Int source,
                               std::int64_t demand, std::vector<std::int64_t> parts) {
  WEFT_ASSERT(demand > 0 && source >= 0 && source < graph.nodes);
  return Decomposition(graph, topology, source, std::move(parts)).paths(demand);
}

}  // namespace weft::flow
