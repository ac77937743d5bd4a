// Synthesis against printed results, against naive bounds, and the limits of what it takes.
#include "weft/search/synthesis.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>

#include "support/graphs.hpp"
#include "support/judges/executor.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/search/synthesis/exact.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

Network network_of(const topology::BuiltTopology& built, const std::string& link = "100Gbps,1us") {
  LinkOptions links;
  if (!link.empty()) topology::parse_link_option(link, links);
  const Fabric fabric(built, links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric, 1)};
}
Network network_of(const Topology& topology) {
  return network_of(topology::BuiltTopology{topology, {}});
}
Network network_of(const std::string& expression) {
  return network_of(build_topology(expression));
}
Network dgx1() {
  return network_of(build_topology("file:" + test::source_dir() + "/examples/dgx1.edges"), "");
}

/// Proves the schedules, prices them, and holds the figures of the points against that.
void expect_sound(const Synthesis& synthesis, const Network& network) {
  for (const SynthesisPoint& point : synthesis.pareto) {
    const auto verified = verify(point.schedule, &network.topology());
    ASSERT_TRUE(verified) << verified.fault().text;
    EXPECT_TRUE(test::execute(point.schedule));
    const schedule::Cost cost = schedule::cost(*verified, network);
    EXPECT_EQ(cost.steps, point.steps);
    EXPECT_EQ(cost.bandwidth_factor, point.bandwidth_factor);
    EXPECT_LE(point.bound, point.bandwidth_factor);
    EXPECT_LE(synthesis.bandwidth_factor_bound, point.bound);
  }
}

// The same links without the facet that tells of the group: all sources are looked at.
Network without_symmetry(const Network& network) {
  const Topology& topology = network.topology();
  topology::TopologyBuilder builder(topology.node_count());
  for (const LinkId link : topology.links())
    builder.add_link(topology.tail(link), topology.head(link));
  return network_of(std::move(builder).build({"plain", "", {}}));
}

