#include "weft/graph_solvers/linear_program.hpp"

#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::graph {

namespace {

double for_clp(double bound) {
  if (bound == kUnbounded) return COIN_DBL_MAX;
  return bound == -kUnbounded ? -COIN_DBL_MAX : bound;
}

// CLP's usual options, but without its own handler of SIGINT. That handler makes the solver return
// early, with numbers that are no solution, in place of ending the program.
ClpSolve options_without_interrupts() {
  constexpr int kInterruptHandling = 2, kNone = 1;
  ClpSolve options;
  options.setSpecialOption(kInterruptHandling, kNone);
  return options;
}

}  // namespace

// Rows or columns that wait to be added: each alone would cost as much as all together.
struct LinearProgram::Batch {
  std::vector<double> least, most, cost, coefficients;
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> indices;

  int size() const { return static_cast<int>(least.size()); }
  void add(double of_cost, LinearRange range, std::span<const LinearTerm> terms) {
    cost.push_back(of_cost);
    least.push_back(for_clp(range.least));
    most.push_back(for_clp(range.most));
    for (const LinearTerm& term : terms) {
      indices.push_back(term.index);
      coefficients.push_back(term.coefficient);
    }
    starts.push_back(static_cast<CoinBigIndex>(indices.size()));
  }
};

struct LinearProgram::Solver {
  ClpSimplex simplex;
  Batch new_rows, new_columns;
};

LinearProgram::LinearProgram() : solver_(std::make_unique<Solver>()) {
  solver_->simplex.setLogLevel(0);
  set_tolerances(1e-9, 1e-9);
}
LinearProgram::~LinearProgram() = default;
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;

void LinearProgram::set_tolerances(double primal, double dual) {
  WEFT_ASSERT(primal > 0 && dual > 0);
  solver_->simplex.setPrimalTolerance(primal);
  solver_->simplex.setDualTolerance(dual);
}

int LinearProgram::rows() const {
  return solver_->simplex.numberRows() + solver_->new_rows.size();
}
int LinearProgram::columns() const {
  return solver_->simplex.numberColumns() + solver_->new_columns.size();
}

int LinearProgram::add_column(double cost, LinearRange range, std::span<const LinearTerm> terms) {
  flush_rows();
  WEFT_ASSERT(std::ranges::all_of(
      terms, [&](const LinearTerm& term) { return term.index >= 0 && term.index < rows(); }));
  solver_->new_columns.add(cost, range, terms);
  return columns() - 1;
}

int LinearProgram::add_row(LinearRange range, std::span<const LinearTerm> terms) {
  flush_columns();
  WEFT_ASSERT(std::ranges::all_of(
      terms, [&](const LinearTerm& term) { return term.index >= 0 && term.index < columns(); }));
  solver_->new_rows.add(0, range, terms);
  return rows() - 1;
}

void LinearProgram::flush_rows() {
  if (solver_->new_rows.size() == 0) return;
  const Batch batch = std::exchange(solver_->new_rows, {});
  solver_->simplex.addRows(batch.size(), batch.least.data(), batch.most.data(), batch.starts.data(),
                           batch.indices.data(), batch.coefficients.data());
}

void LinearProgram::flush_columns() {
  if (solver_->new_columns.size() == 0) return;
  const Batch batch = std::exchange(solver_->new_columns, {});
  solver_->simplex.addColumns(batch.size(), batch.least.data(), batch.most.data(),
                              batch.cost.data(), batch.starts.data(), batch.indices.data(),
                              batch.coefficients.data());
}

bool LinearProgram::solve(SolveFrom from, double most_seconds) {
  flush_rows();
  flush_columns();
  ClpSimplex& simplex = solver_->simplex;
  if (most_seconds < kUnbounded) simplex.setMaximumSeconds(most_seconds);
  switch (from) {
    case SolveFrom::scratch: {
      ClpSolve options = options_without_interrupts();
      simplex.initialSolve(options);
      break;
    }
    case SolveFrom::vertex_and_columns:
      simplex.primal();
      break;
    case SolveFrom::vertex_and_rows:
      simplex.dual();
      break;
  }
  return simplex.status() == 0;
}

double LinearProgram::value() const {
  return solver_->simplex.objectiveValue();
}

std::span<const double> LinearProgram::column_values() const {
  return {solver_->simplex.primalColumnSolution(),
          static_cast<std::size_t>(solver_->simplex.numberColumns())};
}

