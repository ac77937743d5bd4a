// Traffic patterns: who sends to whom, and what goes between parts of a network.
#include "weft/simulation/traffic.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

TEST(Traffic, sends_where_its_name_says) {
  Rng rng(1);
  const auto to = [&](const char* name, std::int32_t hosts, std::int32_t from) {
    return TrafficPattern::make(name, hosts, 7).destination(from, rng);
  };
  EXPECT_EQ(to("complement", 10, 3), 6);
  EXPECT_EQ(to("transpose", 16, 0b0110), 0b1001);
  EXPECT_EQ(to("reverse", 8, 0b110), 0b011);
  EXPECT_EQ(to("shuffle", 8, 0b110), 0b101);
  EXPECT_EQ(to("tornado", 8, 6), 1);  // 6 + 4 - 1 mod 8
  EXPECT_EQ(to("neighbor", 8, 7), 0);
  const auto on = [&](const char* name, const char* topology, std::int32_t from) {
    const Topology network = build_topology(topology).topology;
    return TrafficPattern::make(name, static_cast<std::int32_t>(network.hosts().size()), 7,
                                TrafficShape::of(network))
        .destination(from, rng);
  };
  // In each dimension: (3, 2) of 8 x 5 to (3 + 3, 2 + 2), and to (4, 3).
  EXPECT_EQ(on("tornado", "torus:8x5", 3 + 8 * 2), 6 + 8 * 4);
  EXPECT_EQ(on("neighbor", "mesh:8x5", 3 + 8 * 2), 4 + 8 * 3);
  EXPECT_EQ(on("tornado", "without(cable=3, torus:8x5)", 3 + 8 * 2), 6 + 8 * 4);
  EXPECT_EQ(on("next-group", "dragonfly:a=4,p=2,h=2", 71) / 8, 0);  // of the last of 9 groups
  EXPECT_EQ(on("next-group", "without(cable=9, dragonfly:a=4,p=2,h=2)", 71) / 8, 0);
  EXPECT_EQ(on("next-group", "xgft:2;4,4;1,4", 5) / 4, 2);
  EXPECT_EQ(on("next-group", "without(cable=17, node=18, xgft:2;4,4;1,4)", 5) / 4, 2);
  EXPECT_EQ(to("asymmetric", 8, 6) % 4, 2);
  EXPECT_EQ(to("bitcomp", 8, 1), 6);
  EXPECT_THROW(TrafficPattern::make("next-group", 12, 1), InvalidInput);
  EXPECT_EQ(to("hot-spot:1", 8, 5), 0);
  std::vector<int> hits(10);
  const TrafficPattern permutation = TrafficPattern::make("permutation", 10, 3);
  for (std::int32_t h = 0; h < 10; ++h) {
    EXPECT_NE(permutation.destination(h, rng), h);
    ++hits[permutation.destination(h, rng)];
  }
  EXPECT_EQ(hits, std::vector<int>(10, 1));
  const TrafficPattern others = TrafficPattern::make("others", 5, 3);
  for (int i = 0; i < 1'000; ++i) EXPECT_NE(others.destination(2, rng), 2);
  EXPECT_THROW(TrafficPattern::make("transpose", 8, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("shuffle", 12, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("hot-spot:2", 12, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("unifrom", 12, 1), InvalidInput);
}

// In any case and with '_' for '-'; a class is called as its network calls it.
TEST(Traffic, has_one_name_however_it_is_written) {
  EXPECT_EQ(canonical_traffic("Next_Group"), "next-group");
  EXPECT_EQ(canonical_traffic("BAD_DRAGON"), "next-group");
  EXPECT_EQ(canonical_traffic("hot_spot:0.5"), "hot-spot:0.5");
  EXPECT_EQ(canonical_traffic("class:to_spine"), "class:to_spine");
}

// Every host with the links that the way needs and no others: blocks of 2 hosts (a router) and 8 (a
// group), or 4, 16 and 32 (subtrees).
TEST(Traffic, of_a_class_crosses_it_and_none_further_out) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const Topology tree = build_topology("xgft:3;4,4,2;1,4,2").topology;
  struct Case {
    const Topology& network;
    const char* name;
    std::int32_t inner, outer;
  };
  for (const auto& [network, name, inner, outer] :
       {Case{fly, "class:terminal", 1, 2}, Case{fly, "class:local", 2, 8},
        Case{fly, "class:global", 8, 72}, Case{tree, "class:terminal", 1, 4},
        Case{tree, "class:level1", 4, 16}, Case{tree, "class:level2", 16, 32}}) {
    const auto hosts = static_cast<std::int32_t>(network.hosts().size());
    const auto pattern = TrafficPattern::make(name, hosts, 1, TrafficShape::of(network));
    Rng rng(5);
    for (std::int32_t from = 0; from < hosts; from += 3) {
      std::set<std::int32_t> reached;
      for (int i = 0; i < 3'000; ++i) reached.insert(pattern.destination(from, rng));
      std::set<std::int32_t> expected;
      for (std::int32_t to = 0; to < hosts; ++to)
        if (to / outer == from / outer && to / inner != from / inner) expected.insert(to);
      EXPECT_EQ(reached, expected) << name << " from " << from;
    }
    for (const double share : pattern.arrivals()) EXPECT_NEAR(share, 1, 1e-9) << name;
  }
  EXPECT_THROW(TrafficPattern::make("class:globl", 72, 1, TrafficShape::of(fly)), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("class:local", 8, 1), InvalidInput);
}

// Hosts 0, 1, 2, 9 and 17 of a Dragonfly: 0 and 1 on one router, 2 in their group.
TEST(Traffic, of_a_class_goes_by_the_numbers_of_those_that_take_part) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const std::vector<std::int32_t> numbers{0, 1, 2, 9, 17};
  const auto pattern = TrafficPattern::make("class:local", 5, 1, TrafficShape::of(fly), numbers);
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(pattern.destination(0, rng), 2);
    EXPECT_LT(pattern.destination(2, rng), 2);
    EXPECT_EQ(pattern.destination(3, rng), 3);  // alone in its group
  }
  const std::vector<double> expected{0.5, 0.5, 2, 0, 0};
  const std::vector<double> arrivals = pattern.arrivals();
  for (std::size_t h = 0; h < 5; ++h) EXPECT_NEAR(arrivals[h], expected[h], 1e-12) << h;
}

// Groups 0, 3 and 4 of nine with 3, 1 and 2 hosts: the group after one is the next of these.
TEST(Traffic, to_the_next_group_skips_those_without_a_host_that_takes_part) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const std::vector<std::int32_t> numbers{0, 1, 7, 24, 32, 39};
  const auto pattern = TrafficPattern::make("next-group", 6, 1, TrafficShape::of(fly), numbers);
  const std::vector<std::set<std::int32_t>> targets{{3}, {3}, {3}, {4, 5}, {0, 1, 2}, {0, 1, 2}};
  Rng rng(5);
  for (std::size_t from = 0; from < targets.size(); ++from) {
    std::set<std::int32_t> reached;
    for (int i = 0; i < 200; ++i)
      reached.insert(pattern.destination(static_cast<std::int32_t>(from), rng));
    EXPECT_EQ(reached, targets[from]) << from;
  }
  const std::vector<double> expected{2.0 / 3, 2.0 / 3, 2.0 / 3, 3, 0.5, 0.5};
  const std::vector<double> arrivals = pattern.arrivals();
  for (std::size_t h = 0; h < 6; ++h) EXPECT_NEAR(arrivals[h], expected[h], 1e-12) << h;
  // Hosts 0 and 1 send to the other part, and those of group 4 two thirds of theirs to these.
  EXPECT_NEAR(pattern.between(std::vector<std::int32_t>{0, 0, 1, 1, 1, 1}), 2 + 2 * 2.0 / 3, 1e-12);
  // Of one group there is no next one.
  const auto alone = TrafficPattern::make("next-group", 3, 1, TrafficShape::of(fly),
                                          std::vector<std::int32_t>{8, 9, 15});
  EXPECT_EQ(alone.destination(1, rng), 1);
  EXPECT_EQ(alone.arrivals(), std::vector<double>(3));
  EXPECT_EQ(alone.between(std::vector<std::int32_t>{0, 1, 2}), 0);
}

// By the whole network it is the host that the draw counts from the next group's first.
TEST(Traffic, to_the_next_group_draws_one_of_its_hosts) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const auto pattern = TrafficPattern::make("next-group", 72, 1, TrafficShape::of(fly));
  Rng rng(5), naive(5);
  for (std::int32_t from = 0; from < 72; ++from)
    EXPECT_EQ(pattern.destination(from, rng), ((from / 8 + 1) * 8 + naive.below(8)) % 72);
  EXPECT_THROW(TrafficPattern::make("next-group", 4, 1,
                                    TrafficShape::of(build_topology("xgft:2;4,1;1,2").topology)),
               InvalidInput);
}

// Of six hosts in parts of 3, 2 and 1, against draws.
TEST(Traffic, counts_what_goes_between_parts) {
  const std::vector<std::int32_t> parts{0, 0, 0, 1, 1, 2};
  const TrafficShape shape{.group = 2, .levels = {{"terminal", 2}, {"local", 6}}};
  Rng rng(4);
  for (const char* name : {"uniform", "others", "complement", "asymmetric", "hot-spot:0.3",
                           "permutation", "next-group", "class:terminal", "class:local"}) {
    const TrafficPattern pattern = TrafficPattern::make(name, 6, 5, shape);
    constexpr int kDraws = 40'000;
    double between = 0;
    for (std::int32_t h = 0; h < 6; ++h)
      for (int i = 0; i < kDraws; ++i)
        between += parts[h] != parts[pattern.destination(h, rng)] ? 1.0 / kDraws : 0;
    EXPECT_NEAR(pattern.between(parts), between, 0.03) << name;
  }
}

}  // namespace
}  // namespace weft::simulation
