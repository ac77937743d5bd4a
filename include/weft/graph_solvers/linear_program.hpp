// Linear programs, by CLP's simplex methods, and the proof in fractions of what they find.
//
//   LinearProgram program;                                // least x + y
//   const int x = program.add_column(1, {0, kUnbounded});
//   const int y = program.add_column(1, {0, kUnbounded});
//   program.add_row({2, kUnbounded}, {{{x, 1}, {y, 2}}});  // x + 2 y >= 2
//   program.solve();                                      // y = 1, value 1
//   exact_vertex(program)->value;                         // 1, as a fraction
//
// A program grows by rows (cuts) or by columns (paths, trees) between two calls of solve(), which
// then goes on from the vertex that it has.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/graph/fractions.hpp"

namespace weft::graph {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// What a variable or the value of a row may be; -kUnbounded and kUnbounded for no end.
struct LinearRange {
  double least = 0, most = kUnbounded;
};

/// A coefficient: of the column in a row that is added, of the row in a column.
struct LinearTerm {
  int index = 0;
  double coefficient = 0;
};

/// Where solve() begins: anew, or at the last vertex, of which new columns keep what it is a
/// solution of and new rows the bound that it proves.
enum class SolveFrom { scratch, vertex_and_columns, vertex_and_rows };

/// Least sum of cost * column. Floating point: tolerances of 1e-9 unless told otherwise.
class LinearProgram {
 public:
  /// No rows, no columns.
  LinearProgram();
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  /// Of primal values and of reduced costs; both absolute.
  void set_tolerances(double primal, double dual);

  /// Adds a column with terms in rows that are there; returns its number, from 0 on.
  int add_column(double cost, LinearRange range, std::span<const LinearTerm> terms = {});
  /// Adds a row with terms of columns that are there; returns its number, from 0 on.
  int add_row(LinearRange range, std::span<const LinearTerm> terms = {});

  /// How many there are.
  int rows() const;
  int columns() const;

  /// Whether an optimum was found, which the functions below then speak of: false where the
  /// program has none, or the time is over.
  [[nodiscard]] bool solve(SolveFrom from = SolveFrom::scratch, double most_seconds = kUnbounded);

  /// The optimum, and each column there.
  double value() const;
  std::span<const double> column_values() const;
  /// By row: by how much the value grows with the row's bound.
  std::span<const double> row_prices() const;
  /// Whether the column, or the row's value, is basic at the vertex: it is at none of its ends.
  bool is_basic_column(int column) const;
  bool is_basic_row(int row) const;
  /// Rows at one of their ends: the unknowns of exact_vertex().
  int tight_rows() const;
  /// Of the last call of solve().
  int pivots() const;

 private:
  friend class ExactVertexFinder;
  struct Batch;
  void flush_rows();
  void flush_columns();

  struct Solver;
  std::unique_ptr<Solver> solver_;
};

/// An optimal vertex in fractions, proven: columns and rows keep their ranges, prices and reduced
/// costs have the signs that nothing better allows, and both sums are `value`.
struct ExactVertex {
  Fraction value;
  std::vector<Fraction> columns, row_prices;
};

/// The vertex whose basis the last solve() ended with, solved again by elimination; nothing where
/// that is no optimum in fractions. Coefficients, costs and ranges count as the fractions that
/// their doubles are, so that those of whole numbers are exact. O(basis^3) operations on fractions.
std::optional<ExactVertex> exact_vertex(const LinearProgram& program);

}  // namespace weft::graph
