// Rank orders: deltas against whole evaluations, searches against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "search/order/binomial_pattern.hpp"
#include "search/random_moves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/search/order_objectives.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/registry.hpp"

namespace {

using weft::Fabric;
using weft::LinkSpeed;
using weft::Rng;
using weft::test::binomial_pattern;
using namespace weft::search;

Fabric fabric_of(const std::string& expression) {
  return Fabric(weft::topology::build_topology(expression));
}

// The tree in the words of its definition: rank r sends to r + 2^k for 2^k below r's lowest bit.
std::int64_t naive_hops(const OrderNetwork& network, const Order& order, int ranks) {
  std::int64_t sum = 0;
  for (int r = 0; r < ranks; ++r)
    for (int bit = 1; r + bit < ranks && (r == 0 || r % (2 * bit) == 0); bit *= 2)
      sum += network.hops(network.switch_of(order[r]), network.switch_of(order[r + bit]));
  return sum;
}

void expect_hosts_kept(const Order& order, const Order& start) {
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), start.begin(), start.end()));
}

TEST(OrderMove, source_and_inverse_describe_rearrange) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round)
    for (const OrderMove& move : random_moves(rng, 9)) {
      Order order(9);
      std::iota(order.begin(), order.end(), 0);
      rearrange(move, order);
      for (std::int32_t p = 0; p < 9; ++p) EXPECT_EQ(order[p], move.source(p));
      rearrange(move.inverse(), order);
      EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    }
}

// Also with spare hosts, several hosts a switch, one-way links and cores.
TEST(HopObjective, deltas_equal_whole_evaluations) {
  struct Case {
    const char* expression;
    int ranks, cores;
  };
  for (const auto& [expression, ranks, cores] :
       {Case{"hosts(1, random-regular:16,3,seed=2)", 16, 1}, Case{"hosts(3, torus:3x3)", 20, 1},
        Case{"hosts(2, uniring:5)", 9, 1}, Case{"hosts(1, ring:6)", 15, 3}}) {
    const OrderNetwork network(fabric_of(expression));
    Order order = start_order(network, {.policy = "random", .cores = cores, .seed = 5});
    HopObjective objective(network, order, binomial_pattern(ranks));
    Rng rng(11);
    for (int round = 0; round < 300; ++round)
      for (const OrderMove& move : random_moves(rng, static_cast<std::int32_t>(order.size()))) {
        const double before = objective.value(), delta = objective.delta(move);
        objective.accept(move);
        rearrange(move, order);
        ASSERT_EQ(objective.order(), order);
        ASSERT_EQ(objective.hops(), naive_hops(network, order, ranks)) << expression;
        ASSERT_EQ(objective.value(), before + delta);
      }
  }
}

TEST(EvaluatedObjective, deltas_equal_whole_evaluations) {
  const OrderNetwork network(fabric_of("hosts(2, torus:3x3)"));
  Order order = start_order(network, {});
  const OrderPattern pattern = binomial_pattern(17, 65536);
  const auto cost = [&](std::span<const std::int32_t> o) {
    return makespan_s(network, o, pattern, {});
  };
  EvaluatedObjective objective(cost, order);
  Rng rng(4);
  for (int round = 0; round < 100; ++round)
    for (const OrderMove& move : random_moves(rng, 18)) {
      const double before = objective.value(), delta = objective.delta(move);
      if (round % 2 == 0) static_cast<void>(objective.delta({}));  // accept after another delta
      objective.accept(move);
      rearrange(move, order);
      ASSERT_EQ(objective.order(), order);
      ASSERT_EQ(objective.value(), cost(order));
      ASSERT_NEAR(objective.value(), before + delta, 1e-15);
    }
}

