// What BFB costs on generalized Kautz networks, by arithmetic instead of searches.
//
// In genkautz:d,n node v has the links v -> -(d v + j) mod n, j = 1..d. So the walks of t links
// from v end at the numbers s_t(v), s_t(v) + 1, ..., s_t(v) + d^t - 1 mod n, each by one walk,
// where s_t(v) = (-d)^t v, less d^t for odd t; and the distance from v to x is the least t for
// which x is among them. The walk to s_t(v) + o (0 <= o < d^t) takes its last link from the place
// d^(t-1) - 1 - floor(o / d) among the ends of the walks of t - 1 links.
//
// Receiver x in step t takes the blocks of the nodes v at distance t, over the last links of their
// walks. While d^t <= n there is one walk, and loads are counts; in the last step a node may have
// several, and the even split is left to UnitLayer.
//
// Exchanging v and n - 1 - v is an automorphism (n - 1 + d v + j = d v + d - (d + 1 - j) mod n), so
// half of the roots are enough.
//
// The other way round, for the transposed network, the root is the first node of the walks, and the
// first link of the walk to offset o is the block of d^(t-1) numbers that o lies in.
#include <algorithm>
#include <span>

#include "weft/base/error.hpp"
#include "weft/graph/unit_layer.hpp"
#include "weft/search/catalogue_builder.hpp"

namespace weft::search {

namespace {

using Count = std::int32_t;

// Steps whose cost is the fullest link over all roots.
using StepLoads = std::vector<Rational>;

class Kautz {
 public:
  Kautz(int degree, int nodes) : d_(degree), n_(nodes) {
    // start_[t][v], until the walks of t links reach every node.
    for (std::int64_t reach = 1, factor = 1, t = 0;; ++t, reach *= d_, factor = factor * -d_ % n_) {
      auto& row = start_.emplace_back(static_cast<std::size_t>(n_));
      reach_.push_back(reach);
      const std::int64_t shift = t % 2 == 1 ? -reach : 0;
      for (std::int64_t v = 0; v < n_; ++v) row[v] = static_cast<Count>(modulo(factor * v + shift));
      if (reach >= n_) break;
    }
  }

  int most_steps() const { return static_cast<int>(reach_.size()) - 1; }
  std::int64_t reach(int t) const { return reach_[t]; }
  std::span<const Count> starts(int t) const { return start_[t]; }
  Count start(int t, Count v) const { return starts(t)[v]; }
  int degree() const { return d_; }
  Count nodes() const { return n_; }
  /// Nodes of which one of every v and n - 1 - v is.
  Count half() const { return (n_ + 1) / 2; }
  std::int64_t modulo(std::int64_t value) const {
    const std::int64_t rest = value % n_;
    return rest < 0 ? rest + n_ : rest;
  }

 private:
  int d_;
  Count n_;
  std::vector<std::vector<Count>> start_;
  std::vector<std::int64_t> reach_;
};

// Receivers: in-links of a node, numbered as they are met.
class Receiving {
 public:
  explicit Receiving(const Kautz& graph)
      : graph_(graph), layer_(graph.degree()), link_of_(graph.nodes(), -1), in_(graph.nodes()) {
    for (Count v = 0; v < graph.nodes(); ++v)
      for (int j = 1; j <= graph.degree(); ++j)
        in_[graph.modulo(-static_cast<std::int64_t>(graph.degree()) * v - j)].push_back(v);
  }

  StepLoads run() {
    StepLoads result;
    for (Count x = 0; x < graph_.half(); ++x) visit(x, result);
    return result;
  }

 private:
  void visit(Count x, StepLoads& result) {
    const std::vector<Count>& in = in_[x];
    for (std::size_t link = 0; link < in.size(); ++link)
      link_of_[in[link]] = static_cast<int>(link);
    unsettled_.clear();
    for (Count v = 0; v < graph_.nodes(); ++v)
      if (v != x) unsettled_.push_back(v);
    for (int t = 1; !unsettled_.empty(); ++t) {
      layer_.clear();
      settle(x, t);
      if (static_cast<std::size_t>(t) > result.size()) result.emplace_back(0);
      Rational& load = result[static_cast<std::size_t>(t) - 1];
      load = layer_.raise(load);
    }
  }

