// What a contest finds beside simulating everything, on networks drawn at random.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/evaluate/bounds/single_ranks.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/program/block_sizes.hpp"

namespace weft::advise {
namespace {

using test::on;

// So many where all samples are tried, else a few.
int networks(int all, int few) {
  return std::ssize(test::samples_between(1, all)) == all ? all : few;
}

// Of every kind, some with a dead cable.
std::string network_drawn(Rng& random) {
  const auto from = [&](std::int64_t least, std::int64_t most) {
    return least + random.below(most - least + 1);
  };
  const auto drawn = [&]() -> std::string {
    switch (from(0, 9)) {
      case 0:
        return fmt::format("ring:{}", from(3, 12));
      case 1:
        return fmt::format("torus:{}x{}", from(3, 5), from(3, 4));
      case 2:
        return fmt::format("2dfc:{}x{}", from(2, 4), from(2, 4));
      case 3:
        return fmt::format("kautz:{},2", from(2, 3));
      case 4:
        return fmt::format("hypercube:{}", from(2, 4));
      case 5:
        return fmt::format("random-regular:{},3,seed={}", 2 * from(3, 8), from(1, 9));
      case 6:
        return fmt::format("leaf-spine:leaves={},spines={},hosts={}", from(2, 4), from(2, 3),
                           from(2, 4));
      case 7:
        return fmt::format("rail:boxes={},gpus={},spines=2", from(2, 4), from(2, 4));
      case 8:
        return "dragonfly:a=2,p=2,h=1";
      default:
        return fmt::format("xgft:2;{},3;1,2", from(2, 4));
    }
  }();
  // Cables of ranks are the first.
  const bool has_spares = drawn.find('=') == std::string::npos && !drawn.starts_with("xgft");
  return has_spares && from(0, 2) == 0 ? fmt::format("without(cable=1, {})", drawn) : drawn;
}

CollectiveKind kind_drawn(Rng& random) {
  constexpr std::array kKinds{CollectiveKind::allreduce, CollectiveKind::alltoall,
                              CollectiveKind::allgather, CollectiveKind::broadcast};
  return kKinds[random.below(std::ssize(kKinds))];
}

// 2 B to 1 GiB.
std::vector<std::int64_t> sizes_drawn(Rng& random) {
  std::vector<std::int64_t> sizes_B{2, 3, 5};  // of fewer bytes than some buffers have units
  for (int i = 0; i < 3; ++i) sizes_B.push_back(6 + random.below(50));
  for (std::int64_t size_B = 8; size_B <= std::int64_t{1} << 30; size_B *= 8)
    sizes_B.push_back(size_B + random.below(2));
  return sizes_B;
}

// Rows that both know have one time; bounds lie below times; winners are the same.
void expect_as_by_full_effort(const Collective& collective, const Network& network,
                              CompareOptions options) {
  const Comparison found = compare(collective, network, options);
  options.effort = Effort::full;
  const Comparison full = compare(collective, network, options);
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(found.rows.size(), full.rows.size());
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const ComparisonRow &one = found.rows[row], &other = full.rows[row];
    SCOPED_TRACE(fmt::format("{} at {}", found.contenders[one.contender].algorithm, one.size_B));
    EXPECT_FALSE(other.is_bound);
    const double time_s = other.result.time_s;
    if (one.is_bound) {  // of several schedules none may have been simulated
      EXPECT_LE(one.result.time_s, time_s * (1 + 1e-9));
    } else {
      EXPECT_EQ(one.segments, other.segments);
      EXPECT_NEAR(one.result.time_s, time_s, 1e-9 * time_s);
    }
    EXPECT_EQ(one.best, other.best);
  }
}

TEST(EffortProperty, winners_are_those_of_full_effort) {
  const int count = networks(400, 30);
  Rng random(7);
  for (int i = 0; i < count; ++i) {
    const std::string expression = network_drawn(random);
    const Network network = on(expression);
    const Collective collective{.kind = kind_drawn(random), .ranks = network.ranks()};
    SCOPED_TRACE(fmt::format("{} on {}", name_of(collective.kind), expression));
    expect_as_by_full_effort(collective, network, {.sizes_B = sizes_drawn(random)});
  }
}

// Blocks of 0 to 100 parts of a common measure, a third of them empty.
TEST(EffortProperty, winners_of_unequal_blocks_are_those_of_full_effort) {
  constexpr std::array kUnequal{CollectiveKind::alltoall, CollectiveKind::allgather,
                                CollectiveKind::reduce_scatter};
  const int count = networks(60, 6);
  Rng random(19);
  for (int i = 0; i < count; ++i) {
    const std::string expression = network_drawn(random);
    const Network network = on(expression);
    const Collective collective{.kind = kUnequal[random.below(3)], .ranks = network.ranks()};
    std::vector<std::int64_t> sizes{100};
    while (std::ssize(sizes) < collective.blocks())
      sizes.push_back(random.below(3) == 0 ? 0 : random.below(100));
    random.shuffle(sizes);
    const auto blocks = std::make_shared<const BlockSizes>(sizes);
    SCOPED_TRACE(fmt::format("{} on {}", name_of(collective.kind), expression));
    std::vector<std::int64_t> sizes_B = sizes_drawn(random);
    for (int k = 10; k < 14; ++k) sizes_B.push_back(blocks->total() << k);  // whole bytes
    expect_as_by_full_effort(collective, network, {.sizes_B = sizes_B, .blocks = blocks});
  }
}

// The time of the fastest at a size.
double winner_s(const Comparison& comparison, std::int64_t size_B) {
  double least_s = std::numeric_limits<double>::infinity();
  for (const ComparisonRow& row : comparison.rows)
    if (row.best && row.size_B == size_B) least_s = std::min(least_s, row.result.time_s);
  return least_s;
}

// Whatever the budget, a size that is not called open has its winner, or one as fast.
TEST(EffortProperty, winners_of_sizes_that_are_not_open_are_those_of_full_effort) {
  const int count = networks(100, 6);
  Rng random(17);
  for (int i = 0; i < count; ++i) {
    const std::string expression = network_drawn(random);
    const Network network = on(expression);
    const Collective collective{.kind = kind_drawn(random), .ranks = network.ranks()};
    CompareOptions options{.sizes_B = sizes_drawn(random)};
    options.effort = Effort::full;
    const Comparison full = compare(collective, network, options);
    options.effort = Effort::winners;
    for (const std::int64_t most_work : {300, 3'000, 30'000}) {
      options.most_work = most_work;
      const Comparison found = compare(collective, network, options);
      SCOPED_TRACE(
          fmt::format("{} on {}, {} of work", name_of(collective.kind), expression, most_work));
      EXPECT_EQ(found.complete, found.open_sizes_B.empty());
      for (std::size_t row = 0; row < found.rows.size(); ++row) {
        if (found.is_open(found.rows[row].size_B)) continue;
        // Another schedule of an algorithm, with fewer messages, may be faster than the one that
        // full effort times.
        const std::int64_t size_B = found.rows[row].size_B;
        if (found.rows[row].best == full.rows[row].best) continue;
        EXPECT_LE(winner_s(found, size_B), winner_s(full, size_B) * 1.001)
            << found.contenders[found.rows[row].contender].algorithm << " at " << size_B;
      }
    }
  }
}

// As of a step of half a million messages: bounds enclose the time, and tell the winner.
TEST(EffortProperty, winners_by_bounds_of_one_step_are_those_of_full_effort) {
  const int count = networks(200, 10);
  Rng random(19);
  int bounded = 0;
  for (int i = 0; i < count; ++i) {
    const std::string expression = network_drawn(random);
    const Network network = on(expression);
    const Collective collective{.kind = CollectiveKind::alltoall, .ranks = network.ranks()};
    CompareOptions options{.sizes_B = sizes_drawn(random)};
    options.sizes_B.push_back(0);
    options.effort = Effort::full;
    const Comparison full = compare(collective, network, options);
    options.effort = Effort::winners;
    options.simulation.many_messages = 1;
    const Comparison found = compare(collective, network, options);
    SCOPED_TRACE(expression);
    for (std::size_t row = 0; row < found.rows.size(); ++row) {
      const simulation::SimulationResult& one = found.rows[row].result;
      const double time_s = full.rows[row].result.time_s;
      SCOPED_TRACE(fmt::format("{} at {}", found.contenders[found.rows[row].contender].algorithm,
                               found.rows[row].size_B));
      EXPECT_LE(one.lower_s(), time_s * (1 + 1e-9));
      if (!found.rows[row].is_bound) {
        EXPECT_GE(one.time_s, time_s * (1 - 1e-9));
      }
      bounded += one.least_s > 0 ? 1 : 0;
      if (!found.rows[row].best || found.is_open(found.rows[row].size_B)) continue;
      for (const ComparisonRow& other : full.rows) {
        if (other.size_B != found.rows[row].size_B || !other.best) continue;
        EXPECT_LE(time_s, other.result.time_s * (1 + 2 * kTie));
      }
    }
  }
  EXPECT_GT(bounded, count);
}

TEST(EffortProperty, single_ranks_take_no_longer_than_a_simulation) {
  const int count = networks(1250, 25);
  Rng random(11);
  for (int i = 0; i < count; ++i) {
    const std::string expression = network_drawn(random);
    const Network network = on(expression);
    const Collective collective{.kind = kind_drawn(random), .ranks = network.ranks()};
    const std::int64_t size_B = std::int64_t{1} << (3 + random.below(22));
    for (const algorithm::Algorithm* each : algorithm::applicable(collective, &network)) {
      const Candidate candidate = make_candidate(*each, collective, network, {});
      const Verified verified = candidate.for_size(size_B);
      const auto program =
          lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)});
      const double time_s = simulation::simulate(program, network).time_s;
      EXPECT_LE(evaluate::single_ranks_time(program, network).time_s, time_s * (1 + 1e-9))
          << each->name << " of " << name_of(collective.kind) << " on " << expression;
    }
  }
}

