// Broadcast. In step t every node at distance t from the root takes the whole buffer from those one
// nearer, a share from each of its usable in-links. A link is busy in one step only, so that
// segments follow each other at a distance of one step. With s of them the sum of the steps'
// factors f_t turns into the average over their starts of the largest factor under way; for many of
// them T_B falls to the slowest step's.
//
// Scatter. The farthest layer leaves the root first, so that all layers arrive in the last step: a
// block with r links left to go is sent in step D - r of 0, ..., D - 1, wherever it is. Each node
// spreads what it passes on over its out-links as evenly as shortest ways to the receivers let it:
// the worst-set optimum, exact for the root, whose links carry the most on regular networks. T_B is
// at least the root's sum of U_t, (N-1)/N where that is even; links further out may add to it where
// the network is uneven.
//
// Reduce and gather are these on the transpose graph, backwards in time.
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// appendices C.3 and E, for the layers and the balance; the order of a scatter is that of Johnsson,
// Ho, "Optimum Broadcasting and Personalized Communication in Hypercubes", IEEE ToC 38(9), 1989.
#include "rooted.hpp"

#include <algorithm>

#include "chunking.hpp"
#include "plan.hpp"
#include "schedule.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/balance.hpp"
#include "weft/graph/layer_classes.hpp"
#include "weft/graph/layers.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/in_arcs.hpp"

namespace weft::algorithm::bfb {

namespace {

using graph::append_class;
using graph::ClassifiedLayer;
using graph::classify;
using graph::LayerClasses;
using graph::LayerSearch;
using graph::least_discrete_layer_time;
using graph::least_layer_time;
using graph::split_layer;

bool starts_at_root(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter;
}

/// Units that serve these times exactly if they can; the user's number if there is one.
std::int64_t units_for(std::span<const Rational> times, const std::optional<Chunks>& chunks) {
  const Chunks wanted = chunks.value_or(Chunks{schedule::kMaxUnitsPerBlock, true});
  return wanted.best_up_to ? best_units(times, wanted.count) : wanted.count;
}

/// The parts of a rooted schedule that both kinds share: places, routes, and the direction of time.
class RootedWriter {
 public:
  RootedWriter(const Fabric& fabric, const Collective& collective,
               std::span<const NodeId> node_of_rank, std::int64_t units, bool parallel)
      : topology_(fabric.topology()),
        forward_(starts_at_root(collective.kind)),
        arrival_(collective.reduces() ? Arrival::reduce : Arrival::copy),
        ranks_(ranks_of_nodes(node_of_rank)),
        routes_(topology_, parallel),
        builder_(collective, {.algorithm = "bfb",
                              .units_per_block = units,
                              .binding = {.topology = topology_.name(),
                                          .hash = topology_.hash(),
                                          .nodes = {node_of_rank.begin(), node_of_rank.end()}}}) {}

  std::int64_t units_per_block() const { return builder_.units_per_block(); }
  std::int64_t line() const { return builder_.everything().count; }
  Rank rank(std::int32_t node) const { return ranks_[node]; }

  /// Pieces that cross the link between these nodes in this step of `steps`, as seen from the root.
  void send(std::int64_t step, std::int64_t steps, std::int32_t nearer, std::int32_t farther,
            LinkId link, std::span<const Piece> pieces) {
    const Rank from = rank(forward_ ? nearer : farther), to = rank(forward_ ? farther : nearer);
    builder_.at(forward_ ? step : steps - 1 - step)
        .send(from, to, pieces, arrival_, routes_.of(link, builder_));
  }
  Schedule build() { return std::move(builder_).build(); }

