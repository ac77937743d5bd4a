// Shortest-split: a message is divided over all its shortest paths; widest-split: over those of
// them that take the fastest class of links; minimal-split: over its minimal paths.
//
// At every node what arrives is split equally over the links that lie on a shortest path (parallel
// links count separately), as equal-cost multi-path routing does with many packets. Widest-split
// takes of these links only the class that has the largest bandwidth together: GPUs of a box whose
// cards hang on one leaf reach each other by two links through the box's switches as well as
// through the leaf. Minimal paths, where switches make Dragonflies, cross the fewest links between
// groups and are the shortest of those: at most one local, one global and one local link, and never
// a third group, where nothing failed. A host takes the widest of the links that begin one.
//
// Shares are exact and merged by link; nodes are visited by falling distance from the destination,
// so that all of a node's share has arrived before it is split. The latency is that of the longest
// path. Hosts that hang on one switch share its ways. Ways are divided once for each pair, while
// there is room to keep them.
#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/network/access.hpp"
#include "weft/network/cached_routes.hpp"
#include "weft/network/core_graph.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/near_row.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/ways_to.hpp"

namespace weft::network {

namespace {

// What has arrived at a node of the flow being split.
struct Arrival {
  Rational share;
  std::int64_t latency_ps = 0;  // of the longest path so far
  bool reached = false;
};

std::optional<topology::GroupsOfSwitches> groups_or_reject(const Topology& topology) {
  auto groups = as_groups_of_switches(topology);
  require(groups.has_value(),
          "minimal-split does not fit {} (needs a dragonfly, or planes or rails that are "
          "dragonflies); use shortest-split",
          topology.name());
  return groups;
}

class Split final : public Routing {
 public:
  Split(const Fabric& fabric, Ways ways)
      : Routing(fabric.topology()),
        ways_(ways),
        all_hosts_(!fabric.topology().has_switches()),
        latencies_(fabric),
        access_(fabric.topology()),
        groups_(ways == Ways::minimal ? groups_or_reject(fabric.topology()) : std::nullopt),
        graph_(fabric, access_, groups_ ? &*groups_ : nullptr),
        rows_(graph_) {
    if (ways == Ways::all) return;
    const Topology& topology = fabric.topology();
    classes_ = topology.class_names().size();
    for (std::int32_t edge = 0; edge < graph_.first_out(graph_.node_count()); ++edge) {
      const LinkId link = graph_.link(edge);
      edges_.push_back({topology.link_class(link), fabric.bandwidth_Bps(link)});
    }
  }

  std::string_view name() const override { return name_of(ways_); }
  bool splits() const override { return true; }

  bool knows_ways() const override { return true; }
  // Links are chosen by distances alone; where there are switches, by what nodes are, too.
  bool moves_with_automorphisms() const override { return ways_ == Ways::all && all_hosts_; }
  void ways_to(NodeId target, WaysTo& written) const override;

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    Splitter splitter{*this, {}, {}, {}, {}, {}, std::vector<std::int64_t>(classes_)};
    splitter.arrivals.resize(graph_.node_count());
    for (const Flow& flow : step) {
      TimeLimit::check();  // behind a hundred ways each flow takes long
      if (flow.from == flow.to) {
        routes.finish(0);
        continue;
      }
      const Access::End& source = access_[flow.from];
      const Access::End& target = access_[flow.to];
      std::int64_t latency_ps = 0;
      if (source.leaf) {
        routes.push(source.up, 1);
        latency_ps += latencies_.of(source.up);
      }
      if (source.exit != target.entry)
        latency_ps += kept_.push(source.exit, target.entry, routes, [&](RouteTable& table) {
          return splitter.push(flow, source.exit, target.entry, table);
        });
      if (target.leaf) {
        routes.push(target.down, 1);
        latency_ps += latencies_.of(target.down);
      }
      routes.finish(latency_ps);
    }
  }

