// Cutting planes. A cut that the halves of the program's vertex leave short is found by a flow to
// each place (and from it) from all roots, and becomes a row; where none is short the vertex is a
// best pair of halves, trees of which fit (Edmonds; nodes without a rank are split off first, which
// takes nothing away where as much enters as leaves). Its prices prove that none is better.
//
// The vertex and its prices are recognised as fractions, or solved for from the basis, and both
// sides are judged in fractions by code that knows no linear program: what was rounded wrongly
// shows as a cut that is short, which becomes a row like the others. Where the time ends first,
// prices as they stand prove a bound, and halves of equal shares are what is known to be reached.
//
// Where every port is busy in both halves, as on networks whose nodes are all alike, the cuts
// around ranks prove equal halves to be best, and there is no program to solve.
#include "weft/flow/allreduce_trees.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/flow/allreduce/program.hpp"
#include "weft/flow/rank_trees.hpp"

namespace weft::flow {

namespace {

using graph::Fraction;
using graph::Sense;

using Clock = std::chrono::steady_clock;

class Solver {
 public:
  Solver(const Fabric& fabric, const Shared& shared, const AllreduceQuestion& question)
      : fabric_(fabric),
        shared_(shared),
        places_(question.places),
        program_(shared),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(question.time_limit_s))) {
    std::vector<HalfCut> around;
    for (const std::int32_t node : shared.places) {
      std::vector<char> inside(static_cast<std::size_t>(shared.nodes), 0);
      inside[node] = 1;
      for (const Sense sense : {Sense::along, Sense::against}) around.push_back({sense, inside});
    }
    program_.add(std::move(around));
  }

  AllreduceTrees solve() {
    const Progress progress("looking for cuts", 1);
    if (AllreduceTrees start = so_far(); start.is_exact()) return start;
    while (solve_program()) {
      const Halves<double> halves = program_.halves<double>(program_.program().column_values());
      const bool grew = program_.add_rows_for(halves);
      if (program_.add(short_cuts(shared_, halves)) || grew) continue;
      bool corrected = false;
      if (auto exact = exact_answer(corrected)) return *std::move(exact);
      if (!corrected) break;
    }
    return so_far();
  }

 private:
  bool solve_program() {
    const double left_s = std::chrono::duration<double>(end_ - Clock::now()).count();
    if (left_s <= 0 || !program_.solve(left_s)) return false;
    ++rounds_;
    const auto prices = program_.program().row_prices();
    prices_.assign(prices.begin(), prices.end());
    return true;
  }

  // Seconds for a byte, of a time for as many units as ranks.
  Fraction per_byte(const Fraction& time) const {
    return time / (Fraction(shared_.all_ranks()) * Fraction(shared_.unit_Bps));
  }

  static std::vector<Fraction> fractions(std::span<const double> values) {
    const auto common = graph::recognised(values);
    std::vector<Fraction> result;
    if (common)
      for (const std::int64_t top : common->numerators)
        result.push_back(Fraction(top) / Fraction(common->denominator));
    return result;
  }

  // An elimination takes the cube of the basis.
  bool is_small() const {
    constexpr int kMostUnknowns = 300;
    return program_.program().tight_rows() <= kMostUnknowns;
  }

  // Nothing where the vertex is none in fractions; `corrected` where it shows cuts that fall short
  // by less than numbers in floating point tell, which are rows now.
  std::optional<AllreduceTrees> exact_answer(bool& corrected) {
    const auto& lp = program_.program();
    const auto columns = fractions(lp.column_values()), prices = fractions(lp.row_prices());
    if (!columns.empty() && !prices.empty())
      if (auto answer = judged(columns, prices, corrected)) return answer;
    if (corrected || !is_small()) return std::nullopt;
    const auto vertex = graph::exact_vertex(lp);
    return vertex ? judged(vertex->columns, vertex->row_prices, corrected) : std::nullopt;
  }

