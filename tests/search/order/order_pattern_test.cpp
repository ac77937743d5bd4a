// Patterns of any schedule: hops and makespans by difference against whole evaluations.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "search/order/binomial_pattern.hpp"
#include "search/random_moves.hpp"
#include "weft/base/error.hpp"
#include "weft/search/order_objectives.hpp"
#include "weft/topology/registry.hpp"

namespace {

using weft::Fabric;
using weft::Rng;
using weft::test::binomial_pattern;
using namespace weft::search;

Fabric fabric_of(const std::string& expression) {
  return Fabric(weft::topology::build_topology(expression));
}

struct Messages {
  std::vector<OrderMessage> all;
  std::vector<std::size_t> first{0};

  OrderPattern pattern(std::int32_t ranks) const { return {ranks, all, first}; }
};

// A few messages a step between random ranks, some of them to oneself.
Messages random_messages(Rng& rng, std::int32_t ranks) {
  Messages messages;
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 7; ++i)
      messages.all.push_back({static_cast<std::int32_t>(rng.below(ranks)),
                              static_cast<std::int32_t>(rng.below(ranks)), rng.below(100'000)});
    messages.first.push_back(messages.all.size());
  }
  return messages;
}

// A random tree from a random root, steps and sizes at random; towards the root when mirrored.
Messages random_tree(Rng& rng, std::int32_t ranks, bool mirrored) {
  std::vector<std::int32_t> names(static_cast<std::size_t>(ranks));
  for (std::size_t r = 0; r < names.size(); ++r) names[r] = static_cast<std::int32_t>(r);
  rng.shuffle(names);
  std::vector<std::int64_t> received(names.size(), -1);
  std::map<std::int64_t, std::vector<OrderMessage>> by_step;
  for (std::size_t r = 1; r < names.size(); ++r) {
    const auto parent = static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(r)));
    received[r] = received[parent] + 1 + rng.below(3);
    OrderMessage message{names[parent], names[r], rng.below(100'000)};
    if (mirrored) std::swap(message.from, message.to);
    by_step[mirrored ? -received[r] : received[r]].push_back(message);
  }
  Messages messages;
  for (const auto& [step, sent] : by_step) {
    messages.all.insert(messages.all.end(), sent.begin(), sent.end());
    messages.first.push_back(messages.all.size());
  }
  return messages;
}

TEST(BinomialPattern, each_rank_hears_from_its_parent_and_serves_the_largest_subtree_first) {
  for (const std::int32_t ranks : {1, 2, 5, 8, 13, 64}) {
    const OrderPattern pattern = binomial_pattern(ranks, 10);
    std::set<std::int32_t> reached{0};
    for (const OrderMessage& message : pattern.messages()) {
      EXPECT_EQ(message.from, message.to & (message.to - 1));
      EXPECT_TRUE(reached.contains(message.from));
      EXPECT_TRUE(reached.insert(message.to).second);
    }
    EXPECT_EQ(reached.size(), static_cast<std::size_t>(ranks));
    if (ranks > 1) {
      EXPECT_EQ(pattern.step(0)[0].to, static_cast<int>(std::bit_ceil(unsigned(ranks))) / 2);
    }
  }
}

TEST(OrderPattern, counts_what_two_ranks_exchange) {
  const std::vector<OrderMessage> messages{{0, 1, 5}, {1, 0, 5}, {0, 1, 7}, {2, 2, 9}, {2, 1, 1}};
  const std::vector<std::size_t> first{0, 2, 5};
  const OrderPattern pattern(3, messages, first);
  EXPECT_EQ(pattern.messages().size(), 4u);
  EXPECT_EQ(pattern.step(1).size(), 2u);
  const auto peers = pattern.peers(1);
  ASSERT_EQ(peers.size(), 2u);
  EXPECT_EQ(peers[0].rank, 0);
  EXPECT_EQ(peers[0].sent, 1);
  EXPECT_EQ(peers[0].received, 2);
  EXPECT_EQ(peers[1].rank, 2);
  EXPECT_EQ(peers[1].received, 1);
  EXPECT_THROW(OrderPattern(2, messages, first), weft::InvalidInput);
}

// One-way rings, where the way back is another; spare hosts; several cores.
TEST(HopObjective, deltas_of_any_pattern_equal_whole_evaluations) {
  for (const char* expression : {"hosts(2, uniring:6)", "hosts(3, torus:3x3)"}) {
    const OrderNetwork network(fabric_of(expression));
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Rng rng(seed);
      const OrderPattern pattern = random_messages(rng, 10).pattern(10);
      Order order = start_order(network, {.policy = "random", .cores = 2, .seed = seed});
      HopObjective objective(network, order, pattern);
      for (int round = 0; round < 100; ++round)
        for (const OrderMove& move : random_moves(rng, static_cast<std::int32_t>(order.size()))) {
          const double before = objective.value(), delta = objective.delta(move);
          objective.accept(move);
          rearrange(move, order);
          ASSERT_EQ(objective.hops(), total_hops(network, order, pattern)) << expression << seed;
          ASSERT_EQ(objective.value(), before + delta);
        }
    }
  }
}

TEST(TreeMakespan, deltas_equal_whole_evaluations) {
  const SendCost cost{.startup_s = 3e-7, .copy_seconds_per_byte = 1e-10, .receive_s = 1.7e-7};
  for (const char* expression : {"hosts(2, uniring:7)", "hosts(3, torus:3x3)"}) {
    const OrderNetwork network(fabric_of(expression));
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Rng rng(seed);
      const std::int32_t ranks = 2 + static_cast<std::int32_t>(rng.below(12));
      const OrderPattern pattern = random_tree(rng, ranks, seed % 2 == 0).pattern(ranks);
      const auto tree = find_tree(pattern);
      ASSERT_TRUE(tree.has_value()) << seed;
      Order order = start_order(network, {.policy = "random", .cores = 2, .seed = seed});
      TreeMakespan objective(network, order, *tree, cost);
      for (int round = 0; round < 60; ++round)
        for (const OrderMove& move : random_moves(rng, static_cast<std::int32_t>(order.size()))) {
          const double before = objective.value(), delta = objective.delta(move);
          ASSERT_EQ(objective.value(), before);
          objective.accept(move);
          rearrange(move, order);
          const double whole = makespan_s(network, order, pattern, cost);
          ASSERT_NEAR(objective.value(), whole, 1e-9 * whole) << expression << seed;
          ASSERT_NEAR(objective.value(), before + delta, 1e-9 * whole);
        }
      objective.reset(start_order(network, {.cores = 2}));
      EXPECT_NEAR(objective.value(),
                  makespan_s(network, start_order(network, {.cores = 2}), pattern, cost), 1e-12);
    }
  }
}