// One source tells all: a symmetric solution is as good as any.
TEST(StepBounds, of_one_source_are_those_of_all) {
  int above = 0;
  for (const char* expression :
       {"cayley:Z4xZ2,k=3;(1,0),(3,1)", "cayley:Z5xZ2,k=4;(1,0),(0,1)", "cayley:D4;(1,0),(0,1)",
        "cayley:Z8;1,1,3", "cayley:Z7;1,3", "cayley:D3;(1,0),(1,1)"}) {
    const Network symmetric = network_of(expression), plain = without_symmetry(symmetric);
    ASSERT_FALSE(topology::as_cayley(plain.topology()).has_value());
    for (const auto& collective :
         {schedule::allgather(symmetric.ranks()), schedule::reduce_scatter(symmetric.ranks())}) {
      const int least = make_instance(plain, graph::Sense::along).diameter;
      for (int steps = least; steps < least + 2; ++steps) {
        SCOPED_TRACE(fmt::format("{} in {} steps", expression, steps));
        const auto one = bound_in_steps(collective, symmetric, steps, 60);
        const auto all = bound_in_steps(collective, plain, steps, 60);
        ASSERT_TRUE(one && all);
        EXPECT_EQ(*one, *all);
        above += *one > Rational(symmetric.ranks() - 1, symmetric.ranks()) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(above, 2);  // where steps bind, too
}

// All send to all: (N - 1)/N in a step, and no allgather has less. Without the group there is no
// bound above 64 nodes.
TEST(StepBounds, are_there_for_large_networks_of_a_group) {
  const Network complete = network_of("complete:65");
  EXPECT_EQ(bound_in_steps(schedule::allgather(65), complete, 1, 60), Rational(64, 65));
  EXPECT_EQ(bound_in_steps(schedule::allgather(65), without_symmetry(complete), 1, 60),
            std::nullopt);
}

// Cai et al. (SCCL, PPoPP 2021), allgather on a DGX-1: two steps need 3 rounds for 2 chunks, and 7
// rounds for 6 chunks (all six NVLinks always busy, 7/8 of the data) take three.
TEST(Synthesis, finds_the_printed_frontier_of_the_dgx1) {
  const Network network = dgx1();
  const Synthesis found = synthesize(schedule::allgather(8), network, {.max_chunks = 6});
  ASSERT_EQ(found.pareto.size(), 2u);
  EXPECT_EQ(found.pareto[0].steps, 2);
  EXPECT_EQ(found.pareto[0].rounds, 3);
  EXPECT_EQ(found.pareto[0].chunks, 2);
  EXPECT_EQ(found.pareto[1].steps, 3);
  EXPECT_EQ(found.pareto[1].rounds, 7);
  EXPECT_EQ(found.pareto[1].chunks, 6);
  EXPECT_EQ(found.pareto[1].bandwidth_factor, Rational(7, 8));
  for (const SynthesisPoint& point : found.pareto) EXPECT_EQ(point.proof, Proof::any_chunks);
  EXPECT_TRUE(found.complete);
  expect_sound(found, network);
}

TEST(Synthesis, finds_the_least_steps_of_the_dgx1_with_one_chunk) {
  const Network network = dgx1();
  const Synthesis found =
      synthesize(schedule::allgather(8), network, {.max_chunks = 1, .max_steps = 2});
  ASSERT_EQ(found.pareto.size(), 1u);
  EXPECT_EQ(found.pareto[0].rounds, 2);  // a round brings 6 of the 7 shards that a GPU lacks
  EXPECT_EQ(found.pareto[0].proof, Proof::tried_chunks);
}

struct BalancedCase {
  const char* topology;
  int steps;
  int nodes;
};

// Vertex-transitive networks on which breadth-first schedules reach (N-1)/N in diameter steps.
TEST(Synthesis, reaches_the_port_bound_on_balanced_networks) {
  for (const BalancedCase& each : {BalancedCase{"bipartite:2,2", 2, 4},
                                   {"ring:6", 3, 6},
                                   {"complete:4", 1, 4},
                                   {"hypercube:3", 3, 8},
                                   {"uniring:5", 4, 5}}) {
    const Network network = network_of(each.topology);
    const Synthesis found = synthesize(schedule::allgather(each.nodes), network);
    ASSERT_EQ(found.pareto.size(), 1u) << each.topology;
    EXPECT_EQ(found.pareto[0].steps, each.steps) << each.topology;
    EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(each.nodes - 1, each.nodes));
    EXPECT_EQ(found.pareto[0].proof, Proof::any_chunks);
    expect_sound(found, network);
  }
}

// Diamond and the modified de Bruijn graphs: (N-1)/N in the printed number of steps, by schedules
// that are not breadth-first (Zhao et al., Table 9 and section 8.2).
TEST(Synthesis, finds_the_schedules_of_diamond_and_modified_de_bruijn_graphs) {
  for (const BalancedCase& each : {BalancedCase{"diamond", 3, 8}, {"debruijn-mod:2,3", 4, 8}}) {
    const Network network = network_of(each.topology);
    const Synthesis found = synthesize(schedule::allgather(each.nodes), network,
                                       {.max_chunks = 2, .min_steps = each.steps});
    ASSERT_FALSE(found.pareto.empty());
    EXPECT_LE(found.pareto.back().steps, each.steps);
    EXPECT_EQ(found.pareto.back().bandwidth_factor, Rational(each.nodes - 1, each.nodes));
    EXPECT_EQ(found.pareto.back().proof, Proof::any_chunks);
    expect_sound(found, network);
  }
}

// On Kautz(2, 2) a shard reaches 2 nodes at distance 1 and 3 at distance 2, so some link carries 2
// of the latter when there are two steps; a third step evens it out.
TEST(Synthesis, trades_steps_for_bandwidth) {
  const Network network = network_of("kautz:2,2");
  const Synthesis found = synthesize(schedule::allgather(6), network, {.max_chunks = 2});
  ASSERT_EQ(found.pareto.size(), 2u);
  EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(1));
  EXPECT_EQ(found.pareto[1].bandwidth_factor, Rational(5, 6));
  EXPECT_EQ(found.pareto[1].steps, 3);
  expect_sound(found, network);
}

TEST(Synthesis, makes_reduce_scatters_against_one_way_links) {
  const Network network = network_of("kautz:2,2");
  const Synthesis found = synthesize(schedule::reduce_scatter(6), network, {.max_chunks = 2});
  ASSERT_EQ(found.pareto.size(), 2u);  // the transpose of a Kautz graph is a Kautz graph
  EXPECT_EQ(found.pareto[1].bandwidth_factor, Rational(5, 6));
  expect_sound(found, network);
}

TEST(Synthesis, joins_both_to_an_allreduce) {
  const Network network = network_of("bipartite:2,2");
  const Synthesis found = synthesize(schedule::allreduce(4), network);
  ASSERT_EQ(found.pareto.size(), 1u);
  EXPECT_EQ(found.pareto[0].steps, 4);
  EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(3, 2));
  EXPECT_EQ(found.pareto[0].proof, Proof::any_chunks);
  expect_sound(found, network);
}