// ring:3 switches, two ranks 0 -> 1 one hop apart: terminal, switch link, terminal = 3 us, and
// 12,500 B at 12.5 GB/s = 1 us. The third rank (2) is sent to first, then 1: 4 us + 4 us. A
// start-up of 0.5 us counts twice at the root.
TEST(Makespan, adds_latency_transmission_and_start_up_in_turn) {
  const OrderNetwork network(fabric_of("hosts(1, ring:3)"));
  const std::vector<std::int32_t> order{0, 1, 2};
  EXPECT_NEAR(makespan_s(network, order, binomial_pattern(2, 12'500), {}), 4e-6, 1e-12);
  EXPECT_NEAR(makespan_s(network, order, binomial_pattern(3, 12'500), {}), 8e-6, 1e-12);
  EXPECT_NEAR(makespan_s(network, order, binomial_pattern(3, 12'500), {.startup_s = 5e-7}), 9e-6,
              1e-12);
}

// Three messages of one step over three links of 1 us each. Of 0 B they wait for start-ups alone:
// the third begins at 1 us and takes 0.5 + 3, and 0.25 at the receiver. 12,500 B keep the host's
// link busy for 1 us: the third begins at 2 us and takes 0.5 + 3 + 1.
TEST(Makespan, starts_the_messages_of_a_step_one_after_the_other) {
  const OrderNetwork network(fabric_of("hosts(1, complete:4)"));
  const std::vector<std::int32_t> order{0, 1, 2, 3};
  const auto of = [](std::int64_t bytes) {
    const std::vector<OrderMessage> messages{{0, 1, bytes}, {0, 2, bytes}, {0, 3, bytes}};
    const std::vector<std::size_t> first{0, 3};
    return OrderPattern(4, messages, first);
  };
  const SendCost cost{.startup_s = 5e-7, .receive_s = 2.5e-7};
  EXPECT_NEAR(makespan_s(network, order, of(0), cost), 1e-6 + 3.5e-6 + 0.25e-6, 1e-12);
  EXPECT_NEAR(makespan_s(network, order, of(12'500), cost), 2e-6 + 4.5e-6 + 0.25e-6, 1e-12);
  const SendCost together{.startup_s = 5e-7, .receive_s = 2.5e-7, .per = weft::StartupPer::step};
  EXPECT_NEAR(makespan_s(network, order, of(0), together), 3.5e-6 + 0.25e-6, 1e-12);
}

// Between neighbours a message passes two switches: 2 * 100 ns more.
TEST(SwitchDelay, counts_for_each_switch_on_the_way) {
  const OrderNetwork network(with_switch_delay(fabric_of("hosts(1, ring:3)"), 100'000));
  EXPECT_NEAR(network.send_s(0, 1, 0), 3.2e-6, 1e-12);
}

std::int64_t brute_force(const OrderNetwork& network, int ranks) {
  Order order = start_order(network, {});
  std::sort(order.begin(), order.end());
  std::int64_t best = naive_hops(network, order, ranks);
  while (std::next_permutation(order.begin(), order.end()))
    best = std::min(best, naive_hops(network, order, ranks));
  return best;
}

TEST(OrderSearch, finds_the_optimum_of_tiny_networks) {
  for (const char* expression : {"hosts(1, ring:7)", "hosts(2, ring:4)", "hosts(1, uniring:6)",
                                 "hosts(1, mesh:2x4)", "hosts(2, mesh:4)"}) {
    const OrderNetwork network(fabric_of(expression));
    const auto best = static_cast<double>(brute_force(network, network.hosts()));
    for (const OrderMethod method : {OrderMethod::two_opt, OrderMethod::anneal}) {
      HopObjective objective(network, start_order(network, {}), binomial_pattern(network.hosts()));
      const OrderResult found = search_order(
          objective,
          {.method = method, .moves = OrderMoves::both, .attempts = 3000, .restarts = 8});
      EXPECT_EQ(found.value, best) << expression;
    }
  }
}

TEST(OrderSearch, keeps_hosts_and_value_and_depends_on_the_seed_alone) {
  const OrderNetwork network(fabric_of("hosts(2, random-regular:16,4,seed=1)"));
  const Order start = start_order(network, {.policy = "blocks"});
  for (const OrderMethod method : {OrderMethod::two_opt, OrderMethod::anneal})
    for (const RootHost root : {RootHost::free, RootHost::fixed}) {
      const OrderSearchOptions options{.method = method, .root = root, .attempts = 5000, .seed = 9};
      HopObjective first(network, start, binomial_pattern(30)),
          second(network, start, binomial_pattern(30));
      const OrderResult a = search_order(first, options), b = search_order(second, options);
      EXPECT_EQ(a.order, b.order);
      EXPECT_EQ(a.accepted, b.accepted);
      EXPECT_EQ(first.order(), a.order);
      EXPECT_EQ(a.value, static_cast<double>(naive_hops(network, a.order, 30)));
      EXPECT_LE(a.value, a.start_value);
      expect_hosts_kept(a.order, start);
      if (root == RootHost::fixed) {
        EXPECT_EQ(a.order[0], start[0]);
      }
    }
}

// Of the six orders of three hosts only one that goes round is better than the start; the other and
// the three that a swap or reversal reaches are worse, so that two-opt stays where it is.
TEST(OrderSearch, cycles_of_three_find_what_no_swap_does) {
  for (const Order& best : {Order{2, 0, 1}, Order{1, 2, 0}}) {
    const auto cost = [&](std::span<const std::int32_t> order) {
      return std::ranges::equal(order, best) ? 0.0 : std::ranges::is_sorted(order) ? 1.0 : 2.0;
    };
    for (const OrderMoves moves : {OrderMoves::reversal, OrderMoves::swap, OrderMoves::both}) {
      EvaluatedObjective objective(cost, {0, 1, 2});
      EXPECT_EQ(search_order(objective, {.moves = moves, .attempts = 500}).value, 1)
          << name_of(moves);
    }
    EvaluatedObjective objective(cost, {0, 1, 2});
    const OrderResult found =
        search_order(objective, {.moves = OrderMoves::cycle, .attempts = 500});
    EXPECT_EQ(found.value, 0);
    EXPECT_EQ(found.order, best);
  }
}

// A TimeLimit that comes while an order is judged ends the search: the best order that was judged
// before is found, with its value, and the objective has it too.
TEST(OrderSearch, ends_with_the_time_limit_of_its_caller) {
  Order start(12);
  std::iota(start.begin(), start.end(), 0);
  std::ranges::reverse(start);
  const auto inversions = [](std::span<const std::int32_t> order) {
    double count = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j) count += order[i] > order[j] ? 1 : 0;
    return count;
  };
  for (const OrderMethod method : {OrderMethod::two_opt, OrderMethod::anneal})
    for (const int in_time : {1, 2, 3, 30, 70, 90}) {
      int judged = 0;
      EvaluatedObjective objective(
          [&](std::span<const std::int32_t> order) {
            if (++judged > in_time) throw weft::OutOfTime();
            return inversions(order);
          },
          start);
      const OrderResult found = search_order(objective, {.method = method, .attempts = 1000});
      EXPECT_EQ(judged > in_time, true) << in_time;
      expect_hosts_kept(found.order, start);
      EXPECT_EQ(found.value, inversions(found.order)) << name_of(method) << " " << in_time;
      EXPECT_LE(found.value, found.start_value);
      EXPECT_EQ(objective.order(), found.order) << name_of(method) << " " << in_time;
    }
}

// Estimates tell which moves are no worse. The time is up before any order is judged by more than
// these: what they led to is found, with the least value that is sure.
TEST(OrderSearch, keeps_what_estimates_told_before_the_time_limit) {
  const auto place_of_2 = [](std::span<const std::int32_t> order) {
    return static_cast<double>(std::ranges::find(order, 2) - order.begin());
  };
  int judged = 0;
  EvaluatedObjective objective(
      [&](std::span<const std::int32_t> order) {
        if (++judged > 1) throw weft::OutOfTime();
        return place_of_2(order);
      },
      {0, 1, 3, 4, 2},
      [&](std::span<const std::int32_t> order, double) {
        const double place = place_of_2(order), off = place < 4 ? 0.5 : 0;
        return CostRange{place - off, place + off};
      });
  // From 4 a move to 3 or less is sure to be no worse, and what does not move 2 is not.
  const OrderResult found = search_order(objective, {.moves = OrderMoves::swap, .attempts = 1000});
  EXPECT_LT(place_of_2(found.order), 4);
  EXPECT_GE(found.value, place_of_2(found.order));
  EXPECT_LE(found.value, found.start_value);
  EXPECT_EQ(objective.order(), found.order);
}

TEST(OrderSearch, ends_when_its_caller_has_enough) {
  int judged = 0;
  EvaluatedObjective objective(
      [&](std::span<const std::int32_t> order) {
        ++judged;
        return static_cast<double>(order[0]);
      },
      {2, 1, 0});
  search_order(objective, {.attempts = 1000, .is_enough = [&] { return judged >= 10; }});
  EXPECT_LE(judged, 12);  // one more for what was found
}

// 64 switches of degree 8: every message can be one hop, 63 in all (a spanning binomial tree).
TEST(OrderSearch, annealing_meets_the_bound_where_two_opt_does_not) {
  const OrderNetwork network(fabric_of("hosts(1, random-regular:64,8,seed=1)"));
  EXPECT_EQ(least_hops(network, binomial_pattern(64), 1), 63);
  HopObjective two_opt(network, start_order(network, {}), binomial_pattern(64));
  HopObjective annealed(network, start_order(network, {}), binomial_pattern(64));
  EXPECT_GT(search_order(two_opt, {.attempts = 1000, .floor = 63}).value, 80);
  EXPECT_EQ(
      search_order(annealed, {.method = OrderMethod::anneal, .attempts = 3'000'000, .floor = 63})
          .value,
      63);
}

TEST(LeastHops, counts_the_switches_that_ranks_need) {
  const OrderNetwork network(fabric_of("hosts(4, torus:3x3)"));
  EXPECT_EQ(least_hops(network, binomial_pattern(36), 1), 8);
  EXPECT_EQ(least_hops(network, binomial_pattern(9), 1), 2);
  EXPECT_EQ(least_hops(network, binomial_pattern(9), 2), 1);
  EXPECT_EQ(least_hops(network, binomial_pattern(1), 1), 0);
}

TEST(StartOrder, every_policy_holds_every_host_as_often_as_it_has_cores) {
  const OrderNetwork network(fabric_of("hosts(3, random-regular:12,3,seed=4)"));
  const Order linear = start_order(network, {.cores = 2});
  EXPECT_EQ(linear.size(), 72u);
  for (const char* policy : {"random", "bfs", "blocks", "metis"})
    expect_hosts_kept(start_order(network, {.policy = policy, .cores = 2}), linear);
  EXPECT_EQ(order_from_hosts(network, std::vector<std::int32_t>{5, 3}, 1)[1], 3);
  for (const char* policy : {"linear", "random", "bfs", "blocks", "metis"})
    expect_hosts_kept(start_order(network, {.policy = policy, .cores = 2, .hosts = {30, 7, 8, 1}}),
                      {1, 1, 7, 7, 8, 8, 30, 30});
  EXPECT_EQ(order_from_hosts(network, std::vector<std::int32_t>{5, 3}, 1,
                             std::vector<std::int32_t>{3, 4, 5}),
            (Order{5, 3, 4}));
  EXPECT_THROW(order_from_hosts(network, std::vector<std::int32_t>{6}, 1,
                                std::vector<std::int32_t>{3, 4, 5}),
               weft::InvalidInput);
  expect_hosts_kept(order_from_hosts(network, std::vector<std::int32_t>{5, 5, 3}, 2), linear);
}

// A mesh of 16 x 2 in two halves of 8 x 2 loses 2 of its 46 cables; the linear order cuts 16.
TEST(StartOrder, metis_cuts_where_few_links_are) {
  const OrderNetwork network(fabric_of("hosts(1, mesh:16x2)"));
  const auto cut = [&](const Order& order) {
    const std::set<std::int32_t> lower(order.begin(), order.begin() + 16);
    int links = 0;
    for (const std::int32_t host : lower)
      for (const std::int32_t other : network.neighbors(network.switch_of(host)))
        links += lower.contains(other) ? 0 : 1;  // one host a switch, in the same numbers
    return links;
  };
  EXPECT_EQ(cut(start_order(network, {})), 16);
  const Order order = start_order(network, {.policy = "metis"});
  EXPECT_EQ(cut(order), 2);
  EXPECT_EQ(order, start_order(network, {.policy = "metis"}));
}

TEST(StartOrder, metis_serves_every_size_and_many_cores) {
  for (const char* expression : {"hosts(1, ring:3)", "hosts(5, ring:3)", "hosts(1, complete:2)",
                                 "hosts(2, random-regular:48,5,seed=7)"}) {
    const OrderNetwork network(fabric_of(expression));
    const Order order = start_order(network, {.policy = "metis", .cores = 3, .seed = 4});
    expect_hosts_kept(order, start_order(network, {.cores = 3}));
  }
}

// Hosts are their own switches where there are none: torus:4x4 is as hosts(1, torus:4x4) without
// the terminal links.
TEST(OrderNetwork, serves_hosts_that_are_linked_directly) {
  const OrderNetwork direct(fabric_of("torus:4x4")), attached(fabric_of("hosts(1, torus:4x4)"));
  EXPECT_EQ(direct.switches(), 16);
  for (std::int32_t a = 0; a < 16; ++a)
    for (std::int32_t b = 0; b < 16; ++b) EXPECT_EQ(direct.hops(a, b), attached.hops(a, b));
  EXPECT_NEAR(direct.send_s(0, 1, 12'500), 2e-6, 1e-12);  // 1 us of latency, 1 us at 12.5 GB/s
  EXPECT_NEAR(direct.sending_seconds_per_byte(0), 0.02e-9, 1e-15);  // four links of 12.5 GB/s
}

// Two boxes of two hosts: host i of each on rail i (nodes 4, 5), the rails on one spine (node 6),
// the hosts of a box on a switch of their own (nodes 7, 8).
TEST(OrderNetwork, serves_hosts_on_several_switches) {
  weft::topology::TopologyBuilder builder(9);
  for (int node = 4; node < 9; ++node)
    builder.set_kind(weft::NodeId(node), weft::topology::NodeKind::switch_node);
  for (const auto& [a, b] :
       {std::pair(0, 4), {1, 5}, {2, 4}, {3, 5}, {4, 6}, {5, 6}, {0, 7}, {1, 7}, {2, 8}, {3, 8}})
    builder.add_cable(weft::NodeId(a), weft::NodeId(b));
  const OrderNetwork network(Fabric(weft::topology::BuiltTopology{
      std::move(builder).build(weft::topology::parse_expression("file:rails.json")), {}}));
  const auto hops = [&](std::int32_t a, std::int32_t b) {
    return network.hops(network.switch_of(a), network.switch_of(b));
  };
  EXPECT_EQ(hops(0, 1), 0);                                // in a box
  EXPECT_EQ(hops(0, 2), 0);                                // on a rail
  EXPECT_EQ(hops(0, 3), 2);                                // rail, spine, rail
  EXPECT_NEAR(network.send_s(0, 3, 12'500), 5e-6, 1e-12);  // 4 links of 1 us, 1 us at 12.5 GB/s
  EXPECT_NEAR(network.send_s(0, 1, 0), 2e-6, 1e-12);
}

TEST(OrderSearch, refuses_what_makes_no_sense) {
  const OrderNetwork parted(fabric_of("without(cable=0, cable=2, ring:4)"));
  const std::vector<std::int32_t> all{0, 1, 2, 3}, part{0, 2, 3};  // 1 alone
  EXPECT_THROW(parted.require_connected(all, "parted"), weft::InvalidInput);
  EXPECT_NO_THROW(parted.require_connected(part, "parted"));
  const OrderNetwork network(fabric_of("hosts(1, ring:4)"));
  const Order start = start_order(network, {});
  EXPECT_THROW(HopObjective(network, start, binomial_pattern(5)), weft::InvalidInput);
  EXPECT_THROW(binomial_pattern(0), weft::InvalidInput);
  HopObjective objective(network, start, binomial_pattern(4));
  EXPECT_THROW(search_order(objective, {.attempts = 0}), weft::InvalidInput);
  EXPECT_THROW(search_order(objective, {.restarts = 0}), weft::InvalidInput);
  EXPECT_THROW(start_order(network, {.policy = "spiral"}), weft::InvalidInput);
  EXPECT_THROW(start_order(network, {.cores = 0}), weft::InvalidInput);
  EXPECT_THROW(order_from_hosts(network, std::vector<std::int32_t>{1, 1}, 1), weft::InvalidInput);
  EXPECT_THROW(parse_order_method("three-opt"), weft::InvalidInput);
}

// One place: nothing to move.
TEST(OrderSearch, leaves_a_single_host_alone) {
  const OrderNetwork network(fabric_of("hosts(1, ring:3)"));
  HopObjective objective(network, start_order(network, {}), binomial_pattern(1));
  EXPECT_EQ(search_order(objective, {.method = OrderMethod::anneal, .attempts = 100}).value, 0);
}

}  // namespace
