// What a tree uses is a set of switches: of a set, the cheapest spanning tree without the ends that
// no host needs is the tree. The search begins with the switches of several: those of shortest ways
// from a switch to all hosts, those of shortest ways between hosts of a spanning tree (Mehlhorn),
// and all; from the cheapest it goes on, one switch put in or out, while that helps.
//
// Source: Mehlhorn, "A Faster Approximation Algorithm for the Steiner Problem in Graphs",
// Information Processing Letters 27, 1988.
#include "priced_trees.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"

namespace weft::algorithm::trees {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::size_t kTops = 4;  // switches from which shortest ways begin, for each find()
constexpr std::size_t kMostVisits = 500'000;  // cables that one search looks at

// Ways from the nearest source.
struct ShortestWays {
  IdVector<NodeId, double> far;
  IdVector<NodeId, NodeId> before, from;  // the source
};

ShortestWays shortest_ways(const SwitchGraph& graph, std::span<const NodeId> sources,
                           std::span<const double> prices) {
  WEFT_ASSERT(!sources.empty());
  using Reached = std::pair<double, NodeId>;
  ShortestWays ways{IdVector<NodeId, double>(graph.nodes(), kFar),
                    IdVector<NodeId, NodeId>(graph.nodes()),
                    IdVector<NodeId, NodeId>(graph.nodes())};
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
  for (const NodeId source : sources) {
    ways.far[source] = 0;
    ways.before[source] = ways.from[source] = source;
    reached.emplace(0, source);
  }
  while (!reached.empty()) {
    const auto [far, node] = reached.top();
    reached.pop();
    if (far > ways.far[node]) continue;
    for (const SwitchLink& way : graph.ways(node)) {
      const double there = far + prices[way.cable];
      if (there >= ways.far[way.to]) continue;
      ways.far[way.to] = there;
      ways.before[way.to] = node;
      ways.from[way.to] = ways.from[node];
      reached.emplace(there, way.to);
    }
  }
  return ways;
}

}  // namespace

PricedTreeFinder::PricedTreeFinder(const SwitchGraph& graph) : graph_(graph) {
  std::int32_t cables = 0;
  const auto add = [&](NodeId node) {
    for (const SwitchLink& way : graph.ways(node)) {
      cables = std::max(cables, way.cable + 1);
      if (node < way.to) cables_.push_back({way.cable, node, way.to, way.out, way.back});
    }
  };
  for (const NodeId node : graph.switches()) add(node);
  for (const NodeId node : graph.ends()) add(node);
  std::ranges::sort(cables_, {}, [](const TreeCable& c) { return std::tuple(c.cable, c.out); });
  order_.resize(cables_.size());
  prices_.resize(cables);
}

PricedTree PricedTreeFinder::find(std::span<const double> prices) {
  prices_.assign(prices.begin(), prices.end());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return prices_[cables_[i].cable]; });
  std::optional<PricedTree> best;
  const auto keep = [&](std::optional<PricedTree> tree) {
    if (tree && (!best || tree->price < best->price)) best = std::move(tree);
  };
  keep(cheapest_of(Switches(graph_.nodes(), 1)));
  keep(cheapest_of(on_ways_between_ends()));
  const auto switches = graph_.switches();
  for (std::size_t i = 0; i < std::min(kTops, switches.size()); ++i)
    keep(cheapest_of(on_ways_from(switches[next_top_++ % switches.size()])));
  WEFT_ASSERT(best.has_value());
  return improved(*std::move(best));
}

PricedTreeFinder::Switches PricedTreeFinder::on_ways_from(NodeId top) const {
  const ShortestWays ways = shortest_ways(graph_, std::span(&top, 1), prices_);
  Switches on(graph_.nodes(), 0);
  on[top] = 1;
  for (const NodeId end : graph_.ends())
    if (ways.far[end] < kFar)
      for (NodeId node = end; on[node] == 0; node = ways.before[node]) on[node] = 1;
  return on;
}

PricedTreeFinder::Switches PricedTreeFinder::on_ways_between_ends() const {
  const ShortestWays ways = shortest_ways(graph_, graph_.ends(), prices_);
  std::vector<std::pair<double, std::size_t>> bridges;
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    const TreeCable& c = cables_[i];
    const double far = ways.far[c.from] + prices_[c.cable] + ways.far[c.to];
    if (far < kFar && ways.from[c.from] != ways.from[c.to]) bridges.emplace_back(far, i);
  }
  std::ranges::sort(bridges);
  UnionFind joined(graph_.nodes());
  Switches on(graph_.nodes(), 0);
  for (const auto& [price, i] : bridges) {
    const TreeCable& c = cables_[i];
    if (!joined.join(ways.from[c.from].value(), ways.from[c.to].value())) continue;
    for (NodeId node : {c.from, c.to})
      for (; on[node] == 0; node = ways.before[node]) on[node] = 1;
  }
  return on;
}

std::optional<PricedTree> PricedTreeFinder::cheapest_of(const Switches& in) const {
  const auto usable = [&](NodeId node) { return graph_.is_end(node) || in[node] != 0; };
  UnionFind joined(graph_.nodes());
  std::vector<TreeCable> cables;
  IdVector<NodeId, std::int32_t> degree(graph_.nodes(), 0);
  for (const std::size_t i : order_) {
    const TreeCable& c = cables_[i];
    if (!usable(c.from) || !usable(c.to) || !joined.join(c.from.value(), c.to.value())) continue;
    cables.push_back(c);
    ++degree[c.from];
    ++degree[c.to];
  }
  const std::int32_t all = joined.find(graph_.ends().front().value());
  for (const NodeId end : graph_.ends())
    if (joined.find(end.value()) != all) return std::nullopt;
  const auto is_bare = [&](const TreeCable& c) {  // one of its ends is a switch and the last there
    for (const NodeId node : {c.from, c.to}) {
      if (degree[node] != 1 || graph_.is_end(node)) continue;
      --degree[c.from];
      --degree[c.to];
      return true;
    }
    return joined.find(c.from.value()) != all;
  };
  while (std::erase_if(cables, is_bare) > 0) {
  }
  std::ranges::sort(cables, {}, &TreeCable::cable);
  PricedTree tree{0, std::move(cables)};
  for (const TreeCable& c : tree.cables) tree.price += prices_[c.cable];
  return tree;
}

PricedTree PricedTreeFinder::improved(PricedTree tree) const {
  const auto switches = graph_.switches();
  const auto switches_of = [&] {
    Switches in(graph_.nodes(), 0);
    for (const TreeCable& c : tree.cables) in[c.from] = in[c.to] = 1;
    return in;
  };
  Switches in = switches_of();
  std::size_t without = 0;  // changes since one helped
  const std::size_t most = kMostVisits / (cables_.size() + 1);
  for (std::size_t i = 0; i < most && without < switches.size(); ++i) {
    char& changed = in[switches[i % switches.size()]];
    changed = changed == 0 ? 1 : 0;
    auto other = cheapest_of(in);
    if (other && other->price < tree.price * (1 - 1e-12)) {
      tree = *std::move(other);
      in = switches_of();
      without = 0;
    } else {
      changed = changed == 0 ? 1 : 0;
      ++without;
    }
  }
  return tree;
}

}  // namespace weft::algorithm::trees