  // Takes the nodes at distance t out of unsettled_.
  void settle(Count x, int t) {
    const auto starts = graph_.starts(t);
    const std::int64_t reach = graph_.reach(t);
    std::size_t left = 0;
    for (const Count v : unsettled_) {
      Count offset = x - starts[v];
      offset += offset < 0 ? graph_.nodes() : 0;
      if (offset >= reach)
        unsettled_[left++] = v;
      else
        layer_.add(last_links(v, offset, t));
    }
    unsettled_.resize(left);
  }

  std::uint32_t last_links(Count v, std::int64_t offset, int t) const {
    std::uint32_t links = 0;
    const std::int64_t reach_before = graph_.reach(t - 1);
    const std::int64_t start_before = graph_.start(t - 1, v);
    for (; offset < graph_.reach(t); offset += graph_.nodes()) {
      const std::int64_t w =
          (start_before + reach_before - 1 - offset / graph_.degree()) % graph_.nodes();
      links |= 1U << link_of_[w];
    }
    return links;
  }

  const Kautz& graph_;
  graph::UnitLayer layer_;
  std::vector<int> link_of_;            // of x, by tail
  std::vector<std::vector<Count>> in_;  // tails of in-links
  std::vector<Count> unsettled_;
};

// Roots of the transposed network: out-links of a node by the block of ends that they lead to.
class Sending {
 public:
  explicit Sending(const Kautz& graph)
      : graph_(graph), layer_(graph.degree()), seen_(graph.nodes(), -1) {}

  StepLoads run() {
    StepLoads result;
    for (Count v = 0; v < graph_.half(); ++v) visit(v, result);
    return result;
  }

 private:
  void visit(Count v, StepLoads& result) {
    seen_[v] = v;
    Count left = graph_.nodes() - 1;
    for (int t = 1; left > 0; ++t) {
      layer_.clear();
      const auto here = static_cast<Count>(std::min<std::int64_t>(graph_.reach(t), graph_.nodes()));
      for (Count offset = 0, x = graph_.start(t, v); offset < here; ++offset) {
        if (seen_[x] != v) {
          seen_[x] = v;
          --left;
          layer_.add(first_links(offset, t));
        }
        x = x + 1 == graph_.nodes() ? 0 : x + 1;
      }
      if (static_cast<std::size_t>(t) > result.size()) result.emplace_back(0);
      Rational& load = result[static_cast<std::size_t>(t) - 1];
      load = layer_.raise(load);
    }
  }

  std::uint32_t first_links(std::int64_t offset, int t) const {
    std::uint32_t links = 0;
    for (; offset < graph_.reach(t); offset += graph_.nodes())
      links |= 1U << (offset / graph_.reach(t - 1));
    return links;
  }

  const Kautz& graph_;
  graph::UnitLayer layer_;
  std::vector<Count> seen_;  // the last root that reached a node
};

Rational sum(const StepLoads& loads) {
  Rational result;
  for (const Rational& load : loads) result += load;
  return result;
}

}  // namespace

GenKautzCost genkautz_cost(int degree, int nodes, Ways ways) {
  WEFT_ASSERT(degree >= 2 && degree <= 16 && nodes > degree);
  const Kautz graph(degree, nodes);
  const StepLoads received = Receiving(graph).run();
  GenKautzCost result{degree, nodes, static_cast<int>(received.size()), sum(received), 0, {}};
  WEFT_ASSERT(result.steps >= 1 && result.load > 0);
  if (ways == Ways::one) return result;
  StepLoads dearer = Sending(graph).run();
  dearer.resize(std::max(dearer.size(), received.size()));
  for (std::size_t t = 0; t < received.size(); ++t) dearer[t] = std::max(dearer[t], received[t]);
  result.both_steps = static_cast<int>(dearer.size());
  result.both_load = sum(dearer);
  return result;
}

}  // namespace weft::search
