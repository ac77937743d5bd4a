// How a source's flow moves (after Gallager's minimum-delay routing and the origin-based methods of
// traffic assignment: Bar-Gera, "Origin-based algorithm for the traffic assignment problem",
// Transportation Science 36(4), 2002).
//
// The flow runs along an order of the nodes. Going forth along it, every node learns what a unit
// costs on average on its way from the source, mean[t], and how much that grows with each unit
// more. Going back, every node knows how much it must receive (its demand and what it passes on),
// and shifts some from each way in, u -> t, to the cheapest way in, by Newton's rule:
//
//   (difference of price + mean[u]) / (sum of growth of both ways),   at most all that is there.
//
// At fixed shares of the nodes before it such a shift changes the cost by exactly that difference,
// so all shifts together lower it. Ways in from nodes later in the order are not looked at, which
// keeps the flow free of cycles; the order is renewed before each step by the longest way with
// flow, which every arc with flow lengthens. Where rounding took all that came into a node (1e-20
// added to 0.5 and taken off again), what is left of its flow has no way from the source: such
// flow is dropped, and comes by the cheapest way.
#include "weft/flow/throughput/source_flow.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

#include "weft/base/error.hpp"

namespace weft::flow {

Slots::Slots(const FlowGraph& graph, const ArcOrbits& orbits)
    : nodes(graph.nodes), arcs(graph.in_arcs) {
  for (const Int e : arcs.values()) {
    tail.push_back(graph.tail[e]);
    orbit.push_back(orbits.orbit_of_arc[e]);
  }
  demand.assign(graph.ranks.begin(), graph.ranks.end());
}

namespace {

// By arc.
std::vector<std::int64_t> lengths(const FlowGraph& graph) {
  const std::int64_t fastest = *std::ranges::max_element(graph.capacity);
  std::vector<std::int64_t> length;
  for (const std::int64_t capacity : graph.capacity)
    length.push_back(
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(fastest / capacity))));
  return length;
}

struct Search {
  std::vector<std::int64_t> distance;  // by node
  std::vector<Int> order;              // nearest first, as near ones in the order found
};

Search nearest_first(const FlowGraph& graph, std::span<const std::int64_t> length, Int source) {
  using Entry = std::tuple<std::int64_t, std::int64_t, Int>;  // distance, when found, node
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  Search search{std::vector<std::int64_t>(graph.nodes, kFar), {}};
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::int64_t found = 0;
  search.distance[source] = 0;
  heap.emplace(0, found++, source);
  while (!heap.empty()) {
    const auto [at, when, node] = heap.top();
    heap.pop();
    if (at > search.distance[node]) continue;
    search.order.push_back(node);
    for (Int e = graph.heads.first(node); e < graph.heads.first(node + 1); ++e) {
      const std::int64_t reached = at + length[e];
      if (reached >= search.distance[graph.head(e)]) continue;
      search.distance[graph.head(e)] = reached;
      heap.emplace(reached, found++, graph.head(e));
    }
  }
  return search;
}

}  // namespace

SourceFlow shortest_ways(const Slots& slots, const FlowGraph& graph, Int source) {
  const std::vector<std::int64_t> length = lengths(graph);
  const Search search = nearest_first(graph, length, source);
  const std::vector<std::int64_t>& distance = search.distance;
  SourceFlow result{source, std::vector<double>(slots.count(), 0), search.order};
  std::vector<double> needed = slots.demand;
  for (std::size_t i = result.order.size(); i-- > 1;) {
    const Int t = result.order[i];
    const auto nearer = [&](Int slot) {  // a tail may be out of reach
      return distance[slots.tail[slot]] == distance[t] - length[slots.arcs.values()[slot]];
    };
    Int ways = 0;
    for (Int slot = slots.first(t); slot < slots.first(t + 1); ++slot) ways += nearer(slot);
    for (Int slot = slots.first(t); slot < slots.first(t + 1); ++slot) {
      if (!nearer(slot)) continue;
      result.flow[slot] = needed[t] / ways;
      needed[slots.tail[slot]] += result.flow[slot];
    }
  }
  return result;
}

FlowStep::FlowStep(const Slots& slots)
    : slots_(slots),
      labels_(slots.nodes),
      place_(slots.nodes),
      needed_(slots.nodes),
      places_(slots.nodes) {}

void FlowStep::move(SourceFlow& source, const SlotPrices& prices, double growth_scale,
                    std::span<double> moved) {
  WEFT_ASSERT(source.flow.size() == moved.size() && !source.order.empty());
  places_.resize(source.order.size());
  label_nodes(source, prices);
  reorder(source);
  shift(source, prices, growth_scale, moved);
}

