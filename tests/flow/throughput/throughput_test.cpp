// All-to-all throughput: known values, bad input.
#include "weft/flow/throughput.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using flow::all_to_all_throughput;
using flow::Throughput;
using flow::ThroughputMethod;
using flow::ThroughputOptions;

std::optional<Rational> exact(const Topology& topology,
                              ThroughputMethod method = ThroughputMethod::exact) {
  return all_to_all_throughput(topology, {}, {.method = method}).exact;
}

std::string message(const Topology& topology, std::vector<std::int64_t> capacity = {}) {
  try {
    all_to_all_throughput(topology, capacity);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// One hop each: every pair has its own link.
TEST(ThroughputLp, is_one_on_complete_networks) {
  EXPECT_EQ(exact(support::complete_graph(4)), Rational(1));
}

// A one-way cycle's distances sum to n n (n-1) / 2 over n links, all loaded alike: 2 / (n (n-1)).
TEST(ThroughputLp, shares_a_one_way_cycle) {
  EXPECT_EQ(exact(support::one_way_cycle(6)), Rational(1, 15));
}

// An edge-transitive network meets the distance bound: the 3-cube has 24 links and 8 * 12 hops.
TEST(ThroughputLp, meets_the_distance_bound_of_a_cube) {
  const Throughput cube = all_to_all_throughput(support::binary_cube(3));
  EXPECT_EQ(cube.exact, Rational(1, 4));
  EXPECT_DOUBLE_EQ(cube.distance_bound, 0.25);
}

// The flow behind the answer, by each method: no link above its capacity at the throughput, one at
// it, and in all no less than the sum of distances. Parallel links share what goes between two
// nodes.
TEST(Throughput, tells_the_loads_of_its_flow) {
  for (const char* name : {"torus:3x4", "kautz:2,3", "genkautz:2,7", "random-regular:12,3",
                           "hosts(2, ring:3)", "bipartite:2,3"})
    for (const ThroughputMethod method :
         {ThroughputMethod::automatic, ThroughputMethod::exact, ThroughputMethod::orbits,
          ThroughputMethod::approximate}) {
      const Topology topology = make_topology(name);
      const Throughput found = all_to_all_throughput(topology, {}, {.method = method});
      ASSERT_EQ(found.loads.size(), topology.link_count()) << name;
      double sum = 0, most = 0;
      for (const double load : found.loads) {
        sum += load;
        most = std::max(most, load);
      }
      EXPECT_NEAR(most * found.throughput, 1, 1e-9) << name;
      // distance_bound = links / sum of distances; a node's link to itself carries nothing.
      std::int64_t links = 0;
      for (const LinkId link : topology.links())
        links += topology.tail(link) != topology.head(link) ? 1 : 0;
      const double distances = static_cast<double>(links) / found.distance_bound;
      EXPECT_GE(sum, distances * (1 - 1e-9)) << name;
    }
  const Throughput parallel = all_to_all_throughput(support::from_arcs(2, {{0, 1}, {0, 1}, {1, 0}}),
                                                    std::array<std::int64_t, 3>{3, 1, 2});
  EXPECT_NEAR(parallel.loads[0], 0.75, 1e-12);
  EXPECT_NEAR(parallel.loads[1], 0.25, 1e-12);
  EXPECT_NEAR(parallel.loads[2], 1, 1e-12);
}

// Two pairs of hosts, linked by one cable between 1 and 2: it carries the 4 pairs each way.
TEST(ThroughputLp, is_limited_by_a_cut) {
  const Topology path = support::from_cables(4, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(exact(path), Rational(1, 4));
}

// Beside switches a host that does not send passes nothing on; elsewhere it does.
TEST(ThroughputLp, serves_some_hosts_alone) {
  ThroughputOptions options{.places = {NodeId(2), NodeId(0)}};
  EXPECT_EQ(all_to_all_throughput(topology::make_topology("ring:4"), {}, options).exact,
            Rational(2));
  const Topology rails = topology::make_topology("rail:boxes=2,gpus=2,spines=1");
  options.places = {rails.hosts()[0], rails.hosts()[3]};
  EXPECT_EQ(all_to_all_throughput(rails, {}, options).exact, Rational(1));
}

// Two cables of a path of three hosts with 1, 2 and 3 ranks: 1 * (2 + 3) pairs each way over the
// first, (1 + 2) * 3 over the second. All methods weigh hosts by their ranks.
TEST(Throughput, weighs_hosts_by_their_ranks) {
  const Topology path = support::from_cables(3, {{0, 1}, {1, 2}});
  for (const ThroughputMethod method : {ThroughputMethod::automatic, ThroughputMethod::exact,
                                        ThroughputMethod::orbits, ThroughputMethod::approximate}) {
    const ThroughputOptions options{
        .method = method,
        .gap = 1e-9,
        .places = {NodeId(2), NodeId(0), NodeId(1), NodeId(2), NodeId(1), NodeId(2)}};
    const Throughput found = all_to_all_throughput(path, {}, options);
    EXPECT_NEAR(found.throughput, 1.0 / 9, 1e-9);
    EXPECT_NEAR(found.upper_bound, 1.0 / 9, 1e-9);
    EXPECT_EQ(found.ranks, 6);
    EXPECT_EQ(found.hosts, 3);
    EXPECT_GE(found.loads[path.find_link(NodeId(0), NodeId(1))->index()], 5 - 1e-6);
    EXPECT_NEAR(found.loads[path.find_link(NodeId(1), NodeId(2))->index()], 9, 1e-6);
  }
}

// Three ranks a node of a Cayley network: nine pairs of ranks for each of nodes.
TEST(Throughput, keeps_the_symmetry_of_equally_many_ranks) {
  const Topology torus = make_topology("torus:4x4");
  ThroughputOptions options;
  for (int i = 0; i < 3; ++i)
    options.places.insert(options.places.end(), torus.hosts().begin(), torus.hosts().end());
  const Throughput found = all_to_all_throughput(torus, {}, options);
  EXPECT_EQ(found.method, ThroughputMethod::cayley);
  EXPECT_EQ(found.exact, *all_to_all_throughput(torus).exact / Rational(9));
}

TEST(ThroughputInput, refuses_ranks_on_one_host_alone) {
  EXPECT_THROW(all_to_all_throughput(support::cycle(3), {}, {.places = {NodeId(1), NodeId(1)}}),
               InvalidInput);
}

// The same path with a middle of double width, as parallel links or as capacity: then the outer
// cables carry 3 pairs and the middle 4 of a capacity of 2. As capacities the widest link counts 1.
TEST(ThroughputLp, adds_up_parallel_links_and_capacities) {
  EXPECT_EQ(exact(support::from_cables(4, {{0, 1}, {1, 2}, {1, 2}, {2, 3}})), Rational(1, 3));
  const Topology path = support::from_cables(4, {{0, 1}, {1, 2}, {2, 3}});
  std::vector<std::int64_t> capacity(6, 25);
  capacity[path.find_link(NodeId(1), NodeId(2))->index()] = 50;
  capacity[path.find_link(NodeId(2), NodeId(1))->index()] = 50;
  EXPECT_EQ(all_to_all_throughput(path, capacity).exact, Rational(1, 6));
}

// A link from a node to itself is of no use.
TEST(ThroughputLp, ignores_links_from_a_node_to_itself) {
  EXPECT_EQ(exact(support::from_arcs(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}})), Rational(1));
}

// Switches pass on and ask for nothing. Each terminal link carries 7 pairs; the 8 links between
// switches carry 2 * 2 pairs for each of the 4 * (1 + 1 + 2) hops: 8 each.
TEST(ThroughputLp, counts_hosts_alone) {
  EXPECT_EQ(exact(make_topology("hosts(2, ring:4)")), Rational(1, 8));
}

// A host between two others, and a switch somewhere: hosts pass nothing on unless they are ranks.
TEST(ThroughputInput, says_which_hosts_pass_nothing_on) {
  topology::TopologyBuilder builder(4);
  builder.set_kind(NodeId(3), topology::NodeKind::switch_node);
  for (const std::int32_t node : {0, 1, 2}) builder.add_cable(NodeId(node), NodeId(node + 1));
  const Topology topology = std::move(builder).build({});
  try {
    all_to_all_throughput(topology, {}, {.places = {NodeId(0), NodeId(2)}});
    ADD_FAILURE() << "host 1 passes data on";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what())
                  .find("host 0 does not reach host 2, and hosts without a rank do not forward"),
              std::string::npos)
        << error.what();
  }
}

