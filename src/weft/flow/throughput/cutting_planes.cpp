// By duality 1 / f is the maximum over prices p >= 0 with sum of capacity * p = 1 of
//
//   D(p) = sum over pairs (s, t) of ranks of dist_p(s, t),
//
// concave and piecewise linear. Averaging p over a group of automorphisms keeps the constraint and
// does not lower D, so one price for each orbit of arcs is enough, and the distances from one
// source of each orbit of hosts, which weighs as many as there are ranks on these: D(p) = sum over
// sources of weight * D_s(p). A Cayley network of
// degree d has d prices and one source.
//
// Kelley's method: shortest-path trees under some prices carry a load L[k] on each orbit, and
// D_s(q) <= sum over k of L[k] q[k] for all prices q, with equality at those that made the tree. A
// small linear program over the trees found so far,
//
//   minimize v   with   sum over trees of share * weight * L[k] <= v * capacity[k]    each orbit k
//                       shares of a source's trees sum to 1,   shares >= 0
//
// has the next prices as its dual, and ends when they make no better tree. Its shares are a flow
// (every source sends along its trees, in these shares), its value proves f >= 1 / v.
//
// At the end the shares and the prices are solved once more from the basis in fractions, and proven
// by certificate.hpp.
#include "weft/flow/throughput/cutting_planes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/flow/throughput/certificate.hpp"
#include "weft/flow/throughput/priced_search.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

namespace {

using graph::common_fractions;
using graph::CommonFractions;
using graph::Fraction;
using graph::LinearProgram;
using graph::LinearTerm;
using graph::recognised;
using graph::solve_exactly;

using Clock = std::chrono::steady_clock;

constexpr double kConverged = 1e-9;        // relative, of flow and prices
constexpr std::size_t kMostUnknowns = 80;  // of an exact elimination

// Shortest-path trees of one source, all of them under the same prices.
struct Tree {
  std::size_t source = 0;          // index
  std::size_t prices = 0;          // index of the prices that made it
  std::vector<std::int64_t> load;  // by orbit
};

// What the linear program says.
struct Vertex {
  double value = 0;            // v
  std::vector<double> prices;  // by orbit, sum of capacity * price = 1
  std::vector<double> values;  // by source: what a tree must cost less than to help
  std::vector<double> shares;  // by tree
  std::vector<std::size_t> basic_trees;
  std::vector<Int> tight_orbits;  // their loads are v
};

// The linear program, which grows by columns. Rows: orbits, then sources.
class Master {
 public:
  Master(const ArcOrbits& orbits, double scale) : orbits_(orbits), scale_(scale) {
    std::vector<LinearTerm> terms;
    for (Int k = 0; k < orbits.count; ++k) {
      lp_.add_row({-graph::kUnbounded, 0});
      terms.push_back({k, -1});
    }
    for (std::size_t s = 0; s < orbits.sources.size(); ++s) lp_.add_row({1, 1});
    lp_.add_column(1, {-graph::kUnbounded, graph::kUnbounded}, terms);
    lp_.set_tolerances(1e-9, 1e-10);
  }

  void add(const Tree& tree) {
    std::vector<LinearTerm> terms;
    for (Int k = 0; k < orbits_.count; ++k)
      if (tree.load[k] != 0)
        terms.push_back({k, static_cast<double>(tree.load[k]) *
                                static_cast<double>(orbits_.sources[tree.source].weight) /
                                (static_cast<double>(orbits_.capacity[k]) * scale_)});
    terms.push_back({orbits_.count + static_cast<int>(tree.source), 1});
    lp_.add_column(0, {}, terms);
  }

  Vertex solve() {
    [[maybe_unused]] const bool solved = lp_.solve(graph::SolveFrom::vertex_and_columns);
    WEFT_ASSERT(solved);
    Vertex vertex;
    vertex.value = lp_.value() * scale_;
    const auto duals = lp_.row_prices();
    for (Int k = 0; k < orbits_.count; ++k) {
      vertex.prices.push_back(std::max(0.0, -duals[k]) / static_cast<double>(orbits_.capacity[k]));
      if (!lp_.is_basic_row(k)) vertex.tight_orbits.push_back(k);
    }
    for (std::size_t s = 0; s < orbits_.sources.size(); ++s)
      vertex.values.push_back(duals[orbits_.count + s] * scale_);
    for (int j = 1; j < lp_.columns(); ++j) {
      vertex.shares.push_back(lp_.column_values()[j]);
      if (lp_.is_basic_column(j)) vertex.basic_trees.push_back(j - 1);
    }
    return vertex;
  }

