// Balanced flows: both ends hold, the gap is kept, threads change nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/graphs.hpp"
#include "weft/base/parallel.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using flow::all_to_all_throughput;
using flow::Throughput;
using flow::ThroughputMethod;

class Approximate : public testing::TestWithParam<const char*> {};

TEST_P(Approximate, interval_holds_the_value) {
  const Topology topology = make_topology(GetParam());
  const Throughput near =
      all_to_all_throughput(topology, {}, {.method = ThroughputMethod::approximate, .gap = 0.004});
  const Throughput value =
      all_to_all_throughput(topology, {}, {.method = ThroughputMethod::orbits});
  EXPECT_EQ(near.method, ThroughputMethod::approximate);
  EXPECT_LE(near.gap(), 0.004);
  EXPECT_LE(near.throughput, value.upper_bound * (1 + 1e-9));
  EXPECT_GE(near.upper_bound, value.throughput * (1 - 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Networks, Approximate,
                         testing::Values("genkautz:4,32", "kautz:2,4", "random-regular:32,3,seed=5",
                                         "mesh:4x5", "hosts(2, ring:5)", "xgft:2;2,3;1,2",
                                         "torus:5x4", "without(link=3, hypercube:4)",
                                         "dragonfly:a=3,p=1,h=1,g=4", "complete:5", "uniring:6"));

// Hosts that are no ranks are on some ways and off others, and may come back on them.
TEST(ApproximatePart, interval_holds_the_value_for_a_part_of_the_hosts) {
  for (const char* name : {"torus:4x4", "torus:9x8", "genkautz:3,20", "dragonfly:a=4,p=2,h=2"})
    for (const std::int64_t ranks : {9, 16}) {
      SCOPED_TRACE(fmt::format("{} of {}", ranks, name));
      const Topology topology = make_topology(name);
      const auto by = [&](flow::ThroughputOptions options) {
        options.places = topology::place(topology, {.ranks = ranks}).nodes;
        return all_to_all_throughput(topology, {}, options);
      };
      const Throughput near = by({.method = ThroughputMethod::approximate, .gap = 0.004});
      const Throughput value = by({.method = ThroughputMethod::orbits});
      EXPECT_LE(near.gap(), 0.004);
      EXPECT_LE(near.throughput, value.upper_bound * (1 + 1e-9));
      EXPECT_GE(near.upper_bound, value.throughput * (1 - 1e-9));
    }
}

// Hosts 0 and 1, joined by 4000 and over host 2 by 1 more: the whole of a source's flow on the thin
// way would load it 4000 times as much as any other, so that steps are small.
TEST(ApproximatePart, reaches_the_value_over_links_that_differ_much) {
  const Topology topology = support::from_arcs(3, {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}});
  const std::vector<std::int64_t> capacity = {4000, 1, 4000, 4000, 1, 4000};
  const Throughput near = all_to_all_throughput(
      topology, capacity,
      {.method = ThroughputMethod::approximate, .gap = 0.01, .places = {NodeId(0), NodeId(1)}});
  EXPECT_LE(near.gap(), 0.01);
  EXPECT_LE(near.throughput, 4001. / 4000 * (1 + 1e-9));  // the fastest link is 1
  EXPECT_GE(near.upper_bound, 4001. / 4000 * (1 - 1e-9));
}

// Random links of random capacities, some nodes far off: compared with LP (3).
TEST(ApproximateProperty, holds_on_random_networks_with_capacities) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const int nodes = 3 + static_cast<int>(rng.below(8));
    std::vector<support::Ends> arcs;
    for (int u = 0; u < nodes; ++u) arcs.emplace_back(u, (u + 1) % nodes);
    for (std::int64_t i = rng.below(3 * nodes); i > 0; --i)
      arcs.emplace_back(rng.below(nodes), rng.below(nodes));
    const Topology topology = support::from_arcs(nodes, arcs);
    std::vector<std::int64_t> capacity;
    for (std::size_t i = 0; i < arcs.size(); ++i) capacity.push_back(1 + rng.below(5));
    const Throughput near = all_to_all_throughput(
        topology, capacity, {.method = ThroughputMethod::approximate, .gap = 0.01});
    const Throughput program =
        all_to_all_throughput(topology, capacity, {.method = ThroughputMethod::exact});
    const Throughput orbits =
        all_to_all_throughput(topology, capacity, {.method = ThroughputMethod::orbits});
    EXPECT_NEAR(orbits.throughput / program.throughput, 1, 1e-8) << "seed " << seed;
    EXPECT_LE(near.gap(), 0.01) << "seed " << seed;
    EXPECT_LE(near.throughput, program.upper_bound * (1 + 1e-9)) << "seed " << seed;
    EXPECT_GE(near.upper_bound, program.throughput * (1 - 1e-9)) << "seed " << seed;
  }
}

