#include "weft/topology/placement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/several_ranks.hpp"

namespace weft::topology {
namespace {

std::vector<int> numbers(const Placement& placement) {
  std::vector<int> result;
  for (NodeId node : placement.nodes) result.push_back(node.value());
  return result;
}

TEST(Placement, linear_fills_the_hosts_in_order) {
  const Topology t = make_topology("hosts(2, ring:3)");
  EXPECT_EQ(numbers(place(t, {})), (std::vector<int>{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(numbers(place(t, {.ranks = 2})), (std::vector<int>{3, 4}));
}

TEST(Placement, round_robin_takes_one_host_of_each_switch_in_turn) {
  const Topology t = make_topology("hosts(2, ring:3)");
  EXPECT_EQ(numbers(place(t, {.ranks = 4, .policy = "round-robin"})),
            (std::vector<int>{3, 5, 7, 4}));
  // A Dragonfly: one of each group. a = 2, p = 2, g = 3: hosts 6..9, 10..13, 14..17 by group.
  const Topology d = make_topology("dragonfly:a=2,p=2,h=1");
  EXPECT_EQ(numbers(place(d, {.ranks = 5, .policy = "Round-Robin"})),
            (std::vector<int>{6, 10, 14, 7, 11}));
  // A Dragonfly+: hosts 4, 5 hang on leaf 0 of group 0, hosts 6, 7 on that of group 1.
  EXPECT_EQ(
      numbers(place(make_topology("dragonfly-plus:l=1,s=1,p=2,h=1"), {.policy = "round-robin"})),
      (std::vector<int>{4, 6, 5, 7}));
  EXPECT_EQ(numbers(place(make_topology("ring:3"), {.policy = "round-robin"})),
            (std::vector<int>{0, 1, 2}));
}

// a = 2, p = 2, g = 3: hosts 6..9 (routers 0, 1), 10..13 (2, 3), 14..17 (4, 5) by group.
TEST(Placement, round_robin_by_router_or_by_group) {
  const Topology d = make_topology("dragonfly:a=2,p=2,h=1");
  EXPECT_EQ(numbers(place(d, {.ranks = 8, .policy = "round-robin-router"})),
            (std::vector<int>{6, 8, 10, 12, 14, 16, 7, 9}));
  EXPECT_EQ(numbers(place(d, {.policy = "round-robin-group"})),
            numbers(place(d, {.policy = "round-robin"})));
  EXPECT_EQ(numbers(place(d, {.ranks = 3, .policy = "contiguous"})), (std::vector<int>{6, 7, 8}));
  EXPECT_EQ(numbers(place(make_topology("hosts(2, ring:3)"), {.policy = "round-robin-router"})),
            (std::vector<int>{3, 5, 7, 4, 6, 8}));
}

// As above less host 11, so that 12 to 17 are now 11 to 16, and one cable.
TEST(Placement, knows_the_groups_of_a_damaged_network) {
  const Topology d = make_topology("without(cable=1, node=11, dragonfly:a=2,p=2,h=1)");
  EXPECT_EQ(numbers(place(d, {.policy = "round-robin-group"})),
            (std::vector<int>{6, 10, 13, 7, 11, 14, 8, 12, 15, 9, 16}));
}

TEST(Placement, lone_root_leaves_the_root_alone_in_its_group) {
  const Topology d = make_topology("dragonfly:a=4,p=2,h=2");
  const auto group = [](int node) { return (node - 36) / 8; };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto nodes = numbers(place(d, {.policy = "lone-root", .seed = seed}));
    EXPECT_EQ(nodes.size(), 72u - 7u);
    for (std::size_t i = 1; i < nodes.size(); ++i) EXPECT_NE(group(nodes[i]), group(nodes[0]));
  }
  EXPECT_NE(numbers(place(d, {.policy = "lone-root", .seed = 1})),
            numbers(place(d, {.policy = "lone-root", .seed = 2})));
}

TEST(Placement, deepest_reaches_all_groups_then_fills_the_second) {
  const Topology d = make_topology("dragonfly:a=2,p=2,h=1");
  EXPECT_EQ(numbers(place(d, {.policy = "deepest"})),
            (std::vector<int>{6, 10, 14, 12, 11, 13, 16, 15, 17, 8, 7, 9}));
}

TEST(Placement, degraded_ones_name_what_they_lack) {
  const auto message = [](const char* expression, PlacementOptions options) -> std::string {
    try {
      place(make_topology(expression), options);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("dragonfly:a=2,p=2,h=1", {.ranks = 10, .policy = "lone-root"}),
            "10 ranks do not fit placement lone-root on dragonfly:a=2,p=2,h=1,g=3 (the rest of the "
            "root's group stays empty); use at most 9");
  EXPECT_EQ(message("dragonfly:a=2,p=2,h=1", {.ranks = 13, .policy = "random"}),
            "13 ranks do not fit the 12 hosts of dragonfly:a=2,p=2,h=1,g=3; use at most 12, or "
            "--placement file:PATH, which can put several on a host");
  for (const char* policy : {"lone-root", "deepest", "round-robin-group"})
    EXPECT_EQ(
        message("torus:4x4", {.policy = policy}),
        std::string("placement ") + policy +
            " needs a Dragonfly, and torus:4x4 is not one; use random, linear or round-robin");
}

TEST(Placement, random_is_a_seeded_sample_without_repeats) {
  const Topology t = make_topology("ring:100");
  const auto one = numbers(place(t, {.ranks = 50, .policy = "random", .seed = 5}));
  EXPECT_EQ(one, numbers(place(t, {.ranks = 50, .policy = "random", .seed = 5})));
  EXPECT_NE(one, numbers(place(t, {.ranks = 50, .policy = "random", .seed = 6})));
  auto sorted = one;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(sorted.size(), 50u);
}

class PlacementFile : public testing::Test {
 protected:
  ~PlacementFile() override { std::remove(path_.c_str()); }
  std::string policy(std::string_view content) {
    write_file(path_, content);
    return "file:" + path_;
  }
  std::string path_ = fmt::format("{}/placement-{}.txt", testing::TempDir(), getpid());
};

TEST_F(PlacementFile, names_a_host_a_line_and_may_share_them) {
  const Topology t = make_topology("hosts(1, ring:3)");
  const std::string file = policy("# two cores each\n2\n2\r\n\n0 # last\n");
  EXPECT_EQ(numbers(place(t, {.policy = file})), (std::vector<int>{5, 5, 3}));
  EXPECT_EQ(numbers(place(t, {.ranks = 2, .policy = file})), (std::vector<int>{5, 5}));
  EXPECT_THROW(place(t, {.ranks = 4, .policy = file}), InvalidInput);
}

TEST_F(PlacementFile, bad_lines_are_named) {
  const Topology t = make_topology("ring:3");
  for (const char* text : {"", "0\n3\n", "-1\n", "x\n", "0 1\n", "99999999999999999999\n"})
    EXPECT_THROW(place(t, {.policy = policy(text)}), InvalidInput) << text;
}

TEST(Placement, puts_several_ranks_on_each_host_as_neighbours) {
  const Placement one = place(make_topology("hosts(2, ring:3)"), {.ranks = 2});
  EXPECT_EQ(numbers(several_on_each(one, 3)), (std::vector<int>{3, 3, 3, 4, 4, 4}));
  EXPECT_EQ(numbers(several_on_each(one, 1)), numbers(one));
  EXPECT_THROW(several_on_each(one, 0), InvalidInput);
  EXPECT_THROW(several_on_each(one, (1 << 19) + 1), InvalidInput);
}

// Whatever places the ranks before: here on hosts 3 and 1, by two numbers.
TEST(Placement, places_several_ranks_where_options_ask_for_them) {
  const Topology t = make_topology("ring:4");
  const std::vector<std::int32_t> hosts{3, 1};
  EXPECT_EQ(numbers(place(t, {.per_host = {2}}, hosts)), (std::vector<int>{3, 3, 1, 1}));
  EXPECT_EQ(numbers(place(t, {.per_host = {1, 3}}, hosts)), (std::vector<int>{3, 1, 1, 1}));
  EXPECT_EQ(numbers(place(t, {.ranks = 1, .per_host = {3}}, hosts)), (std::vector<int>{3, 3, 3}));
  EXPECT_THROW(place(t, {.per_host = {1, 2, 3}}, hosts), InvalidInput);
}

TEST(Placement, counts_the_ranks_of_the_fullest_host) {
  const Placement one = place(make_topology("hosts(2, ring:3)"), {.ranks = 4});
  EXPECT_EQ(one.most_on_a_host(), 1);
  EXPECT_EQ(several_on_each(one, 3).most_on_a_host(), 3);
  EXPECT_EQ((Placement{{NodeId(3), NodeId(5), NodeId(3), NodeId(5), NodeId(3)}}).most_on_a_host(),
            3);
  EXPECT_EQ(Placement{}.most_on_a_host(), 0);
}

TEST(Placement, bad_options_are_named) {
  const Topology t = make_topology("ring:4");
  EXPECT_THROW(place(t, {.ranks = 5}), InvalidInput);
  EXPECT_THROW(place(t, {.ranks = -1}), InvalidInput);
  EXPECT_THROW(place(t, {.policy = "file:no/such/file"}), InvalidInput);
  try {
    place(t, {.policy = "lineer"});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "unknown placement 'lineer'; did you mean linear?");
  }
}

}  // namespace
}  // namespace weft::topology
