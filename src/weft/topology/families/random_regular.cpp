// Random regular graphs: the pairing model with repairs.
//
// Every node has `degree` stubs; a random pairing of all stubs is a random regular multigraph
// (Bollobas 1980). Self-loops and double edges are then removed by switches: a bad edge u-v and a
// random edge x-y become u-x and v-y, unless that makes a new bad edge. Each switch removes a bad
// edge and makes none, so the repair ends; there are about degree^2 / 4 bad edges whatever the size
// (McKay, Wormald, "Uniform generation of random regular graphs of moderate degree", J. Algorithms
// 11, 1990). A graph of several components (likely only at degree 2) is joined by switches too: an
// edge that lies on a cycle of one component and any edge of another.
//
// A dense graph has few partners for a switch, so above half of the nodes the complement is drawn.
// Where the repair still finds no partner (tiny graphs), a circulant graph, which is regular and
// simple for every valid size, is shuffled by switches instead.
#include "weft/topology/families/random_regular.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

class StubGraph {
 public:
  StubGraph(int nodes, int degree, Rng& rng)
      : nodes_(nodes),
        degree_(degree),
        rng_(rng),
        partner_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(degree)),
        head_(partner_.size()) {}

  // Draws a simple graph.
  void draw() {
    pair_at_random();
    if (repair()) return;
    pair_as_circulant();
    for (std::int64_t i = 0; i < 20 * stubs(); ++i) try_switch(random_stub(), random_stub());
  }

  // Joins the components, each of which has a cycle when the degree is 2 or more.
  void connect() {
    for (;;) {
      const Spanning spanning = span_first_component();
      const auto outside = std::find(spanning.seen.begin(), spanning.seen.end(), 0);
      if (outside == spanning.seen.end()) return;
      WEFT_ASSERT(spanning.cycle_stub >= 0);
      const std::int64_t other = (outside - spanning.seen.begin()) * degree_;
      exchange(spanning.cycle_stub, other);
    }
  }

  std::vector<int> neighbours(int u) const {
    std::vector<int> result(head_.begin() + first(u), head_.begin() + first(u + 1));
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  struct Spanning {
    std::vector<char> seen;
    std::int64_t cycle_stub = -1;  // a stub of an edge outside of the spanning tree
  };

  std::int64_t stubs() const { return static_cast<std::int64_t>(partner_.size()); }
  std::int64_t first(int u) const { return std::int64_t{u} * degree_; }
  int node(std::int64_t stub) const { return static_cast<int>(stub / degree_); }
  std::int64_t partner(std::int64_t stub) const { return partner_[stub]; }
  std::int64_t random_stub() { return rng_.below(stubs()); }

  void join(std::int64_t s, std::int64_t t) {
    partner_[s] = t;
    partner_[t] = s;
    head_[s] = node(t);
    head_[t] = node(s);
  }

  std::ptrdiff_t edges_between(int u, int v) const {
    return std::count(head_.begin() + first(u), head_.begin() + first(u + 1), v);
  }

  void pair_at_random() {
    std::vector<std::int64_t> order(partner_.size());
    std::iota(order.begin(), order.end(), 0);
    rng_.shuffle(order);
    for (std::size_t i = 0; i < order.size(); i += 2) join(order[i], order[i + 1]);
  }

  // Jumps 1..degree/2, and nodes/2 for an odd degree.
  void pair_as_circulant() {
    for (int u = 0; u < nodes_; ++u) {
      for (int jump = 1; jump <= degree_ / 2; ++jump) {
        const int v = static_cast<int>((std::int64_t{u} + jump) % nodes_);
        const std::int64_t port = 2 * (std::int64_t{jump} - 1);
        join(first(u) + port, first(v) + port + 1);
      }
      const int opposite = u + nodes_ / 2;
      if (degree_ % 2 == 1 && opposite < nodes_)
        join(first(u) + degree_ - 1, first(opposite) + degree_ - 1);
    }
  }

  bool is_bad(std::int64_t stub) const {
    const int u = node(stub), v = node(partner(stub));
    return u == v || edges_between(u, v) > 1;
  }

  // Removes all bad edges; false when one finds no partner.
  bool repair() {
    constexpr int kMostTries = 2000;
    for (std::int64_t s = 0; s < stubs(); ++s) {
      for (int tries = 0; is_bad(s); ++tries) {
        if (tries == kMostTries) return false;
        try_switch(s, random_stub());
      }
    }
    return true;
  }

  // s-t and p-q become s-p and t-q, unless that makes a self-loop or a double edge.
  void try_switch(std::int64_t s, std::int64_t p) {
    const int u = node(s), v = node(partner(s)), x = node(p), y = node(partner(p));
    if (u == x || v == y || (u == v && x == y)) return;
    if (edges_between(u, x) > 0 || edges_between(v, y) > 0) return;
    exchange(s, p);
  }

  void exchange(std::int64_t s, std::int64_t p) {
    const std::int64_t t = partner(s), q = partner(p);
    join(s, p);
    join(t, q);
  }

  // Depth-first from node 0. An edge outside of the tree closes a cycle.
  Spanning span_first_component() const {
    Spanning result{std::vector<char>(nodes_, 0)};
    std::vector<std::int64_t> entered(nodes_, -1);  // stub towards parent
    std::vector<int> stack{0};
    result.seen[0] = 1;
    while (!stack.empty()) {
      const int u = stack.back();
      stack.pop_back();
      for (std::int64_t s = first(u); s < first(u + 1); ++s) {
        const int v = node(partner(s));
        if (result.seen[v] == 0) {
          result.seen[v] = 1;
          entered[v] = partner(s);
          stack.push_back(v);
        } else if (entered[u] != s && entered[v] != partner(s)) {
          result.cycle_stub = s;
        }
      }
    }
    return result;
  }

  int nodes_, degree_;
  Rng& rng_;
  std::vector<std::int64_t> partner_;  // by stub
  std::vector<int> head_;              // the node of each stub's partner
};