// Where the first flow is already the best one, both ends are the same number but for rounding:
// each is rounded to its side. The true value of a ring of n is 8 / n^2 for even n (cables of two
// directions, 2n capacities over n * n^2 / 4 links), of a complete graph 1.
TEST(ApproximateRounding, keeps_the_ends_in_order) {
  for (int n = 3; n <= 40; ++n)
    for (const std::string family : {"ring:", "uniring:", "complete:", "circulant:"}) {
      const std::string name =
          family + std::to_string(n + 2) + (family == "circulant:" ? ",1,2" : "");
      const Throughput near = all_to_all_throughput(
          make_topology(name), {}, {.method = ThroughputMethod::approximate, .time_limit_s = 0.3});
      EXPECT_LE(near.throughput, near.upper_bound) << name;
      EXPECT_LE(near.upper_bound, near.distance_bound) << name;
      EXPECT_GE(near.gap(), 0) << name;
    }
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const int nodes = 3 + static_cast<int>(rng.below(10));
    std::vector<support::Ends> arcs;
    for (int u = 0; u < nodes; ++u) arcs.emplace_back(u, (u + 1) % nodes);
    for (std::int64_t i = rng.below(nodes); i > 0; --i)
      arcs.emplace_back(rng.below(nodes), rng.below(nodes));
    const Topology topology = support::from_arcs(nodes, arcs);
    const Throughput near = all_to_all_throughput(
        topology, {}, {.method = ThroughputMethod::approximate, .gap = 1e-6, .time_limit_s = 0.2});
    EXPECT_LE(near.throughput, near.upper_bound) << "seed " << seed;
    const Throughput value =
        all_to_all_throughput(topology, {}, {.method = ThroughputMethod::exact});
    EXPECT_LE(near.throughput, value.upper_bound) << "seed " << seed;
    EXPECT_GE(near.upper_bound, value.throughput) << "seed " << seed;
  }
}

TEST(ApproximateThreads, do_not_change_the_answer) {
  const Topology topology = make_topology("random-regular:60,4,seed=3");
  const auto with = [&](int count) {
    set_threads(count);
    return all_to_all_throughput(topology, {}, {.method = ThroughputMethod::approximate});
  };
  const Throughput one = with(1), four = with(4);
  set_threads(0);
  EXPECT_EQ(one.throughput, four.throughput);
  EXPECT_EQ(one.upper_bound, four.upper_bound);
  EXPECT_EQ(one.rounds, four.rounds);
}

// Stopped at once, what it says is still true.
TEST(ApproximateTime, limit_leaves_a_proven_interval) {
  const Throughput hasty = all_to_all_throughput(
      make_topology("genkautz:4,100"), {},
      {.method = ThroughputMethod::approximate, .gap = 0, .time_limit_s = 0.01});
  EXPECT_GT(hasty.throughput, 0);
  EXPECT_GT(hasty.gap(), 0);
}

}  // namespace
