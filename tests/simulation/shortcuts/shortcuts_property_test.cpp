// What the fluid simulator leaves out (orbits, links that serve one sender, steps that repeat)
// against the same simulator that leaves out nothing.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/fluid/alike.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/shortcuts/uncontended.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr FluidRunOptions kNone{.shortcuts = {}};
constexpr Shortcuts kAlone[] = {
    {Shortcut::orbits},       {Shortcut::uncontended}, {Shortcut::alike}, {Shortcut::step_repeats},
    {Shortcut::call_repeats}, kFluidShortcuts,         kUsualShortcuts};

std::string names_of(Shortcuts shortcuts) {
  std::string names;
  for (const ShortcutRow& row : shortcut_table())
    if (shortcuts.has(row.shortcut)) names += std::string(row.name) + ", ";
  return names;
}

struct Case {
  const char* topology;
  CollectiveKind collective;
  const char* algorithm;
  const char* routing = "shortest";
  std::int64_t segments = 1;
};

algorithm::AlgorithmOptions options_of(const Case& c) {
  algorithm::AlgorithmOptions options;
  if (c.segments > 1) options.values["segments"] = c.segments;
  return options;
}

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return values.begin()[random() % values.size()];
}

HostParameters random_host(std::mt19937_64& random) {
  return {.startup_ps = one_of<std::int64_t>(random, {0, 0, 700'000, 3'000'000}),
          .startup_receive_ps = one_of<std::int64_t>(random, {0, 0, 0, 400'000}),
          .startup_per = one_of(random, {StartupPer::message, StartupPer::step}),
          .ports = one_of(random, {0, 0, 0, 1, 2}),
          .copy_bandwidth_Bps = one_of<std::int64_t>(random, {0, 0, 0, 9'000'000'000}),
          .reduce_bandwidth_Bps = one_of<std::int64_t>(random, {0, 0, 5'000'000'000}),
          .large_reductions = {1000, one_of<std::int64_t>(random, {0, 0, 2'000'000'000})},
          .latency_ps = one_of<std::int64_t>(random, {0, 0, 900'000}),
          .rendezvous = {800, one_of<std::int64_t>(random, {0, 0, 1'500'000})},
          .eager_copies = {1200, one_of<std::int64_t>(random, {0, 0, 600'000'000})}};
}

void expect_equal(const SimulationResult& fast, const SimulationResult& full) {
  EXPECT_NEAR(fast.time_s, full.time_s, 1e-9 * full.time_s);
  ASSERT_EQ(fast.agent_times_s.size(), full.agent_times_s.size());
  for (std::size_t a = 0; a < full.agent_times_s.size(); ++a)
    ASSERT_NEAR(fast.agent_times_s[a], full.agent_times_s[a], 1e-9 * full.time_s) << "agent " << a;
  ASSERT_EQ(fast.link_bytes.size(), full.link_bytes.size());
  for (std::size_t l = 0; l < full.link_bytes.size(); ++l)
    ASSERT_NEAR(fast.link_bytes[l], full.link_bytes[l], 1e-9 * full.link_bytes[l]) << "link " << l;
}

void compare(const Case& c, int runs) {
  const Topology topology = make_topology(c.topology);
  for (int run = 0; run < test::samples(runs); ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run) * 1009 + 7);
    const LinkSpeed speed{.bandwidth_Bps = 1'000'000'000,
                          .latency_ps = static_cast<std::int64_t>(random() % 3 * 1'000'000)};
    const Fabric fabric(topology, speed);
    const Network network(fabric, topology::place(topology, {}), random_host(random),
                          make_routing(c.routing, fabric));
    Collective collective{c.collective, network.ranks()};
    const Verified verified = schedule::verify_own(
        algorithm::build_schedule(c.algorithm, collective, &network, options_of(c)), &topology);
    // Multiples of the ranks divide evenly; the others do not.
    const std::int64_t size_B =
        run % 3 == 0 ? 1 + static_cast<std::int64_t>(random() % 5000)
                     : collective.ranks * (1 + static_cast<std::int64_t>(random() % 500));
    const Program program =
        repeat(lower(verified, {.size_B = size_B}), one_of(random, {1, 1, 1, 2, 3, 9}));
    SimulationOptions options{
        .sync = one_of(random, {Sync::per_rank, Sync::per_rank, Sync::lockstep}),
        .release = one_of(random, {Release::delivered, Release::delivered, Release::injected,
                                   Release::acknowledged}),
        .sharing = one_of(random, {Sharing::max_min, Sharing::max_min, Sharing::smpi,
                                   speed.latency_ps > 0 ? Sharing::rtt : Sharing::max_min}),
        .cables = one_of(random, {Cables::duplex, Cables::duplex, Cables::shared}),
        .call = {.receives = one_of(random, {Receives::early, Receives::early, Receives::in_step})},
        .link_statistics = random() % 2 == 0};
    static const auto kFactors = std::make_shared<const SizeFactors>(
        SizeFactors{.all = {{0, 1, 0.25}, {600, 1.5, 0.9}}, .by_class = {}});
    options.factors =
        one_of<std::shared_ptr<const SizeFactors>>(random, {nullptr, nullptr, kFactors});
    options.call.header_B = one_of<std::int64_t>(random, {0, 0, 0, 16});
    if (options.release != Release::acknowledged)
      options.call.eager_B = one_of<std::int64_t>(random, {0, 0, 100, 100'000});
    const SimulationResult full = simulate_fluid(program, network, options, kNone);
    for (const Shortcuts allowed : kAlone) {
      SCOPED_TRACE(testing::Message()
                   << c.algorithm << " on " << c.topology << ", " << c.routing << ", run " << run
                   << ", " << size_B << " B; " << names_of(allowed));
      expect_equal(simulate_fluid(program, network, options, {.shortcuts = allowed}), full);
      if (testing::Test::HasFailure()) return;
    }
  }
}

constexpr auto kAllgather = CollectiveKind::allgather;
constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kAlltoall = CollectiveKind::alltoall;
constexpr auto kReduce = CollectiveKind::reduce;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;

TEST(FluidShortcuts, of_symmetric_schedules) {
  compare({"torus:4x3", kAllgather, "bfb"}, 40);
  compare({"torus:4x4", kAllreduce, "torus-ring"}, 40);
  compare({"hypercube:4", kAllreduce, "md"}, 40);
  compare({"hypercube:3", kAllreduce, "expand"}, 20);
  compare({"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", kAllgather, "bfb"}, 10);
  compare({"2dfc:4x4", kAlltoall, "do"}, 20);
  compare({"complete:6", kAlltoall, "direct"}, 20);
}

TEST(FluidShortcuts, of_routed_schedules_that_move_with_the_network) {
  compare({"torus:5x3", kAllreduce, "torus-ring", "dimension-order"}, 20);
  compare({"hypercube:4", kAlltoall, "xor", "dimension-order"}, 30);
  compare({"hypercube:4", kAllreduce, "recursive-doubling", "dimension-order"}, 20);
  compare({"ring:9", kAlltoall, "shift", "dimension-order"}, 30);
  compare({"ring:8", kAlltoall, "spread", "dimension-order"}, 30);
  compare({"complete:8", kAllgather, "bruck"}, 20);
}

TEST(FluidShortcuts, of_rings_whose_links_serve_one_sender) {
  compare({"torus:4x4", kAllreduce, "ring", "dimension-order"}, 40);
  compare({"torus:4x4", kAllreduce, "bidirectional-ring", "dimension-order"}, 40);
  compare({"hypercube:4", kAllreduce, "ring", "dimension-order"}, 40);
  compare({"uniring:7", kAllgather, "ring"}, 20);
  compare({"mesh:3x4", kAllgather, "neighbor"}, 20);
}

// What goes up meets what goes down: two segments of one sender, of different lengths where blocks
// do not divide evenly, begin on a link together.
TEST(FluidShortcuts, of_messages_that_one_sender_sends_the_same_way) {
  compare({"torus:4x4", kAllreduce, "disjoint-trees", "dimension-order", 5}, 40);
  compare({"hypercube:4", kAllreduce, "disjoint-trees", "dimension-order", 3}, 40);
  compare({"kautz:3,2", kAllreduce, "disjoint-trees", "shortest", 4}, 40);
  compare({"mesh:3x4", kAllreduce, "disjoint-trees", "dimension-order", 7}, 20);
}

// Three messages of 1, 2 and 3 bytes on a link of 1 byte/s: a third of it until the first is
// through after 3 s, half until 5 s, all until 6 s, as long as one after the other.
TEST(FluidShortcuts, share_a_way_evenly) {
  const Topology topology = make_topology("complete:2");
  const Fabric fabric(topology, {.bandwidth_Bps = 1, .latency_ps = 0});
  const Network network(fabric, topology::place(topology, {}), {},
                        make_routing("shortest", fabric));
  for (const int messages : {1, 2, 3}) {
    SunkWork sunk;
    schedule::ScheduleBuilder builder(schedule::broadcast(2),
                                      {.algorithm = "thirds", .units_per_block = 3});
    for (int i = 0, first = 0; i < messages; first += ++i)
      builder.at(0).send(Rank(0), Rank(1), schedule::Piece{first, i + 1});
    if (messages < 3)
      builder.at(1).send(
          Rank(0), Rank(1),
          schedule::Piece{messages * (messages + 1) / 2, 6 - messages * (messages + 1) / 2});
    const Program program =
        lower(schedule::verify_own(std::move(builder).build(), &topology), {.size_B = 6});
    const auto result = simulate_uncontended(program, network, {}, sunk);
    ASSERT_TRUE(result);
    EXPECT_DOUBLE_EQ(result->time_s, 6);
    EXPECT_DOUBLE_EQ(simulate_fluid(program, network, {}, kNone).time_s, 6);
  }
}

// Two senders on one link are for the events to tell.
TEST(FluidShortcuts, leave_links_that_two_senders_share) {
  const Topology topology = make_topology("mesh:3");
  const Fabric fabric(topology, {.bandwidth_Bps = 1, .latency_ps = 0});
  const Network network(fabric, topology::place(topology, {}), {},
                        make_routing("shortest", fabric));
  const Program program = lower(
      schedule::verify_own(
          algorithm::build_schedule("pairwise", schedule::allgather(3), &network, {}), &topology),
      {.size_B = 6});
  SunkWork sunk;
  EXPECT_FALSE(simulate_uncontended(program, network, {}, sunk));
}

TEST(FluidShortcuts, of_messages_that_are_alike) {
  compare({"fat-tree:4,2", kAlltoall, "spread", "d-mod-k"}, 40);
  compare({"xgft:3;4,2,3;1,2,1", kAlltoall, "spread", "d-mod-k"}, 20);
  compare({"leaf-spine:leaves=3,spines=2,hosts=4,uplinks=4", kAlltoall, "spread", "shortest-split"},
          20);
  compare({"dragonfly:a=4,p=2,h=2", kAlltoall, "spread", "minimal"}, 10);
  compare({"mesh:4x4", kAlltoall, "spread", "dimension-order"}, 20);
  compare({"rail:boxes=4,gpus=4,spines=2", kAllreduce, "hierarchical", "shortest-split"}, 20);
}

TEST(FluidShortcuts, of_agents_that_are_alike_and_part) {
  compare({"fat-tree:4,2", kAlltoall, "opt", "d-mod-k"}, 40);
  compare({"fat-tree:4,2", kAlltoall, "shift", "d-mod-k"}, 20);
  compare({"xgft:2;4,4;1,2", kAlltoall, "opt", "d-mod-k"}, 40);
  compare({"xgft:3;2,4,2;1,2,1", kAlltoall, "opt", "d-mod-k"}, 20);
  compare({"xgft:2;4,4;1,2", kAlltoall, "opt", "shortest-split"}, 10);
  compare({"mesh:4x4", kAlltoall, "xor", "dimension-order"}, 20);
  compare({"dragonfly:a=4,p=2,h=2", kAllgather, "ring", "minimal"}, 3);
}

TEST(FluidShortcuts, of_agents_that_are_alike_and_sum) {
  compare({"fat-tree:4,2", kAllreduce, "hierarchical", "d-mod-k"}, 40);
  compare({"xgft:2;4,4;1,2", kAllreduce, "hierarchical", "shortest-split"}, 40);
  compare({"xgft:2;4,4;1,2", kAllreduce, "hierarchical", "d-mod-k", 3}, 20);
  compare({"xgft:2;4,4;1,2", kReduceScatter, "spread", "shortest-split"}, 40);
  compare({"xgft:2;4,4;1,2", kAllreduce, "recursive-doubling", "shortest-split"}, 20);
  compare({"rail:boxes=4,gpus=4,spines=2", kAllreduce, "hierarchical", "shortest-split"}, 20);
  compare({"xgft:2;4,4;1,2", kReduce, "binomial", "shortest-split"}, 20);
  compare({"fat-tree:4,2", kReduceScatter, "pairwise", "d-mod-k"}, 20);
}

// Four hosts below one switch. Each receives three blocks of 1000 B at 1 B/s, all of which arrive
// together after 3000 s, and sums them at 2 B/s: 1500 s, one after the other.
TEST(FluidShortcuts, sum_what_arrives_together_in_turn) {
  const Topology topology = make_topology("xgft:1;4;1");
  const Fabric fabric(topology, {.bandwidth_Bps = 1, .latency_ps = 0});
  const Network network(fabric, topology::place(topology, {}), {.reduce_bandwidth_Bps = 2},
                        make_routing("shortest", fabric));
  const Program program =
      lower(schedule::verify_own(
                algorithm::build_schedule("spread", schedule::reduce_scatter(4), &network, {}),
                &topology),
            {.size_B = 4000});
  SunkWork sunk;
  const auto result = simulate_alike(program, network, {}, sunk);
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->time_s, 4500);
}

// Four leaves of four hosts with two cables up: in a phase of OPT a host sends within its leaf as
// others send out of theirs, so that they part, and yet of 16 hosts there are but four kinds.
TEST(FluidShortcuts, follow_agents_of_few_kinds_in_any_size) {
  const Topology topology = make_topology("xgft:2;4,4;1,2");
  const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000, .latency_ps = 1'000'000});
  const Network network(fabric, topology::place(topology, {}), {}, make_routing("d-mod-k", fabric));
  const Network other = network.with_host({.startup_ps = 2'000'000});
  const Network delayed =
      network.with_host({.rendezvous = {100, 3'000'000}, .eager_copies = {4'000, 2'000'000}});
  const Verified verified = schedule::verify_own(
      algorithm::build_schedule("opt", schedule::alltoall(16), &network, {}), &topology);
  const auto of_network = std::make_shared<Recall>(network);
  const auto of_delayed = std::make_shared<Recall>(delayed);
  for (const auto& [asked, recall] :
       {std::pair{&network, of_network}, {&other, of_network}, {&delayed, of_delayed}})
    for (const std::int64_t segments : {1, 2, 5, 1})
      for (const std::int64_t size_B : {1'000, 64'000, 1'000'000, 999, 1'000}) {
        const Program program = lower(verified.with_segments(segments), {.size_B = size_B});
        for (const Release release :
             {Release::injected, Release::delivered, Release::acknowledged}) {
          SunkWork sunk;
          const auto result =
              simulate_alike(program, *asked, {.release = release, .recall = recall}, sunk);
          ASSERT_TRUE(result) << size_B;
          expect_equal(*result, simulate_fluid(program, *asked, {.release = release}, kNone));
        }
      }
}

// 16 hosts of a tree that is nowhere narrower than at its hosts: each link of a host carries 15
// blocks, from when the first get to it until the end; those of a leaf, which come first, have it
// to themselves until the far ones are there.
TEST(FluidShortcuts, give_an_alltoall_on_a_tree_its_time) {
  const Topology topology = make_topology("fat-tree:4,2");
  const auto time_s = [&](std::int64_t latency_ps, std::int64_t size_B) {
    const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000, .latency_ps = latency_ps});
    const Network network(fabric, topology::place(topology, {}), {},
                          make_routing("d-mod-k", fabric));
    const Program program = lower(
        schedule::verify_own(
            algorithm::build_schedule("spread", schedule::alltoall(16), &network, {}), &topology),
        {.size_B = size_B});
    SunkWork sunk;
    const auto result = simulate_alike(program, network, {}, sunk);
    return result ? result->time_s : -1;
  };
  EXPECT_DOUBLE_EQ(time_s(0, 1'000), 15'000 / 1e6);
  EXPECT_DOUBLE_EQ(time_s(1'000'000, 1'000), 2e-6 + 15'000 / 1e6);
}

TEST(FluidShortcuts, of_patterns_that_share_links) {
  compare({"torus:4x4", kAllreduce, "ring"}, 30);
  compare({"hypercube:4", kAllreduce, "ring"}, 30);
  compare({"kautz:3,2", kAllgather, "bfb"}, 20);
  compare({"fat-tree:4,3", kAllreduce, "ring"}, 10);
  compare({"fat-tree:4,3", kAllgather, "ring", "d-mod-k"}, 10);
  compare({"dragonfly:a=4,p=2,h=2", kAllgather, "ring"}, 3);
  compare({"torus:3x3", kAlltoall, "pairwise", "shortest-split"}, 20);
}

// Z4 on eight ranks has two orbits; each sends to all in steps of its own, and the second orbit
// once more than the first.
TEST(FluidShortcuts, of_several_orbits_of_agents) {
  const Topology topology = make_topology("complete:8");
  const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
  for (int run = 0; run < 30; ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run));
    schedule::ScheduleBuilder builder(
        schedule::allgather(8),
        {.algorithm = "two-orbits", .symmetry = schedule::Symmetry::translations({4})});
    for (std::int32_t from : {0, 4})
      for (std::int32_t to = 0; to < 8; ++to)
        if (from != to)
          builder.at(static_cast<std::int64_t>(random() % 4))
              .send(schedule::Agent(from), schedule::Agent(to), builder.block(from));
    const Network network(fabric, topology::place(topology, {}), {.ports = run % 3},
                          make_routing("shortest", fabric));
    const Program program =
        lower(schedule::verify_own(std::move(builder).build(), &topology), {.size_B = 1000});
    const SimulationOptions options{.sync = run % 2 == 0 ? Sync::per_rank : Sync::lockstep,
                                    .link_statistics = true};
    SCOPED_TRACE(run);
    expect_equal(simulate_fluid(program, network, options),
                 simulate_fluid(program, network, options, kNone));
  }
}

// Of equal shares translates have as many bytes at any size, so that orbits give the time of all. A
// message is longer by less than its pieces than with whole bytes, and has a byte at least.
TEST(FluidShortcuts, of_equal_shares_at_any_size) {
  for (const char* algorithm : {"bfb", "torus-ring", "multitree"})
    for (int run = 0; run < test::samples(20); ++run) {
      std::mt19937_64 random(static_cast<std::uint64_t>(run) * 131 + 3);
      const Topology topology =
          make_topology(one_of(random, {"torus:4x4", "torus:3x4x5", "torus:3x3x3", "torus:6x5"}));
      const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
      const Network network(fabric, topology::place(topology, {}), {},
                            make_routing("dimension-order", fabric));
      const Verified verified = schedule::verify_own(
          algorithm::build_schedule(algorithm, schedule::allreduce(network.ranks()), &network, {}),
          &topology);
      const auto size_B = 1 + static_cast<std::int64_t>(random() % 5000);
      const Program program = lower(verified, {.size_B = size_B, .shares = Shares::equal});
      ASSERT_TRUE(program.translates_alike());
      SCOPED_TRACE(testing::Message() << algorithm << " on " << topology.name() << ", run " << run);
      const SimulationResult full = simulate_fluid(program, network, {}, kNone);
      expect_equal(simulate_fluid(program, network, {}), full);
      // No time of whole bytes is further than what its messages are longer or shorter.
      const Program whole = lower(verified, {.size_B = size_B});
      double most_s = 0;
      for (std::int64_t m = 0; m < verified.schedule().stored_messages(); ++m)
        most_s += 1e-9 * static_cast<double>(verified.schedule().pieces(m).size() + 1);
      const double of_latencies_s = size_B < verified.schedule().units() ? full.time_s : 0;
      EXPECT_NEAR(simulate_fluid(whole, network, {}, kNone).time_s, full.time_s,
                  most_s + of_latencies_s);
    }
}

// Where units are whole bytes, equal shares are these.
TEST(FluidShortcuts, leave_equal_shares_of_whole_units_as_they_are) {
  const Topology topology = make_topology("torus:4x4");
  const Fabric fabric(topology, {});
  const Network network(fabric, topology::place(topology, {}), {},
                        make_routing("shortest", fabric));
  const Verified verified = schedule::verify_own(
      algorithm::build_schedule("torus-ring", schedule::allreduce(16), &network, {}), &topology);
  const std::int64_t size_B = verified.schedule().units() * 5;
  const Program equal = lower(verified, {.size_B = size_B, .shares = Shares::equal});
  EXPECT_EQ(equal.payload_B(), lower(verified, {.size_B = size_B}).payload_B());
  EXPECT_TRUE(equal.has_whole_units());
}

// 262,144 ranks send 151 million messages; without orbits that takes minutes. Every step loads all
// links alike: the time is one latency a step and T_B = (N - 1) / N at six links a node.
TEST(FluidShortcuts, make_a_large_torus_cost_what_one_rank_costs) {
  const Topology topology = make_topology("torus:64x64x64");
  const Fabric fabric(topology, {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000});
  const Network network(fabric, topology::place(topology, {}), {},
                        make_routing("shortest", fabric));
  const Verified verified = schedule::verify_own(
      algorithm::build_schedule("bfb", schedule::allgather(network.ranks()), &network, {}),
      &topology);
  const SimulationResult result = simulate(lower(verified, {.size_B = 6000}), network);
  const double expected_s = 96 * 1e-6 + 262143.0 * 6000 / 6e9;
  EXPECT_NEAR(result.time_s, expected_s, 1e-9 * expected_s);
  EXPECT_EQ(result.messages, std::int64_t{262144} * 96 * 6);
  EXPECT_EQ(result.agent_times_s.size(), 262144U);
}

}  // namespace
}  // namespace weft::simulation
