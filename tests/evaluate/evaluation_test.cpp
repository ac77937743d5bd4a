#include "weft/evaluate/evaluation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

Network network(std::string_view expression, std::vector<int> nodes = {}) {
  const Fabric fabric(build_topology(expression));
  Placement placement = topology::place(fabric.topology(), {});
  if (!nodes.empty()) placement.nodes.clear();
  for (const int node : nodes) placement.nodes.emplace_back(node);
  return {fabric, placement, {}, make_routing("shortest", fabric)};
}

Collective collective_of(CollectiveKind kind, std::int32_t ranks) {
  return {.kind = kind, .ranks = ranks, .root = Rank(0), .peer = Rank(ranks - 1)};
}

TEST(LowerBounds, follow_the_ports_of_ranks_on_nodes_of_their_own) {
  // B is what a node can send, so a rank that receives N - 1 of N blocks takes (N - 1)/N of M/B.
  const Network ring = network("ring:6");
  const auto factor = [&](CollectiveKind kind) {
    return lower_bounds(collective_of(kind, 6), ring).bandwidth_factor;
  };
  EXPECT_EQ(factor(CollectiveKind::broadcast), Rational(1));
  EXPECT_EQ(factor(CollectiveKind::allgather), Rational(5, 6));
  EXPECT_EQ(factor(CollectiveKind::gather), Rational(5, 6));
  EXPECT_EQ(factor(CollectiveKind::allreduce), Rational(10, 6));
}

TEST(LowerBounds, count_what_leaves_a_node_that_ranks_share) {
  // Nodes with 3, 2 and 1 of the 6 ranks, rank 0 on the first.
  const Network shared = network("ring:4", {0, 0, 0, 1, 1, 2});
  const auto factor = [&](CollectiveKind kind) {
    return lower_bounds(collective_of(kind, 6), shared).bandwidth_factor;
  };
  EXPECT_EQ(factor(CollectiveKind::allgather), Rational(5, 6));       // into node 2
  EXPECT_EQ(factor(CollectiveKind::reduce_scatter), Rational(5, 6));  // out of it
  EXPECT_EQ(factor(CollectiveKind::scatter), Rational(3, 6));         // out of node 0
  EXPECT_EQ(factor(CollectiveKind::allreduce), Rational(2 * 2, 3));   // among three nodes
  EXPECT_EQ(factor(CollectiveKind::reduce), Rational(1));
}

// Host 0 sends 100 Gbps to 1 and to 2 and receives `back` Gbps from each: B is the largest egress.
Network uneven_star(int back_Gbps) {
  const std::string path = ::testing::TempDir() + fmt::format("/star_{}.arcs", back_Gbps);
  std::ofstream(path) << fmt::format(
      "0 1 100Gbps 1us\n0 2 100Gbps 1us\n"
      "1 0 {0}Gbps 1us\n2 0 {0}Gbps 1us\n",
      back_Gbps);
  return network("file:" + path);
}

TEST(LowerBounds, follow_the_ports_of_the_root_and_of_the_others_in_the_direction_of_the_data) {
  const auto factor = [](const Network& star, CollectiveKind kind, int root) {
    Collective collective = collective_of(kind, 3);
    collective.root = Rank(root);
    return lower_bounds(collective, star).bandwidth_factor;
  };
  using enum CollectiveKind;
  // B = 200 Gbps. Into host 0 go 400 Gbps, out of it 200, into each leaf 100 and out of it 200.
  const Network fast_back = uneven_star(200);
  EXPECT_EQ(factor(fast_back, gather, 0), Rational(1, 3));   // 2/3 M at 2 B
  EXPECT_EQ(factor(fast_back, scatter, 0), Rational(2, 3));  // 2/3 M at B; 1/3 M at B/2
  EXPECT_EQ(factor(fast_back, reduce, 0), Rational(1));      // M out of a leaf at B
  EXPECT_EQ(factor(fast_back, broadcast, 0), Rational(2));   // M into a leaf at B/2
  EXPECT_EQ(factor(fast_back, gather, 1), Rational(4, 3));   // 2/3 M into leaf 1 at B/2
  EXPECT_EQ(factor(fast_back, scatter, 1), Rational(2, 3));  // 2/3 M out of leaf 1 at B
  EXPECT_EQ(factor(fast_back, broadcast, 1), Rational(2));   // M into leaf 2
  EXPECT_EQ(factor(fast_back, reduce, 1), Rational(2));      // M into leaf 1
  // B = 200 Gbps, of host 0. Into host 0 go 100 Gbps, out of each leaf 50.
  const Network slow_back = uneven_star(50);
  EXPECT_EQ(factor(slow_back, gather, 0), Rational(4, 3));       // 2/3 M into host 0 at B/2
  EXPECT_EQ(factor(slow_back, reduce, 0), Rational(4));          // M out of a leaf at B/4
  EXPECT_EQ(factor(slow_back, scatter, 1), Rational(8, 3));      // 2/3 M out of leaf 1 at B/4
  EXPECT_EQ(factor(slow_back, point_to_point, 0), Rational(2));  // into leaf 2 at B/2
}

