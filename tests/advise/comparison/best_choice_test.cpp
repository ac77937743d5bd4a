// compare finds the fastest of an algorithm's own schedules.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/samples.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/base/random.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/program/program.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::advise {
namespace {

struct Call {
  CollectiveKind kind = CollectiveKind::reduce;
  std::string topology, link;
  std::int64_t startup_ps = 0, reduce_Bps = 0, size_B = 0;

  std::string text() const {
    return fmt::format("{} of {} B on {}, links of {}, start-up {} ps, sums at {} B/s",
                       name_of(kind), size_B, topology, link, startup_ps, reduce_Bps);
  }
  Network network(std::int32_t per_host = 1) const {
    LinkOptions links;
    topology::parse_link_option(link, links);
    const Fabric fabric(build_topology(topology), links);
    network::HostParameters host;
    host.startup_ps = startup_ps;
    host.reduce_bandwidth_Bps = reduce_Bps;
    return {fabric, topology::place(fabric.topology(), {.per_host = {per_host}}), host,
            make_routing("auto", fabric)};
  }
};

// 1 KiB to 4 MiB, on networks of 4 to 18 ranks, most of them behind switches.
Call drawn(Rng random) {
  constexpr std::array kKinds{CollectiveKind::allreduce, CollectiveKind::allgather,
                              CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                              CollectiveKind::reduce};
  constexpr std::array kTopologies{"xgft:2;4,4;1,2",
                                   "xgft:2;4,3;1,2",
                                   "leaf-spine:leaves=4,spines=2,hosts=4",
                                   "leaf-spine:leaves=3,spines=1,hosts=4",
                                   "rail:boxes=3,gpus=4,spines=2",
                                   "dragonfly:a=2,p=2,h=1",
                                   "random-regular:10,3,seed=2",
                                   "torus:4x3",
                                   "mesh:3x3",
                                   "kautz:2,2"};
  constexpr std::array kLinks{"100Gbps,1us", "25GBps,200ns"};
  constexpr std::array<std::int64_t, 3> kStartups_ps{0, 500'000, 2'000'000};
  constexpr std::array<std::int64_t, 2> kReduce_Bps{0, 10'000'000'000};
  const auto one_of = [&](const auto& all) { return all[random.below(std::ssize(all))]; };
  return {.kind = one_of(kKinds),
          .topology = one_of(kTopologies),
          .link = one_of(kLinks),
          .startup_ps = one_of(kStartups_ps),
          .reduce_Bps = one_of(kReduce_Bps),
          .size_B = std::int64_t{1024} << random.below(13)};
}

double time_s(const schedule::Verified& verified, std::int64_t size_B, const Network& network,
              const simulation::SimulationOptions& options = {}) {
  return simulation::simulate(lower(verified, {.size_B = size_B}), network, options).time_s;
}

// The fastest of packing's tree sets over its own paths and over the network's routes, each forced
// and simulated in the segments of the estimate.
double by_forced_sets(const Call& call, const Network& network) {
  const algorithm::Algorithm& packing = algorithm::find_algorithm("packing");
  double best_s = std::numeric_limits<double>::infinity();
  for (const std::string_view routes : algorithm::kRoutesChoices) {
    const algorithm::AlgorithmOptions options{.values = {{"routes", std::string(routes)}}};
    for (const schedule::Schedule& each :
         evaluate::build_schedules(packing, {call.kind, network.ranks()}, network, options)
             .variants) {
      const auto verified = schedule::verify_own(each, &network.topology());
      const std::int64_t segments = SegmentChooser(verified, network).best(call.size_B);
      best_s = std::min(best_s, time_s(verified.with_segments(segments), call.size_B, network));
    }
  }
  return best_s;
}

TEST(BestChoice, is_no_slower_than_any_tree_set_that_is_forced) {
  constexpr double kTolerance = 1.002;  // ties, and the accuracy of comparisons
  int complete = 0;
  const int calls = test::samples(40);
  for (int i = 0; i < calls; ++i) {
    const Call call = drawn(Rng(54).split(static_cast<std::uint64_t>(i)));
    SCOPED_TRACE(fmt::format("call {}: {}", i, call.text()));
    const Network network = call.network();
    const Comparison found = compare({call.kind, network.ranks()}, network,
                                     {.sizes_B = {call.size_B}, .advice = Advice::left_out});
    if (!found.complete) continue;
    ++complete;
    EXPECT_LE(found.winners().front()->result.time_s, by_forced_sets(call, network) * kTolerance);
  }
  EXPECT_GE(complete, calls * 9 / 10);
}

// With each radix of libraries and each order of children, given as options.
double by_given_radixes(std::string_view algorithm, const Call& call, const Network& network,
                        const simulation::SimulationOptions& options = {}) {
  const algorithm::Algorithm& known = algorithm::find_algorithm(algorithm);
  double best_s = std::numeric_limits<double>::infinity();
  for (const std::int64_t radix : {2, 3, 4, 8})
    for (const std::string children : {"in-turn", "together"}) {
      const algorithm::AlgorithmOptions own =
          algorithm::taken_by(known, {.values = {{"radix", radix}, {"children", children}}});
      const auto verified = schedule::verify_own(
          algorithm::build_schedule(known.name, {call.kind, network.ranks()}, &network, own));
      best_s = std::min(best_s, time_s(verified, call.size_B, network, options));
    }
  return best_s;
}

TEST(BestChoice, is_no_slower_than_any_radix_that_is_given) {
  constexpr double kTolerance = 1.002;  // ties, and the accuracy of comparisons
  for (const std::string topology : {"xgft:1;27;1", "xgft:2;4,4;1,2", "torus:4x4"})
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::scatter})
      for (const std::int64_t startup_ps : {0, 500'000, 5'000'000}) {
        const Call call{.kind = kind,
                        .topology = topology,
                        .link = "100Gbps,1us",
                        .startup_ps = startup_ps,
                        .size_B = 64};
        SCOPED_TRACE(call.text());
        const Network network = call.network();
        const Comparison found =
            compare({kind, network.ranks()}, network,
                    {.algorithms = {"knomial"}, .sizes_B = {64}, .advice = Advice::left_out});
        EXPECT_LE(found.winners().front()->result.time_s,
                  by_given_radixes("knomial", call, network) * kTolerance);
      }
}

// Sums take most of the time of a large reduction, and links of packets queue.
TEST(BestChoice, is_no_slower_than_any_radix_in_any_model) {
  constexpr double kTolerance = 1.002;  // ties
  using simulation::Model;
  for (const Model model : {Model::alpha_beta, Model::packet, Model::flit})
    for (const std::string topology : {"torus:3x5", "xgft:2;4,4;1,2"})
      for (const CollectiveKind kind : {CollectiveKind::reduce, CollectiveKind::gather})
        for (const std::int64_t size_B : {1024, model == Model::alpha_beta ? 1 << 20 : 1 << 14}) {
          const Call call{.kind = kind,
                          .topology = topology,
                          .link = "100Gbps,1us",
                          .startup_ps = 500'000,
                          .reduce_Bps = 10'000'000'000,
                          .size_B = size_B};
          SCOPED_TRACE(fmt::format("model {}: {}", static_cast<int>(model), call.text()));
          const Network network = call.network();
          const simulation::SimulationOptions options{.model = model};
          const Comparison found = compare({kind, network.ranks()}, network,
                                           {.algorithms = {"knomial"},
                                            .sizes_B = {size_B},
                                            .simulation = options,
                                            .advice = Advice::left_out});
          EXPECT_LE(found.winners().front()->result.time_s,
                    by_given_radixes("knomial", call, network, options) * kTolerance);
        }
}

// A broadcast of 8 bytes to 27 ranks of one switch, 2 us for a message. With a start-up of 1 us, a
// step of r - 1 messages takes r + 1 us: radix 2 takes 5 * 3 = 15 us, 3 12 us, 4 13 us, 8 14 us.
// Where ranks serve all their children at once, the last rank of radix 4 is 16 + 2 * 4 + 2, after
// 3 + 4 + 4 = 11 us; radix 2 takes 13 us (rank 8 + 4 + 2 + 1), 3 12 us and 8 13 us. Without
// start-ups the fewest steps are best, 2 of radix 8. Start-ups of 20 us favour few messages.
TEST(BestChoice, weighs_steps_against_start_ups_by_the_radix) {
  const auto name_with = [](std::int64_t startup_ps) {
    const Call call{.kind = CollectiveKind::broadcast,
                    .topology = "xgft:1;27;1",
                    .link = "100GBps,1us",
                    .startup_ps = startup_ps,
                    .size_B = 8};
    const Network network = call.network();
    return evaluate::schedule_for_size("knomial", {call.kind, network.ranks()}, network, {},
                                       call.size_B)
        .schedule()
        .algorithm();
  };
  const auto has = [](const std::string& name, std::string_view part) {
    return name.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(name_with(1'000'000), "radix=4")) << name_with(1'000'000);
  EXPECT_TRUE(has(name_with(1'000'000), "children=together")) << name_with(1'000'000);
  EXPECT_TRUE(has(name_with(0), "radix=8")) << name_with(0);
  EXPECT_TRUE(has(name_with(20'000'000), "radix=2")) << name_with(20'000'000);
}

// What a comparison names is what the commands for one schedule take for the same size.
TEST(BestChoice, is_the_schedule_that_the_size_gets_elsewhere) {
  const Call call{.topology = "xgft:2;4,4;1,2",
                  .link = "97Gbps,160ns",
                  .startup_ps = 500'000,
                  .reduce_Bps = 10'000'000'000,
                  .size_B = 64 << 10};
  const Network network = call.network();
  const Collective collective{call.kind, network.ranks()};
  const Comparison found =
      compare(collective, network,
              {.algorithms = {"packing"}, .sizes_B = {call.size_B}, .advice = Advice::left_out});
  const ComparisonRow& row = *found.winners().front();
  const auto chosen = evaluate::schedule_for_size("packing", collective, network, {}, call.size_B);
  EXPECT_EQ(row.schedule, chosen.schedule().algorithm());
  EXPECT_EQ(row.segments, chosen.schedule().segments().count);
  EXPECT_NEAR(time_s(chosen, call.size_B, network), row.result.time_s, 1e-3 * row.result.time_s);
}

// Two ranks on each host add up what comes from all sides, some of it while the rest is on its
// way. The formula of links alone would choose one segment.
TEST(BestChoice, is_near_the_best_number_of_segments) {
  const Call call{.kind = CollectiveKind::allreduce,
                  .topology = "torus:4x4",
                  .link = "97Gbps,30ns",
                  .startup_ps = 500'000,
                  .reduce_Bps = 10'000'000'000,
                  .size_B = 64 << 20};
  const Network network = call.network(2);
  const Collective collective{call.kind, network.ranks()};
  const Comparison found =
      compare(collective, network,
              {.algorithms = {"node-lanes"}, .sizes_B = {call.size_B}, .advice = Advice::left_out});
  const ComparisonRow& row = *found.winners().front();
  const auto chosen =
      evaluate::schedule_for_size("node-lanes", collective, network, {}, call.size_B);
  EXPECT_EQ(row.segments, chosen.schedule().segments().count);
  EXPECT_GT(row.segments, 1);
  for (const std::int64_t segments : {1, 2, 4, 8, 16, 32, 64})
    EXPECT_LE(row.result.time_s,
              time_s(chosen.with_segments(segments), call.size_B, network) * 1.02)
        << segments;
}

// The fastest of all algorithms that take segments, in each of these numbers of them.
double by_given_segments(const Collective& collective, std::int64_t size_B, const Network& network,
                         const std::shared_ptr<const program::BlockSizes>& blocks) {
  std::vector<std::string> names;
  for (const algorithm::Algorithm* each : algorithm::applicable(collective, &network, {}))
    if (each->takes(algorithm::kSegments) && !each->named_only) names.push_back(each->name);
  double best_s = std::numeric_limits<double>::infinity();
  for (const std::int64_t segments : {1, 2, 4, 8, 16, 32, 64}) {
    const Comparison found = compare(collective, network,
                                     {.algorithms = names,
                                      .sizes_B = {size_B},
                                      .algorithm = {.values = {{"segments", segments}}},
                                      .blocks = blocks,
                                      .advice = Advice::left_out});
    best_s = std::min(best_s, found.winners().front()->result.time_s);
  }
  return best_s;
}

// A search for segments that ends after some work may miss the best by a little.
TEST(BestChoice, is_seldom_slower_than_any_number_of_segments_that_is_given) {
  constexpr double kTolerance = 1.002, kMost = 1.15;
  int missed = 0;
  const int calls = test::samples(24);
  for (int i = 0; i < calls; ++i) {
    Call call = drawn(Rng(541).split(static_cast<std::uint64_t>(i)));
    call.reduce_Bps = 10'000'000'000;
    call.size_B <<= 2;
    SCOPED_TRACE(fmt::format("call {}: {}", i, call.text()));
    const Network network = call.network();
    const Collective collective{call.kind, network.ranks()};
    const Comparison found =
        compare(collective, network, {.sizes_B = {call.size_B}, .advice = Advice::left_out});
    if (!found.complete) continue;
    const double time_s = found.winners().front()->result.time_s;
    const double given_s = by_given_segments(collective, call.size_B, network, nullptr);
    EXPECT_LE(time_s, given_s * kMost);
    missed += time_s > given_s * kTolerance ? 1 : 0;
  }
  EXPECT_LE(missed, calls / 8);
}

// The formula of segments takes all blocks to be alike. In one segment each of them costs here half
// as much again.
TEST(BestChoice, tries_segments_for_blocks_of_different_sizes) {
  const Call call{.kind = CollectiveKind::allgather,
                  .topology = "ring:6",
                  .link = "97Gbps,30ns",
                  .startup_ps = 500'000,
                  .reduce_Bps = 10'000'000'000,
                  .size_B = 1 << 20};
  const Network network = call.network();
  const Collective collective{call.kind, network.ranks()};
  const auto blocks = std::make_shared<const program::BlockSizes>(
      std::vector<std::int64_t>{2'800'000, 300'000, 500'000, 900'000, 1'600'000, 191'456});
  const Comparison found =
      compare(collective, network,
              {.sizes_B = {call.size_B}, .blocks = blocks, .advice = Advice::left_out});
  ASSERT_TRUE(found.complete);
  const ComparisonRow& row = *found.winners().front();
  EXPECT_GT(row.segments, 1);
  EXPECT_LE(row.result.time_s, by_given_segments(collective, call.size_B, network, blocks) * 1.002);
  const auto chosen = evaluate::schedule_for_size(found.contenders[row.contender].algorithm,
                                                  collective, network, {}, call.size_B, {}, blocks);
  EXPECT_EQ(chosen.schedule().segments().count, row.segments);
}

// The formula of segments knows no handshakes, which each message of 16 KiB and more pays here. It
// chooses 2 segments; next to these others are slower, but 32 have shorter messages.
TEST(BestChoice, finds_segments_beyond_a_handshake_by_flows_and_by_formula) {
  const Fabric fabric(build_topology("torus:3x3"), LinkOptions());
  network::HostParameters host;
  host.startup_ps = 500'000;
  host.rendezvous = {16'384, 10'000'000};
  const Network network(fabric, topology::place(fabric.topology(), {}), host,
                        make_routing("auto", fabric));
  const Collective collective{CollectiveKind::broadcast, 9};
  constexpr std::int64_t kSize_B = 1 << 20;
  for (const simulation::Model model : {simulation::Model::fluid, simulation::Model::alpha_beta}) {
    const simulation::SimulationOptions options{.model = model};
    const auto chosen =
        evaluate::schedule_for_size("disjoint-trees", collective, network, {}, kSize_B, options);
    const auto time_in = [&](const schedule::Verified& verified) {
      return simulation::simulate(lower(verified, {.size_B = kSize_B}), network, options).time_s;
    };
    for (std::int64_t segments = 1; segments <= 256; segments *= 2)
      EXPECT_LE(time_in(chosen), time_in(chosen.with_segments(segments)) * 1.002) << segments;
  }
}

// The ranks of one algorithm after the other send all that they must and then add it up: 2 (N -
// 1)/N of the buffer over a link, (N - 1)/N of it at the rate of sums. The fastest is much faster.
TEST(BestChoice, overlaps_sums_with_messages_on_one_switch) {
  for (const int hosts : {16, 12}) {
    const Call call{.kind = CollectiveKind::allreduce,
                    .topology = fmt::format("xgft:1;{};1", hosts),
                    .link = "97Gbps,30ns",
                    .startup_ps = 500'000,
                    .reduce_Bps = 10'000'000'000,
                    .size_B = 64 << 20};
    const Network network = call.network();
    const Comparison found = compare({call.kind, network.ranks()}, network,
                                     {.sizes_B = {call.size_B}, .advice = Advice::left_out});
    const double sent_B = static_cast<double>(call.size_B) * (hosts - 1) / hosts;
    const double in_turn_s = 2 * sent_B / 12.125e9 + sent_B / 10e9;
    EXPECT_LT(found.winners().front()->result.time_s, 0.9 * in_turn_s) << hosts;
  }
}

}  // namespace
}  // namespace weft::advise
