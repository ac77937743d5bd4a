// With y the part of each arc's capacity c that is left, and t the rate of trees, of which a set S
// of nodes lacks n(S):
//
//   maximize t   with   c y into a node without a rank = c y out of it,   0 <= y <= 1,
//     c y into S >= n(S) t     for every S with a goal in it, once a vertex leaves it short.
//
// Ways between ranks' nodes put as much on what leads into a node that copies nothing as on what
// leads out, and every set of nodes is entered by as many ways as trees need: no packing is faster.
// And where all this holds splitting off loses nothing (splitting_off.hpp), so that trees are as
// fast. What is taken is exact: fractions that are even, and the cut that is tightest then.
#include "weft/flow/trees/even_capacities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/graph/tree_cuts.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using graph::Fraction;
using graph::kUnbounded;

constexpr std::size_t kMostArcs = 20'000;
constexpr int kMostRounds = 200;
constexpr double kNear = 1e-7;                            // of rates in floating point
constexpr std::int64_t kLargest = std::int64_t{1} << 40;  // all capacities together

class Evening {
 public:
  explicit Evening(const Carrier& carrier) : carrier_(carrier) {
    std::int64_t fastest = 1;
    for (const CapacityArc& arc : carrier.arcs) fastest = std::max(fastest, arc.capacity);
    std::frexp(static_cast<double>(fastest), &scale_);
    program_.add_column(-1, {});
    for (std::size_t e = 0; e < carrier.arcs.size(); ++e) program_.add_column(0, {0, 1});
    add_nodes();
    for (const std::int32_t goal : carrier.goals) {
      std::vector<char> inside(carrier.nodes, 0);
      inside[goal] = 1;
      add(std::move(inside));
    }
  }

  std::optional<EvenCapacities> solve() {
    auto from = graph::SolveFrom::scratch;
    for (int round = 0; round < kMostRounds && program_.solve(from); ++round) {
      from = graph::SolveFrom::vertex_and_rows;
      if (rate() < kNear) return std::nullopt;
      if (add_short_cuts()) continue;
      bool corrected = false;
      if (auto found = exact(corrected)) return found;
      if (!corrected) break;
    }
    return std::nullopt;
  }

 private:
  double capacity(std::size_t e) const {
    return std::ldexp(static_cast<double>(carrier_.arcs[e].capacity), -scale_);
  }
  double rate() const { return program_.column_values()[0]; }
  static int column(std::size_t e) { return static_cast<int>(e) + 1; }

  void add_nodes() {
    std::vector<std::vector<graph::LinearTerm>> terms(carrier_.kept.size());
    for (std::size_t e = 0; e < carrier_.arcs.size(); ++e) {
      terms[carrier_.arcs[e].head].push_back({column(e), capacity(e)});
      terms[carrier_.arcs[e].tail].push_back({column(e), -capacity(e)});
    }
    for (std::size_t node = 0; node < terms.size(); ++node)
      if (carrier_.kept[node] == 0 && !terms[node].empty()) program_.add_row({0, 0}, terms[node]);
  }

  // Whether the cut is new.
  bool add(std::vector<char> inside) {
    if (std::ranges::find(cuts_, inside) != cuts_.end()) return false;
    std::int64_t lacking = 0;
    for (const graph::TreeRoot& root : carrier_.roots)
      if (inside[root.node] == 0) lacking += root.trees;
    std::vector<graph::LinearTerm> terms{{0, -static_cast<double>(lacking)}};
    for (std::size_t e = 0; e < carrier_.arcs.size(); ++e)
      if (inside[carrier_.arcs[e].tail] == 0 && inside[carrier_.arcs[e].head] != 0)
        terms.push_back({column(e), capacity(e)});
    program_.add_row({0, kUnbounded}, terms);
    cuts_.push_back(std::move(inside));
    return true;
  }