std::span<const double> LinearProgram::row_prices() const {
  return {solver_->simplex.dualRowSolution(),
          static_cast<std::size_t>(solver_->simplex.numberRows())};
}

bool LinearProgram::is_basic_column(int column) const {
  WEFT_ASSERT(column >= 0 && column < columns());
  return solver_->simplex.getColumnStatus(column) == ClpSimplex::basic;
}
bool LinearProgram::is_basic_row(int row) const {
  WEFT_ASSERT(row >= 0 && row < rows());
  return solver_->simplex.getRowStatus(row) == ClpSimplex::basic;
}

int LinearProgram::tight_rows() const {
  int tight = 0;
  for (int row = 0; row < rows(); ++row) tight += is_basic_row(row) ? 0 : 1;
  return tight;
}

int LinearProgram::pivots() const {
  return solver_->simplex.numberIterations();
}

// The basis as a system of equations: what is tight, in the basic columns.
class ExactVertexFinder {
 public:
  explicit ExactVertexFinder(const LinearProgram& program)
      : simplex_(program.solver_->simplex),
        tight_place_(simplex_.numberRows(), kNone),
        basic_place_(simplex_.numberColumns(), kNone) {
    WEFT_ASSERT(program.rows() == simplex_.numberRows() &&
                program.columns() == simplex_.numberColumns());
    for (int row = 0; row < simplex_.numberRows(); ++row)
      if (simplex_.getRowStatus(row) != ClpSimplex::basic) {
        tight_place_[place(row)] = std::ssize(tight_);
        tight_.push_back(row);
      }
    for (int column = 0; column < simplex_.numberColumns(); ++column)
      if (simplex_.getColumnStatus(column) == ClpSimplex::basic) {
        basic_place_[place(column)] = std::ssize(basic_);
        basic_.push_back(column);
      }
  }

  std::optional<ExactVertex> find() const {
    ExactVertex vertex;
    vertex.columns.resize(basic_place_.size());
    vertex.row_prices.resize(tight_place_.size());
    if (!set_columns(vertex) || !set_prices(vertex) || !keeps_ranges(vertex) || !is_optimal(vertex))
      return std::nullopt;
    for (int column = 0; column < simplex_.numberColumns(); ++column)
      vertex.value += Fraction(simplex_.objective()[column]) * vertex.columns[place(column)];
    return vertex;
  }

 private:
  static constexpr std::ptrdiff_t kNone = -1;
  using Matrix = std::vector<std::vector<Fraction>>;
  enum class End { none, least, most };

  static std::size_t place(int index) { return static_cast<std::size_t>(index); }

  template <class Visit>
  void each_term(int column, Visit&& visit) const {
    const CoinPackedMatrix* matrix = simplex_.matrix();
    if (matrix == nullptr) return;  // no column yet
    const CoinBigIndex first = matrix->getVectorStarts()[column];
    for (CoinBigIndex i = first; i < first + matrix->getVectorLengths()[column]; ++i)
      visit(matrix->getIndices()[i], Fraction(matrix->getElements()[i]));
  }

  // The end of its range at which something that is not basic stands.
  static End end_of(ClpSimplex::Status status, double least, double most) {
    if (status == ClpSimplex::atLowerBound || (status == ClpSimplex::isFixed && least == most))
      return least > -COIN_DBL_MAX ? End::least : End::none;
    if (status == ClpSimplex::atUpperBound) return most < COIN_DBL_MAX ? End::most : End::none;
    return End::none;
  }
  static Fraction at(End end, double least, double most) {
    if (end == End::none) return 0;
    return Fraction(end == End::least ? least : most);
  }
  End end_of_column(int column) const {
    return end_of(simplex_.getColumnStatus(column), simplex_.columnLower()[column],
                  simplex_.columnUpper()[column]);
  }
  // CLP counts a row's slack against it: at its upper end the row is at its least value, and a row
  // may be at either when both are the same.
  Fraction row_target(int row) const {
    const double least = simplex_.rowLower()[row], most = simplex_.rowUpper()[row];
    if (least == most || most >= COIN_DBL_MAX) return Fraction(least);
    if (least <= -COIN_DBL_MAX) return Fraction(most);
    const double value = simplex_.primalRowSolution()[row];
    return Fraction(value - least < most - value ? least : most);
  }

