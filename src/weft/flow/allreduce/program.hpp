// The linear program of an allreduce's halves under the cuts found so far.
//
// With c the capacity of an arc and h half of the time, out-trees take c h + d of it and in-trees
// c h - d - s: d is what one half gives the other, s what both leave, of use only where less enters
// a node without a rank than leaves it, or more. Place i roots r_i + f_i units, r_i its ranks.
//
//   minimize h   with   f = 0 in all,
//     out-trees: what enters a cut's inside >= units rooted outside,
//     in-trees:  what leaves a cut's inside >= units rooted outside,
//     of either as much enters a node without a rank as leaves it,
//     c h + d >= 0,   c h - d - s >= 0                      (rows once they are needed)
//
// d and f stand as differences of columns that are not negative, so that a vertex leaves most of
// them at 0: halves of equal shares fall short of few cuts, and it is that point of the many best
// ones that simplex steps move away from only as far as cuts demand.
#pragma once

#include <vector>

#include "weft/flow/allreduce/halves.hpp"
#include "weft/graph_solvers/linear_program.hpp"

namespace weft::flow {

class HalvesProgram {
 public:
  explicit HalvesProgram(const Shared& shared);

  /// Cuts that it does not have yet; whether there are any.
  bool add(std::vector<HalfCut> cuts);
  /// Whether some row was added for an arc of which a half takes less than nothing.
  bool add_rows_for(const Halves<double>& halves);

  [[nodiscard]] bool solve(double most_seconds);

  const graph::LinearProgram& program() const { return program_; }
  const std::vector<HalfCut>& cuts() const { return cuts_; }

  template <class Number, class Columns>
  Halves<Number> halves(const Columns& columns) const {
    Halves<Number> result;
    for (std::size_t i = 0; i < shared_.places.size(); ++i)
      result.roots.push_back(Number(shared_.ranks[i]) + difference<Number>(columns, root(i)));
    for (std::size_t e = 0; e < shared_.arcs.size(); ++e) {
      const Number half = Number(capacity(e)) * Number(columns[0]);
      const Number more = difference<Number>(columns, arc(e));
      result.along.push_back(half + more);
      result.against.push_back(half - more);
      if (!shared_.is_even) result.against.back() -= Number(columns[idle(e)]);
    }
    return result;
  }
  /// From prices of rows.
  HalfDuals duals(const std::vector<graph::Fraction>& row_prices) const;

 private:
  using Terms = std::vector<graph::LinearTerm>;

  static std::size_t place(int index) { return static_cast<std::size_t>(index); }
  double capacity(std::size_t e) const;  // scaled by a power of two
  // First of two columns whose difference counts.
  std::size_t arc(std::size_t e) const { return 1 + 2 * e; }
  std::size_t root(std::size_t i) const { return 1 + 2 * (shared_.arcs.size() + i); }
  std::size_t idle(std::size_t e) const { return root(shared_.places.size()) + e; }
  template <class Number, class Columns>
  static Number difference(const Columns& columns, std::size_t first) {
    return Number(columns[first]) - Number(columns[first + 1]);
  }
  static void add_difference(Terms& terms, std::size_t first, double coefficient);
  // What the half takes of an arc, times the factor.
  void add_arc(Terms& terms, double& of_time, graph::Sense half, std::size_t e,
               double factor) const;
  int add_row(graph::LinearRange range, Terms terms, double of_time);
  void add_balance(graph::Sense half);

  const Shared& shared_;
  int scale_ = 0;  // capacities are multiplied by 2^-scale_
  graph::LinearProgram program_;
  std::vector<HalfCut> cuts_;
  std::vector<int> cut_rows_;
  std::vector<int> balance_rows_[2];  // of passing nodes, along and against
  std::vector<char> has_row_[2];      // by arc
};

}  // namespace weft::flow
