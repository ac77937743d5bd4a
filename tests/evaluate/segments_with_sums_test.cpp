// The number of segments where ranks add up what they receive.
//
// Letters of the comments: L = 1 us a link, m = the time of all bytes on a link of 12.5 GB/s, a =
// the time to add them all up, s segments.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/segments/costs_by_segments.hpp"
#include "weft/schedule/segments/pipeline_sums.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

constexpr std::int64_t kSize_B = 1'500'000;  // m = 120 us

Network network(std::string_view expression, const HostParameters& host = {}) {
  const Fabric fabric(build_topology(expression));
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing("auto", fabric)};
}

HostParameters adding(std::int64_t reduce_Bps) {
  HostParameters host;
  host.reduce_bandwidth_Bps = reduce_Bps;
  return host;
}

Verified reduce_down_a_chain(const Network& path) {
  return schedule::verify_own(
      algorithm::build_schedule("chain", schedule::reduce(path.ranks()), &path));
}

double simulated_s(const Verified& verified, std::int64_t segments, std::int64_t size_B,
                   const Network& network) {
  return simulation::simulate(lower(verified.with_segments(segments), {.size_B = size_B}), network)
      .time_s;
}

// Sums of one segment overlap with the next one's way, since nobody waits for those that it sends
// to. The first segment takes 7 (L + (m + a) / s), each other one L + m / s or a / s, whichever is
// longer. Without sums sqrt(6 m / L) = 26.8 is best. Where links are slower, sqrt((6 m + 7 a) / L):
// with a = m 39.5. With a = 2 m sums are the slower ones up to s = 120, so more segments gain up to
// there and lose from there on.
TEST(SegmentsWithSums, overlap_down_a_chain) {
  const Network path = network("mesh:8");
  const Verified chain = reduce_down_a_chain(path);
  EXPECT_EQ(SegmentChooser(chain, path).best(kSize_B), 27);
  const std::int64_t equal =
      SegmentChooser(chain, path.with_host(adding(12'500'000'000))).best(kSize_B);
  EXPECT_TRUE(equal == 39 || equal == 40) << equal;
  EXPECT_EQ(SegmentChooser(chain, path.with_host(adding(6'250'000'000))).best(kSize_B), 120);
}

TEST(SegmentsWithSums, have_the_time_of_the_formula_down_a_chain) {
  const Network path = network("mesh:8", adding(12'500'000'000));
  const SegmentChooser::Choice choice =
      SegmentChooser(reduce_down_a_chain(path), path).choose(kSize_B);
  const auto s = static_cast<double>(choice.segments);
  EXPECT_NEAR(choice.whole_s(), 1e-6 * (7 * (1 + 240 / s) + (s - 1) * (1 + 120 / s)), 1e-12);
}

// Two ranks that send each other half of the data wait for each other's sums: s segments take s (L
// + (m + a) / 2 s), so one is best.
TEST(SegmentsWithSums, do_not_overlap_where_ranks_wait_for_each_other) {
  const Network pair = network("complete:2", adding(1'250'000'000));
  schedule::ScheduleBuilder builder(schedule::reduce_scatter(2));
  builder.at(0).send(Agent(0), Agent(1), builder.block(1), schedule::Arrival::reduce);
  builder.at(0).send(Agent(1), Agent(0), builder.block(0), schedule::Arrival::reduce);
  const Verified swap = schedule::verify_own(std::move(builder).build());
  const std::array links_s{1.0};
  const schedule::PipelineSums sums = schedule::pipeline_sums(swap.schedule(), pair, links_s, 1);
  EXPECT_EQ(sums.first, 0.5);
  EXPECT_EQ(sums.busiest, 0.5);
  ASSERT_FALSE(sums.cycles.empty());
  for (const schedule::PipelineSums::Cycle& cycle : sums.cycles) {
    EXPECT_EQ(cycle.steps, 1);
    EXPECT_EQ(cycle.links, 1);
    EXPECT_EQ(cycle.sums, 0.5);
  }
  EXPECT_EQ(SegmentChooser(swap, pair).best(2 * kSize_B), 1);
}

// Rank 0 adds up what 1 sends while it sends back what it added up before: two steps of the two
// ranks have one sum. Where sums take longer than both, rank 0 is never idle.
TEST(SegmentsWithSums, take_the_mean_of_a_cycle_of_waits) {
  const Network pair = network("complete:2", adding(1'250'000'000));
  schedule::ScheduleBuilder builder(schedule::allreduce(2));
  builder.at(0).send(Agent(1), Agent(0), builder.everything(), schedule::Arrival::reduce);
  builder.at(1).send(Agent(0), Agent(1), builder.everything());
  const Verified there_and_back = schedule::verify_own(std::move(builder).build());
  const std::array links_s{1.0, 1.0};
  const schedule::PipelineSums sums =
      schedule::pipeline_sums(there_and_back.schedule(), pair, links_s, 1);
  EXPECT_EQ(sums.first, 1);
  EXPECT_EQ(sums.busiest, 1);
  ASSERT_EQ(sums.cycles.size(), 3U);
  EXPECT_EQ(sums.cycles[0].links, 1);  // sums of 0.3 links
  EXPECT_EQ(sums.cycles[0].sums, 0.5);
  EXPECT_EQ(sums.cycles[1].links, 1);  // as long as links
  EXPECT_EQ(sums.cycles[1].sums, 0.5);
  EXPECT_EQ(sums.cycles[2].links, 0);  // of 3 links
  EXPECT_EQ(sums.cycles[2].sums, 1);
}

// By the fluid model, which orders all waits: in 1 to 64 segments none is 5 % faster. Ranks
// add at 10 GB/s what comes over several links of 12.5 GB/s, so that sums take most of the time.
TEST(SegmentsWithSums, are_near_the_best_simulated) {
  HostParameters host = adding(10'000'000'000);
  host.startup_ps = 500'000;
  for (const auto& [kind, name, topology] :
       {std::tuple(CollectiveKind::allreduce, "bfb", "hypercube:3"),
        std::tuple(CollectiveKind::reduce, "disjoint-trees", "hypercube:3"),
        std::tuple(CollectiveKind::reduce, "packing", "torus:4x4"),
        std::tuple(CollectiveKind::reduce, "chain", "mesh:8"),
        std::tuple(CollectiveKind::reduce_scatter, "bfb", "hypercube:4")}) {
    const Network net = network(topology, host);
    const Verified verified = schedule::verify_own(
        algorithm::build_schedule(name, {kind, net.ranks()}, &net), &net.topology());
    const SegmentChooser chooser(verified, net);
    for (const std::int64_t size_B : {std::int64_t{1} << 20, std::int64_t{1} << 26}) {
      double least_s = simulated_s(verified, 1, size_B, net);
      for (const std::int64_t segments : {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64})
        least_s = std::min(least_s, simulated_s(verified, segments, size_B, net));
      const std::int64_t chosen = chooser.best(size_B);
      EXPECT_LE(simulated_s(verified, chosen, size_B, net), least_s * 1.05) << fmt::format(
          "{} by {} on {}, {} B in {}", name_of(kind), name, topology, size_B, chosen);
    }
  }
}

}  // namespace
}  // namespace weft::evaluate