TEST(FindTree, sees_what_is_none) {
  const auto found = [](std::vector<OrderMessage> messages, std::vector<std::size_t> first) {
    return find_tree(OrderPattern(3, messages, first)).has_value();
  };
  EXPECT_TRUE(found({{0, 1, 1}, {1, 2, 1}}, {0, 1, 2}));
  EXPECT_TRUE(found({{2, 1, 1}, {1, 0, 1}}, {0, 1, 2}));
  EXPECT_TRUE(found({{0, 1, 1}, {0, 2, 1}}, {0, 2}));
  EXPECT_FALSE(found({{0, 1, 1}, {1, 2, 1}}, {0, 2}));                   // both in one step
  EXPECT_FALSE(found({{0, 1, 1}, {0, 1, 1}, {1, 2, 1}}, {0, 1, 2, 3}));  // twice to one
  EXPECT_FALSE(found({{0, 1, 1}, {1, 0, 1}}, {0, 1, 2}));                // there and back
  EXPECT_FALSE(found({{0, 1, 1}}, {0, 1}));                              // two roots
}

// Two messages of one rank in a step: the second waits for the host's link, 12,500 B at 12.5 GB/s =
// 1 us, on top of 3 us of latencies on ring:3 and its own 1 us.
TEST(Makespan, sends_of_one_step_share_the_hosts_link) {
  const OrderNetwork network(fabric_of("hosts(1, ring:3)"));
  const std::vector<std::int32_t> order{0, 1, 2};
  const std::vector<OrderMessage> messages{{0, 1, 12'500}, {0, 2, 12'500}};
  const std::vector<std::size_t> first{0, 2};
  EXPECT_NEAR(makespan_s(network, order, OrderPattern(3, messages, first), {}), 5e-6, 1e-12);
}

// Four ranks each exchange with the next round a ring, one meeting three times as often: on four
// switches of one host all 12 messages are lost; two switches cut the ring twice, at best where it
// has 2 messages.
TEST(LeastHops, takes_the_lightest_meetings) {
  const OrderNetwork four(fabric_of("hosts(1, ring:4)")), two(fabric_of("hosts(2, ring:3)"));
  std::vector<OrderMessage> messages;
  for (std::int32_t r = 0; r < 4; ++r) {
    messages.push_back({r, (r + 1) % 4, 1});
    messages.push_back({(r + 1) % 4, r, 1});
  }
  for (int i = 0; i < 4; ++i) messages.push_back({0, 1, 1});
  const std::vector<std::size_t> first{0, messages.size()};
  const OrderPattern pattern(4, messages, first);
  EXPECT_EQ(least_hops(four, pattern, 1), 12);
  EXPECT_EQ(least_hops(two, pattern, 1), 4);
  EXPECT_EQ(least_hops(two, pattern, 2), 0);
}

// Two pairs that never meet each other fit two switches at no cost.
TEST(LeastHops, knows_of_parts_that_never_meet) {
  const OrderNetwork network(fabric_of("hosts(2, ring:3)"));
  const std::vector<OrderMessage> messages{{0, 1, 1}, {2, 3, 1}};
  const std::vector<std::size_t> first{0, 2};
  EXPECT_EQ(least_hops(network, OrderPattern(4, messages, first), 1), 0);
}

}  // namespace