 private:
  const Topology& topology_;
  bool forward_;
  Arrival arrival_;
  std::vector<Rank> ranks_;
  LinkRoutes routes_;
  ScheduleBuilder builder_;
};

/// The in-arcs of a node that come from the layer before.
std::vector<InArc> usable_arcs(const InArcs& arcs, std::span<const int> distance,
                               std::int32_t node) {
  std::vector<InArc> usable;
  for (const InArc& arc : arcs.into(node))
    if (distance[arc.from] + 1 == distance[node]) usable.push_back(arc);
  return usable;
}

/// One class that may use every arc.
LayerClasses one_class(std::span<const InArc> usable, std::int64_t count) {
  WEFT_ASSERT(!usable.empty() && count >= 1);
  LayerClasses classes;
  for (std::size_t k = 0; k < usable.size(); ++k) {
    classes.capacities.push_back(usable[k].capacity);
    classes.arcs.push_back(static_cast<std::int32_t>(k));
  }
  classes.counts.push_back(count);
  classes.first_arc.push_back(static_cast<std::int32_t>(usable.size()));
  return classes;
}

/// Distances from the root along the arcs, and the nodes in their order.
struct Order {
  std::vector<int> distance;
  std::vector<std::int32_t> nodes;
  int depth = 0;
};

Order order_from(const InArcs& towards, std::int32_t root) {
  LayerSearch search(towards);
  search.run(root);
  Order order{std::vector<int>(towards.nodes(), 0), {root}, search.depth()};
  for (int t = 1; t <= search.depth(); ++t)
    for (const std::int32_t node : search.layer(t)) {
      order.distance[node] = t;
      order.nodes.push_back(node);
    }
  WEFT_ASSERT(std::ssize(order.nodes) == towards.nodes());  // each node is reached once
  return order;
}

Schedule broadcast_schedule(const Fabric& fabric, const Collective& collective,
                            std::span<const NodeId> node_of_rank,
                            const std::optional<Chunks>& chunks) {
  const bool forward = starts_at_root(collective.kind);
  const InArcs arcs = in_arcs(fabric, forward ? Sense::along : Sense::against);
  const InArcs back = in_arcs(fabric, forward ? Sense::against : Sense::along);
  const Order order = order_from(back, node_of_rank[collective.root.index()].value());
  // Times in blocks: a node takes all N of them.
  std::vector<Rational> times(order.depth);
  for (const std::int32_t node : std::span(order.nodes).subspan(1)) {
    const auto usable = usable_arcs(arcs, order.distance, node);
    Rational& time = times[static_cast<std::size_t>(order.distance[node]) - 1];
    time = least_layer_time(one_class(usable, collective.ranks), time);
  }
  RootedWriter writer(fabric, collective, node_of_rank, units_for(times, chunks),
                      arcs.has_parallel());
  for (const std::int32_t node : std::span(order.nodes).subspan(1)) {
    const auto usable = usable_arcs(arcs, order.distance, node);
    const LayerClasses classes = one_class(usable, writer.line());
    const auto flow = split_layer(classes, 1, least_discrete_layer_time(classes, 1));
    const int step = order.distance[node] - 1;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < usable.size(); ++k) {
      const Piece piece{begin, flow[k]};
      writer.send(step, order.depth, usable[k].from, node, LinkId(usable[k].link),
                  std::span(&piece, 1));
      begin += flow[k];
    }
  }
  return writer.build();
}

/// Moves blocks outwards, node after node in the order of distance.
class Scatter {
 public:
  Scatter(const InArcs& outwards, const Order& order, RootedWriter& writer)
      : outwards_(outwards),
        order_(order),
        writer_(writer),
        search_(outwards),
        held_(outwards.nodes()) {}

  void run() {
    for (const std::int32_t node : order_.nodes)
      if (node != order_.nodes.front())
        held_[order_.nodes.front()].push_back({node, {0, writer_.units_per_block()}});
    for (const std::int32_t node : order_.nodes) pass_on(node);
  }

 private:
  /// Units [units.first, units.end()) of a node's block.
  struct Part {
    std::int32_t node;
    Piece units;
  };

  void pass_on(std::int32_t node) {
    std::vector<Part> parts = std::move(held_[node]);
    std::erase_if(parts, [&](const Part& part) { return part.node == node; });
    if (parts.empty()) return;
    search_.run(node);
    std::vector<int> left(held_.size());
    for (int r = 1; r <= search_.depth(); ++r)
      for (const std::int32_t other : search_.layer(r)) left[other] = r;
    const auto key_less = [&](const Part& a, const Part& b) {
      const int x = left[a.node], y = left[b.node];
      if (x != y) return x < y;
      const auto p = search_.mask(a.node), q = search_.mask(b.node);
      const auto order =
          std::lexicographical_compare_three_way(p.begin(), p.end(), q.begin(), q.end());
      return order != 0 ? order < 0 : a.node < b.node;
    };
    std::stable_sort(parts.begin(), parts.end(), key_less);
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
      const int links = left[parts[begin].node];
      while (end < parts.size() && left[parts[end].node] == links) ++end;
      pass_layer(node, links, std::span(parts).subspan(begin, end - begin));
    }
  }