TEST(Synthesis, shares_out_chunks_over_parallel_links) {
  const Network network =
      network_of(support::from_arcs(3, {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {2, 0}, {2, 0}}));
  for (const schedule::Collective& collective :
       {schedule::allgather(3), schedule::reduce_scatter(3)}) {
    const Synthesis found = synthesize(collective, network, {.max_chunks = 2});
    ASSERT_EQ(found.pareto.size(), 1u);
    EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(2, 3));  // 2 chunks a shard, 2 links
    expect_sound(found, network);
  }
}

TEST(Synthesis, has_nothing_to_do_for_one_node) {
  const Network network = network_of(support::from_arcs(1, {}));
  const Synthesis found = synthesize(schedule::allgather(1), network);
  ASSERT_EQ(found.pareto.size(), 1u);
  EXPECT_EQ(found.pareto[0].steps, 0);
  EXPECT_TRUE(found.complete);
}

// Kautz(4, 2): two steps need T_B = 1, a third one 19/20, the ports' bound (19 rounds for 4
// chunks).
TEST(Synthesis, gains_over_breadth_first_on_kautz) {
  const Network network = network_of("kautz:4,2");
  const Synthesis found = synthesize(schedule::allgather(20), network,
                                     {.min_chunks = 4, .max_chunks = 4, .min_steps = 3});
  ASSERT_EQ(found.pareto.size(), 1u);
  EXPECT_EQ(found.pareto[0].steps, 3);
  EXPECT_EQ(found.pareto[0].bandwidth_factor, Rational(19, 20));
  expect_sound(found, network);
}

TEST(Synthesis, repeats_itself) {
  const Network network = network_of("kautz:2,2");
  const auto once = synthesize(schedule::allgather(6), network, {.max_chunks = 2, .seed = 7});
  const auto again = synthesize(schedule::allgather(6), network, {.max_chunks = 2, .seed = 7});
  ASSERT_EQ(once.pareto.size(), again.pareto.size());
  for (std::size_t i = 0; i < once.pareto.size(); ++i)
    EXPECT_EQ(once.pareto[i].schedule, again.pareto[i].schedule);
}

TEST(Synthesis, answers_when_the_time_is_too_short) {
  const Network network = network_of("kautz:2,3");
  const Synthesis found =
      synthesize(schedule::allgather(12), network, {.max_chunks = 3, .time_limit_s = 1e-6});
  ASSERT_FALSE(found.pareto.empty());
  EXPECT_FALSE(found.complete);
  expect_sound(found, network);
}

// A minute of quick tries, were the rounds to grow by one at a time.
TEST(Synthesis, answers_on_large_networks_when_the_time_is_too_short) {
  const Network network = network_of("torus:8x8");
  const Synthesis found = synthesize(schedule::allgather(64), network, {.time_limit_s = 1e-6});
  ASSERT_FALSE(found.pareto.empty());
  expect_sound(found, network);
}

