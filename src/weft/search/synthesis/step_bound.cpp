// The linear relaxation for a number of steps, by cutting planes.
//
//   minimise sum rounds[t]   subject to   weight[a] rounds[t] >= sum over s of x[s, a, t]
//                                         sum of x[s, .] over a cut from s to v >= 1
//
// A switch hands on in a step what comes in it: what leaves it of a source is no more than what
// enters, so that copies for several nodes count each.
//
// Where a symmetry takes sources to each other the average of a solution over all motions is one,
// too: one source's x tells that of all, and an arc of a class of k carries, of n motions, n / k
// times the sum of this x over the class.
//
// A cut is a set of (arc, step) pairs that separates (s, 0) from (v, steps) in the network expanded
// in time, where a node keeps what it has. Its dual: prices pi on cuts; mu[a, t] = the largest,
// over sources (and over arcs of a class), of the prices of the source's cuts through (a, t), more
// by the price phi of what enters a switch, less by that of what leaves one; the bound is sum pi /
// max over t of sum over a of weight[a] mu[a, t]. That holds for any pi, phi >= 0, so the solver's
// prices are rounded to fractions of a common denominator and the bound is exact; of many
// denominators the best one is kept.
#include <algorithm>
#include <cmath>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/graph/max_flow.hpp"
#include "weft/graph_solvers/linear_program.hpp"
#include "weft/search/synthesis/bounds.hpp"

namespace weft::search {

namespace {

struct Cut {
  int source = 0;          // place among Instance::sources
  std::vector<int> slots;  // arc * steps + step - 1
};

class Relaxation {
 public:
  Relaxation(const Instance& instance, int steps)
      : instance_(instance), steps_(steps), slots_(instance.arc_count() * steps) {
    lp_.set_tolerances(1e-7, 1e-7);
    add_columns();
    add_capacity_rows();
    add_switch_rows();
    for (int v = 0; v < instance_.nodes; ++v)
      for (int s = 0; s < source_count(); ++s)
        if (node_of(s) != v) add_cut(arrival_cut(s, v));
  }

  StepBound solve(Clock::time_point deadline) {
    Rational best = 0;
    for (bool first = true;; first = false) {
      const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
      if (left <= 0) return {best, false};
      const auto from = first ? graph::SolveFrom::scratch : graph::SolveFrom::vertex_and_rows;
      // A degenerate vertex may lead nowhere; another one does.
      if (!lp_.solve(from, left) && !lp_.solve(graph::SolveFrom::scratch, left))
        return {best, false};
      best = std::max(best, bound_of_prices(prices(), kFine));  // holds with some cuts missing too
      const std::vector<Cut> violated = separate(deadline);
      const bool all_looked_at = Clock::now() <= deadline;
      if (violated.empty() && !all_looked_at) return {best, false};
      if (violated.empty()) return {std::max(best, exact_bound()), true};
      for (const Cut& cut : violated) add_cut(cut);
    }
  }

 private:
  static constexpr std::int64_t kScale = std::int64_t{1} << 30;  // of fractions in minimum cuts
  static constexpr int kFine = 1 << 20;                          // a denominator of prices

  int source_count() const { return static_cast<int>(instance_.sources.size()); }
  int node_of(int source) const { return instance_.sources[source]; }
  int class_slots() const { return instance_.classes * steps_; }
  int class_slot(int arc, int step) const { return instance_.arc_class[arc] * steps_ + step - 1; }
  int slot(int arc, int step) const { return arc * steps_ + step - 1; }
  int column(int source, int slot) const { return steps_ + source * slots_ + slot; }
  int passing_slot(int source, int vertex, int step) const {
    return (source * instance_.switches + vertex - instance_.nodes) * steps_ + step - 1;
  }
  int passing_slots() const { return source_count() * instance_.switches * steps_; }
  // In the network expanded in time, of a step: a switch hands on to nodes as they are after it.
  int before(int vertex, int step) const {
    return (instance_.is_switch(vertex) ? step : step - 1) * instance_.vertices() + vertex;
  }
  int after(int vertex, int step) const { return step * instance_.vertices() + vertex; }

