// Comparisons go on without the algorithms whose exact price cannot be told.
#include "weft/advise/comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/network_on.hpp"
#include "support/prime_row.hpp"
#include "support/samples.hpp"
#include "weft/base/file.hpp"
#include "weft/base/numbers/fraction_sum.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/topology/registry.hpp"

namespace weft::advise {
namespace {

using test::large_primes;
using test::PrimeRow;

Network network_of(const char* expression) {
  const Fabric fabric(make_topology(expression),
                      {.bandwidth_Bps = 12'500'000'000, .latency_ps = 1'000'000});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
}

// Rows between which times are a straight line are not simulated; they are what simulating gives.
TEST(Comparison, has_the_times_of_every_size_simulated) {
  for (const char* expression : test::samples({"torus:4x4", "xgft:2;4,4;1,2", "kautz:3,2"})) {
    const Network network = network_of(expression);
    CompareOptions options{.effort = Effort::full};
    for (std::int64_t size_B = 64; size_B <= std::int64_t{1} << 24; size_B *= 2)
      options.sizes_B.push_back(size_B);
    options.sizes_B.push_back(1000003);  // blocks of it do not divide evenly
    const Collective collective = schedule::allreduce(network.ranks());
    const Comparison comparison = compare(collective, network, options);
    std::int64_t simulations = 0;
    for (const Contender& contender : comparison.contenders)
      simulations += contender.spent.simulations;
    if (network.ranks() == 16) {  // sizes are whole blocks
      EXPECT_LT(simulations, std::ssize(comparison.rows));
    }
    const auto last = static_cast<std::int32_t>(comparison.rows.size()) - 1;
    for (const std::int32_t row : test::samples_between(0, last)) {
      const ComparisonRow& found = comparison.rows[row];
      SCOPED_TRACE(fmt::format("{} {} {} B", expression,
                               comparison.contenders[found.contender].algorithm, found.size_B));
      const Comparison alone =
          compare(collective, network,
                  {.algorithms = {comparison.contenders[found.contender].algorithm},
                   .sizes_B = {found.size_B}});
      const simulation::SimulationResult& full = alone.rows.front().result;
      EXPECT_EQ(found.size_B,
                options.sizes_B[static_cast<std::size_t>(row) % options.sizes_B.size()]);
      EXPECT_NEAR(found.result.time_s, full.time_s, 1e-9 * full.time_s);
      EXPECT_NEAR(found.result.bus_bandwidth_Bps, full.bus_bandwidth_Bps,
                  1e-9 * full.bus_bandwidth_Bps);
      EXPECT_EQ(found.result.messages, full.messages);
      EXPECT_EQ(found.steps, alone.rows.front().steps);
      EXPECT_EQ(found.segments, alone.rows.front().segments);
    }
  }
}

// A message below the limit lets its sender go on at once, so times bend at any size.
TEST(Comparison, simulates_every_size_of_eager_messages) {
  const Network network = network_of("torus:4x4");
  const auto simulations = [&](std::int64_t eager_B) {
    CompareOptions options{.algorithms = {"ring"}, .effort = Effort::full};
    options.simulation.call.eager_B = eager_B;
    for (std::int64_t size_B = 1024; size_B <= std::int64_t{1} << 20; size_B *= 2)
      options.sizes_B.push_back(size_B);
    return compare(schedule::allreduce(16), network, options).contenders.front().spent.simulations;
  };
  EXPECT_LT(simulations(0), 11);
  EXPECT_EQ(simulations(4096), 11);
}

// Each size has the trees and the segments that suit it: nothing that can be asked for is faster by
// more than what the model that chooses leaves out.
TEST(Comparison, has_the_best_that_packing_can_do) {
  const Fabric fabric(make_topology("without(cable=0, torus:8x8)"),
                      {.bandwidth_Bps = 12'500'000'000, .latency_ps = 10'000'000});
  const Network torus{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric)};
  const Network rails = network_of("without(link=70, rail:boxes=4,gpus=4,spines=2)");
  struct Case {
    Collective collective;
    const Network& network;
    algorithm::OptionValues values;
  };
  for (const Case& each : test::samples({Case{schedule::allreduce(64), torus, {}},
                                         Case{{.kind = CollectiveKind::broadcast, .ranks = 16},
                                              rails,
                                              {{"depth", std::int64_t{8}}}}})) {
    CompareOptions options{.algorithms = {"packing"},
                           .sizes_B = test::samples({std::int64_t{1} << 12, std::int64_t{1} << 18,
                                                     std::int64_t{1} << 22, std::int64_t{1} << 27}),
                           .algorithm = {.values = each.values}};
    const Comparison chosen = compare(each.collective, each.network, options);
    for (const std::int64_t segments : test::samples({1, 2, 8, 64})) {
      options.algorithm.values["segments"] = segments;
      const Comparison given = compare(each.collective, each.network, options);
      for (std::size_t i = 0; i < options.sizes_B.size(); ++i)
        EXPECT_LE(chosen.rows[i].result.time_s, given.rows[i].result.time_s * 1.1)
            << options.sizes_B[i] << " bytes in " << segments;
    }
  }
}

TEST(Comparison, does_not_depend_on_the_number_of_threads) {
  const Network network = network_of("torus:4x4");
  CompareOptions options;
  for (std::int64_t size_B = 64; size_B <= 1 << 20; size_B *= 2) options.sizes_B.push_back(size_B);
  set_threads(1);
  const Comparison one = compare(schedule::allreduce(16), network, options);
  set_threads(4);
  const Comparison four = compare(schedule::allreduce(16), network, options);
  set_threads(0);
  ASSERT_EQ(one.rows.size(), four.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].result.time_s, four.rows[i].result.time_s);
    EXPECT_EQ(one.rows[i].best, four.rows[i].best);
  }
  for (std::size_t i = 0; i < one.contenders.size(); ++i)
    EXPECT_EQ(one.contenders[i].spent.simulations, four.contenders[i].spent.simulations);
}

// Each link has all of M in a step of its own; the first inner node sends at B.
TEST(Comparison, adds_up_steps_over_links_without_a_common_measure) {
  const Network network = PrimeRow(10).network();
  const Comparison comparison = compare(schedule::broadcast(11, Rank(0)), network,
                                        {.algorithms = {"chain"}, .sizes_B = {1024}});
  EXPECT_TRUE(comparison.dropped.empty());
  const std::vector<std::int64_t> primes = large_primes(10);
  FractionSum chain;
  for (const std::int64_t prime : primes) chain.add(Rational(primes[0] + primes[1], prime));
  EXPECT_EQ(comparison.contenders.front().cost.bandwidth_factor, chain.total());
}

// The product of 299 primes above 2^29 has more than 8,192 bits.
TEST(Comparison, drops_algorithms_whose_fractions_overflow) {
  const Network network = PrimeRow(299).network();
  const CompareOptions options{.algorithms = {"chain", "binomial", "knomial"},
                               .sizes_B = {1024, 4096}};
  const Comparison comparison = compare(schedule::broadcast(300, Rank(0)), network, options);
  ASSERT_EQ(comparison.dropped.size(), 1U);
  EXPECT_EQ(comparison.dropped[0].algorithm, "chain");
  EXPECT_NE(comparison.dropped[0].reason, "");
  ASSERT_EQ(comparison.contenders.size(), 2U);
  EXPECT_EQ(comparison.contenders[0].algorithm, "binomial");
  EXPECT_EQ(comparison.contenders[1].algorithm, "knomial");
  ASSERT_EQ(comparison.rows.size(), 4U);
  for (const ComparisonRow& row : comparison.rows) EXPECT_GT(row.result.time_s, 0);
  EXPECT_EQ(comparison.winners().size(), 2U);
}

// An own limit leaves out what is late and keeps the bounds, a caller's is thrown on.
TEST(Comparison, has_none_in_no_time) {
  const Network network = test::on("ring:4");
  const Collective collective = schedule::allgather(4);
  CompareOptions options{.algorithms = {"ring"}, .sizes_B = {1024}};
  options.time_limit_s = 0;
  const Comparison late = compare(collective, network, options);
  EXPECT_TRUE(late.contenders.empty());
  EXPECT_TRUE(late.out_of_time);
  EXPECT_FALSE(late.complete);
  EXPECT_EQ(late.bounds.greatest(), Rational(3, 4));  // all but the own block comes in
  options.time_limit_s = 1e6;
  EXPECT_TRUE(all_in_time(compare(collective, network, options).dropped));
  options.time_limit_s.reset();
  const TimeLimit none(0.0);
  EXPECT_THROW(compare(collective, network, options), OutOfTime);
}

TEST(Comparison, overflows_when_nothing_is_left) {
  const Network network = PrimeRow(299).network();
  EXPECT_THROW(compare(schedule::broadcast(300, Rank(0)), network,
                       {.algorithms = {"chain"}, .sizes_B = {1024}}),
               std::overflow_error);
}

// Meshes of uneven speeds, measured to the byte: many segments of each come within 1 % of T_B*, as
// (D + s - 1) / s and what rounding to a million trees takes do.
TEST(Comparison, has_packings_over_speeds_of_many_digits) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Rng rng(seed);
    const std::string path =
        fmt::format("{}/measured-{}-{}.edges", ::testing::TempDir(), seed, getpid());
    std::string text;
    const auto add = [&](int from, int to) {
      text += fmt::format("{} {} {}Bps\n", from, to, 5'000'000'001 + rng.below(20'000'000'000));
    };
    for (int node = 1; node < 10; ++node) add(node - 1, node);
    for (int node = 3; node < 10; ++node) add(node / 2, node);
    write_file(path, text);
    const Network network = test::on("file:" + path);
    std::remove(path.c_str());
    for (const Collective& collective :
         {schedule::allreduce(10), schedule::allgather(10), schedule::broadcast(10, Rank(0))}) {
      SCOPED_TRACE(fmt::format("seed {} {}", seed, schedule::name_of(collective.kind)));
      const Comparison comparison =
          compare(collective, network, {.algorithms = {"packing"}, .sizes_B = {1 << 30}});
      ASSERT_TRUE(comparison.dropped.empty());
      const Contender& packing = comparison.contenders.front();
      ASSERT_TRUE(packing.at_largest.has_value());
      const Cost& cost = packing.at_largest->cost;
      const Optimum best = evaluate::optimum(collective, network);
      ASSERT_TRUE(best.bandwidth_factor.has_value());
      const double segments = static_cast<double>(packing.at_largest->segments);
      const double times = (cost.bandwidth_factor / *best.bandwidth_factor).to_double();
      EXPECT_GE(cost.bandwidth_factor, *best.bandwidth_factor);
      EXPECT_LE(times, static_cast<double>(cost.steps) / segments * 1.001);
      EXPECT_LE(times, 1.02);
    }
  }
}