  std::optional<AllreduceTrees> judged(const std::vector<Fraction>& columns,
                                       const std::vector<Fraction>& prices, bool& corrected) {
    const Halves<Fraction> halves = program_.halves<Fraction>(columns);
    AllreduceTrees answer = proven(fabric_, shared_, program_.cuts(), program_.duals(prices));
    Judged verdict = judge(shared_, halves);
    if (!verdict.short_of.empty() && program_.add(std::move(verdict.short_of))) corrected = true;
    if (!verdict.time) return std::nullopt;
    answer.reached_s_per_B = per_byte(*verdict.time);
    if (!answer.is_exact()) return std::nullopt;
    add_shares(answer, halves);
    answer.rounds = rounds_;
    return answer;
  }

  void add_shares(AllreduceTrees& answer, const Halves<Fraction>& halves) const {
    Fraction all = 0;
    for (const Fraction& units : halves.roots) all += units;
    for (const NodeId node : places_) {
      const auto i = static_cast<std::size_t>(
          std::ranges::lower_bound(shared_.places, node.value()) - shared_.places.begin());
      answer.shares.push_back(halves.roots[i] / (all * Fraction(shared_.ranks[i])));
    }
    for (const LinkId link : fabric_.topology().links()) {
      const std::int32_t e = shared_.arc_of_link[link.index()];
      const Fraction part =
          e < 0 ? Fraction(0)
                : Fraction(fabric_.bandwidth_Bps(link)) /
                      (all * Fraction(shared_.arcs[e].capacity) * Fraction(shared_.unit_Bps));
      answer.out_trees.push_back(e < 0 ? part : Fraction(halves.along[e] * part));
      answer.in_trees.push_back(e < 0 ? part : Fraction(halves.against[e] * part));
    }
  }

  AllreduceTrees so_far() const {
    AllreduceTrees answer = proven(fabric_, shared_, program_.cuts(), last_duals());
    if (shared_.is_even) add_equal_halves(answer);
    answer.rounds = rounds_;
    return answer;
  }

  HalfDuals last_duals() const {
    std::vector<Fraction> prices;
    for (const double price : prices_) prices.emplace_back(price);
    prices.resize(program_.program().rows());  // of rows that came since
    HalfDuals duals = program_.duals(prices);
    if (rounds_ > 0) return duals;
    // The first cuts alike, each link to or from a rank at one price whichever half uses it.
    std::ranges::fill(duals.cuts, Fraction(1));
    for (const std::int32_t node : shared_.passing) {
      duals.along[node] = Fraction(1, 2);
      duals.against[node] = -Fraction(1, 2);
    }
    return duals;
  }

  // A reduce-scatter and an allgather after it.
  void add_equal_halves(AllreduceTrees& answer) const {
    Fraction time = 0;
    for (const Sense sense : {Sense::along, Sense::against}) {
      const RankCut cut = rank_cut(fabric_, {.places = places_, .sense = sense, .most_trees = 1});
      time += Fraction(cut.lacking) / Fraction(cut.bandwidth_Bps);
    }
    const Fraction ranks(shared_.all_ranks());
    answer.reached_s_per_B = time / ranks;
    answer.shares.assign(places_.size(), 1 / ranks);
  }

  const Fabric& fabric_;
  const Shared& shared_;
  const std::vector<NodeId>& places_;
  HalvesProgram program_;
  Clock::time_point end_;
  std::int64_t rounds_ = 0;
  std::vector<double> prices_;  // by row, of the last round
};

}  // namespace

double allreduce_trees_memory_B(const Fabric& fabric, const std::vector<NodeId>& places) {
  constexpr double kTerm_B = 56;  // of the linear program, with the solver's copies of it
  constexpr double kNode_B = 6;   // of a cut, and of the proof that names it
  const auto cuts = 2 * static_cast<double>(std::set(places.begin(), places.end()).size());
  const auto nodes = static_cast<double>(fabric.topology().node_count());
  return cuts * (cuts * kTerm_B + nodes * kNode_B);
}

AllreduceTrees allreduce_trees(const Fabric& fabric, const AllreduceQuestion& question) {
  const RankTreesQuestion roots{.places = question.places};
  const Carrier carrier = carrier_of(fabric, roots);
  if (const auto why = carrier_misfit(fabric.topology(), carrier, roots)) reject("{}", *why);
  const Shared shared(fabric, carrier);
  return Solver(fabric, shared, question).solve();
}

}  // namespace weft::flow