  /// rounds[t], then x[s, a, t]: nothing leaves a node before it can be there, or returns home.
  void add_columns() {
    for (int t = 0; t < steps_; ++t) lp_.add_column(1, {});
    for (int s = 0; s < source_count(); ++s)
      for (int each = 0; each < slots_; ++each)
        // column(s, each); more than a whole shard never helps, so that no price hides in an end.
        lp_.add_column(0, {0, is_useful(s, each) ? graph::kUnbounded : 0.0});
  }

  void add_capacity_rows() {
    const std::vector<std::int64_t> weight = class_weights();
    for (int c = 0; c < instance_.classes; ++c)
      for (int t = 1; t <= steps_; ++t) {
        std::vector<graph::LinearTerm> terms{
            {t - 1, static_cast<double>(weight[c]) / instance_.order}};
        for (int a = 0; a < instance_.arc_count(); ++a)
          for (int s = 0; instance_.arc_class[a] == c && s < source_count(); ++s)
            terms.push_back({column(s, slot(a, t)), -1});
        lp_.add_row({0, graph::kUnbounded}, terms);
      }
  }

  void add_switch_rows() {
    for (int s = 0; s < source_count(); ++s)
      for (int w = instance_.nodes; w < instance_.vertices(); ++w)
        for (int t = 1; t <= steps_; ++t) {  // row passing_slot(s, w, t), after those of capacities
          std::vector<graph::LinearTerm> terms;
          for (const int a : instance_.in(w)) terms.push_back({column(s, slot(a, t)), 1});
          for (const int a : instance_.out(w)) terms.push_back({column(s, slot(a, t)), -1});
          lp_.add_row({0, graph::kUnbounded}, terms);
        }
  }

  void add_cut(const Cut& cut) {
    std::vector<graph::LinearTerm> terms;
    for (int slot : cut.slots) terms.push_back({column(cut.source, slot), 1});
    lp_.add_row({1, graph::kUnbounded}, terms);
    cuts_.push_back(cut);
  }

  /// A shard has to arrive.
  Cut arrival_cut(int source, int node) const {
    Cut cut{source, {}};
    for (int a : instance_.in(node))
      for (int t = 1; t <= steps_; ++t) cut.slots.push_back(slot(a, t));
    return cut;
  }

  /// For each pair of nodes a cut that is violated by the solution, if there is one; fewer when the
  /// deadline comes first.
  std::vector<Cut> separate(Clock::time_point deadline) const {
    std::vector<Cut> cuts;
    const double* x = lp_.column_values().data();
    for (int s = 0; s < source_count() && Clock::now() <= deadline; ++s)
      for (int v = 0; v < instance_.nodes; ++v)
        if (v != node_of(s))
          if (auto cut = separate(s, v, x)) cuts.push_back(std::move(*cut));
    return cuts;
  }

  std::optional<Cut> separate(int source, int node, const double* x) const {
    graph::MaxFlow graph((steps_ + 1) * instance_.vertices());
    for (int t = 1; t <= steps_; ++t) {
      for (int v = 0; v < instance_.nodes; ++v)
        graph.add_arc(before(v, t), after(v, t), 2 * kScale);
      for (int a = 0; a < instance_.arc_count(); ++a) {
        const double share = x[column(source, slot(a, t))];
        const auto capacity = static_cast<std::int64_t>(std::ceil(share * kScale));
        if (capacity > 0)
          graph.add_arc(before(instance_.arc(a).tail, t), after(instance_.arc(a).head, t),
                        capacity);
      }
    }
    constexpr std::int64_t kEnough = kScale - (kScale >> 20);
    if (graph.max_flow(after(node_of(source), 0), after(node, steps_), kEnough) == kEnough)
      return std::nullopt;
    Cut cut{source, {}};
    for (int a = 0; a < instance_.arc_count(); ++a)
      for (int t = 1; t <= steps_; ++t)
        if (graph.on_source_side(before(instance_.arc(a).tail, t)) &&
            !graph.on_source_side(after(instance_.arc(a).head, t)))
          cut.slots.push_back(slot(a, t));
    return cut;
  }

