// DO and MD on Hamming networks: steps, loads and bandwidth factors are those of the theory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/grids/dimension_order.hpp"
#include "weft/algorithm/multi_dimensional.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using topology::HammingView;

using test::on;

std::string hamming_of(const std::vector<int>& extents) {
  return fmt::format("hamming:{}", fmt::join(extents, "x"));
}

Cost cost_on(const Network& network, std::string_view algorithm, CollectiveKind kind,
             std::int32_t root = 0) {
  const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(root)};
  const Schedule schedule = build_schedule(algorithm, collective, &network);
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

Rational factor_on(const std::string& topology, std::string_view algorithm, CollectiveKind kind) {
  return cost_on(on(topology), algorithm, kind).bandwidth_factor;
}

/// Blocks over one link that last as long: factor = d / N * blocks.
Rational blocks_of(const Network& network, const Rational& factor) {
  return factor * Rational(network.ranks(), network.topology().nominal_degree());
}

const std::vector<std::vector<int>> kExtents = {
    {2}, {5}, {2, 2}, {3, 2}, {2, 5}, {4, 6}, {7, 3}, {2, 2, 2}, {3, 2, 4}, {3, 3, 3}, {2, 3, 2, 3},
};

TEST(DimensionOrder, takes_a_step_for_each_dimension) {
  for (const auto& extents : kExtents) {
    const Network network = on(hamming_of(extents));
    for (const CollectiveKind kind : find_algorithm("do").collectives) {
      const auto passes = kind == CollectiveKind::allreduce ? 2 : 1;
      EXPECT_EQ(cost_on(network, "do", kind).steps, passes * std::ssize(extents))
          << hamming_of(extents) << schedule::name_of(kind);
    }
  }
}

// Eq. 4.5 for n dimensions: N / m_i blocks over each link of dimension i; an allgather passes on
// all of the dimensions done.
TEST(DimensionOrder, loads_links_as_its_formula_says) {
  for (const auto& extents : kExtents) {
    const Network network = on(hamming_of(extents));
    const std::int64_t nodes = network.ranks();
    Rational all_to_all = 0, gathered = 0;
    std::int64_t done = 1;
    for (const int m : extents) {
      all_to_all += Rational(nodes, m);
      gathered += done;
      done *= m;
    }
    const auto blocks = [&](CollectiveKind kind) {
      return blocks_of(network, cost_on(network, "do", kind).bandwidth_factor);
    };
    EXPECT_EQ(blocks(CollectiveKind::alltoall), all_to_all) << hamming_of(extents);
    EXPECT_EQ(blocks(CollectiveKind::allgather), gathered) << hamming_of(extents);
    EXPECT_EQ(blocks(CollectiveKind::reduce_scatter), gathered) << hamming_of(extents);
    EXPECT_EQ(blocks(CollectiveKind::allreduce), gathered * 2) << hamming_of(extents);
    EXPECT_EQ(blocks(CollectiveKind::broadcast), Rational(nodes * std::ssize(extents)));
    // In step t a subtree of the dimensions that follow: N / (m_1 ... m_t).
    Rational scattered = 0;
    std::int64_t rest = nodes;
    for (const int m : extents) scattered += Rational(rest /= m);
    EXPECT_EQ(blocks(CollectiveKind::scatter), scattered) << hamming_of(extents);
    EXPECT_EQ(blocks(CollectiveKind::gather), scattered) << hamming_of(extents);
  }
}

// Messages: sum of (m_i - 1) for each rank; a tree of N - 1 links when rooted.
TEST(DimensionOrder, combines_all_that_has_the_same_next_hop) {
  for (const auto& extents : kExtents) {
    const Network network = on(hamming_of(extents));
    const std::int64_t nodes = network.ranks();
    const std::int64_t messages = nodes * network.topology().nominal_degree();
    EXPECT_EQ(cost_on(network, "do", CollectiveKind::alltoall).messages, messages);
    EXPECT_EQ(cost_on(network, "do", CollectiveKind::allgather).messages, messages);
    EXPECT_EQ(cost_on(network, "do", CollectiveKind::scatter).messages, nodes - 1);
  }
}

TEST(DimensionOrder, serves_any_root_and_order) {
  const HammingView hamming{{{3, 2, 4}}};
  for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce,
                                    CollectiveKind::scatter, CollectiveKind::gather})
    for (const int root : {0, 1, 10, 23})
      for (const std::vector<int>& order :
           {std::vector<int>{0, 1, 2}, std::vector<int>{2, 0, 1}, std::vector<int>{1, 2, 0}}) {
        const Collective collective{.kind = kind, .ranks = 24, .root = Rank(root)};
        EXPECT_EQ(test::execute(dimension_order(hamming, collective, order)).violation, "");
      }
}

TEST(DimensionOrder, leaves_out_dimensions_of_one_node) {
  const HammingView hamming{{{1, 3, 1}}};
  EXPECT_EQ(dimension_order(hamming, schedule::alltoall(3)).steps(), 1);
  EXPECT_EQ(multi_dimensional(hamming, schedule::allgather(3)).steps(), 1);
  EXPECT_EQ(multi_dimensional(HammingView{{{1}}}, schedule::alltoall(1)).steps(), 0);
}