// On complete:16, with x = b / B: spread takes 1 + x and Bruck 4 (1 + 8 x) us, so that spread
// always wins; with a start-up of 1 us a message they take 16 + x and 4 (2 + 8 x), and Bruck wins
// up to x = 8/31 us, 3,225 bytes. One start-up a step changes nothing.
std::vector<std::string> names_in(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const Contender& each : comparison.contenders) names.push_back(each.algorithm);
  return names;
}

bool has(const Comparison& comparison, std::string_view name) {
  return std::ranges::count(names_in(comparison), name) == 1;
}

// Packed trees are among all that apply where they take a moment; else it is said how to add them.
// On a ring of five the shortest ways load all links alike; past a dead cable of a torus they do
// not.
TEST(Comparison, says_where_flows_alone_come_near_the_optimum) {
  const auto dropped = [](const char* expression, std::vector<std::string> names) {
    const Network network = test::on(expression);
    return compare(schedule::alltoall(network.ranks()), network,
                   {.algorithms = std::move(names), .sizes_B = {1 << 20}})
        .dropped;
  };
  EXPECT_TRUE(dropped("ring:5", {}).empty());
  const auto damaged = dropped("without(cable=3, torus:4x4)", {});
  ASSERT_EQ(damaged.size(), 1U);
  EXPECT_EQ(damaged[0].algorithm, "flow");
  EXPECT_EQ(damaged[0].remedy, "name it to include it: --algorithms all,flow");
  EXPECT_TRUE(dropped("without(cable=3, torus:4x4)", {"all", "flow"}).empty());
  EXPECT_TRUE(dropped("without(cable=3, torus:4x4)", {"spread"}).empty());
}