  // Basic columns from the tight rows, the others from their ends.
  bool set_columns(ExactVertex& vertex) const {
    Matrix matrix(tight_.size(), std::vector<Fraction>(basic_.size()));
    std::vector<Fraction> right;
    for (const int row : tight_) right.push_back(row_target(row));
    for (int column = 0; column < simplex_.numberColumns(); ++column) {
      const std::ptrdiff_t basic = basic_place_[place(column)];
      const Fraction value =
          at(end_of_column(column), simplex_.columnLower()[column], simplex_.columnUpper()[column]);
      if (basic == kNone) vertex.columns[place(column)] = value;
      each_term(column, [&](int row, const Fraction& coefficient) {
        const std::ptrdiff_t tight = tight_place_[place(row)];
        if (tight == kNone) return;
        const auto r = static_cast<std::size_t>(tight);
        if (basic == kNone)
          right[r] -= coefficient * value;
        else
          matrix[r][basic] = coefficient;
      });
    }
    const auto solution = solve_exactly(std::move(matrix), std::move(right));
    if (!solution) return false;
    for (std::size_t i = 0; i < solution->size(); ++i)
      vertex.columns[place(basic_[i])] = (*solution)[i];
    return true;
  }

  // Prices of the tight rows, so that no basic column has a reduced cost.
  bool set_prices(ExactVertex& vertex) const {
    Matrix matrix(basic_.size(), std::vector<Fraction>(tight_.size()));
    std::vector<Fraction> right;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
      right.emplace_back(simplex_.objective()[basic_[i]]);
      each_term(basic_[i], [&](int row, const Fraction& coefficient) {
        const std::ptrdiff_t tight = tight_place_[place(row)];
        if (tight != kNone) matrix[i][tight] = coefficient;
      });
    }
    const auto solution = solve_exactly(std::move(matrix), std::move(right));
    if (!solution) return false;
    for (std::size_t i = 0; i < solution->size(); ++i)
      vertex.row_prices[place(tight_[i])] = (*solution)[i];
    return true;
  }

  static bool is_within(const Fraction& value, double least, double most) {
    return (least <= -COIN_DBL_MAX || value >= Fraction(least)) &&
           (most >= COIN_DBL_MAX || value <= Fraction(most));
  }
  // A price or reduced cost of this sign allows no gain: at its least what would cost to grow.
  static bool is_settled(const Fraction& price, const Fraction& value, double least, double most) {
    if (price == 0) return true;
    return price > 0 ? least > -COIN_DBL_MAX && value == Fraction(least)
                     : most < COIN_DBL_MAX && value == Fraction(most);
  }

  std::vector<Fraction> row_values(const ExactVertex& vertex) const {
    std::vector<Fraction> values(tight_place_.size());
    for (int column = 0; column < simplex_.numberColumns(); ++column)
      each_term(column, [&](int row, const Fraction& coefficient) {
        values[place(row)] += coefficient * vertex.columns[place(column)];
      });
    return values;
  }

  bool keeps_ranges(const ExactVertex& vertex) const {
    for (int column = 0; column < simplex_.numberColumns(); ++column)
      if (!is_within(vertex.columns[place(column)], simplex_.columnLower()[column],
                     simplex_.columnUpper()[column]))
        return false;
    const std::vector<Fraction> values = row_values(vertex);
    for (int row = 0; row < simplex_.numberRows(); ++row)
      if (!is_within(values[place(row)], simplex_.rowLower()[row], simplex_.rowUpper()[row]))
        return false;
    return true;
  }

  bool is_optimal(const ExactVertex& vertex) const {
    for (int column = 0; column < simplex_.numberColumns(); ++column) {
      Fraction reduced(simplex_.objective()[column]);
      each_term(column, [&](int row, const Fraction& coefficient) {
        reduced -= coefficient * vertex.row_prices[place(row)];
      });
      if (!is_settled(reduced, vertex.columns[place(column)], simplex_.columnLower()[column],
                      simplex_.columnUpper()[column]))
        return false;
    }
    const std::vector<Fraction> values = row_values(vertex);
    for (int row = 0; row < simplex_.numberRows(); ++row)
      if (!is_settled(vertex.row_prices[place(row)], values[place(row)], simplex_.rowLower()[row],
                      simplex_.rowUpper()[row]))
        return false;
    return true;
  }

  const ClpSimplex& simplex_;
  std::vector<int> tight_, basic_;
  std::vector<std::ptrdiff_t> tight_place_, basic_place_;
};

std::optional<ExactVertex> exact_vertex(const LinearProgram& program) {
  return ExactVertexFinder(program).find();
}

}  // namespace weft::graph