TEST(DimensionOrder, rejects_what_it_does_not_serve) {
  const HammingView hamming{{{3, 2}}};
  EXPECT_THROW(dimension_order(hamming, schedule::alltoall(5)), InvalidInput);
  EXPECT_THROW(dimension_order(hamming, schedule::alltoall(6), {0, 0}), InvalidInput);
  EXPECT_THROW(dimension_order(hamming, schedule::point_to_point(6, Rank(0), Rank(1))),
               InvalidInput);
  EXPECT_THROW(multi_dimensional(hamming, schedule::broadcast(6)), InvalidInput);
  EXPECT_THROW(mixed_allreduce(hamming, schedule::alltoall(6)), InvalidInput);
}

// Table 4.2: (m1 + m2) and max(m1, m2) blocks. A link of the narrower dimension has to carry
// max(m1, m2) blocks, so that MD meets the bandwidth bound on every pair of extents.
TEST(MultiDimensional, meets_the_all_to_all_bound_on_all_pairs_of_extents) {
  for (int m1 = 2; m1 <= 16; ++m1)
    for (int m2 = 2; m2 <= 16; ++m2) {
      const Network network = on(fmt::format("2dfc:{}x{}", m1, m2));
      const Cost md = cost_on(network, "md", CollectiveKind::alltoall);
      EXPECT_EQ(md.steps, 2);
      EXPECT_EQ(blocks_of(network, md.bandwidth_factor), Rational(std::max(m1, m2)))
          << m1 << "x" << m2;
    }
}

// Table 4.1: first step x m2 and (1 - x) m1 blocks, equal for x = m1 / (m1 + m2); second step x m1
// and (1 - x) m2, over the links of the other dimension.
TEST(MultiDimensional, steps_take_what_the_shares_say) {
  for (const auto& [m1, m2] : {std::pair(4, 4), {4, 6}, {6, 4}, {3, 16}, {15, 2}}) {
    const Network network = on(fmt::format("2dfc:{}x{}", m1, m2));
    const Rational x(m1, m1 + m2), rest = Rational(1) - x;
    EXPECT_EQ(md_shares({{{m1, m2}}}, CollectiveKind::alltoall).orders,
              (std::vector<OrderShare>{{{0, 1}, x}, {{1, 0}, rest}}));
    const auto factors = cost_on(network, "md", CollectiveKind::alltoall).step_factors;
    EXPECT_EQ(blocks_of(network, factors[0]), x * m2);
    EXPECT_EQ(blocks_of(network, factors[0]), rest * m1);
    EXPECT_EQ(blocks_of(network, factors[1]), std::max(x * m1, rest * m2));
  }
}

TEST(MultiDimensional, meets_the_all_to_all_bound_in_more_dimensions) {
  for (const auto& extents : kExtents) {
    const Network network = on(hamming_of(extents));
    EXPECT_EQ(cost_on(network, "md", CollectiveKind::alltoall).bandwidth_factor,
              Rational(network.topology().nominal_degree(), *std::ranges::min_element(extents)))
        << hamming_of(extents);
  }
}

TEST(MultiDimensional, meets_the_allgather_bound_on_equal_extents) {
  for (const auto& extents : {std::vector<int>{2, 2},
                              {3, 3},
                              {4, 4},
                              {7, 7},
                              {16, 16},
                              {2, 2, 2},
                              {3, 3, 3},
                              {4, 4, 4},
                              {2, 2, 2, 2},
                              {3, 3, 3, 3}}) {
    const Network network = on(hamming_of(extents));
    const Rational bound(network.ranks() - 1, network.ranks());
    EXPECT_EQ(cost_on(network, "md", CollectiveKind::allgather).bandwidth_factor, bound);
    EXPECT_EQ(cost_on(network, "md", CollectiveKind::reduce_scatter).bandwidth_factor, bound);
    EXPECT_EQ(cost_on(network, "md", CollectiveKind::allreduce).bandwidth_factor, bound * 2);
  }
}

// d (m1 m2 + max) / (N (m1 + m2)), over (N-1)/N on unequal extents, and the least of all shares.
TEST(MultiDimensional, allgathers_with_the_best_fixed_shares_of_two_dimensions) {
  for (int m1 = 2; m1 <= 12; ++m1)
    for (int m2 = 2; m2 <= 12; ++m2) {
      const Network network = on(fmt::format("2dfc:{}x{}", m1, m2));
      const auto blocks = [&](const Rational& x) {
        const Rational rest = Rational(1) - x;
        return std::max(x, rest) + std::max(x * m1, rest * m2);
      };
      const Rational best =
          blocks_of(network, cost_on(network, "md", CollectiveKind::allgather).bandwidth_factor);
      EXPECT_EQ(best, Rational(m1 * m2 + std::max(m1, m2), m1 + m2)) << m1 << "x" << m2;
      for (int i = 0; i <= 60; ++i) EXPECT_LE(best, blocks(Rational(i, 60))) << m1 << "x" << m2;
    }
}

