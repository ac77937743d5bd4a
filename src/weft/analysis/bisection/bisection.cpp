// Bisection: halves found from above, an eigenvalue from below, unless a formula knows it.
//
// From above: METIS with a few seeds, the order of the second eigenvector cut in its middle, and
// the order of node ids cut in its middle, each brought to exact balance and improved by exchanging
// pairs of nodes (Kernighan and Lin, Bell System Technical Journal 49, 1970). The best is kept.
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "cut_graph.hpp"
#include "weft/analysis/bisection/known_bisection.hpp"
#include "weft/analysis/metis_turn.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"

namespace weft::analysis {

namespace {

using Sides = std::vector<std::uint8_t>;  // by node: 0 or 1

// Halves under improvement; `gain` of a node is by how much its change of side lowers the cut.
class Halves {
 public:
  Halves(const CutGraph& graph, Sides sides)
      : graph_(graph), sides_(std::move(sides)), gains_(graph.node_count(), 0) {
    std::int64_t crossing_twice = 0;
    for (std::size_t v = 0; v < sides_.size(); ++v) {
      weight_[sides_[v]] += graph.weights[v];
      for_neighbours(v, [&](std::size_t u, std::int32_t cables) {
        const bool crosses = sides_[u] != sides_[v];
        gains_[v] += crosses ? cables : -cables;
        crossing_twice += crosses ? cables : 0;
      });
    }
    cut_ = crossing_twice / 2;
  }

  std::int64_t cut() const { return cut_; }

  /// Makes the halves equal (to within one), moving the cheapest nodes.
  void balance() {
    while (std::abs(weight_[0] - weight_[1]) > 1)
      move(*best_on(weight_[0] > weight_[1] ? 0 : 1, nullptr));
  }

  /// Exchanges pairs and moves free nodes for as long as the cut gets smaller.
  void improve() {
    move_free_nodes();
    while (exchange_pass()) move_free_nodes();
  }

 private:
  template <class Visit>
  void for_neighbours(std::size_t v, Visit visit) const {
    const auto node = static_cast<std::int32_t>(v);
    std::int32_t place = graph_.ends.first(node);
    for (const std::int32_t end : graph_.ends[node])
      visit(static_cast<std::size_t>(end), graph_.cables[place++]);
  }

  void move(std::size_t v) {
    cut_ -= gains_[v];
    gains_[v] = -gains_[v];
    weight_[sides_[v]] -= graph_.weights[v];
    sides_[v] ^= 1;
    weight_[sides_[v]] += graph_.weights[v];
    for_neighbours(v, [&](std::size_t u, std::int32_t cables) {
      gains_[u] += sides_[u] != sides_[v] ? 2 * cables : -2 * cables;
    });
  }

  // The node with weight of this side whose move costs least.
  std::optional<std::size_t> best_on(int side, const std::vector<bool>* locked) const {
    std::optional<std::size_t> best;
    for (std::size_t v = 0; v < sides_.size(); ++v) {
      if (sides_[v] != side || graph_.weights[v] == 0 || (locked != nullptr && (*locked)[v]))
        continue;
      if (!best || gains_[v] > gains_[*best]) best = v;
    }
    return best;
  }

  void move_free_nodes() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t v = 0; v < sides_.size(); ++v)
        if (graph_.weights[v] == 0 && gains_[v] > 0) {
          move(v);
          moved = true;
        }
    }
  }

  // False when one side has no unlocked node left.
  bool exchange_best(std::vector<bool>& locked, std::vector<std::size_t>& moved) {
    for (int side : {0, 1}) {
      const auto v = best_on(side, &locked);
      if (!v) return false;
      locked[*v] = true;
      move(*v);
      moved.push_back(*v);
    }
    return true;
  }

  // Exchanges best pairs one after the other, each node at most once, even when the cut grows for a
  // while; then takes back those after the smallest cut. False when none was smaller.
  bool exchange_pass() {
    constexpr std::size_t kPatience = 50;  // exchanges without a new smallest cut
    const std::int64_t before = cut_;
    std::int64_t smallest = cut_;
    std::vector<bool> locked(sides_.size(), false);
    std::vector<std::size_t> moved;
    std::size_t keep = 0;
    while (moved.size() < keep + 2 * kPatience && exchange_best(locked, moved)) {
      if (cut_ >= smallest) continue;
      smallest = cut_;
      keep = moved.size();
    }
    for (; moved.size() > keep; moved.pop_back()) move(moved.back());
    return cut_ < before;
  }

  const CutGraph& graph_;
  Sides sides_;
  std::vector<std::int64_t> gains_;
  std::int64_t weight_[2] = {0, 0};
  std::int64_t cut_ = 0;
};

// Nodes in this order, the first half of the weight on side 0.
Sides split(const CutGraph& graph, std::span<const std::size_t> order) {
  WEFT_ASSERT(order.size() == graph.node_count());
  Sides sides(graph.node_count(), 1);
  std::int64_t weight = 0;
  for (std::size_t v : order) {
    if (2 * weight >= graph.total_weight) break;
    sides[v] = 0;
    weight += graph.weights[v];
  }
  return sides;
}