Topology from_neighbours(int nodes, const StubGraph* graph, bool complement, Expression name) {
  TopologyBuilder builder(nodes);
  for (int u = 0; u < nodes; ++u) {
    const std::vector<int> linked = graph ? graph->neighbours(u) : std::vector<int>{};
    if (!complement) {
      for (int v : linked)
        if (v > u) builder.add_cable(NodeId(u), NodeId(v));
      continue;
    }
    for (int v = u + 1; v < nodes; ++v)
      if (!std::binary_search(linked.begin(), linked.end(), v))
        builder.add_cable(NodeId(u), NodeId(v));
  }
  return std::move(builder).build(std::move(name));
}

}  // namespace

Topology random_regular(int nodes, int degree, std::uint64_t seed) {
  require(nodes >= 2, "random-regular of {} is too small (needs 2 or more)",
          counted(nodes, "node"));
  require(degree >= 1 && degree < nodes,
          "degree {} is out of range for random-regular of {} nodes (needs 1 to {})", degree, nodes,
          nodes - 1);
  require(nodes % 2 == 0 || degree % 2 == 0,
          "random-regular of {} nodes and degree {} does not exist (nodes * degree is odd); change "
          "one of them by 1",
          nodes, degree);
  require(degree > 1 || nodes == 2,
          "random-regular of {} nodes and degree 1 is disconnected (only pairs); use degree 2 or "
          "more",
          nodes);
  Expression name{"random-regular", fmt::format("{},{},seed={}", nodes, degree, seed), {}};
  require_size(name.to_string(), nodes, 1.0 * nodes * degree);

  Rng rng(seed);
  const bool complement = degree > (nodes - 1) / 2;  // such a graph is connected: any two nodes
  const int drawn = complement ? nodes - 1 - degree : degree;  // not linked share a neighbour
  if (drawn == 0) return from_neighbours(nodes, nullptr, true, std::move(name));
  StubGraph graph(nodes, drawn, rng);
  graph.draw();
  if (!complement) graph.connect();
  return from_neighbours(nodes, &graph, complement, std::move(name));
}

Family random_regular_family() {
  return make_family(
      "random-regular", "n,d,seed=s",
      "Random graph of n nodes of degree d, simple and connected; the default seed is 1",
      "random-regular:64,8,seed=1", [](const Parameters& parameters) {
        const SeededIntegers values = parameters.seeded_integers(2, "n,d");
        return random_regular(values.integers[0], values.integers[1], values.seed);
      });
}

}  // namespace weft::topology