// As above, where no optimum is known: here none is looked for, as on large networks.
TEST(Comparison, says_what_flows_may_bring_where_the_optimum_is_not_known) {
  const auto dropped = [](const char* expression) {
    const Network network = test::on(expression);
    return compare(schedule::alltoall(network.ranks()), network,
                   {.sizes_B = {1 << 20}, .cuts = evaluate::Cuts::left_out})
        .dropped;
  };
  const auto damaged = dropped("without(cable=3, torus:4x4)");
  ASSERT_EQ(damaged.size(), 1U);
  EXPECT_EQ(damaged[0].algorithm, "flow");
  EXPECT_NE(damaged[0].reason.find("its T_B may be as low as "), std::string::npos)
      << damaged[0].reason;
  EXPECT_TRUE(dropped("ring:5").empty());
}

TEST(Comparison, takes_what_would_take_long_where_it_is_named) {
  const auto compared = [](const char* expression, std::vector<std::string> names) {
    const Network network = test::on(expression);
    return compare(schedule::allgather(network.ranks()), network,
                   {.algorithms = std::move(names), .sizes_B = {1 << 20}});
  };
  const Comparison small = compared("kautz:2,2", {});
  EXPECT_TRUE(has(small, "packing"));
  EXPECT_TRUE(small.dropped.empty());
  const Comparison large = compared("mesh:2x72", {});
  EXPECT_FALSE(has(large, "packing"));
  EXPECT_TRUE(has(large, "bfb"));
  ASSERT_EQ(large.dropped.size(), 1U);
  EXPECT_EQ(large.dropped[0].algorithm, "packing");
  EXPECT_EQ(large.dropped[0].remedy, "name it to include it: --algorithms all,packing");
  const Comparison added = compared("mesh:2x72", {"all", "packing"});
  EXPECT_TRUE(has(added, "packing"));
  EXPECT_TRUE(has(added, "bfb"));
  EXPECT_TRUE(added.dropped.empty());
  EXPECT_EQ(names_in(compared("kautz:2,2", {"ring", "packing"})),
            (std::vector<std::string>{"ring", "packing"}));
}

