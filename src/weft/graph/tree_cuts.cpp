// Is every set with a goal v entered by p times its capacity >= q times its lacking trees? With a
// source that feeds root r with q trees(r), and arcs of p times their capacity, a set X with v is
// cut off from it at the price of what enters it and of the roots inside: q times all trees reach v
// if and only if the answer is yes for all of them. Flows run backwards, from v. A goal that has
// its answer may from then on count as fed without limit: the sets with it are known.
//
// The greatest ratio of lacking trees to capacity rises from cut to cut (Dinkelbach): p / q is that
// of the last one found, and each goal that fails gives a greater one.
#include "weft/graph/tree_cuts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/rational.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::graph {

namespace {

// Whether the first has more lacking trees for its capacity; either capacity may be 0.
bool greater(const TreeCut& a, const TreeCut& b) {
  if (a.lacking == 0) return false;
  if (b.lacking == 0) return true;
  if (a.capacity == 0 || b.capacity == 0) return a.capacity < b.capacity;
  return Rational(a.lacking, a.capacity) > Rational(b.lacking, b.capacity);
}

class CutProblem {
 public:
  CutProblem(std::int32_t nodes, std::span<const CapacityArc> arcs, std::span<const TreeRoot> roots)
      : arcs_(arcs), trees_(nodes, 0) {
    for (const TreeRoot& root : roots) {
      WEFT_ASSERT(root.node >= 0 && root.node < nodes && root.trees >= 0);
      trees_[root.node] = checked_add(trees_[root.node], root.trees);
      all_ = checked_add(all_, root.trees);
    }
  }

  std::int32_t nodes() const { return static_cast<std::int32_t>(trees_.size()); }

  TreeCut cut_of(std::vector<char> inside) const {
    TreeCut cut{std::move(inside), all_, 0};
    for (std::size_t node = 0; node < trees_.size(); ++node)
      if (cut.inside[node] != 0) cut.lacking -= trees_[node];
    for (const CapacityArc& arc : arcs_)
      if (cut.inside[arc.tail] == 0 && cut.inside[arc.head] != 0)
        cut.capacity = checked_add(cut.capacity, arc.capacity);
    return cut;
  }
  /// The tightest cut around a single goal, the first of those; around none where nothing lacks.
  /// O(nodes + arcs + goals).
  TreeCut tightest_around(std::span<const std::int32_t> goals) const {
    std::vector<std::int64_t> entering(trees_.size(), 0);
    for (const CapacityArc& arc : arcs_)
      if (arc.tail != arc.head) entering[arc.head] = checked_add(entering[arc.head], arc.capacity);
    TreeCut best;
    std::vector<char> inside(trees_.size(), 0);
    std::optional<std::int32_t> home;
    for (const std::int32_t goal : goals) {
      TreeCut cut{{}, all_ - trees_[goal], entering[goal]};
      if (!greater(cut, best)) continue;
      best = std::move(cut);
      home = goal;
    }
    if (home) inside[*home] = 1;
    best.inside = std::move(inside);
    return best;
  }

  /// Flows back from goals: p for each unit of capacity, q for each tree.
  MaxFlow backwards(std::int64_t p, std::int64_t q) const {
    MaxFlow flow(nodes() + 1);
    for (const CapacityArc& arc : arcs_)
      if (arc.capacity > 0) flow.add_arc(arc.head, arc.tail, checked_mul(p, arc.capacity));
    for (std::int32_t node = 0; node < nodes(); ++node)
      if (trees_[node] > 0) flow.add_arc(node, nodes(), checked_mul(q, trees_[node]));
    flow.add_sink(nodes());
    return flow;
  }
  std::int64_t enough(std::int64_t q) const { return checked_mul(q, all_); }

  /// The nodes that the flow's last goal cannot be fed through.
  TreeCut cut_by(const MaxFlow& flow) const {
    std::vector<char> inside(trees_.size());
    for (std::int32_t node = 0; node < nodes(); ++node)
      inside[node] = static_cast<char>(flow.on_source_side(node));
    return cut_of(std::move(inside));
  }

 private:
  std::span<const CapacityArc> arcs_;
  std::vector<std::int64_t> trees_;  // by node
  std::int64_t all_ = 0;
};

}  // namespace