 private:
  // Workspace of one call.
  struct Splitter {
    const Split& routing;
    DistanceRows::Scratch scratch;
    std::vector<Arrival> arrivals;  // by core node; clear between flows
    std::vector<CoreGraph::Core> level, next;
    std::vector<std::int32_t> ways;  // at one node: the edges that it splits over, ascending
    IdVector<ClassId, std::int64_t> class_Bps;  // at one node, by class

    // Pushes the shares of a flow; its latency.
    std::int64_t push(const Flow& flow, NodeId from, NodeId to, RouteTable& routes);
    // The edges that the node splits over.
    template <class Row>
    void find_ways(const Row& row, CoreGraph::Core node);
    template <class Row>
    void split(const Row& row, CoreGraph::Core node, RouteTable& routes);
    // From the source of all shares on, until all have come to the row's target.
    template <class Row>
    void split_all(const Flow& flow, const Row& row, CoreGraph::Core source, RouteTable& routes);
    // Of the ways, keeps those of the class that has the largest bandwidth together.
    void keep_widest();
    Arrival& at(CoreGraph::Core node) { return arrivals[node]; }
  };

  bool takes_widest(CoreGraph::Core node) const {
    return classes_ > 0 && (!groups_ || graph_.place(node) != Passing::kSwitch);
  }