TEST(Synthesis, refuses_what_it_cannot_do) {
  const Network ring = network_of("ring:4");
  const auto allgather = schedule::allgather(4);
  EXPECT_THROW(synthesize(allgather, ring, {.min_chunks = 0}), InvalidInput);
  EXPECT_THROW(synthesize(allgather, ring, {.min_chunks = 3, .max_chunks = 2}), InvalidInput);
  EXPECT_THROW(synthesize(allgather, ring, {.min_steps = 1}), InvalidInput);
  EXPECT_THROW(synthesize(allgather, ring, {.min_steps = 3, .max_steps = 2}), InvalidInput);
  EXPECT_THROW(synthesize(allgather, ring, {.time_limit_s = 0}), InvalidInput);
  EXPECT_THROW(synthesize(schedule::alltoall(4), ring, {}), InvalidInput);
  EXPECT_THROW(synthesize(schedule::allgather(8), network_of("hosts(2, ring:4)"), {}),
               InvalidInput);
  const Network one_way = network_of(support::from_arcs(3, {{0, 1}, {1, 2}}));
  EXPECT_THROW(synthesize(schedule::allgather(3), one_way, {}), InvalidInput);
}

/// The cut bound by all sets of nodes.
Rational naive_cut_bound(const Instance& instance) {
  Rational best = 0;
  for (unsigned set = 1; set + 1 < 1u << instance.nodes; ++set) {
    std::int64_t into = 0;
    for (const Arc& arc : instance.arcs)
      if ((set >> arc.tail & 1) == 0 && (set >> arc.head & 1) == 1) into += arc.weight;
    best = std::max(best, Rational(instance.nodes - std::popcount(set), into));
  }
  return best;
}

std::vector<Instance> random_instances(int nodes, int links) {
  std::vector<Instance> instances;
  Rng rng(11);
  while (instances.size() < 30) {
    const Topology topology = support::random_arcs(nodes, links, rng);
    try {
      instances.push_back(make_instance(network_of(topology), graph::Sense::along));
    } catch (const InvalidInput&) {  // not strongly connected
    }
  }
  return instances;
}

TEST(CutBound, equals_the_largest_ratio_over_all_sets) {
  for (const Instance& instance : random_instances(7, 18))
    EXPECT_EQ(cut_bound(instance), naive_cut_bound(instance));
}

TEST(StepBound, lies_between_the_cut_bound_and_the_integer_optimum) {
  const auto never = Clock::time_point::max();
  for (const Instance& instance : random_instances(5, 11)) {
    const StepBound bound = step_bound(instance, instance.diameter, never);
    const int most = instance.nodes * instance.nodes;
    const ExactResult exact =
        solve_exactly(instance, {instance.diameter, 1, most}, instance.diameter,
                      Clock::now() + std::chrono::hours(1));
    ASSERT_TRUE(exact.decided && exact.plan);
    EXPECT_TRUE(bound.relaxed_fully);
    EXPECT_LE(bound.rounds, Rational(exact.plan->total_rounds()));
    // The optimum by annealing, once it is told how many rounds there are; one fewer has no plan.
    const AnnealingTask task{instance.diameter, 1, exact.plan->total_rounds()};
    EXPECT_TRUE(anneal(instance, task, Rng(1), {.moves = 300'000}));
  }
}

// Two steps on a DGX-1: 3/2 rounds a chunk, whatever the number of chunks (so SCCL's (2, 3, 2) is
// the best of two steps); three steps: the ports' 7/6.
TEST(StepBound, proves_the_frontier_of_the_dgx1) {
  const Instance instance = make_instance(dgx1(), graph::Sense::along);
  EXPECT_EQ(step_bound(instance, 2, Clock::time_point::max()).rounds, Rational(3, 2));
  EXPECT_EQ(cut_bound(instance), Rational(7, 6));
}

}  // namespace
}  // namespace weft::search
