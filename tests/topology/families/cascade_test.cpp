#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "topology/families/family_checks.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

std::map<std::string, int> cables_by_class(const Topology& t) {
  std::map<std::string, int> cables;
  for (const LinkId link : t.links()) ++cables[t.class_names()[t.link_class(link)]];
  for (auto& [name, count] : cables) count /= 2;
  return cables;
}

// A group: 6 chassis of 16 routers, any two of a chassis joined (6 * 120 cables), and any two of a
// slot by three (16 * 15 * 3); four hosts a router. Faanes et al.: 15 and 15 ports for these.
TEST(Cascade, has_the_counts_of_its_paper) {
  const struct {
    const char* text;
    int groups, cables;
  } cases[] = {{"cascade:1", 1, 0},
               {"cascade:2,240", 2, 240},
               {"cascade:2,960", 2, 960},
               {"cascade:3,480", 3, 480},
               {"cascade:4,7", 4, 7}};
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    EXPECT_EQ(t.name(), c.text);
    EXPECT_EQ(std::ssize(t.switches()), 96 * c.groups) << c.text;
    EXPECT_EQ(std::ssize(t.hosts()), 384 * c.groups) << c.text;
    std::map<std::string, int> expected{
        {"terminal", 384 * c.groups}, {"chassis", 720 * c.groups}, {"group", 720 * c.groups}};
    if (c.groups > 1) expected["global"] = c.groups * (c.groups - 1) / 2 * c.cables;
    EXPECT_EQ(cables_by_class(t), expected) << c.text;
    expect_a_sound_family(c.text);
  }
}

// As many cables between groups as 960 ports allow; 241 groups of four between any two are the
// largest system, of 92544 hosts.
TEST(Cascade, takes_all_ports_unless_told_otherwise) {
  EXPECT_EQ(make_topology("cascade:2").name(), "cascade:2,960");
  EXPECT_EQ(make_topology("cascade:4").name(), "cascade:4,320");
  const Topology largest = make_topology("cascade:241");
  EXPECT_EQ(largest.name(), "cascade:241,4");
  EXPECT_EQ(std::ssize(largest.hosts()), 92'544);
  for (const NodeId node : largest.switches())
    ASSERT_EQ(largest.out_degree(node), 4 + 15 + 15 + 10);
}

// Over all routers of a group, and over as many as there can be for each other group.
TEST(Cascade, spreads_cables_between_groups_evenly) {
  for (const char* text : {"cascade:2,240", "cascade:3,480", "cascade:4,7", "cascade:9,120"}) {
    const Topology t = make_topology(text);
    const int first = t.switches()[0].value();
    std::map<int, int> of_router;
    std::map<std::pair<int, int>, std::map<int, int>> of_pair;  // routers of the first group
    for (const LinkId link : t.links()) {
      if (t.class_names()[t.link_class(link)] != "global") continue;
      const int tail = t.tail(link).value() - first, head = t.head(link).value() - first;
      EXPECT_NE(tail / 96, head / 96);
      ++of_router[tail];
      ++of_pair[{tail / 96, head / 96}][tail];
    }
    const int groups = static_cast<int>(t.switches().size()) / 96;
    EXPECT_EQ(std::ssize(of_pair), groups * (groups - 1)) << text;
    const auto expect_even = [&](const std::map<int, int>& counts, int places) {
      int total = 0, most = 0;
      for (const auto& [router, count] : counts) {
        total += count;
        most = std::max(most, count);
      }
      EXPECT_EQ(std::ssize(counts), std::min(total, places)) << text;
      EXPECT_EQ(most, (total + places - 1) / places) << text;
    };
    for (int group = 0; group < groups; ++group) {
      std::map<int, int> of_group;
      for (const auto& [router, count] : of_router)
        if (router / 96 == group) of_group[router] = count;
      expect_even(of_group, 96);
    }
    for (const auto& [pair, counts] : of_pair) expect_even(counts, 96);
  }
}

// Two cables lead to any router of a group. Where every router has a cable to each other group, one
// more leads to any router of it, and hosts add two.
TEST(Cascade, is_as_far_across_as_its_grid) {
  EXPECT_EQ(eccentricity(make_topology("cascade:1"), NodeId(0)), 2 + 2);
  for (const char* text : {"cascade:2,240", "cascade:3,96"})
    EXPECT_EQ(eccentricity(make_topology(text), NodeId(0)), 1 + 2 + 2) << text;
}

TEST(Cascade, routers_chassis_and_groups_are_groups_of_hosts) {
  const Topology two = make_topology("cascade:2,240");
  EXPECT_EQ(as_host_groups(two)->count, 2);
  EXPECT_EQ(nested_group_sizes(two), (std::vector<std::int64_t>{4, 64, 384}));
  EXPECT_EQ(as_host_groups(make_topology("cascade:1"))->count, 6);
}

}  // namespace
}  // namespace weft::topology
