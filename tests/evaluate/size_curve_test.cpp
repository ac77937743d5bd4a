#include "weft/evaluate/size_curve.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace weft::evaluate {
namespace {

using Curve = std::function<double(double)>;

std::vector<std::int64_t> doublings(int count) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < count; ++i) sizes.push_back(std::int64_t{1024} << i);
  return sizes;
}

simulation::SimulationResult result_of(double time_s, std::vector<double> agent_times_s) {
  simulation::SimulationResult result;
  result.time_s = time_s;
  result.agent_times_s = std::move(agent_times_s);
  result.messages = 7;
  return result;
}

// Fills the curve; how many sizes it asked for.
int fill(SizeCurve& curve, const std::vector<std::int64_t>& sizes, const Curve& time_s) {
  int asked = 0;
  for (auto wanted = curve.wanted(); !wanted.empty(); wanted = curve.wanted())
    for (const std::size_t i : wanted) {
      ++asked;
      const double t = time_s(static_cast<double>(sizes[i]));
      curve.set(i, result_of(t, {t / 2, t}));
    }
  return asked;
}

void expect_curve(const SizeCurve& curve, const std::vector<std::int64_t>& sizes,
                  const Curve& time_s) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double t = time_s(static_cast<double>(sizes[i]));
    EXPECT_NEAR(curve.result(i).time_s, t, 1e-9 * t) << sizes[i];
    EXPECT_EQ(curve.result(i).messages, 7);
  }
}

TEST(SizeCurve, asks_three_sizes_of_a_straight_line) {
  const auto sizes = doublings(17);
  const Curve line = [](double bytes) { return 1e-6 + 2e-10 * bytes; };
  SizeCurve curve(sizes, std::vector<std::int64_t>(17, 0));
  EXPECT_EQ(fill(curve, sizes, line), 3);
  expect_curve(curve, sizes, line);
  EXPECT_TRUE(curve.interpolated(1));
  EXPECT_FALSE(curve.interpolated(8));
}

// Latency decides up to 64 KiB, bandwidth from there on.
TEST(SizeCurve, finds_a_bend) {
  const auto sizes = doublings(17);
  const Curve bent = [](double bytes) { return std::max(65536e-10, 1e-10 * bytes); };
  SizeCurve curve(sizes, std::vector<std::int64_t>(17, 0));
  EXPECT_LT(fill(curve, sizes, bent), 17);
  expect_curve(curve, sizes, bent);
}

TEST(SizeCurve, asks_every_size_where_nothing_is_straight) {
  const auto sizes = doublings(9);
  const Curve square = [](double bytes) { return bytes * bytes; };
  SizeCurve curve(sizes, std::vector<std::int64_t>(9, 0));
  EXPECT_EQ(fill(curve, sizes, square), 9);
}

TEST(SizeCurve, draws_no_line_over_sizes_of_another_kind) {
  const auto sizes = doublings(8);
  const Curve line = [](double bytes) { return 2e-10 * bytes; };
  SizeCurve of_none(sizes, std::vector<std::int64_t>(8, -1));
  EXPECT_EQ(fill(of_none, sizes, line), 8);
  SizeCurve of_two(sizes, std::vector<std::int64_t>{1, 1, 1, 1, 2, 2, 2, 2});
  EXPECT_EQ(fill(of_two, sizes, line), 6);
}

TEST(SizeCurve, needs_every_agent_on_its_line) {
  const std::vector<std::int64_t> sizes = doublings(5);
  SizeCurve curve(sizes, std::vector<std::int64_t>(5, 0));
  int asked = 0;
  for (auto wanted = curve.wanted(); !wanted.empty(); wanted = curve.wanted())
    for (const std::size_t i : wanted) {
      const auto bytes = static_cast<double>(sizes[i]);
      curve.set(i, result_of(bytes, {bytes, std::min(bytes, 4096.0)}));
      ++asked;
    }
  EXPECT_EQ(asked, 5);
}

TEST(SizeCurve, of_one_and_of_two_sizes) {
  for (int count : {1, 2}) {
    const auto sizes = doublings(count);
    SizeCurve curve(sizes, std::vector<std::int64_t>(static_cast<std::size_t>(count), 0));
    EXPECT_EQ(fill(curve, sizes, [](double bytes) { return bytes; }), count);
  }
}

}  // namespace
}  // namespace weft::evaluate
