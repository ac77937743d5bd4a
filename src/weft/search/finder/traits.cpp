// Step by step, each receiver's blocks and the links that may bring them give the fullest link's
// load (fair_share.hpp). A set S of links with that quotient is full in every best schedule.
//
// A line graph's cost is exactly that of theorem 7 where, in every step, an endless walk leads on
// from the head of some fullest link e through nodes that have no block on e
// (expansion_algebra.hpp). Here the nodes to keep out of are all that might have a block on e,
// which does not depend on the schedule; so a network may be tight without being called so, but not
// the other way round.
#include "traits.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "fair_share.hpp"
#include "weft/base/error.hpp"

namespace weft::search {

namespace {

using algorithm::Prediction;
using Nodes = std::vector<std::int32_t>;

// Adjacency as rows, and the transposed one.
struct Graph {
  std::vector<Nodes> out, in;

  Graph transposed() const { return {in, out}; }
  std::int32_t size() const { return static_cast<std::int32_t>(out.size()); }
};

Graph graph_of(const Topology& topology) {
  const auto n = static_cast<std::size_t>(topology.node_count());
  Graph graph{std::vector<Nodes>(n), std::vector<Nodes>(n)};
  for (const LinkId link : topology.links()) {
    graph.out[topology.tail(link).index()].push_back(topology.head(link).value());
    graph.in[topology.head(link).index()].push_back(topology.tail(link).value());
  }
  return graph;
}

// Who reaches a receiver, in which step, over which of its in-links.
class Layers {
 public:
  explicit Layers(const Graph& graph) : graph_(graph) {}

  void search(std::int32_t root) {
    const auto n = graph_.out.size();
    distance_.assign(n, -1);
    links_.assign(n, 0);
    order_.assign(1, root);
    distance_[index(root)] = 0;
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const std::int32_t v = order_[next];
      const Nodes& before = graph_.in[index(v)];
      for (std::size_t link = 0; link < before.size(); ++link) {
        const std::size_t u = index(before[link]);
        if (distance_[u] < 0) {
          distance_[u] = distance_[index(v)] + 1;
          order_.push_back(before[link]);
        }
        if (distance_[u] == distance_[index(v)] + 1)
          links_[u] |= v == root ? 1U << link : links_[index(v)];
      }
    }
  }

  bool reaches_all() const { return order_.size() == graph_.out.size(); }
  int steps() const { return distance_[index(order_.back())]; }
  bool is_on(std::int32_t v, int step, int link) const {
    return distance_[index(v)] == step && (links_[index(v)] >> link & 1U) != 0;
  }

  std::vector<Demand> demands(int step) const {
    std::map<std::uint32_t, std::int32_t> counts;
    for (const std::int32_t v : order_)
      if (distance_[index(v)] == step) ++counts[links_[index(v)]];
    std::vector<Demand> result;
    for (const auto& [links, count] : counts) result.push_back({links, count});
    return result;
  }

 private:
  static std::size_t index(std::int32_t node) { return static_cast<std::size_t>(node); }

  const Graph& graph_;
  std::vector<std::int32_t> distance_;
  std::vector<std::uint32_t> links_;  // of the root, by source
  Nodes order_;
};

std::vector<Rational> step_loads(const Graph& graph, const Nodes& roots) {
  std::vector<Rational> loads;
  Layers layers(graph);
  FairShare share(static_cast<int>(graph.in[0].size()));
  for (const std::int32_t root : roots) {
    layers.search(root);
    require(layers.reaches_all(), "the network is not strongly connected; BFB needs one that is");
    loads.resize(std::max(loads.size(), static_cast<std::size_t>(layers.steps())));
    for (int step = 1; step <= layers.steps(); ++step) {
      Rational& load = loads[static_cast<std::size_t>(step) - 1];
      load = share.raise(load, layers.demands(step));
    }
  }
  return loads;
}

// The links that are surely full: of sets with as many blocks as they can take at that load.
std::uint32_t full_links(int degree, const Rational& load, const std::vector<Demand>& demands) {
  std::uint32_t full = 0;
  const auto look_at = [&](std::uint32_t set) {
    std::int64_t inside = 0;
    for (const Demand& demand : demands) inside += (demand.links & ~set) == 0 ? demand.count : 0;
    if (load * std::popcount(set) == Rational(inside)) full |= set;
  };
  const std::uint32_t all = (1U << degree) - 1;
  look_at(all);
  for (int link = 0; link < degree; ++link) look_at(1U << link);
  constexpr int kMostEnumerated = 8;
  if (full == 0 && degree <= kMostEnumerated)
    for (std::uint32_t set = 1; set < all; ++set) look_at(set);
  return full;
}

// Whether an endless walk leads on from a node, keeping out of others.
class EndlessWalk {
 public:
  explicit EndlessWalk(const Graph& graph) : graph_(graph) {}