TEST(ThroughputInput, names_a_pair_that_is_not_connected) {
  EXPECT_NE(
      message(support::from_arcs(3, {{0, 1}, {1, 0}, {2, 0}})).find("host 0 does not reach host 2"),
      std::string::npos);
  EXPECT_NE(
      message(support::from_arcs(3, {{0, 1}, {1, 0}, {0, 2}})).find("host 2 does not reach host 0"),
      std::string::npos);
}

TEST(ThroughputInput, refuses_networks_without_two_hosts) {
  EXPECT_NE(message(support::from_arcs(1, {{0, 0}})).find("one host"), std::string::npos);
  topology::TopologyBuilder builder(2);
  builder.set_kind(NodeId(0), topology::NodeKind::switch_node);
  builder.set_kind(NodeId(1), topology::NodeKind::switch_node);
  builder.add_cable(NodeId(0), NodeId(1));
  const Topology switches = std::move(builder).build(topology::Expression{"ring", "2", {}});
  EXPECT_NE(message(switches).find("has only switches, and no host that sends; attach hosts:"),
            std::string::npos);
}

TEST(ThroughputInput, refuses_capacities_that_are_not_positive) {
  EXPECT_NE(message(support::one_way_cycle(3), {1, 0, 1}).find("link 1 has capacity 0"),
            std::string::npos);
}

TEST(ThroughputInput, suggests_a_method) {
  EXPECT_THROW(flow::parse_throughput_method("caley"), InvalidInput);
  EXPECT_EQ(flow::parse_throughput_method("cayley"), ThroughputMethod::cayley);
}

}  // namespace
