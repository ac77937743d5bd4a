#include "weft/graph_solvers/linear_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "weft/base/random.hpp"

namespace weft::graph {
namespace {

using Terms = std::vector<LinearTerm>;

// Chvatal, "Linear Programming", 1983, chapter 1: most 5 x + 4 y + 3 z is 13, at (2, 0, 1), and the
// prices of the rows are 1, 0, 1.
TEST(LinearProgram, finds_a_textbooks_optimum_and_its_prices) {
  LinearProgram program;
  for (const double cost : {-5, -4, -3}) program.add_column(cost, {});
  program.add_row({-kUnbounded, 5}, Terms{{0, 2}, {1, 3}, {2, 1}});
  program.add_row({-kUnbounded, 11}, Terms{{0, 4}, {1, 1}, {2, 2}});
  program.add_row({-kUnbounded, 8}, Terms{{0, 3}, {1, 4}, {2, 2}});
  ASSERT_TRUE(program.solve());
  EXPECT_NEAR(program.value(), -13, 1e-9);
  const auto vertex = exact_vertex(program);
  ASSERT_TRUE(vertex.has_value());
  EXPECT_EQ(vertex->value, -13);
  EXPECT_EQ(vertex->columns, (std::vector<Fraction>{2, 0, 1}));
  EXPECT_EQ(vertex->row_prices, (std::vector<Fraction>{-1, 0, -1}));
}

// Least x + y with 7 x + 2 y >= 1 and 3 x + 5 y >= 1: where both are 1.
TEST(LinearProgram, gives_fractions_that_doubles_cannot_hold) {
  LinearProgram program;
  program.add_row({1, kUnbounded});
  program.add_row({1, kUnbounded});
  program.add_column(1, {}, Terms{{0, 7}, {1, 3}});
  program.add_column(1, {}, Terms{{0, 2}, {1, 5}});
  ASSERT_TRUE(program.solve());
  const auto vertex = exact_vertex(program);
  ASSERT_TRUE(vertex.has_value());
  // By Cramer: x = (5 - 2) / 29, y = (7 - 3) / 29.
  EXPECT_EQ(vertex->columns, (std::vector<Fraction>{Fraction(3, 29), Fraction(4, 29)}));
  EXPECT_EQ(vertex->value, Fraction(7, 29));
}

TEST(LinearProgram, goes_on_with_rows_and_columns_that_come_later) {
  LinearProgram program;
  program.add_column(1, {});
  program.add_row({3, kUnbounded}, Terms{{0, 1}});
  ASSERT_TRUE(program.solve());
  EXPECT_NEAR(program.value(), 3, 1e-9);
  program.add_row({5, kUnbounded}, Terms{{0, 1}});
  ASSERT_TRUE(program.solve(SolveFrom::vertex_and_rows));
  EXPECT_NEAR(program.value(), 5, 1e-9);
  program.add_column(0.5, {}, Terms{{0, 1}, {1, 1}});
  ASSERT_TRUE(program.solve(SolveFrom::vertex_and_columns));
  EXPECT_NEAR(program.value(), 2.5, 1e-9);
  EXPECT_EQ(exact_vertex(program)->value, Fraction(5, 2));
}

TEST(LinearProgram, takes_equations_ranges_and_free_columns) {
  LinearProgram program;
  program.add_column(1, {-kUnbounded, kUnbounded});
  program.add_column(-1, {-2, 6});
  program.add_row({4, 4}, Terms{{0, 1}, {1, 2}});    // x = 4 - 2 y
  program.add_row({-7, 9}, Terms{{0, 1}, {1, -1}});  // 4 - 3 y in [-7, 9]
  ASSERT_TRUE(program.solve());
  const auto vertex = exact_vertex(program);
  ASSERT_TRUE(vertex.has_value());
  // x - y = 4 - 3 y is least where y is most, which the row ends at 11/3.
  EXPECT_EQ(vertex->value, -7);
  EXPECT_EQ(vertex->columns, (std::vector<Fraction>{Fraction(-10, 3), Fraction(11, 3)}));
}

TEST(LinearProgram, says_where_there_is_no_optimum) {
  LinearProgram impossible;
  impossible.add_column(1, {0, 1});
  impossible.add_row({2, kUnbounded}, Terms{{0, 1}});
  EXPECT_FALSE(impossible.solve());
  LinearProgram endless;
  endless.add_column(-1, {});
  endless.add_row({1, kUnbounded}, Terms{{0, 1}});
  EXPECT_FALSE(endless.solve());
}

// Least cost with A x >= 1, x >= 0, A of positive whole numbers: two columns, so that a vertex is
// where two of the rows and axes meet, and all of these can be tried.
TEST(LinearProgram, agrees_with_all_vertices_of_small_programs) {
  Rng random(11);
  for (int instance = 0; instance < 200; ++instance) {
    const int rows = 1 + static_cast<int>(random.below(6));
    std::vector<std::array<int, 2>> matrix;
    const std::array<int, 2> cost{1 + static_cast<int>(random.below(9)),
                                  1 + static_cast<int>(random.below(9))};
    LinearProgram program;
    for (const int c : cost) program.add_column(c, {});
    for (int r = 0; r < rows; ++r) {
      matrix.push_back(
          {1 + static_cast<int>(random.below(9)), 1 + static_cast<int>(random.below(9))});
      program.add_row({1, kUnbounded},
                      Terms{{0, double(matrix.back()[0])}, {1, double(matrix.back()[1])}});
    }
    ASSERT_TRUE(program.solve());
    std::vector<std::array<Fraction, 3>> lines{{1, 0, 0}, {0, 1, 0}};
    for (const auto& row : matrix) lines.push_back({row[0], row[1], 1});
    std::optional<Fraction> least;
    for (const auto& a : lines)
      for (const auto& b : lines) {
        const Fraction determinant = a[0] * b[1] - a[1] * b[0];
        if (determinant == 0) continue;
        const Fraction x = (a[2] * b[1] - a[1] * b[2]) / determinant;
        const Fraction y = (a[0] * b[2] - a[2] * b[0]) / determinant;
        const bool fits = x >= 0 && y >= 0 && std::ranges::all_of(matrix, [&](const auto& row) {
                            return row[0] * x + row[1] * y >= 1;
                          });
        const Fraction value = cost[0] * x + cost[1] * y;
        if (fits && (!least || value < *least)) least = value;
      }
    const auto vertex = exact_vertex(program);
    ASSERT_TRUE(vertex.has_value()) << instance;
    EXPECT_EQ(vertex->value, *least) << instance;
    Fraction dual = 0;
    for (const Fraction& price : vertex->row_prices) dual += price;
    EXPECT_EQ(dual, *least) << instance;  // every row's bound is 1
  }
}

}  // namespace
}  // namespace weft::graph
