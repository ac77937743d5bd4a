#include "weft/algorithm/expansion.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/even_bfb.hpp"
#include "support/network_on.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/algorithm/expansion_catalogue.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/expansions.hpp"

namespace weft::algorithm {
namespace {

// The bases of these cases are distance-regular or one-way rings, on which the even split is the
// best BFB.
Bases even_bases() {
  return {
      .general = test::even_bfb,
      .quality = BaseQuality::bfb,
      .known = [](const Topology& topology) { return StoredSchedules::shipped().find(topology); }};
}

using test::on;

schedule::Cost verified_cost(const schedule::Collective& collective, const Network& network,
                             const Bases& bases) {
  const Schedule schedule = expand(collective, network, bases);
  return cost(schedule::verify_own(schedule, &network.topology()), network);
}

struct Line {
  std::string expression;
  std::int64_t steps;
  Rational bandwidth_factor;
};

void expect_line(const Line& line) {
  const Network network = on(line.expression);
  const std::int32_t n = network.ranks();
  const auto& expression = network.topology().expression();
  const auto gather = verified_cost(schedule::allgather(n), network, even_bases());
  EXPECT_EQ(gather.steps, line.steps) << line.expression;
  EXPECT_EQ(gather.bandwidth_factor, line.bandwidth_factor) << line.expression;
  const Prediction predicted = predict(expression, graph::Sense::along, even_bases());
  EXPECT_EQ(predicted.steps, line.steps) << line.expression;
  EXPECT_EQ(predicted.bandwidth_factor, line.bandwidth_factor) << line.expression;
  EXPECT_EQ(predicted.nodes, n) << line.expression;
  EXPECT_EQ(predicted.degree, network.topology().nominal_degree()) << line.expression;
  const auto all = verified_cost(schedule::allreduce(n), network, even_bases());
  EXPECT_EQ(all.steps, 2 * line.steps) << line.expression;
  EXPECT_EQ(all.bandwidth_factor, line.bandwidth_factor * 2) << line.expression;
}

TEST(Expansion, line_graphs_of_complete_bipartite_networks_are_those_of_table_7) {
  // K(4,4): 2 steps, 7/8. Each line graph adds a step and 1/N: 7/8 + 1/8 = 1, + 1/32, + 1/128.
  expect_line({"line(bipartite:4,4)", 3, Rational(1)});
  expect_line({"line^2(bipartite:4,4)", 4, Rational(33, 32)});
  expect_line({"line^3(bipartite:4,4)", 5, Rational(133, 128)});
}

TEST(Expansion, line_graphs_of_a_distance_regular_network_are_those_of_table_7) {
  // 32 nodes of degree 4: 4 steps, 31/32; then + 1/32 and + 1/128.
  expect_line({"distance-regular:ag-2-4-minus-class", 4, Rational(31, 32)});
  expect_line({"line(distance-regular:ag-2-4-minus-class)", 5, Rational(1)});
  expect_line({"line^2(distance-regular:ag-2-4-minus-class)", 6, Rational(129, 128)});
}

TEST(Expansion, powers_of_diamond_and_their_line_graphs_are_those_of_tables_4_and_7) {
  // Diamond: 3 steps, 7/8, by its stored schedule; the square 6 steps, 63/64; + 1/64.
  expect_line({"diamond", 3, Rational(7, 8)});
  expect_line({"power(2, diamond)", 6, Rational(63, 64)});
  expect_line({"line(power(2, diamond))", 7, Rational(1)});
}

TEST(Expansion, degree_expansion_keeps_the_bandwidth_factor_at_its_least) {
  // The example of figure 4: uniring:4 (3 steps, 3/4) of degree 1 becomes 8 nodes of degree 2.
  expect_line({"degree(2, uniring:4)", 4, Rational(7, 8)});
  expect_line({"degree(3, complete:4)", 2, Rational(11, 12)});
  expect_line({"degree(2, degree(2, complete:3))", 3, Rational(11, 12)});
}

TEST(Expansion, powers_keep_the_bandwidth_factor_at_its_least) {
  expect_line({"power(2, uniring:4)", 6, Rational(15, 16)});
  expect_line({"power(3, complete:3)", 3, Rational(26, 27)});
  expect_line({"complete:4 * complete:4", 2, Rational(15, 16)});
}

TEST(Expansion, expansions_of_expansions_add_up) {
  // N = 4, T_B = 3/4: power 16, 15/16; line 32 nodes, 15/16 + 1/16; degree 64, + 1/64.
  expect_line({"line(power(2, uniring:4))", 7, Rational(1)});
  expect_line({"degree(2, line(power(2, uniring:4)))", 8, Rational(65, 64)});
}

TEST(Expansion, line_graph_of_a_one_way_ring_is_that_ring) {
  expect_line({"line^2(uniring:5)", 4, Rational(4, 5)});
}

TEST(Expansion, two_way_networks_cost_what_the_one_way_ones_do) {
  // K(2,2) = kautz:2,2 is line(complete:3): 2/3 + 1/3, in 2 steps; line(K(2,2)): + 1/6.
  expect_line({"bidirectional(line(complete:3))", 2, Rational(1)});
  expect_line({"bidirectional(line^2(complete:3))", 3, Rational(7, 6)});
  expect_line({"bidirectional(uniring:5)", 4, Rational(4, 5)});
  expect_line({"transpose(bidirectional(line(complete:3)))", 2, Rational(1)});
}

TEST(Expansion, parallel_links_each_carry_their_own) {
  // UniRing(2,4): a block in two halves a step, 3 steps of half a block, d/N = 1/2 each. Its line
  // graph: loads 1, 1, 1 and 1/2 (half of the last block came from where it would go), d/N = 1/4.
  expect_line({"uniring:2,4", 3, Rational(3, 4)});
  expect_line({"line(uniring:2,4)", 4, Rational(7, 8)});
  expect_line({"bidirectional(uniring:2,4)", 3, Rational(3, 4)});
  expect_line({"degree(2, biring:4,4)", 3, Rational(7, 8)});
}

// Each node of a one-way ring of four, twice: degree(2, uniring:4) as a base, so that the last
// blocks come in halves from both in-neighbours.
Bases with_wreath() {
  static const topology::Registry registry = [] {
    topology::Registry all = topology::standard_registry();
    all.families.push_back(
        {"wreath", "", "", "wreath", [](std::string_view) {
           const auto ring = build_topology("uniring:4");
           const Topology links = topology::degree_expansion(2, ring).topology;
           TopologyBuilder builder(links.node_count());
           for (const LinkId link : links.links())
             builder.add_link(links.tail(link), links.head(link));
           return BuiltTopology{std::move(builder).build({"wreath", {}, {}}), {}};
         }});
    return all;
  }();
  Bases bases = even_bases();
  bases.registry = &registry;
  return bases;
}

TEST(Expansion, line_graph_can_cost_less_than_theorem_10_says) {
  // 4 steps, loads 1, 1, 1 and 1/2: 7/8. On the line graph (16 nodes, d/N = 1/8) 1, 2, 2, 3/2 and
  // 1: in the third step of the base every link carries half of each out-neighbour's block, which
  // is left out towards the node that it came from. 7.5/8, not 7/8 + 1/8.
  const Bases bases = with_wreath();
  const Prediction base = predict(topology::parse_expression("wreath"), graph::Sense::along, bases);
  EXPECT_EQ(base.bandwidth_factor, Rational(7, 8));
  EXPECT_TRUE(base.bfb && base.branching);
  EXPECT_FALSE(base.tight);
  const Fabric fabric(build_topology("line(wreath)", *bases.registry));
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        network::make_routing("shortest", fabric));
  EXPECT_EQ(verified_cost(schedule::allgather(16), network, bases).bandwidth_factor,
            Rational(15, 16));
  const Prediction line =
      predict(topology::parse_expression("line(wreath)"), graph::Sense::along, bases);
  EXPECT_EQ(line.bandwidth_factor, Rational(15, 16));
  EXPECT_TRUE(line.optimal_bfb);
}

std::string message_of(const std::string& expression, const schedule::Collective& collective,
                       const topology::PlacementOptions& placement = {}) {
  try {
    const Fabric fabric(build_topology(expression));
    const Network network(fabric, topology::place(fabric.topology(), placement), {},
                          network::make_routing("shortest", fabric));
    expand(collective, network, even_bases());
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Expansion, says_what_it_cannot_serve) {
  EXPECT_EQ(message_of("hosts(1, line(complete:3))", schedule::allgather(6)),
            "hosts(1, line(complete:3)) has switches; expansions need a network whose nodes all "
            "have a rank");
  EXPECT_EQ(message_of("line(complete:3)", schedule::allgather(4), {.ranks = 4}),
            "6 nodes have 4 ranks; an expanded schedule needs one rank on every node");
  EXPECT_EQ(message_of("line(complete:3)", schedule::broadcast(6)),
            "expansion does not support broadcast; it supports allgather, reduce-scatter and "
            "allreduce");
}

// Bases that tell the neighbours alone: enough to see what becomes of their chunks.
Bases neighbours_only(std::int64_t units) {
  Bases bases = even_bases();
  bases.general = [units](const Topology& topology) {
    schedule::ScheduleBuilder builder(schedule::allgather(topology.node_count()),
                                      {.units_per_block = units});
    for (const LinkId link : topology.links())
      builder.at(0).send(schedule::Agent(topology.tail(link).value()),
                         schedule::Agent(topology.head(link).value()),
                         builder.block(topology.tail(link).value()));
    return std::move(builder).build();
  };
  return bases;
}

TEST(Expansion, says_when_chunks_become_too_small) {
  // The base has the most chunks there may be, and a square cuts each in two.
  try {
    expand(schedule::allgather(9), on("power(2, complete:3)"),
           neighbours_only(schedule::kMaxUnitsPerBlock));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "the expanded schedule of power(2, complete:3) would cut a block into 2097152 units "
        "(at most 1048576); use a base whose schedule has fewer chunks");
  }
}

// In-degrees of 2 to 47, primes among them, whose least common multiple is beyond 64 bits: a
// complete graph on nodes 0 to 47 less the cables u, v with u + v < 47, and a path so that all are
// reached.
TEST(Expansion, says_when_the_shares_of_irregular_networks_become_too_small) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("irregular.arcs");
  std::ofstream file(path);
  for (int u = 0; u < 48; ++u)
    for (int v = 0; v < 48; ++v)
      if (u != v && (u + v >= 47 || std::abs(u - v) == 1)) file << u << ' ' << v << '\n';
  file.close();
  const Network network = on("degree(2, file:\"" + path + "\")");
  EXPECT_THROW(expand(schedule::allgather(network.ranks()), network, neighbours_only(1)),
               InvalidInput);
}

TEST(Expansion, follows_the_ranks_wherever_they_are) {
  const Fabric fabric(build_topology("line(complete:4)"));
  const Network network(fabric, topology::place(fabric.topology(), {.policy = "random"}), {},
                        network::make_routing("shortest", fabric));
  const auto cost = verified_cost(schedule::allreduce(12), network, even_bases());
  EXPECT_EQ(cost.steps, 4);
  EXPECT_EQ(cost.bandwidth_factor, Rational(2));  // 3/4 + 1/4, twice
}

TEST(Expansion, one_copy_and_the_first_power_change_nothing) {
  expect_line({"degree(1, complete:4)", 1, Rational(3, 4)});
  expect_line({"power(1, complete:4)", 1, Rational(3, 4)});
}

}  // namespace
}  // namespace weft::algorithm