  /// Sends parts that have the same number of links to go, in the order of their masks.
  void pass_layer(std::int32_t node, int links, std::span<const Part> parts) {
    LayerClasses classes;
    const auto arcs = outwards_.into(node);
    for (const InArc& arc : arcs) classes.capacities.push_back(arc.capacity);
    std::vector<std::size_t> first_part;
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
      std::int64_t units = 0;
      for (; end < parts.size() &&
             std::ranges::equal(search_.mask(parts[begin].node), search_.mask(parts[end].node));
           ++end)
        units += parts[end].units.count;
      append_class(search_.mask(parts[begin].node), units, classes);
      first_part.push_back(begin);
    }
    const auto flow = split_layer(classes, 1, least_discrete_layer_time(classes, 1));
    std::vector<std::vector<Piece>> by_arc(arcs.size());
    for (std::size_t i = 0; i < classes.size(); ++i) {
      std::size_t part = first_part[i];
      std::int64_t used = 0;
      for (auto e = static_cast<std::size_t>(classes.first_arc[i]);
           e < static_cast<std::size_t>(classes.first_arc[i + 1]); ++e) {
        const auto k = static_cast<std::size_t>(classes.arcs[e]);
        for (std::int64_t wanted = flow[e]; wanted > 0;) {
          const Piece& units = parts[part].units;
          const std::int64_t count = std::min(wanted, units.count - used);
          const Part moved{parts[part].node, {units.first + used, count}};
          held_[arcs[k].from].push_back(moved);
          by_arc[k].push_back(
              {std::int64_t{writer_.rank(moved.node).value()} * writer_.units_per_block() +
                   moved.units.first,
               count});
          wanted -= count;
          used += count;
          if (used < units.count) continue;
          used = 0;
          ++part;
        }
      }
    }
    for (std::size_t k = 0; k < arcs.size(); ++k)
      writer_.send(order_.depth - links, order_.depth, node, arcs[k].from, LinkId(arcs[k].link),
                   by_arc[k]);
  }

  const InArcs& outwards_;
  const Order& order_;
  RootedWriter& writer_;
  LayerSearch search_;
  std::vector<std::vector<Part>> held_;
};

Schedule scatter_schedule(const Fabric& fabric, const Collective& collective,
                          std::span<const NodeId> node_of_rank,
                          const std::optional<Chunks>& chunks) {
  const InArcs outwards =
      in_arcs(fabric, starts_at_root(collective.kind) ? Sense::against : Sense::along);
  const std::int32_t root = node_of_rank[collective.root.index()].value();
  const Order order = order_from(outwards, root);
  LayerSearch search(outwards);
  search.run(root);
  std::vector<Rational> times;
  ClassifiedLayer groups;
  for (int r = 1; r <= search.depth(); ++r) {
    classify(search, root, r, groups);
    times.push_back(least_layer_time(groups.classes));
  }
  RootedWriter writer(fabric, collective, node_of_rank, units_for(times, chunks),
                      outwards.has_parallel());
  Scatter(outwards, order, writer).run();
  return writer.build();
}

}  // namespace

Schedule rooted_schedule(const Fabric& fabric, const Collective& collective,
                         std::span<const NodeId> node_of_rank,
                         const std::optional<Chunks>& chunks) {
  WEFT_ASSERT(collective.rooted() && one_on_each_node(node_of_rank, fabric.topology()));
  const bool whole_buffer = collective.whole_buffer();
  return whole_buffer ? broadcast_schedule(fabric, collective, node_of_rank, chunks)
                      : scatter_schedule(fabric, collective, node_of_rank, chunks);
}

}  // namespace weft::algorithm::bfb