 private:
  const ArcOrbits& orbits_;
  double scale_;  // about v: the program's own numbers are near 1
  LinearProgram lp_;
};

class CuttingPlanes {
 public:
  CuttingPlanes(const FlowGraph& graph, const ArcOrbits& orbits, const ThroughputOptions& options)
      : graph_(graph),
        orbits_(orbits),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(options.time_limit_s))) {
    for (std::size_t i = 0; i < std::min<std::size_t>(orbits.sources.size(), threads()); ++i)
      searches_.emplace_back(graph, orbits);
  }

  Found solve() {
    std::vector<double> equal(orbits_.count, 1);
    best_prices_ = equal;
    const double distances = look(equal).value;
    Master master(orbits_, distances / total_capacity());
    best_value_ = distances / total_capacity();
    Vertex vertex;
    std::size_t added = 0;
    while (true) {
      for (; added < trees_.size(); ++added) master.add(trees_[added]);
      vertex = master.solve();
      const bool converged = best_value_ >= vertex.value * (1 - kConverged);
      if (converged)
        if (auto exact = proven_value(vertex)) return answer(std::move(*exact));
      if (Clock::now() > end_ || !improve(vertex)) break;
    }
    if (auto exact = proven_value(vertex)) return answer(std::move(*exact));
    return answer(vertex);
  }

 private:
  struct Look {
    double value;       // D(p)
    double shortening;  // the most that a tree costs less than the program thinks
  };

  double total_capacity() const {
    double sum = 0;
    for (const std::int64_t capacity : orbits_.capacity) sum += static_cast<double>(capacity);
    return sum;
  }

  // Trees of all sources under these prices, kept where they are new.
  Look look(const std::vector<double>& prices, const Vertex* vertex = nullptr) {
    const double largest = *std::max_element(prices.begin(), prices.end());
    prices_.push_back(integer_prices(prices));
    const double unit = largest / std::ldexp(1.0, 36);
    std::vector<Tree> found(orbits_.sources.size());
    std::vector<double> costs(found.size());
    parallel_for(static_cast<std::int64_t>(searches_.size()), [&](std::int64_t t) {
      for (std::size_t s = t; s < found.size(); s += searches_.size()) {
        searches_[t].run(orbits_.sources[s].host, prices_.back());
        costs[s] = static_cast<double>(searches_[t].distance_sum()) * unit *
                   static_cast<double>(orbits_.sources[s].weight);
        found[s] = {s, prices_.size() - 1, searches_[t].tree_load()};
      }
    });
    Look result{0, 0};
    for (std::size_t s = 0; s < found.size(); ++s) {
      result.value += costs[s];
      const double shortening = vertex == nullptr ? 1 : own_cost_gap(*vertex, found[s]);
      result.shortening = std::max(result.shortening, shortening);
      if (shortening > 0) trees_.push_back(std::move(found[s]));
    }
    ++rounds_;
    return result;
  }

  // How much cheaper than the program's value a tree is under the program's own prices, over v.
  double own_cost_gap(const Vertex& vertex, const Tree& tree) const {
    double cost = 0;
    for (Int k = 0; k < orbits_.count; ++k)
      cost += vertex.prices[k] * static_cast<double>(tree.load[k]);
    cost *= static_cast<double>(orbits_.sources[tree.source].weight);
    const double gap = (vertex.values[tree.source] - cost) / vertex.value;
    return gap > 1e-12 ? gap : 0;
  }

  // Looks between the best prices so far and the program's, then at the program's own where that
  // finds nothing new (Wentges' smoothing: the program's prices jump about while trees are few).
  bool improve(const Vertex& vertex) {
    const double keep = orbits_.count > 12 ? 0.7 : 0.0;
    for (const double share : {keep, 0.0}) {
      std::vector<double> prices(orbits_.count);
      for (Int k = 0; k < orbits_.count; ++k)
        prices[k] = share * best_prices_[k] + (1 - share) * vertex.prices[k];
      double value = 0;
      for (Int k = 0; k < orbits_.count; ++k)
        value += prices[k] * static_cast<double>(orbits_.capacity[k]);
      const Look look_at = look(prices, &vertex);
      if (look_at.value / value > best_value_) {
        best_value_ = look_at.value / value;
        best_prices_ = prices;
      }
      if (look_at.shortening > 0) return true;
    }
    return false;
  }

  // A value, and the flows that reach it.
  struct Proof {
    Bound value;
    std::vector<std::vector<Wide>> flows;
    std::vector<std::int64_t> prices;  // of orbits
  };

  Found answer() const {
    Found found;
    found.throughput.variables = orbits_.count;
    found.throughput.rounds = rounds_;
    return found;
  }

  Found answer(Proof proof) const {
    Found found = answer();
    found.throughput.exact = proof.value.rational();
    found.throughput.throughput = found.throughput.upper_bound = proof.value.value();
    found.throughput.prices = link_prices(graph_, orbits_, proof.prices);
    found.exact_flows = std::move(proof.flows);
    found.throughput.loads = link_loads(graph_, orbits_, found.exact_flows);
    return found;
  }

  Found answer(const Vertex& vertex) {
    Found found = answer();
    found.flows = flows_of<double>(vertex.shares);
    found.throughput.throughput = flow_bound(graph_, orbits_, found.flows);
    found.throughput.loads = link_loads(graph_, orbits_, found.flows);
    const std::vector<std::int64_t> prices = integer_prices(best_prices_);
    found.throughput.upper_bound = price_bound(graph_, orbits_, prices).value_rounded_up();
    found.throughput.prices = link_prices(graph_, orbits_, prices);
    return found;
  }

  // The flow that sends these shares along the trees, one for each source.
  template <class Number, class Share>
  std::vector<std::vector<Number>> flows_of(const std::vector<Share>& shares) {
    std::vector<std::vector<Number>> flows(orbits_.sources.size(),
                                           std::vector<Number>(graph_.arcs(), 0));
    for (std::size_t j = 0; j < shares.size(); ++j) {
      if (!(shares[j] > 0)) continue;
      PricedSearch& search = searches_[0];
      search.run(orbits_.sources[trees_[j].source].host, prices_[trees_[j].prices]);
      const std::vector<std::int64_t> tree = search.tree_flow();
      std::vector<Number>& flow = flows[trees_[j].source];
      for (Int e = 0; e < graph_.arcs(); ++e)
        flow[e] += static_cast<Number>(tree[e]) * static_cast<Number>(shares[j]);
    }
    return flows;
  }

  // The value, where shares and prices in fractions prove the same one. The vertex's own prices
  // may be other than the best where the program has several solutions.
  std::optional<Proof> proven_value(const Vertex& vertex) {
    const auto shares = exact_shares(vertex);
    if (!shares) return std::nullopt;
    std::optional<Proof> below;
    for (const auto& prices : {recognised_prices(best_prices_), exact_prices(vertex)}) {
      if (!prices) continue;
      const Bound above = price_bound(graph_, orbits_, *prices);
      const double ratio = above.value() * vertex.value * static_cast<double>(graph_.unit);
      if (ratio > 1 + 10 * kConverged) continue;
      if (!below) {
        below = Proof{{}, flows_of<Wide>(*shares), {}};
        below->value = flow_bound(graph_, orbits_, below->flows);
      }
      if (below->value != above) continue;
      below->prices = *prices;
      return below;
    }
    return std::nullopt;
  }

  std::size_t unknowns(const Vertex& vertex) const {
    return std::max(vertex.basic_trees.size(), vertex.tight_orbits.size() + orbits_.sources.size());
  }

  Fraction weighted_load(std::size_t tree, Int orbit) const {
    return Fraction(trees_[tree].load[orbit]) * orbits_.sources[trees_[tree].source].weight;
  }

  // Shares of the basic trees and v, such that the tight orbits carry v * capacity each and the
  // shares of each source sum to 1; as integers in proportion, by tree.
  std::optional<std::vector<std::int64_t>> exact_shares(const Vertex& vertex) const {
    std::optional<CommonFractions> common;
    if (unknowns(vertex) <= kMostUnknowns) {
      std::vector<std::vector<Fraction>> rows;
      std::vector<Fraction> right;
      for (const Int k : vertex.tight_orbits) {
        auto& row = rows.emplace_back();
        for (const std::size_t j : vertex.basic_trees) row.push_back(weighted_load(j, k));
        row.emplace_back(-orbits_.capacity[k]);
        right.emplace_back(0);
      }
      for (std::size_t s = 0; s < orbits_.sources.size(); ++s) {
        auto& row = rows.emplace_back();
        for (const std::size_t j : vertex.basic_trees) row.emplace_back(trees_[j].source == s);
        row.emplace_back(0);
        right.emplace_back(1);
      }
      auto solution = solve_exactly(std::move(rows), std::move(right));
      if (!solution) return std::nullopt;
      solution->pop_back();
      common = common_fractions(*solution);
    } else {
      std::vector<double> shares;
      for (const std::size_t j : vertex.basic_trees) shares.push_back(vertex.shares[j]);
      common = recognised(shares);
    }
    if (!common) return std::nullopt;
    std::vector<std::int64_t> by_tree(trees_.size(), 0);
    for (std::size_t i = 0; i < vertex.basic_trees.size(); ++i) {
      if (common->numerators[i] < 0) return std::nullopt;
      by_tree[vertex.basic_trees[i]] = common->numerators[i];
    }
    return by_tree;
  }

  // Prices of the tight orbits and a value for each source, such that every basic tree costs its
  // source's value and all prices * capacities sum to 1; as integers in proportion, by orbit.
  std::optional<std::vector<std::int64_t>> exact_prices(const Vertex& vertex) const {
    if (unknowns(vertex) > kMostUnknowns) return recognised_prices(vertex.prices);
    const std::vector<Int>& tight = vertex.tight_orbits;
    std::vector<std::vector<Fraction>> rows;
    std::vector<Fraction> right(vertex.basic_trees.size(), 0);
    for (const std::size_t j : vertex.basic_trees) {
      auto& row = rows.emplace_back();
      for (const Int k : tight) row.push_back(weighted_load(j, k));
      for (std::size_t s = 0; s < orbits_.sources.size(); ++s)
        row.emplace_back(trees_[j].source == s ? -1 : 0);
    }
    auto& row = rows.emplace_back();
    for (const Int k : tight) row.emplace_back(orbits_.capacity[k]);
    row.resize(tight.size() + orbits_.sources.size(), 0);
    right.emplace_back(1);
    auto solution = solve_exactly(std::move(rows), std::move(right));
    if (!solution) return std::nullopt;
    std::vector<Fraction> prices(orbits_.count, 0);
    for (std::size_t i = 0; i < tight.size(); ++i) prices[tight[i]] = (*solution)[i];
    return usable_prices(common_fractions(prices));
  }

  std::optional<std::vector<std::int64_t>> recognised_prices(std::vector<double> prices) const {
    const double largest = *std::max_element(prices.begin(), prices.end());
    for (double& price : prices) price /= largest;
    return usable_prices(recognised(prices));
  }

  // Not negative, and the sum of any path's fits in 62 bits.
  std::optional<std::vector<std::int64_t>> usable_prices(
      std::optional<CommonFractions> common) const {
    if (!common) return std::nullopt;
    for (const std::int64_t price : common->numerators)
      if (price < 0 || Wide(price) * graph_.nodes > Wide(1) << 62) return std::nullopt;
    return std::move(common->numerators);
  }

  const FlowGraph& graph_;
  const ArcOrbits& orbits_;
  Clock::time_point end_;
  std::vector<PricedSearch> searches_;  // one for each thread
  std::vector<std::vector<std::int64_t>> prices_;
  std::vector<Tree> trees_;
  std::vector<double> best_prices_;
  double best_value_ = 0;  // D at the best prices, over their sum of capacity * price
  std::int64_t rounds_ = 0;
};

}  // namespace

Found throughput_by_orbits(const FlowGraph& graph, const ArcOrbits& orbits,
                           const ThroughputOptions& options) {
  return CuttingPlanes(graph, orbits, options).solve();
}

}  // namespace weft::flow