std::vector<std::size_t> in_order_of(const std::vector<double>& key) {
  std::vector<std::size_t> order(key.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  return order;
}

std::optional<Sides> by_metis(const CutGraph& graph, idx_t seed) {
  idx_t nodes = static_cast<idx_t>(graph.node_count()), constraints = 1, parts = 2, cut = 0;
  std::vector<idx_t> first(graph.ends.firsts().begin(), graph.ends.firsts().end());
  std::vector<idx_t> ends(graph.ends.values().begin(), graph.ends.values().end());
  std::vector<idx_t> cables(graph.cables.begin(), graph.cables.end());
  std::vector<idx_t> weights(graph.weights.begin(), graph.weights.end());
  std::vector<idx_t> part(graph.node_count(), 0);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = seed;
  options[METIS_OPTION_UFACTOR] = 1;
  options[METIS_OPTION_NCUTS] = 4;
  const std::scoped_lock turn(metis_turn());
  const int status = METIS_PartGraphRecursive(&nodes, &constraints, first.data(), ends.data(),
                                              weights.data(), nullptr, cables.data(), &parts,
                                              nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK) return std::nullopt;
  return Sides(part.begin(), part.end());
}

std::int64_t smallest_cut_found(const CutGraph& graph, const std::vector<std::int32_t>& leaf_node,
                                const std::optional<Spectrum>& spectrum) {
  constexpr idx_t kSeeds = 4;
  std::vector<double> key(graph.node_count());
  std::iota(key.begin(), key.end(), 0.0);
  std::vector<Sides> starts{split(graph, in_order_of(key))};
  if (spectrum) {
    for (std::size_t v = 0; v < key.size(); ++v) key[v] = spectrum->eigenvector[leaf_node[v]];
    starts.push_back(split(graph, in_order_of(key)));
  }
  for (idx_t seed = 0; seed < kSeeds; ++seed)
    if (auto sides = by_metis(graph, seed)) starts.push_back(std::move(*sides));

  std::optional<std::int64_t> smallest;
  for (Sides& sides : starts) {
    Halves halves(graph, std::move(sides));
    halves.balance();
    halves.improve();
    smallest = std::min(smallest.value_or(halves.cut()), halves.cut());
  }
  return *smallest;
}

// With all leaves on their switch's side, the eigenvalue's bound holds for the weights. A half that
// takes x leaves from their switches cuts x terminal cables more, and lets the switches' weights
// differ by 2x + odd; lambda (H^2 - (2x + odd)^2) / 4H + x is concave in x, so it is least at x = 0
// or at the largest x, all leaves (or half of the weight, which is then cut in any case).
std::int64_t smallest_cut_possible(const CutGraph& contracted, std::int64_t leaves,
                                   const std::optional<Spectrum>& spectrum) {
  constexpr double kRounding = 1e-7;  // relative error of the linear systems, with room to spare
  const std::int64_t total = contracted.total_weight, half = total / 2, odd = total % 2;
  const auto without_weight =
      std::count(contracted.weights.begin(), contracted.weights.end(), std::int32_t{0});
  // All hosts on one switch: those of the half without the switch are cut off from it.
  if (without_weight + 1 == static_cast<std::ptrdiff_t>(contracted.node_count())) return half;
  if (!spectrum) return 0;

  const double lambda = spectrum->lambda * (1 - spectrum->error - kRounding);
  const auto bound = [&](std::int64_t aside) {
    const auto weight = static_cast<double>(total), apart = static_cast<double>(2 * aside + odd);
    return lambda * (weight * weight - apart * apart) / (4 * weight) + static_cast<double>(aside);
  };
  const double cut = std::min(bound(0), bound(std::min(leaves, half)));
  // A connected network has no halves without a cable between them.
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(cut - kRounding)));
}

}  // namespace

Bisection searched_bisection(const Topology& topology) {
  const CutGraph graph = cut_graph(topology);
  if (graph.total_weight < 2 || graph.ends.values().empty()) return {};
  const Contracted contracted = contract_leaves(graph);
  const auto leaves = static_cast<std::int64_t>(graph.node_count() - contracted.graph.node_count());
  const auto spectrum = second_eigenvalue(contracted.graph);
  return {.upper = smallest_cut_found(graph, contracted.node_of, spectrum),
          .lower = smallest_cut_possible(contracted.graph, leaves, spectrum),
          .formula = {},
          .source = {}};
}

Bisection bisection(const Topology& topology) {
  const auto known = known_bisection(topology);
  if (known && known->exact())
    return {.upper = known->lower,
            .lower = known->lower,
            .formula = known->formula,
            .source = known->source};
  Bisection found = searched_bisection(topology);
  if (!known) return found;
  found.lower = std::max(found.lower, known->lower);
  found.upper = std::min(found.upper, known->upper.value_or(found.upper));
  WEFT_ASSERT(found.lower <= found.upper);
  return found;
}

}  // namespace weft::analysis
