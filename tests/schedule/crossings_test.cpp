// Links crossed and the makespan in links, on networks where both are counted by hand.
#include "weft/schedule/crossings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/program/program.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::schedule {
namespace {

Network on(const std::string& expression, const topology::PlacementOptions& placement = {},
           const char* routing = "shortest", HostParameters host = {}) {
  LinkOptions links;
  topology::parse_link_option("1Gbps,1s", links);
  const Fabric fabric(build_topology(expression), links);
  return {fabric, topology::place(fabric.topology(), placement), host,
          network::make_routing(routing, fabric)};
}

Verified scheduled(const char* algorithm, const Collective& collective, const Network& network,
                   const AlgorithmOptions& options = {}) {
  return verify_own(build_schedule(algorithm, collective, &network, options), &network.topology());
}

TEST(Crossings, counts_a_binomial_tree_on_a_dragonfly) {
  // Routers 0, 1 | 2, 3 | 4, 5 with two hosts each; global links 0-2, 1-4, 3-5.
  const Network network = on("dragonfly:a=2,p=2,h=1,g=3", {.ranks = 5});
  const Crossings counted = crossings(scheduled("binomial", broadcast(5), network), network);
  // Hosts 0, 1 on router 0, 2, 3 on router 1, 4 on router 2. Messages: 0>4 (t g t), 0>2 (t l t),
  // 0>1 (t t), 2>3 (t t).
  EXPECT_EQ(counted.of("terminal").messages, 8);
  EXPECT_EQ(counted.of("local").messages, 1);
  EXPECT_EQ(counted.of("global").messages, 1);
  EXPECT_EQ(counted.total(), 10);
  EXPECT_EQ(counted.of("global").data, Rational(1));  // the whole buffer once
  EXPECT_EQ(counted.makespan, 3 + 3 + 2);             // 0 sends three times; 2>3 ends with it
  EXPECT_EQ(counted.of("z").messages, 0);
}

TEST(Crossings, weighs_messages_by_what_they_carry) {
  const Network network = on("uniring:4");
  // Each of 4 ranks sends 3 blocks of M/4 over one link, in three steps.
  const Crossings ring = crossings(scheduled("ring", allgather(4), network), network);
  EXPECT_EQ(ring.of("link").messages, 12);
  EXPECT_EQ(ring.of("link").data, Rational(3));
  EXPECT_EQ(ring.makespan, 3);
  // A scatter by distances: 0 sends 2 blocks over two links, then 1 over one, 2 sends 1 over one.
  const Crossings tree = crossings(scheduled("binomial", scatter(4), network), network);
  EXPECT_EQ(tree.of("link").messages, 4);
  EXPECT_EQ(tree.of("link").data, Rational(2 * 2 + 1 + 1, 4));
  EXPECT_EQ(tree.makespan, 3);
}

TEST(Crossings, counts_every_segment) {
  const Network network = on("mesh:4");
  const Crossings chain =
      crossings(scheduled("chain", broadcast(4), network, {.values = {{"segments", 5}}}), network);
  EXPECT_EQ(chain.of("x").messages + chain.of("link").messages, 15);
  EXPECT_EQ(chain.of("x").data + chain.of("link").data, Rational(3));
  EXPECT_EQ(chain.makespan, 4 - 2 + 5);
}

// A walk over all segments in each step would take 2^41 rounds.
TEST(Crossings, count_a_million_segments) {
  const Network network = on("mesh:2");
  ScheduleBuilder builder(broadcast(2), {.segments = {.count = 1 << 20, .stride = 2}});
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  const Crossings all = crossings(verify_own(std::move(builder).build()), network);
  EXPECT_EQ(all.of("x").messages + all.of("link").messages, 1 << 20);
}

// With a second a link, no bytes to speak of, one port and senders that wait, simulated time is the
// makespan.
TEST(Crossings, makespan_is_the_simulated_time_of_one_second_links) {
  for (const char* algorithm : {"tree", "llf", "glf", "forest"}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Network network =
          on("dragonfly:a=4,p=2,h=2", {.ranks = 40, .policy = "random", .seed = seed}, "minimal",
             {.ports = 1});
      const Verified verified = scheduled(algorithm, broadcast(40), network);
      const auto simulated = simulation::simulate(
          program::lower(verified, {.size_B = 1}), network,
          {.model = simulation::Model::fluid, .release = simulation::Release::delivered});
      EXPECT_NEAR(simulated.time_s, static_cast<double>(crossings(verified, network).makespan),
                  1e-3)
          << algorithm << ' ' << seed;
    }
  }
}

// All ways between two nodes of a torus have as many links of each dimension: those of one of them.
TEST(Crossings, count_split_messages_whose_ways_are_alike) {
  const Network one = on("torus:4x4", {}, "dimension-order-up");
  const auto expected = crossings(scheduled("binomial", broadcast(16), one), one);
  for (const char* routing : {"dimension-order", "shortest-split"}) {
    const Network network = on("torus:4x4", {}, routing);
    const auto counted = crossings(scheduled("binomial", broadcast(16), network), network);
    EXPECT_EQ(counted.makespan, expected.makespan);
    for (const char* dimension : {"x", "y"}) {
      EXPECT_EQ(counted.of(dimension).messages, expected.of(dimension).messages) << routing;
      EXPECT_EQ(counted.of(dimension).data, expected.of(dimension).data) << routing;
    }
  }
}

// On a Dragonfly two global links are as short as one and a local one.
TEST(Crossings, reject_a_split_over_different_links) {
  const Network network = on("dragonfly:a=4,p=2,h=2", {}, "shortest-split");
  EXPECT_THROW(crossings(scheduled("pairwise", alltoall(72), network), network), InvalidInput);
}

}  // namespace
}  // namespace weft::schedule
