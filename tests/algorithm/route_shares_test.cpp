// Shares of dimension orders that may wait: optima, their proofs, and schedules made of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../../src/weft/algorithm/grids/order_shares.hpp"
#include "weft/algorithm/multi_dimensional.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

std::int64_t product(const std::vector<int>& extents) {
  std::int64_t n = 1;
  for (const int m : extents) n *= m;
  return n;
}

std::int64_t links(const std::vector<int>& extents) {
  std::int64_t d = 0;
  for (const int m : extents) d += m - 1;
  return d;
}

/// The cheapest route under prices, by dynamic programming over the sets of dimensions done, step
/// by step.
Rational cheapest(const std::vector<int>& extents,
                  const std::vector<std::vector<Rational>>& prices) {
  const std::size_t sets = std::size_t{1} << extents.size();
  std::vector<std::optional<Rational>> cost(sets);
  cost[0] = 0;
  for (const auto& step : prices) {
    const auto before = cost;
    for (std::size_t set = 0; set < sets; ++set) {
      if (!before[set]) continue;
      std::int64_t blocks = 1;
      for (std::size_t i = 0; i < extents.size(); ++i)
        if ((set >> i & 1) != 0) blocks *= extents[i];
      for (std::size_t i = 0; i < extents.size(); ++i) {
        if ((set >> i & 1) != 0) continue;
        const Rational paid = *before[set] + step[i] * blocks;
        auto& known = cost[set | std::size_t{1} << i];
        if (!known || paid < *known) known = paid;
      }
    }
  }
  return *cost.back();
}

const std::vector<std::vector<int>> kExtents{
    {4, 6}, {2, 9}, {3, 4}, {5, 5}, {2, 2, 3}, {2, 3, 4}, {3, 3, 5}, {4, 6, 8}, {2, 3, 4, 5}};

TEST(RouteShares, are_proved_by_their_prices) {
  for (const auto& extents : kExtents) {
    const auto n = static_cast<int>(extents.size());
    for (int steps = n; steps <= n + (n < 4 ? 2 : 1); ++steps) {
      const auto best = best_route_shares(extents, steps);
      ASSERT_TRUE(best.has_value()) << n << " " << steps;
      for (const auto& step : best->prices) {
        Rational sum = 0;
        for (const Rational& price : step) {
          EXPECT_GE(price, Rational(0));
          sum += price;
        }
        EXPECT_EQ(sum, Rational(1));
      }
      EXPECT_EQ(cheapest(extents, best->prices), best->blocks) << n << " " << steps;
      EXPECT_GE(best->blocks, Rational(product(extents) - 1, links(extents)));
    }
  }
}

// 4x6 and others: 1 by fixed shares, (N-1)/N with one step more; 2x9 needs three.
TEST(RouteShares, meet_the_bound_with_more_steps) {
  const auto factor = [](const std::vector<int>& extents, int steps) {
    return best_route_shares(extents, steps)->blocks * Rational(links(extents), product(extents));
  };
  EXPECT_EQ(factor({4, 6}, 2), Rational(1));
  EXPECT_EQ(factor({4, 6}, 3), Rational(23, 24));
  EXPECT_EQ(factor({2, 3, 4}, 3), Rational(109, 108));
  EXPECT_EQ(factor({2, 3, 4}, 4), Rational(23, 24));
  EXPECT_EQ(factor({4, 6, 8}, 4), Rational(191, 192));
  EXPECT_EQ(factor({2, 9}, 2), Rational(27, 22));
  EXPECT_EQ(factor({2, 9}, 3), Rational(63, 62));
  EXPECT_EQ(factor({2, 9}, 4), Rational(135, 142));
  EXPECT_EQ(factor({2, 9}, 5), Rational(17, 18));
  const auto by_steps = md_shares_by_steps({{{1, 6, 1, 4}}}, 2);
  ASSERT_EQ(by_steps.size(), 2);  // the second meets the bound
  EXPECT_EQ(by_steps[1].blocks, Rational(23, 8));
  EXPECT_TRUE(md_shares_by_steps({{{7}}}, 2).empty());
}

/// The allgather along routes: in its step every node passes on all that it has of a share.
Schedule along(const std::vector<int>& extents, const RouteShares& shares) {
  const std::int64_t n = product(extents);
  std::int64_t units = 1;
  for (const Route& route : shares.routes) units = std::lcm(units, route.share.denominator());
  ScheduleBuilder builder(schedule::allgather(static_cast<std::int32_t>(n)),
                          {.units_per_block = units});
  std::vector<std::int64_t> stride{1};
  for (const int m : extents) stride.push_back(stride.back() * m);
  std::int64_t first = 0;
  for (const Route& route : shares.routes) {
    const std::int64_t count = (route.share * units).numerator();
    std::vector<std::int64_t> offsets{0};  // of the blocks that node 0 has
    for (std::size_t j = 0; j < route.order.size(); ++j) {
      const auto i = static_cast<std::size_t>(route.order[j]);
      const auto moved = [&](std::int64_t node, std::int64_t by) {
        const std::int64_t digit = node / stride[i] % extents[i];
        return node + ((digit + by) % extents[i] - digit) * stride[i];
      };
      for (std::int64_t node = 0; node < n; ++node)
        for (int by = 1; by < extents[i]; ++by) {
          std::vector<Piece> pieces;
          for (const std::int64_t offset : offsets) {
            std::int64_t block = 0;
            for (std::size_t k = 0; k < extents.size(); ++k)
              block += (node / stride[k] + offset / stride[k]) % extents[k] * stride[k];
            pieces.push_back({block * units + first, count});
          }
          builder.at(route.at[j]).send(Agent(node), Agent(moved(node, by)), pieces);
        }
      const std::vector<std::int64_t> had = offsets;
      for (int by = 1; by < extents[i]; ++by)
        for (const std::int64_t offset : had) offsets.push_back(offset + by * stride[i]);
    }
    first += count;
  }
  return std::move(builder).build();
}

TEST(RouteShares, make_schedules_that_cost_what_they_say) {
  for (const auto& extents : kExtents) {
    if (product(extents) > 60) continue;
    const Fabric fabric(build_topology(fmt::format("hamming:{}", fmt::join(extents, "x"))));
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          network::make_routing("shortest", fabric));
    const auto n = static_cast<int>(extents.size());
    for (int steps = n; steps <= n + 1; ++steps) {
      const auto best = best_route_shares(extents, steps);
      const Cost cost = schedule::cost(schedule::verify_own(along(extents, *best)), network);
      EXPECT_LE(cost.steps, steps);
      EXPECT_EQ(cost.bandwidth_factor, best->blocks * Rational(links(extents), product(extents)));
    }
  }
}

}  // namespace
}  // namespace weft::algorithm
