// When hops are sent: in order, and so that steps use links evenly.
#include "weft/algorithm/flow/hop_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "weft/base/random.hpp"

namespace weft::algorithm::flow_steps {
namespace {

using Times = std::vector<std::vector<std::int32_t>>;

double largest_loads(std::span<const Travel> travels, const Times& times,
                     std::span<const double> capacity, std::int32_t steps) {
  double sum = 0;
  for (std::int32_t t = 0; t < steps; ++t) {
    std::vector<double> load(capacity.size(), 0);
    for (std::size_t i = 0; i < travels.size(); ++i)
      for (std::size_t h = 0; h < travels[i].hops.size(); ++h)
        if (times[i][h] == t)
          for (const std::int32_t c : travels[i].hops[h])
            load[c] += static_cast<double>(travels[i].units) / capacity[c];
    sum += std::accumulate(load.begin(), load.end(), 0.0,
                           [](double a, double b) { return std::max(a, b); });
  }
  return sum;
}

// The best of all choices of steps.
double least(std::span<const Travel> travels, Times& times, std::span<const double> capacity,
             std::int32_t steps) {
  if (times.size() == travels.size()) return largest_loads(travels, times, capacity, steps);
  const std::size_t hops = travels[times.size()].hops.size();
  double best = 1e300;
  for (unsigned chosen = 0; chosen < 1U << steps; ++chosen) {
    std::vector<std::int32_t> own;
    for (std::int32_t t = 0; t < steps; ++t)
      if ((chosen >> t & 1U) != 0) own.push_back(t);
    if (own.size() != hops) continue;
    times.push_back(own);
    best = std::min(best, least(travels, times, capacity, steps));
    times.pop_back();
  }
  return best;
}

// B waits for A to leave the link that both need.
TEST(HopTimes, let_short_ways_wait) {
  const std::vector<Travel> travels{{1, {{0}, {1}}}, {1, {{0}}}};
  const std::vector<double> capacity{1, 1};
  EXPECT_EQ(hop_times(travels, capacity, 2), (Times{{0, 1}, {1}}));
}

TEST(HopTimes, are_those_of_one_step_where_there_is_one) {
  const std::vector<Travel> travels{{1, {{0, 1}}}, {2, {{0}}}};
  EXPECT_EQ(hop_times(travels, std::vector<double>{1, 1}, 1), (Times{{0}, {0}}));
}

TEST(HopTimes, come_near_the_best_of_small_instances) {
  Rng rng(5);
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    constexpr std::int32_t kSteps = 3;
    std::vector<double> capacity;
    for (int c = 0; c < 3; ++c) capacity.push_back(1 + static_cast<double>(rng.below(2)));
    std::vector<Travel> travels(4);
    for (Travel& travel : travels) {
      travel.units = 1 + rng.below(3);
      for (std::int64_t h = 1 + rng.below(kSteps); h > 0; --h)
        travel.hops.push_back({static_cast<std::int32_t>(rng.below(3))});
    }
    const Times times = hop_times(travels, capacity, kSteps);
    for (std::size_t i = 0; i < travels.size(); ++i) {
      ASSERT_EQ(times[i].size(), travels[i].hops.size());
      EXPECT_EQ(std::ranges::adjacent_find(times[i], std::greater_equal{}), times[i].end());
      EXPECT_TRUE(times[i].front() >= 0 && times[i].back() < kSteps);
    }
    Times none;
    const double best = least(travels, none, capacity, kSteps);
    EXPECT_GE(largest_loads(travels, times, capacity, kSteps), best - 1e-9);
    EXPECT_LE(largest_loads(travels, times, capacity, kSteps), 1.5 * best);
  }
}

}  // namespace
}  // namespace weft::algorithm::flow_steps