TEST(Comparison, says_who_wins_with_a_start_up) {
  const Fabric fabric(build_topology("complete:16"));
  const Network network{fabric,
                        topology::place(fabric.topology(), {}),
                        {},
                        network::make_routing("shortest", fabric)};
  CompareOptions options{.algorithms = {"spread", "bruck"}, .sizes_B = {1024, 2048, 4096, 1 << 20}};
  EXPECT_FALSE(compare(schedule::alltoall(16), network, options).startup_check);
  options.check_startup_ps = 1'000'000;
  const auto check = compare(schedule::alltoall(16), network, options).startup_check;
  ASSERT_TRUE(check);
  EXPECT_EQ(check->startup_ps, 1'000'000);
  const WinnerRange bruck{.first_B = 1024, .last_B = 2048, .contenders = {1}};
  EXPECT_EQ(check->changes, std::vector{bruck});
  options.sizes_B = {2048, 1 << 20, 1024, 4096};
  EXPECT_EQ(compare(schedule::alltoall(16), network, options).startup_check->changes,
            std::vector{bruck});

  const Network by_step = network.with_host({.startup_per = StartupPer::step});
  EXPECT_TRUE(compare(schedule::alltoall(16), by_step, options).startup_check->changes.empty());
  const Network given = network.with_host({.startup_ps = 1});
  EXPECT_FALSE(compare(schedule::alltoall(16), given, options).startup_check);
}