std::vector<TreeCut> rising_cuts(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                 std::span<const TreeRoot> roots,
                                 std::span<const std::int32_t> goals) {
  const CutProblem problem(nodes, arcs, roots);
  std::vector<TreeCut> cuts(1, problem.tightest_around(goals));
  std::vector<std::int32_t> known;
  for (std::size_t i = 0; i < goals.size() && cuts.back().capacity > 0;) {
    const Rational ratio(cuts.back().lacking, cuts.back().capacity);
    MaxFlow flow = problem.backwards(ratio.numerator(), ratio.denominator());
    const std::int64_t enough = problem.enough(ratio.denominator());
    for (const std::int32_t goal : known) flow.add_sink(goal);
    for (; i < goals.size(); ++i) {
      flow.forget_flow();
      if (flow.max_flow(goals[i], enough) < enough) {
        TreeCut cut = problem.cut_by(flow);
        WEFT_ASSERT(greater(cut, cuts.back()));
        cuts.push_back(std::move(cut));
        break;
      }
      known.push_back(goals[i]);
      flow.add_sink(goals[i]);
    }
  }
  return cuts;
}

TreeCut tightest_cut(std::int32_t nodes, std::span<const CapacityArc> arcs,
                     std::span<const TreeRoot> roots, std::span<const std::int32_t> goals) {
  return std::move(rising_cuts(nodes, arcs, roots, goals).back());
}

std::optional<TreeCut> overfull_cut(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                    std::span<const TreeRoot> roots,
                                    std::span<const std::int32_t> goals) {
  const CutProblem problem(nodes, arcs, roots);
  MaxFlow flow = problem.backwards(1, 1);
  for (const std::int32_t goal : goals) {
    flow.forget_flow();
    if (flow.max_flow(goal, problem.enough(1)) < problem.enough(1)) return problem.cut_by(flow);
    flow.add_sink(goal);
  }
  return std::nullopt;
}

std::vector<TreeCut> overfull_cuts(std::int32_t nodes, std::span<const CapacityArc> arcs,
                                   std::span<const TreeRoot> roots,
                                   std::span<const std::int32_t> goals) {
  const CutProblem problem(nodes, arcs, roots);
  MaxFlow flow = problem.backwards(1, 1);
  std::vector<TreeCut> cuts;
  for (const std::int32_t goal : goals) {
    flow.forget_flow();
    if (flow.max_flow(goal, problem.enough(1)) < problem.enough(1))
      cuts.push_back(problem.cut_by(flow));
    else
      flow.add_sink(goal);
  }
  return cuts;
}

namespace {

std::vector<TreeRoot> times(std::span<const TreeRoot> roots, std::int64_t trees) {
  std::vector<TreeRoot> result(roots.begin(), roots.end());
  for (TreeRoot& root : result) root.trees = checked_mul(root.trees, trees);
  return result;
}

// floor(capacity / rate)
std::int64_t taken_by(std::int64_t capacity, const Rational& rate) {
  WEFT_ASSERT(capacity >= 0 && rate > 0);
  const Rational many = Rational(capacity) / rate;
  return static_cast<std::int64_t>(many.wide_numerator() / many.wide_denominator());
}

// The greatest rate, no more than this one, at which what enters the cut takes what lacks.
Rational lowered_for(const TreeCut& cut, std::span<const CapacityArc> arcs, std::int64_t lacking,
                     const Rational& rate) {
  struct Next {  // the rate at which an arc takes one more
    Rational rate;
    std::size_t arc;
    bool operator<(const Next& other) const { return rate < other.rate; }
  };
  std::vector<std::int64_t> takes(arcs.size(), 0);
  std::priority_queue<Next> queue;
  const auto put = [&](std::size_t arc) {
    queue.push({Rational(arcs[arc].capacity) / Rational(takes[arc] + 1), arc});
  };
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const CapacityArc& arc = arcs[i];
    if (arc.capacity == 0 || cut.inside[arc.tail] != 0 || cut.inside[arc.head] == 0) continue;
    takes[i] = taken_by(arc.capacity, rate);
    sum += takes[i];
    put(i);
  }
  WEFT_ASSERT(!queue.empty());
  Rational now = rate;
  while (sum < lacking) {
    const Next next = queue.top();
    queue.pop();
    now = next.rate;
    ++takes[next.arc];
    ++sum;
    put(next.arc);
  }
  return now;
}

}  // namespace

