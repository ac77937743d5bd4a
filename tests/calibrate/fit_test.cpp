// Fits of alpha, epsilon and 1/B: exact data give back the numbers that made them.
#include "weft/calibrate/fit/fit.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace {

using namespace weft;
using namespace weft::calibrate;

// Figure 14 of the direct-connect paper: alpha 13.33 us, epsilon 21.60 us, 1/B 1.018e-4 us/byte.
constexpr double kAlpha = 13.33e-6, kEpsilon = 21.60e-6, kInverseB = 1.018e-10;

// Allreduce on ShiftedRing (2 (N - 1) steps) and ShiftedBFBRing (2 floor(N / 2)), both with
// bandwidth factor 2 (N - 1) / N, for N = 5 ... 12 as on the paper's testbed.
std::vector<Measurement> testbed(const std::vector<double>& sizes) {
  std::vector<Measurement> rows;
  for (const double size : sizes)
    for (int n = 5; n <= 12; ++n)
      for (const int steps : {2 * (n - 1), 2 * (n / 2)}) {
        Measurement row{.steps = static_cast<double>(steps),
                        .bandwidth_factor = 2.0 * (n - 1) / n,
                        .size_B = size};
        row.time_s = kEpsilon + kAlpha * row.steps + kInverseB * row.bandwidth_factor * size;
        rows.push_back(row);
      }
  return rows;
}

TEST(Fit, gives_back_the_numbers_that_made_exact_times) {
  const Fit found = fit(testbed({1e3, 1e6, 1e9}));
  EXPECT_NEAR(found.alpha_s, kAlpha, 1e-9 * kAlpha);
  EXPECT_NEAR(found.epsilon_s, kEpsilon, 1e-9 * kEpsilon);
  EXPECT_NEAR(found.inverse_B_s, kInverseB, 1e-9 * kInverseB);
  EXPECT_LT(found.all.max, 1e-9);
}

// The bandwidth term at 1 KB is below 2e-7 s of some 80 us; the latency term at 1 GB below 0.2 %.
TEST(Fit, by_two_sizes_comes_as_near_as_its_neglect) {
  const Fit found = fit(testbed({1e3, 1e6, 1e9}), FitMethod::two_sizes);
  EXPECT_NEAR(found.alpha_s, kAlpha, 0.003 * kAlpha);
  EXPECT_NEAR(found.epsilon_s, kEpsilon, 0.02 * kEpsilon);
  EXPECT_NEAR(found.inverse_B_s, kInverseB, 0.002 * kInverseB);
}

// With noise of 2 % a row, the mean of the absolute errors of the fit stays near that of the noise.
TEST(Fit, averages_noise_out) {
  auto rows = testbed({1e3, 1e5, 1e6, 1e7, 1e9});
  Rng random(7);
  for (Measurement& row : rows) row.time_s *= 1 + 0.02 * (2 * random.uniform() - 1);
  const Fit found = fit(rows);
  EXPECT_NEAR(found.alpha_s, kAlpha, 0.02 * kAlpha);
  EXPECT_NEAR(found.inverse_B_s, kInverseB, 0.02 * kInverseB);
  EXPECT_LT(found.all.max, 0.04);
}

// No change of one unknown makes the sum of squared relative errors smaller.
TEST(Fit, is_a_least_squares_optimum) {
  auto rows = testbed({1e3, 1e6, 1e9});
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].time_s *= 1 + 0.01 * double(i % 7);
  const Fit found = fit(rows);
  const auto objective = [&](const Fit& candidate) {
    double sum = 0;
    for (const Measurement& row : rows) {
      const double error = candidate.time_s(row) / row.time_s - 1;
      sum += error * error;
    }
    return sum;
  };
  for (double Fit::*unknown : {&Fit::alpha_s, &Fit::epsilon_s, &Fit::inverse_B_s})
    for (const double factor : {0.999, 1.001}) {
      Fit moved = found;
      moved.*unknown *= factor;
      EXPECT_GT(objective(moved), objective(found));
    }
}

TEST(Fit, refuses_rows_that_leave_a_number_open) {
  EXPECT_THROW(fit(std::vector<Measurement>(2, {4, 1.5, 1e6, 1e-3})), InvalidInput);
  auto same_steps = testbed({1e3, 1e9});
  for (Measurement& row : same_steps) row.steps = 8;
  EXPECT_THROW(fit(same_steps), InvalidInput);
  EXPECT_THROW(fit(same_steps, FitMethod::two_sizes), InvalidInput);
  EXPECT_THROW(fit(testbed({1e6}), FitMethod::two_sizes), InvalidInput);
}

TEST(FitTable, are_read_with_units_and_in_any_order_of_columns) {
  const auto rows = read_measurements(
      "# testbed\nname,time,size,steps,bandwidth_factor\nring,12us,1KiB,14,15/8\n\n"
      "ring,0.5,1000000,14,1.875\n",
      "m.csv");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].time_s, 12e-6);
  EXPECT_EQ(rows[0].size_B, 1024);
  EXPECT_EQ(rows[0].bandwidth_factor, 1.875);
  EXPECT_EQ(rows[1].time_s, 0.5);
  EXPECT_EQ(rows[1].size_B, 1e6);
}

std::string refusal(std::string_view text) {
  try {
    read_measurements(text, "m.csv");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FitTable, are_refused_with_their_line) {
  const std::string heading = "steps,bandwidth_factor,size,time\n";
  EXPECT_NE(refusal("").find("m.csv: the file is empty; give a CSV file"), std::string::npos);
  EXPECT_NE(
      refusal("steps,size,time\n1,2,3\n").find("m.csv:1: the column 'bandwidth_factor' is missing"),
      std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,3\n").find("m.csv:2: 3 fields (expected 4"), std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,3,4\nx,2,3,4\n").find("m.csv:3: steps: 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,3,-4\n").find("m.csv:2: time"), std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,3,0\n").find("m.csv:2: the time is 0"), std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,3,nan\n").find("m.csv:2:"), std::string::npos);
  EXPECT_NE(refusal(heading + "1,2,5 parsecs,1s\n").find("m.csv:2: size"), std::string::npos);
}

}  // namespace