void FlowStep::label_nodes(const SourceFlow& source, const SlotPrices& prices) {
  for (std::size_t i = 0; i < source.order.size(); ++i)
    place_[source.order[i]] = static_cast<Int>(i);
  labels_[source.source] = {.has_way = true};
  for (std::size_t i = 1; i < source.order.size(); ++i) {
    const Int t = source.order[i];
    Label label;
    for (Int slot = slots_.first(t); slot < slots_.first(t + 1); ++slot) {
      const double flow = source.flow[slot];
      const Label& before = labels_[slots_.tail[slot]];
      if (flow <= 0 || !before.has_way) continue;
      label.inflow += flow;
      label.mean += flow * (prices.price[slot] + before.mean);
      label.growth += flow * (prices.growth[slot] + before.growth);
      label.longest = std::max(label.longest, prices.price[slot] + before.longest);
    }
    label.has_way = label.inflow > 0;
    if (label.has_way) {
      label.mean /= label.inflow;
      label.growth /= label.inflow;
      labels_[t] = label;
    } else {
      labels_[t] = label_without_flow(t, prices);
    }
  }
}

// Nobody's destination, and off the way: it costs what its cheapest way from nodes before it does.
// Without one it goes to the end, behind all that lead to it.
FlowStep::Label FlowStep::label_without_flow(Int node, const SlotPrices& prices) const {
  Label label{.mean = std::numeric_limits<double>::infinity(),
              .longest = std::numeric_limits<double>::infinity()};
  for (Int slot = slots_.first(node); slot < slots_.first(node + 1); ++slot) {
    const Label& before = labels_[slots_.tail[slot]];
    const double mean = prices.price[slot] + before.mean;
    if (!is_way(node, slot) || mean >= label.mean) continue;
    label = {.mean = mean,
             .growth = prices.growth[slot] + before.growth,
             .longest = prices.price[slot] + before.longest,
             .has_way = true};
  }
  return label;
}

void FlowStep::reorder(SourceFlow& source) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Int node = source.order[i];
    places_[i] = {labels_[node].longest, static_cast<Int>(i), node};
  }
  std::sort(places_.begin() + 1, places_.end(), [](const Place& a, const Place& b) {
    return a.longest != b.longest ? a.longest < b.longest : a.old_place < b.old_place;
  });
  for (std::size_t i = 0; i < places_.size(); ++i) {
    source.order[i] = places_[i].node;
    place_[places_[i].node] = static_cast<Int>(i);
  }
}

bool FlowStep::is_way(Int node, Int slot) const {
  const Int from = slots_.tail[slot];
  return place_[from] < place_[node] && labels_[from].has_way;
}

Int FlowStep::cheapest_way(Int node, const SlotPrices& prices) const {
  Int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (Int slot = slots_.first(node); slot < slots_.first(node + 1); ++slot) {
    const double cost = prices.price[slot] + labels_[slots_.tail[slot]].mean;
    if (!is_way(node, slot) || cost >= least) continue;
    least = cost;
    best = slot;
  }
  return best;
}

void FlowStep::shift(const SourceFlow& source, const SlotPrices& prices, double growth_scale,
                     std::span<double> moved) {
  std::fill(moved.begin(), moved.end(), 0.0);
  needed_ = slots_.demand;
  for (std::size_t i = source.order.size(); i-- > 1;) {
    const Int t = source.order[i];
    if (needed_[t] <= 0) continue;
    const Int best = cheapest_way(t, prices);
    WEFT_ASSERT(best >= 0);
    const Label& best_tail = labels_[slots_.tail[best]];
    const double best_cost = prices.price[best] + best_tail.mean;
    const double best_growth = prices.growth[best] + best_tail.growth;
    double rest = needed_[t];
    const double scale = labels_[t].inflow > 0 ? needed_[t] / labels_[t].inflow : 0;
    for (Int slot = slots_.first(t); slot < slots_.first(t + 1); ++slot) {
      const double flow = source.flow[slot] * scale;
      const Label& tail = labels_[slots_.tail[slot]];
      if (slot == best || flow <= 0 || !tail.has_way) continue;
      const double dearer = prices.price[slot] + tail.mean - best_cost;
      const double growth = growth_scale * (prices.growth[slot] + tail.growth + best_growth);
      // Ways that cost the same keep what they have, where nothing grows either (prices of e^-750).
      const double kept = dearer > 0 ? flow - dearer / growth : flow;
      if (kept <= 1e-9 * needed_[t]) continue;
      moved[slot] = kept;
      needed_[slots_.tail[slot]] += kept;
      rest -= kept;
    }
    moved[best] = std::max(rest, 0.0);
    needed_[slots_.tail[best]] += moved[best];
  }
}

}  // namespace weft::flow