TEST(Effort, does_not_depend_on_threads_where_the_work_is_limited) {
  const Network network = on("leaf-spine:leaves=4,spines=2,hosts=4,uplinks=2");
  Rng random(3);
  CompareOptions options{.sizes_B = sizes_drawn(random)};
  for (const std::int64_t most_work : {500, 5'000, 50'000, 500'000}) {
    options.most_work = most_work;
    set_threads(1);
    const Comparison one = compare(schedule::allreduce(16), network, options);
    set_threads(8);
    const Comparison eight = compare(schedule::allreduce(16), network, options);
    set_threads(0);
    EXPECT_EQ(one.complete, eight.complete);
    for (std::size_t row = 0; row < one.rows.size(); ++row) {
      EXPECT_EQ(one.rows[row].is_bound, eight.rows[row].is_bound);
      EXPECT_EQ(one.rows[row].result.time_s, eight.rows[row].result.time_s);
    }
  }
}

TEST(Effort, without_work_has_bounds_alone) {
  const Network network = on("torus:4x4");
  const Comparison none =
      compare(schedule::allreduce(16), network, {.sizes_B = {1024, 1 << 20}, .most_work = 0});
  EXPECT_FALSE(none.complete);
  EXPECT_TRUE(none.winner_ranges().empty());
  EXPECT_TRUE(none.winners().empty());
  for (const ComparisonRow& row : none.rows) EXPECT_TRUE(row.is_bound);
  // 2 (N - 1) / N of the buffer leave each rank by four links of 12.5 GB/s.
  EXPECT_GE(std::ranges::min_element(none.rows, {},
                                     [](const ComparisonRow& row) {
                                       return row.size_B < 1 << 20 ? 1 : row.result.time_s;
                                     })
                ->result.time_s,
            0.999 * 2 * 15 / 16.0 * (1 << 20) / 50e9);
}

TEST(Effort, is_auto_or_full) {
  EXPECT_EQ(parse_effort("auto"), Effort::winners);
  EXPECT_EQ(parse_effort("full"), Effort::full);
  EXPECT_THROW(parse_effort("half"), InvalidInput);
}

}  // namespace
}  // namespace weft::advise