  Ways ways_;
  bool all_hosts_;
  Latencies latencies_;
  Access access_;
  std::optional<topology::GroupsOfSwitches> groups_;  // where ways are minimal
  CoreGraph graph_;
  DistanceRows rows_;
  mutable CachedRoutes kept_{std::int64_t{128} << 20};  // between core nodes
  struct Edge {
    ClassId link_class;
    std::int64_t bandwidth_Bps;
  };
  std::vector<Edge> edges_;  // by edge; empty where all ways are taken
  std::size_t classes_ = 0;  // likewise 0
};

void Split::Splitter::keep_widest() {
  std::ranges::fill(class_Bps, 0);
  for (const std::int32_t edge : ways)
    class_Bps[routing.edges_[edge].link_class] += routing.edges_[edge].bandwidth_Bps;
  const std::int64_t widest = *std::ranges::max_element(class_Bps);
  std::erase_if(ways, [&](std::int32_t edge) {
    return class_Bps[routing.edges_[edge].link_class] != widest;
  });
}

template <class Row>
void Split::Splitter::split_all(const Flow& flow, const Row& row, CoreGraph::Core source,
                                RouteTable& routes) {
  if (row[source] == DistanceRow::kUnreachable) reject_unreachable(flow);
  at(source) = {Rational(1), 0, true};
  level.assign(1, source);
  try {
    while (level.front() != row.target()) {
      next.clear();
      for (const CoreGraph::Core node : level) split(row, node, routes);
      level.swap(next);
    }
  } catch (const std::overflow_error&) {
    reject(
        "the shares of the paths from node {} to node {} do not fit in 128 bits (too many splits); "
        "use shortest-random",
        flow.from.value(), flow.to.value());
  }
}

std::int64_t Split::Splitter::push(const Flow& flow, NodeId from, NodeId to, RouteTable& routes) {
  const CoreGraph& graph = routing.graph_;
  const CoreGraph::Core source = graph.core_of(from), target = graph.core_of(to);
  routing.rows_.use(source, target, scratch,
                    [&](const auto& row) { split_all(flow, row, source, routes); });
  const std::int64_t latency_ps = at(target).latency_ps;
  at(target) = {};
  return latency_ps;
}

void Split::ways_to(NodeId target, WaysTo& written) const {
  written.clear();
  const Access::End& end = access_[target];
  const CoreGraph::Core core_target = graph_.core_of(end.entry);
  DistanceRows::Scratch scratch;
  const DistanceRow& row = rows_.whole(core_target, scratch);
  for (std::size_t i = 0; i < access_.size(); ++i) {
    const Access::End& leaf = access_[NodeId(i)];
    if (!leaf.leaf || NodeId(i) == target) continue;
    if (row[graph_.core_of(leaf.exit)] == DistanceRow::kUnreachable) continue;
    written.links.push_back(leaf.up);
    written.finish(NodeId(i));
  }
  std::vector<std::pair<std::uint32_t, CoreGraph::Core>> by_distance;
  for (CoreGraph::Core node = 0; node < graph_.node_count(); ++node)
    if (node != core_target && row[node] != DistanceRow::kUnreachable)
      by_distance.emplace_back(row[node], node);
  std::ranges::sort(by_distance, std::greater());
  Splitter splitter{*this, {}, {}, {}, {}, {}, std::vector<std::int64_t>(classes_)};
  for (const auto& [distance, node] : by_distance) {
    splitter.find_ways(row, node);
    for (const std::int32_t edge : splitter.ways) written.links.push_back(graph_.link(edge));
    written.finish(graph_.node_of(node));
  }
  if (!end.leaf) return;
  written.links.push_back(end.down);
  written.finish(end.entry);
}

template <class Row>
void Split::Splitter::find_ways(const Row& row, CoreGraph::Core node) {
  ways.clear();
  each_next_edge(routing.graph_, row, node, [&](std::int32_t edge) { ways.push_back(edge); });
  if (routing.takes_widest(node)) keep_widest();
}

template <class Row>
void Split::Splitter::split(const Row& row, CoreGraph::Core node, RouteTable& routes) {
  const CoreGraph& graph = routing.graph_;
  find_ways(row, node);
  const Rational all = at(node).share;
  const Rational share = ways.size() == 1 ? all : all / Rational(std::ssize(ways));
  const std::int64_t latency_ps = at(node).latency_ps;
  for (const std::int32_t edge : ways) {
    const LinkId link = graph.link(edge);
    const std::int64_t arrives_ps = latency_ps + routing.latencies_.of(link);
    Arrival& arrival = at(graph.head(edge));
    if (arrival.reached) {
      arrival.share += share;
      arrival.latency_ps = std::max(arrival.latency_ps, arrives_ps);
    } else {
      next.push_back(graph.head(edge));
      arrival = {share, arrives_ps, true};
    }
    routes.push(link, share);
  }
  at(node) = {};
}

template <Ways kWays>
RoutingEntry split_entry(const char* summary, const char* fits, const char* channels) {
  return {.info = {.name = std::string(name_of(kWays)),
                   .summary = summary,
                   .fits = fits,
                   .hops = HopFace{.channels = channels,
                                   .deadlock = "a packet's channel rises with each link"}},
          .paths = [](const Fabric& fabric, std::uint64_t) -> std::shared_ptr<const Routing> {
            return std::make_shared<Split>(fabric, kWays);
          },
          .hops = [](const HopContext& context) { return make_split_hops(context, kWays); }};
}

}  // namespace

std::string_view name_of(Ways ways) {
  switch (ways) {
    case Ways::all:
      return "shortest-split";
    case Ways::widest:
      return "widest-split";
    case Ways::minimal:
      break;
  }
  return "minimal-split";
}

RoutingEntry shortest_split_entry() {
  return split_entry<Ways::all>("Traffic is split equally at each hop over all shortest paths",
                                "any",
                                "links between routers of the longest shortest path between hosts");
}

RoutingEntry widest_split_entry() {
  return split_entry<Ways::widest>(
      "As shortest-split, but only over the class of links with the most bandwidth together", "any",
      "as shortest-split: the links on the longest shortest path");
}

RoutingEntry minimal_split_entry() {
  return split_entry<Ways::minimal>(
      "Traffic is split equally at each hop over all paths with the fewest links between groups, "
      "then the fewest links",
      "dragonfly, planes and boxes on dragonflies, also damaged",
      "links between routers of the longest minimal path between hosts");
}

}  // namespace weft::network