// At sizes one by one across the one where Bruck's start-ups and bytes take as long as spread's.
TEST(Comparison, names_no_winner_with_a_start_up_that_leads_by_less_than_2_percent) {
  const Fabric fabric(build_topology("complete:16"));
  const Network network{fabric,
                        topology::place(fabric.topology(), {}),
                        {},
                        network::make_routing("shortest", fabric)};
  CompareOptions options{.algorithms = {"spread", "bruck"}, .check_startup_ps = 1'000'000};
  for (std::int64_t size_B = 2048; size_B <= 4096; size_B += 32) options.sizes_B.push_back(size_B);
  const auto changes = compare(schedule::alltoall(16), network, options).startup_check->changes;
  options.effort = Effort::full;  // times, not bounds
  const Comparison started =
      compare(schedule::alltoall(16), network.with_host({.startup_ps = 1'000'000}), options);
  int close = 0, clear = 0;
  for (std::size_t i = 0; i < options.sizes_B.size(); ++i) {
    const std::int64_t size_B = options.sizes_B[i];
    const double spread_s = started.rows[i].result.time_s;
    const double bruck_s = started.rows[options.sizes_B.size() + i].result.time_s;
    const bool named = std::ranges::any_of(changes, [&](const WinnerRange& range) {
      return range.first_B <= size_B && size_B <= range.last_B;
    });
    EXPECT_EQ(named, spread_s > 1.02 * bruck_s) << size_B;
    close += !named && spread_s > 1.001 * bruck_s ? 1 : 0;
    clear += named ? 1 : 0;
  }
  EXPECT_GT(close, 0);
  EXPECT_GT(clear, 0);
}

// 25,440 messages in turn are not simulated. With x as above, spread takes 159 us of start-ups at
// least and 160 us + x at most, Bruck, 8 steps of 32 to 80 blocks, 8 (2 + 32 x) to 8 (2 + 80 x) us:
// less than 159 at 1 KiB, where x is 0.08 us, and the more at 16 MiB, where it is 1,342.
TEST(Comparison, says_who_wins_against_very_many_start_ups) {
  const Fabric fabric(build_topology("complete:160"));
  const Network network{fabric,
                        topology::place(fabric.topology(), {}),
                        {},
                        network::make_routing("shortest", fabric)};
  const CompareOptions options{
      .algorithms = {"spread", "bruck"}, .sizes_B = {1024, 1 << 24}, .check_startup_ps = 1'000'000};
  const WinnerRange bruck{.first_B = 1024, .last_B = 1024, .contenders = {1}};
  EXPECT_EQ(compare(schedule::alltoall(160), network, options).startup_check->changes,
            std::vector{bruck});
}

// What the check names is what a comparison with that start-up finds, where the winner changes.
TEST(Comparison, with_a_start_up_agrees_with_its_check) {
  for (const char* topology : {"torus:3x3", "xgft:2;4,3;1,2", "ring:8"}) {
    const Fabric fabric(build_topology(topology));
    const Network network{fabric,
                          topology::place(fabric.topology(), {}),
                          {},
                          network::make_routing("shortest", fabric)};
    for (const auto& collective :
         {schedule::alltoall(network.ranks()), schedule::allgather(network.ranks())}) {
      CompareOptions options{.sizes_B = {64, 1024, 16384, 262144}, .check_startup_ps = 1'000'000};
      const Comparison plain = compare(collective, network, options);
      const Comparison started =
          compare(collective, network.with_host({.startup_ps = 1'000'000}), options);
      for (const auto& change : plain.startup_check->changes)
        for (const ComparisonRow* row : started.winners())
          EXPECT_TRUE(row->size_B < change.first_B || row->size_B > change.last_B ||
                      std::ranges::count(change.contenders, row->contender) > 0)
              << topology << ", " << row->size_B;
    }
  }
}

}  // namespace
}  // namespace weft::advise