  /// Of switches, then of cuts.
  const double* prices() const { return lp_.row_prices().data() + class_slots(); }

  /// The best bound from the dual prices, rounded to fractions of each small denominator.
  Rational exact_bound() const {
    Rational best = bound_of_prices(prices(), kFine);
    for (int denominator = 1; denominator <= 360; ++denominator)
      best = std::max(best, bound_of_prices(prices(), denominator));
    return best;
  }

  /// order * sum pi / max over t of sum over a of weight * mu.
  Rational bound_of_prices(const double* prices, int denominator) const {
    const auto whole = [&](int row) {
      return std::max<std::int64_t>(0, std::llround(prices[row] * denominator));
    };
    const auto slots = static_cast<std::size_t>(slots_);
    std::vector<std::int64_t> of_source(slots * instance_.sources.size(), 0);
    const auto price_of = [&](int source, int slot) -> std::int64_t& {
      return of_source[static_cast<std::size_t>(source) * slots + static_cast<std::size_t>(slot)];
    };
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      const std::int64_t price = whole(passing_slots() + static_cast<int>(k));
      sum += price;
      for (int slot : cuts_[k].slots) price_of(cuts_[k].source, slot) += price;
    }
    for (int s = 0; s < source_count(); ++s)
      for (int w = instance_.nodes; w < instance_.vertices(); ++w)
        for (int t = 1; t <= steps_; ++t) {
          const std::int64_t price = whole(passing_slot(s, w, t));
          for (const int a : instance_.in(w)) price_of(s, slot(a, t)) += price;
          for (const int a : instance_.out(w)) price_of(s, slot(a, t)) -= price;
        }
    std::vector<std::int64_t> mu(class_slots(), 0);
    for (int s = 0; s < source_count(); ++s)
      for (int a = 0; a < instance_.arc_count(); ++a)
        for (int t = 1; t <= steps_; ++t) {
          std::int64_t& of_class = mu[class_slot(a, t)];
          if (is_useful(s, slot(a, t))) of_class = std::max(of_class, price_of(s, slot(a, t)));
        }
    const std::vector<std::int64_t> weight = class_weights();
    std::int64_t dearest = 0;
    for (int t = 0; t < steps_; ++t) {
      std::int64_t step_price = 0;
      for (int c = 0; c < instance_.classes; ++c) step_price += weight[c] * mu[c * steps_ + t];
      dearest = std::max(dearest, step_price);
    }
    return dearest == 0 ? Rational(0) : Rational(sum, dearest) * instance_.order;
  }

  /// Whether the source's shard can be at the slot's tail in time and has not been at its head.
  bool is_useful(int source, int slot) const {
    const Arc& arc = instance_.arc(slot / steps_);
    const int from = node_of(source);
    return arc.head != from && slot % steps_ + 1 > instance_.distance_between(from, arc.tail);
  }

  // Of all its arcs together.
  std::vector<std::int64_t> class_weights() const {
    std::vector<std::int64_t> weight(instance_.classes, 0);
    for (int a = 0; a < instance_.arc_count(); ++a)
      weight[instance_.arc_class[a]] += instance_.arc(a).weight;
    return weight;
  }

  const Instance& instance_;
  int steps_, slots_;
  graph::LinearProgram lp_;
  std::vector<Cut> cuts_;
};

}  // namespace

StepBound step_bound(const Instance& instance, int steps, Clock::time_point deadline) {
  if (instance.nodes == 1) return {0, true};
  if (Clock::now() >= deadline) return {0, false};
  WEFT_ASSERT(steps >= instance.diameter);
  return Relaxation(instance, steps).solve(deadline);
}

}  // namespace weft::search