  // Of the vertex, in integers: a tree is 2^36 units.
  bool add_short_cuts() {
    constexpr int kBits = 36;
    const double unit = std::ldexp(1, kBits) / rate();
    std::vector<CapacityArc> arcs = carrier_.arcs;
    for (std::size_t e = 0; e < arcs.size(); ++e)
      arcs[e].capacity =
          std::llround(unit * capacity(e) * std::max(program_.column_values()[column(e)], 0.0));
    std::vector<graph::TreeRoot> roots = carrier_.roots;
    for (graph::TreeRoot& root : roots) root.trees <<= kBits;
    bool any = false;
    for (graph::TreeCut& cut : graph::overfull_cuts(carrier_.nodes, arcs, roots, carrier_.goals))
      if (std::ldexp(static_cast<double>(cut.lacking - cut.capacity), -kBits) > kNear)
        any = add(std::move(cut.inside)) || any;
    return any;
  }

  std::optional<EvenCapacities> exact(bool& corrected) {
    const auto parts = graph::recognised(program_.column_values().subspan(1));
    if (parts)
      if (auto found = judged(*parts, corrected)) return found;
    if (corrected || !is_small()) return std::nullopt;
    const auto vertex = graph::exact_vertex(program_);
    if (!vertex) return std::nullopt;
    const auto exact_parts = graph::common_fractions(std::span(vertex->columns).subspan(1));
    return exact_parts ? judged(*exact_parts, corrected) : std::nullopt;
  }

  bool is_small() const {
    constexpr int kMostUnknowns = 300;  // an elimination takes their cube
    return program_.tight_rows() <= kMostUnknowns;
  }

  // Nothing where they are not even, or slower than the vertex: then there is a cut that is short
  // by less than floating point tells, and `corrected` says that it is a row now.
  std::optional<EvenCapacities> judged(const graph::CommonFractions& parts, bool& corrected) {
    std::vector<Fraction> capacities;
    for (std::size_t e = 0; e < carrier_.arcs.size(); ++e)
      capacities.push_back(Fraction(carrier_.arcs[e].capacity) * Fraction(parts.numerators[e]) /
                           Fraction(parts.denominator));
    const auto common = graph::common_fractions(capacities);
    if (!common) return std::nullopt;
    EvenCapacities even{carrier_.arcs, common->denominator};
    std::int64_t sum = 0;
    for (std::size_t e = 0; e < even.arcs.size(); ++e) {
      const std::int64_t part = parts.numerators[e];
      if (part < 0 || part > parts.denominator || common->numerators[e] > kLargest)
        return std::nullopt;
      even.arcs[e].capacity = common->numerators[e];
      sum += even.arcs[e].capacity;
      if (sum > kLargest) return std::nullopt;
    }
    if (!is_even(carrier_, even.arcs)) return std::nullopt;
    graph::TreeCut cut =
        graph::tightest_cut(carrier_.nodes, even.arcs, carrier_.roots, carrier_.goals);
    const double reached =
        std::ldexp(static_cast<double>(cut.capacity) / static_cast<double>(cut.lacking), -scale_) /
        static_cast<double>(even.finer);
    if (reached > rate() * (1 - kNear)) return even;
    corrected = add(std::move(cut.inside));
    return std::nullopt;
  }

  const Carrier& carrier_;
  int scale_ = 0;  // capacities are multiplied by 2^-scale_
  graph::LinearProgram program_;
  std::vector<std::vector<char>> cuts_;
};

}  // namespace

bool is_even(const Carrier& carrier, const std::vector<CapacityArc>& arcs) {
  std::vector<std::int64_t> surplus(carrier.kept.size(), 0);
  for (const CapacityArc& arc : arcs) {
    surplus[arc.head] += arc.capacity;
    surplus[arc.tail] -= arc.capacity;
  }
  for (std::size_t node = 0; node < surplus.size(); ++node)
    if (carrier.kept[node] == 0 && surplus[node] != 0) return false;
  return true;
}

std::optional<EvenCapacities> even_capacities(const Carrier& carrier) {
  if (carrier.arcs.size() > kMostArcs) return std::nullopt;
  return Evening(carrier).solve();
}

}  // namespace weft::flow