// A bound holds for every algorithm, on one-way networks with unequal links too.
TEST(LowerBounds, of_rooted_collectives_are_never_above_an_algorithm_on_uneven_networks) {
  for (const int back : {10, 50, 100, 200, 700}) {
    const Network star = uneven_star(back);
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce,
                                      CollectiveKind::scatter, CollectiveKind::gather})
      for (int root = 0; root < 3; ++root) {
        Collective collective = collective_of(kind, 3);
        collective.root = Rank(root);
        const LowerBounds bounds = lower_bounds(collective, star, Cuts::taken);
        EXPECT_LE(bounds.bandwidth_factor, bounds.cut->bandwidth_factor);  // a port is a cut
        for (const auto* algorithm : algorithm::applicable(collective, &star)) {
          const auto verified = schedule::verify_own(
              algorithm::build_schedule(algorithm->name, collective, &star), &star.topology());
          EXPECT_GE(schedule::cost(verified, star).bandwidth_factor, bounds.bandwidth_factor)
              << algorithm->name << ' ' << name_of(kind) << " from " << root << ", " << back;
        }
      }
  }
}

TEST(LowerBounds, are_zero_within_one_node) {
  const Network one = network("ring:4", {1, 1, 1});
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    const LowerBounds bounds = lower_bounds(collective_of(kind, 3), one);
    EXPECT_EQ(bounds.bandwidth_factor, Rational(0)) << name_of(kind);
    EXPECT_EQ(bounds.steps, 0) << name_of(kind);
  }
}

TEST(LowerBounds, are_never_above_what_an_algorithm_achieves) {
  const std::vector<std::vector<int>> placements = {
      {}, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 1, 2, 3, 0, 1, 2, 3}, {0, 0, 0, 0, 0, 2, 2, 3}, {3, 3}};
  for (const auto& nodes : placements)
    for (const char* expression : {"ring:8", "hypercube:3", "hosts(2, complete:4)"}) {
      std::vector<int> places;
      const Topology topology = build_topology(expression).topology;
      for (const int node : nodes) places.push_back(topology.hosts()[node].value());
      const Network net = network(expression, places);
      for (const CollectiveKind kind : schedule::kCollectiveKinds) {
        const Collective collective = collective_of(kind, net.ranks());
        const LowerBounds bounds = lower_bounds(collective, net);
        for (const auto* algorithm : algorithm::applicable(collective, &net)) {
          const auto verified = schedule::verify_own(
              algorithm::build_schedule(algorithm->name, collective, &net), &net.topology());
          EXPECT_GE(schedule::cost(verified, net).bandwidth_factor, bounds.bandwidth_factor)
              << algorithm->name << ' ' << name_of(kind) << " on " << expression << ", "
              << net.ranks() << " ranks";
        }
      }
    }
}

TEST(LowerBounds, reject_ranks_that_do_not_reach_each_other) {
  const Network cut = network("without(cable=0, mesh:2)");
  EXPECT_THROW(lower_bounds(schedule::allgather(2), cut), InvalidInput);
  EXPECT_THROW(lower_bounds(schedule::broadcast(2), cut), InvalidInput);
}

TEST(SegmentChooser, takes_one_segment_for_a_small_buffer_and_more_for_a_large_one) {
  const Network path = network("mesh:8");
  const auto chain =
      schedule::verify_own(algorithm::build_schedule("chain", schedule::broadcast(8), &path));
  const SegmentChooser chooser(chain, path);
  // s segments take (6 + s) (L + m / s): least at s = sqrt(6 m / L). With L = 1 us and links of
  // 12.5 GB/s, m = 1.5 MB is 120 us: s = 26.8; 27 takes 179.7 us, the power 32 180.5 us.
  EXPECT_EQ(chooser.best(1), 1);
  EXPECT_EQ(chooser.best(1'500'000), 27);
  // m = 171 us: s = 32.03, and 32 is as good.
  EXPECT_EQ(chooser.best(2'137'500), 32);
}

// Whether or not the one that is cut off is the first.
TEST(LowerBounds, name_one_that_does_not_reach_another) {
  for (const auto& [expression, joined] :
       {std::pair{"without(cable=4, leaf-spine:leaves=2,spines=2,hosts=3)",
                  "node 0 does not reach node 4"},
        std::pair{"without(cable=0, leaf-spine:leaves=2,spines=2,hosts=3)",
                  "node 0 does not reach node 1"},
        std::pair{"names(hosts=a[0-5], without(cable=4, leaf-spine:leaves=2,spines=2,hosts=3))",
                  "node a0 does not reach node a4"},
        std::pair{"without(link=0, mesh:3)", "node 0 does not reach node 1"},
        std::pair{"without(link=2, mesh:3)", "node 1 does not reach node 0"}})
    try {
      const Network parted = network(expression);
      lower_bounds(collective_of(CollectiveKind::alltoall, parted.ranks()), parted, Cuts::left_out);
      ADD_FAILURE() << expression;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("{};", joined)), std::string::npos)
          << error.what();
    }
}