TEST(MultiDimensional, misses_the_allgather_bound_on_unequal_extents_as_known) {
  EXPECT_EQ(factor_on("2dfc:4x6", "md", CollectiveKind::allgather), Rational(1));
  EXPECT_EQ(factor_on("2dfc:4x6", "bfb", CollectiveKind::allgather), Rational(23, 24));
  // 155/144 by the three rotations alone.
  EXPECT_EQ(factor_on("hamming:4x6x8", "md", CollectiveKind::allgather), Rational(1745, 1728));
}

/// Blocks that share 1 of an order puts on a link of its dimension in step t, an allgather.
Rational load_of(const std::vector<int>& extents, const std::vector<int>& order, std::size_t t) {
  Rational product = 1;
  for (std::size_t s = 0; s < t; ++s) product *= extents[order[s]];
  return product;
}

// The prices are a dual solution: of a step's price 1, what each order pays is no less than the
// optimum, so that no shares of the orders take fewer blocks.
TEST(MultiDimensional, proves_its_shares_of_three_and_four_dimensions_the_best) {
  for (const auto& extents : {std::vector<int>{4, 6, 8},
                              {8, 4, 6},
                              {2, 2, 3},
                              {3, 3, 5},
                              {2, 5, 9},
                              {8, 8, 2},
                              {2, 3, 4, 5},
                              {2, 2, 2, 5},
                              {3, 3, 2, 2}}) {
    const std::string name = hamming_of(extents);
    const FixedShares best = md_shares({{extents}}, CollectiveKind::allgather);
    Rational shares = 0;
    for (const auto& [order, share] : best.orders) shares += share;
    EXPECT_EQ(shares, Rational(1)) << name;
    ASSERT_EQ(best.prices.size(), extents.size()) << name;
    for (const auto& step : best.prices) {
      Rational sum = 0;
      for (const Rational& price : step) {
        EXPECT_GE(price, Rational(0)) << name;
        sum += price;
      }
      EXPECT_EQ(sum, Rational(1)) << name;
    }
    std::vector<int> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      Rational paid = 0;
      for (std::size_t t = 0; t < order.size(); ++t)
        paid += best.prices[t][order[t]] * load_of(extents, order, t);
      EXPECT_GE(paid, best.blocks) << name;
    } while (std::ranges::next_permutation(order).found);
    const Network network = on(name);
    const Rational factor = cost_on(network, "md", CollectiveKind::allgather).bandwidth_factor;
    EXPECT_EQ(blocks_of(network, factor), best.blocks) << name;
    EXPECT_GT(factor, Rational(network.ranks() - 1, network.ranks())) << name;
  }
}

TEST(MultiDimensional, sends_one_message_over_a_link_in_a_step) {
  const Network network = on("hamming:2x3x4");
  for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter})
    EXPECT_LE(cost_on(network, "md", kind).messages, 3 * network.topology().link_count());
}

TEST(MultiDimensional, takes_rotations_in_five_dimensions) {
  const FixedShares shares = md_shares({{{2, 2, 2, 2, 3}}}, CollectiveKind::allgather);
  EXPECT_EQ(shares.orders.size(), 5);
  EXPECT_TRUE(shares.prices.empty());
  const Network network = on("hamming:2x2x2x2x3");
  EXPECT_EQ(blocks_of(network, cost_on(network, "md", CollectiveKind::allgather).bandwidth_factor),
            shares.blocks);
}

TEST(MultiDimensional, allreduces_by_both_orders) {
  // In blocks on 4x6 (d = 8, N = 24): DO reduce-scatter 4 + 1, MD allgather 30 / 10.
  EXPECT_EQ(factor_on("2dfc:4x6", "do-md", CollectiveKind::allreduce), Rational(8, 24) * (5 + 3));
  EXPECT_EQ(factor_on("2dfc:4x6", "md", CollectiveKind::allreduce), Rational(2));
}

TEST(MultiDimensional, stores_one_rank_of_a_symmetric_network) {
  const Network network = on("2dfc:8x8");
  const Schedule schedule = build_schedule("md", schedule::alltoall(64), &network);
  EXPECT_EQ(schedule.symmetry().order(), 64);
  EXPECT_EQ(schedule.stored_messages(), 2 * 14);
}

TEST(MultiDimensional, needs_a_hamming_network_with_linear_placement) {
  const auto fits = [](const std::string& topology, std::string_view name) {
    const Network network = on(topology);
    return !misfit(find_algorithm(name),
                   {{.kind = CollectiveKind::allreduce, .ranks = network.ranks()}, &network});
  };
  for (const char* name : {"do", "md", "do-md"}) {
    EXPECT_TRUE(fits("hypercube:4", name));
    EXPECT_TRUE(fits("complete:7", name));
    EXPECT_TRUE(fits("hosts(1, 2dfc:3x4)", name));
    EXPECT_FALSE(fits("hosts(2, 2dfc:3x4)", name));
    EXPECT_FALSE(fits("torus:4x4", name));
  }
}

}  // namespace
}  // namespace weft::algorithm