  template <class Avoided>
  bool exists(std::int32_t start, const Avoided& avoided) {
    state_.assign(graph_.out.size(), kNew);
    return leads_to_cycle(start, avoided);
  }

 private:
  enum State : std::uint8_t { kNew, kOnWay, kDead };

  // Depth first: a node met again on the way closes a cycle.
  template <class Avoided>
  bool leads_to_cycle(std::int32_t start, const Avoided& avoided) {
    std::vector<std::pair<std::int32_t, std::size_t>> way{{start, 0}};
    state_[static_cast<std::size_t>(start)] = kOnWay;
    while (!way.empty()) {
      auto& [node, next] = way.back();
      const Nodes& heads = graph_.out[static_cast<std::size_t>(node)];
      if (next == heads.size()) {
        state_[static_cast<std::size_t>(node)] = kDead;
        way.pop_back();
        continue;
      }
      const std::int32_t head = heads[next++];
      State& state = state_[static_cast<std::size_t>(head)];
      if (state == kOnWay) return true;
      if (state == kDead || avoided(head)) continue;
      state = kOnWay;
      way.emplace_back(head, 0);
    }
    return false;
  }

  const Graph& graph_;
  std::vector<State> state_;
};

bool is_tight(const Graph& graph, const Nodes& roots, const std::vector<Rational>& loads) {
  std::vector<bool> shown(loads.size(), false);
  Layers layers(graph);
  EndlessWalk walk(graph);
  const auto degree = static_cast<int>(graph.in[0].size());
  const auto shows = [&](std::int32_t root, int step) {
    const std::uint32_t full =
        full_links(degree, loads[static_cast<std::size_t>(step) - 1], layers.demands(step));
    for (int link = 0; link < degree; ++link)
      if ((full >> link & 1U) != 0 &&
          walk.exists(root, [&](std::int32_t v) { return layers.is_on(v, step, link); }))
        return true;
    return false;
  };
  for (const std::int32_t root : roots) {
    if (std::find(shown.begin(), shown.end(), false) == shown.end()) break;
    layers.search(root);
    for (int step = 1; step <= layers.steps(); ++step)
      if (!shown[static_cast<std::size_t>(step) - 1])
        shown[static_cast<std::size_t>(step) - 1] = shows(root, step);
  }
  return std::find(shown.begin(), shown.end(), false) == shown.end();
}

void look_at_links(const Graph& graph, Prediction& facts) {
  facts.branching = true;
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    Nodes heads = graph.out[static_cast<std::size_t>(node)];
    std::sort(heads.begin(), heads.end());
    const auto last = std::unique(heads.begin(), heads.end());
    facts.parallel = facts.parallel || last != heads.end();
    facts.loops = facts.loops || std::binary_search(heads.begin(), last, node);
    facts.branching = facts.branching && last - heads.begin() > 1;
  }
}

}  // namespace

Prediction link_facts(const Topology& topology) {
  Prediction facts{.nodes = topology.node_count(), .degree = topology.nominal_degree()};
  look_at_links(graph_of(topology), facts);
  return facts;
}

Prediction bfb_facts(const Topology& topology, std::span<const std::int32_t> some_roots) {
  const Graph graph = graph_of(topology);
  const auto degree = static_cast<std::size_t>(topology.nominal_degree());
  for (const auto* rows : {&graph.out, &graph.in})
    for (const Nodes& row : *rows)
      require(row.size() == degree, "{} is not regular; the catalogue holds regular networks",
              topology.name());
  Nodes roots(some_roots.begin(), some_roots.end());
  if (roots.empty())
    for (std::int32_t node = 0; node < graph.size(); ++node) roots.push_back(node);
  const std::vector<Rational> loads = step_loads(graph, roots);
  Prediction facts{.nodes = topology.node_count(),
                   .degree = topology.nominal_degree(),
                   .steps = static_cast<std::int64_t>(loads.size()),
                   .bfb = true};
  for (const Rational& load : loads) facts.bandwidth_factor += load;
  facts.bandwidth_factor *= Rational(facts.degree, facts.nodes);
  facts.optimal_bfb = facts.bandwidth_optimal();
  look_at_links(graph, facts);
  facts.reversible = step_loads(graph.transposed(), roots) == loads;
  facts.tight = is_tight(graph, roots, loads);
  return facts;
}

}  // namespace weft::search
