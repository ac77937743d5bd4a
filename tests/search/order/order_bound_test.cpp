// The least hops of an order: against brute force, and where theory has the exact value.
#include <gtest/gtest.h>

#include <algorithm>

#include "search/order/binomial_pattern.hpp"
#include "weft/base/random.hpp"
#include "weft/search/order_objectives.hpp"
#include "weft/topology/registry.hpp"

namespace {

using weft::Fabric;
using weft::Rng;
using weft::test::binomial_pattern;
using namespace weft::search;

OrderNetwork network_of(const std::string& expression) {
  return OrderNetwork(Fabric(weft::topology::build_topology(expression)));
}

OrderPattern pattern_of(std::int32_t ranks, const std::vector<OrderMessage>& messages) {
  return {ranks, messages, std::vector<std::size_t>{0, messages.size()}};
}

OrderPattern ring_pattern(std::int32_t ranks, int rounds) {
  std::vector<OrderMessage> messages;
  for (int round = 0; round < rounds; ++round)
    for (std::int32_t r = 0; r < ranks; ++r) messages.push_back({r, (r + 1) % ranks, 1});
  return pattern_of(ranks, messages);
}

OrderPattern everyone_to_everyone(std::int32_t ranks) {
  std::vector<OrderMessage> messages;
  for (std::int32_t r = 0; r < ranks; ++r)
    for (std::int32_t q = 0; q < ranks; ++q)
      if (q != r) messages.push_back({r, q, 1});
  return pattern_of(ranks, messages);
}

OrderPattern random_pattern(std::int32_t ranks, Rng& rng) {
  std::vector<OrderMessage> messages;
  for (std::int32_t i = 0; i < 2 * ranks; ++i)
    messages.push_back({static_cast<std::int32_t>(rng.below(ranks)),
                        static_cast<std::int32_t>(rng.below(ranks)), 1});
  return pattern_of(ranks, messages);
}

std::int64_t fewest(const OrderNetwork& network, const OrderPattern& pattern, Order places) {
  std::sort(places.begin(), places.end());
  std::int64_t best = total_hops(network, places, pattern);
  while (std::next_permutation(places.begin(), places.end()))
    best = std::min(best, total_hops(network, places, pattern));
  return best;
}

// Seven places: all orders of trees, rings, exchanges and 20 random patterns.
TEST(LeastHops, is_never_above_the_best_order) {
  Rng rng(7);
  for (const char* expression :
       {"hosts(1, ring:7)", "hosts(1, uniring:6)", "hosts(2, mesh:3)", "hosts(3, complete:2)",
        "hosts(1, bipartite:3,3)", "ring:6", "mesh:2x3", "xgft:2;3,2;1,2"}) {
    const OrderNetwork network = network_of(expression);
    const Order places = start_order(network, {});
    const auto hosts = static_cast<std::int32_t>(places.size());
    std::vector<OrderPattern> patterns{binomial_pattern(hosts), ring_pattern(hosts, 2),
                                       everyone_to_everyone(hosts), binomial_pattern(hosts - 2)};
    for (int i = 0; i < 20; ++i) patterns.push_back(random_pattern(hosts, rng));
    for (const OrderPattern& pattern : patterns)
      EXPECT_LE(least_hops(network, pattern, places), fewest(network, pattern, places))
          << expression;
  }
}

// Rank 0 of a binomial broadcast to 512 sends to nine others, of which eight can be one link away:
// 510 messages of one hop at most, and one of two.
TEST(LeastHops, counts_peers_beyond_the_neighbours) {
  const OrderNetwork network = network_of("hosts(1, random-regular:512,8,seed=1)");
  EXPECT_EQ(least_hops(network, binomial_pattern(512), 1), 512);
  EXPECT_EQ(least_hops(network, binomial_pattern(256), 1), 255);
}

// A star of four leaves on a ring, where two are one link away and two two links: 1 + 1 + 2 + 2.
TEST(LeastHops, is_exact_for_a_star_on_a_ring) {
  const OrderNetwork network = network_of("hosts(1, ring:5)");
  const OrderPattern star = pattern_of(5, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}});
  EXPECT_EQ(least_hops(network, star, 1), 6);
  EXPECT_EQ(fewest(network, star, start_order(network, {})), 6);
}

// A closed walk enters each switch that it visits: S crossings, not S - 1.
TEST(LeastHops, closes_rings) {
  EXPECT_EQ(least_hops(network_of("hosts(4, ring:6)"), ring_pattern(24, 3), 1), 6 * 3);
  EXPECT_EQ(least_hops(network_of("hosts(1, ring:9)"), ring_pattern(9, 2), 1), 9 * 2);
  EXPECT_EQ(least_hops(network_of("hosts(9, complete:2)"), ring_pattern(9, 2), 1), 0);
}

// Of N ranks on complete switches of k hosts each message to one of the N - k others is one hop.
TEST(LeastHops, is_exact_for_exchanges_on_complete_switches) {
  EXPECT_EQ(least_hops(network_of("hosts(3, complete:4)"), everyone_to_everyone(12), 1), 12 * 9);
}

// Allowed places alone count: four hosts of one switch, then one of each.
TEST(LeastHops, looks_at_the_places_that_may_be_used) {
  const OrderNetwork network = network_of("hosts(4, ring:4)");
  const OrderPattern tree = binomial_pattern(4);
  EXPECT_EQ(least_hops(network, tree, std::vector<std::int32_t>{0, 1, 2, 3}), 0);
  EXPECT_EQ(least_hops(network, tree, std::vector<std::int32_t>{0, 4, 8, 12}), 3);
}

}  // namespace