// A tree of two sends a rank: 0 to 1 and 2, then 1 to 3 and 4. s segments take s + 1 steps of L + m
// / (s B), and start-ups 2 (s + 1), since ranks 0 and 1 have two messages in every step; per step s
// +
// 1. With L = 1 us, alpha = 1.5 us and m / B = 1536 us 16 segments take 17 * (4 + 96) = 1700 us and
// 32 take 33 * (4 + 48) = 1716; per step 17 * (2.5 + 96) = 1674.5 and 33 * (2.5 + 48) = 1666.5.
TEST(SegmentChooser, counts_the_start_ups_that_follow_each_other) {
  const Network plain = network("complete:5");
  schedule::ScheduleBuilder builder(schedule::broadcast(5));
  builder.at(0).send(Agent(0), Agent(1), builder.everything());
  builder.at(0).send(Agent(0), Agent(2), builder.everything());
  builder.at(1).send(Agent(1), Agent(3), builder.everything());
  builder.at(1).send(Agent(1), Agent(4), builder.everything());
  const auto tree = schedule::verify_own(std::move(builder).build());
  const HostParameters each{.startup_ps = 1'500'000};
  const HostParameters together{.startup_ps = 1'500'000, .startup_per = StartupPer::step};
  EXPECT_EQ(SegmentChooser(tree, plain.with_host(each)).best(19'200'000), 20);
  EXPECT_EQ(SegmentChooser(tree, plain.with_host(together)).best(19'200'000), 25);
  EXPECT_EQ(SegmentChooser(tree, plain).with_startups(each).best(19'200'000), 20);
}

// Every pipelined algorithm against all numbers of segments up to 400, each priced exactly: within
// 0.1 % of the best, before the pipeline is full too.
TEST(SegmentChooser, is_within_a_thousandth_of_the_best_of_all_integers) {
  int compared = 0;
  for (const char* expression : {"mesh:8", "torus:4x4", "xgft:2;4,3;1,2", "hypercube:4"}) {
    const Network net = network(expression);
    const double b_Bps = static_cast<double>(net.fabric().node_egress_Bps());
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::allreduce}) {
      const Collective collective = collective_of(kind, net.ranks());
      for (const algorithm::Algorithm* each : algorithm::applicable(collective, &net, {})) {
        if (!each->segments_by_size(kind) || each->sized) continue;
        const auto verified = schedule::verify_own(
            algorithm::build_schedule(each->name, collective, &net), &net.topology());
        std::vector<Cost> costs;
        for (std::int64_t segments = 1; segments <= 400; ++segments)
          costs.push_back(schedule::cost(verified.with_segments(segments), net));
        const SegmentChooser chooser(verified, net);
        for (const std::int64_t size_B : {3'000, 100'000, 1'000'000, 8'388'608, 20'000'000}) {
          const auto time_s = [&](std::int64_t segments) {
            const Cost& cost = costs[segments - 1];
            return static_cast<double>(cost.steps * cost.longest_latency_ps) * 1e-12 +
                   cost.bandwidth_factor.to_double() * static_cast<double>(size_B) / b_Bps;
          };
          double least_s = time_s(1);
          for (std::int64_t segments = 2; segments <= 400; ++segments)
            least_s = std::min(least_s, time_s(segments));
          const std::int64_t chosen = chooser.best(size_B);
          if (chosen > 400) continue;
          EXPECT_LE(time_s(chosen), least_s * 1.001)
              << each->name << " on " << expression << ", " << size_B << " B by " << chosen;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 60);
}

// What the fluid model says: 8 MiB down a chain of 8, by brute force.
TEST(SegmentChooser, is_within_a_thousandth_of_the_best_simulated_chain) {
  const Network path = network("mesh:8");
  const auto chain =
      schedule::verify_own(algorithm::build_schedule("chain", schedule::broadcast(8), &path));
  constexpr std::int64_t kSize_B = 8 << 20;
  const auto time_s = [&](std::int64_t segments) {
    return simulation::simulate(lower(chain.with_segments(segments), {.size_B = kSize_B}), path)
        .time_s;
  };
  double least_s = time_s(1);
  for (std::int64_t segments = 30; segments <= 130; ++segments)
    least_s = std::min(least_s, time_s(segments));
  EXPECT_LE(time_s(SegmentChooser(chain, path).best(kSize_B)), least_s * 1.001);
}

}  // namespace
}  // namespace weft::evaluate