TreeRate greatest_rate(std::int32_t nodes, std::span<const CapacityArc> arcs,
                       std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                       const TreeCut& tightest, std::int64_t trees) {
  WEFT_ASSERT(tightest.capacity > 0 && tightest.lacking > 0 && trees >= 1);
  const std::vector<TreeRoot> wanted = times(roots, trees);
  TreeRate result{trees,
                  Rational(tightest.capacity, tightest.lacking) / Rational(trees),
                  {arcs.begin(), arcs.end()}};
  const auto lower = [&](const TreeCut& cut, std::int64_t lacking) {
    result.rate = lowered_for(cut, arcs, lacking, result.rate);
    for (std::size_t i = 0; i < arcs.size(); ++i)
      result.arcs[i].capacity = taken_by(arcs[i].capacity, result.rate);
  };
  lower(tightest, checked_mul(trees, tightest.lacking));
  while (const auto cut = overfull_cut(nodes, result.arcs, wanted, goals))
    lower(*cut, cut->lacking);
  WEFT_ASSERT(result.rate > 0 && result.arcs.size() == arcs.size());
  return result;
}

namespace {

// So many trees that this number of them, times their number, is whole, too; else most + 1.
void make_whole(std::int64_t& number, const Rational& trees, std::int64_t most) {
  const std::int64_t factor = trees.denominator() / std::gcd(number, trees.denominator());
  number = number <= most && factor <= most ? number * factor : most + 1;
}

}  // namespace

std::optional<TreeRate> full_rate(std::span<const CapacityArc> arcs, const TreeCut& tightest,
                                  std::int64_t most) {
  WEFT_ASSERT(tightest.capacity > 0 && tightest.lacking > 0);
  const Rational optimum(tightest.capacity, tightest.lacking);
  std::int64_t trees = 1;
  for (const CapacityArc& arc : arcs) make_whole(trees, Rational(arc.capacity) / optimum, most);
  if (trees > most) return std::nullopt;
  TreeRate result{trees, optimum / Rational(trees), {arcs.begin(), arcs.end()}};
  for (CapacityArc& arc : result.arcs) arc.capacity = taken_by(arc.capacity, result.rate);
  return result;
}

TreeRate fewest_trees(std::int32_t nodes, std::span<const CapacityArc> arcs,
                      std::span<const TreeRoot> roots, std::span<const std::int32_t> goals,
                      const TreeCut& tightest, std::int64_t most) {
  WEFT_ASSERT(tightest.capacity > 0 && tightest.lacking > 0);
  constexpr std::int64_t kTried = 64;
  const Rational optimum(tightest.capacity, tightest.lacking);
  // Where the optimum is reached every arc of the tightest cut is full: with so many trees or a
  // multiple of it; and with `all` every arc is.
  std::int64_t step = 1, all = 1;
  for (const CapacityArc& arc : arcs) {
    const Rational trees = Rational(arc.capacity) / optimum;
    make_whole(all, trees, most);
    if (tightest.inside[arc.tail] == 0 && tightest.inside[arc.head] != 0)
      make_whole(step, trees, most);
  }
  const auto rate_of = [&](std::int64_t trees) {
    return greatest_rate(nodes, arcs, roots, goals, tightest, trees);
  };
  for (std::int64_t tried = 1; tried <= kTried && tried * step <= std::min(all, most); ++tried) {
    TreeRate rate = rate_of(tried * step);
    if (rate.rate * Rational(rate.trees) == optimum) return rate;
  }
  if (all <= most) return rate_of(all);
  TreeRate best = rate_of(1);
  for (std::int64_t trees = 2; trees <= most;
       trees = trees < kTried || trees == most ? trees + 1 : std::min(2 * trees, most)) {
    TreeRate rate = rate_of(trees);
    if (rate.rate * Rational(rate.trees) > best.rate * Rational(best.trees)) best = std::move(rate);
  }
  WEFT_ASSERT(best.trees >= 1 && best.rate > 0);
  return best;
}

}  // namespace weft::graph
