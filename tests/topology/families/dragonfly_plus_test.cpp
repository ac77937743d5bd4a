#include "weft/topology/families/dragonfly/dragonfly_plus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/graphs.hpp"
#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

std::string class_of(const Topology& t, LinkId link) {
  return t.class_names()[t.link_class(link)];
}

// What the class of a link must be, from the kinds and groups of its ends.
std::string expected_class(const Topology& t, const DragonflyPlusView& d, LinkId link) {
  const NodeId ends[] = {t.tail(link), t.head(link)};
  if (t.is_host(ends[0]) || t.is_host(ends[1])) return "terminal";
  const auto is_leaf = [&](NodeId node) { return node.value() % d.group_size() < d.l; };
  const bool same_group = ends[0].value() / d.group_size() == ends[1].value() / d.group_size();
  if (same_group && is_leaf(ends[0]) != is_leaf(ends[1])) return "local";
  return !same_group && !is_leaf(ends[0]) && !is_leaf(ends[1]) ? "global" : "none";
}

void expect_links_of_their_kind(const Topology& t) {
  const auto d = *as_dragonfly_plus(t);
  EXPECT_EQ(std::ssize(t.switches()), d.g * (d.l + d.s)) << t.name();
  EXPECT_EQ(std::ssize(t.hosts()), d.g * d.l * d.p) << t.name();
  int global = 0;
  for (LinkId link : t.links()) {
    ASSERT_EQ(class_of(t, link), expected_class(t, d, link)) << t.name();
    global += class_of(t, link) == "global";
  }
  for (NodeId node : t.switches()) {
    const bool is_leaf = node.value() % d.group_size() < d.l;
    EXPECT_LE(t.out_degree(node), is_leaf ? d.s + d.p : d.l + d.h) << t.name();
    EXPECT_GE(t.out_degree(node), is_leaf ? d.s + d.p : d.l) << t.name();
  }
  const bool odd = d.s * d.h % (d.g - 1) % 2 == 1 && d.g % 2 == 1;  // one port stays free
  EXPECT_EQ(global, d.g * (d.s * d.h - (odd ? 1 : 0))) << t.name();
}

TEST(DragonflyPlus, leaves_and_spines_have_the_links_of_their_kind) {
  for (int l = 1; l <= 3; ++l)
    for (int s = 1; s <= 3; ++s)
      for (int h = 1; h <= 3; ++h)
        for (int g = 2; g <= s * h + 1; ++g) {
          const Topology t = dragonfly_plus({l, s, 2, h, g});
          expect_links_of_their_kind(t);
          expect_sound_reverses(t);
        }
}

TEST(DragonflyPlus, links_any_two_groups_evenly) {
  const int l = 2, s = 4, h = 3;
  for (int g = 2; g <= s * h + 1; ++g) {
    const Topology t = dragonfly_plus({l, s, 1, h, g});
    std::vector<std::vector<int>> count(static_cast<std::size_t>(g),
                                        std::vector<int>(static_cast<std::size_t>(g), 0));
    for (LinkId link : t.links())
      if (class_of(t, link) == "global")
        ++count[t.tail(link).value() / (l + s)][t.head(link).value() / (l + s)];
    const int least = s * h / (g - 1);
    for (std::size_t x = 0; x < count.size(); ++x)
      for (std::size_t y = 0; y < count.size(); ++y)
        EXPECT_TRUE(x == y ? count[x][y] == 0 : count[x][y] == least || count[x][y] == least + 1)
            << t.name();
  }
}

TEST(DragonflyPlus, leaves_are_at_most_three_links_apart) {
  // Any two groups have a cable, and its spines are linked with all leaves: leaf, spine, spine,
  // leaf.
  for (const char* text :
       {"dragonfly-plus:l=2,s=2,p=2,h=2", "dragonfly-plus:l=3,s=2,p=1,h=3,g=4"}) {
    const Topology t = make_topology(text);
    const auto view = as_dragonfly_plus(t);
    ASSERT_TRUE(view);
    const auto distances = support::naive_distances(t);
    int farthest = 0;
    for (NodeId from : t.hosts())
      for (NodeId to : t.hosts())
        farthest = std::max(farthest, distances[from.index()][to.index()]);
    EXPECT_EQ(farthest, 1 + 3 + 1) << text;
  }
}

TEST(DragonflyPlus, hosts_hang_on_the_leaves_in_order) {
  const Topology t = make_topology("dragonfly-plus:l=2,s=3,p=4,h=1");  // g = 4, 20 switches
  EXPECT_EQ(t.name(), "dragonfly-plus:l=2,s=3,p=4,h=1,g=4");
  EXPECT_EQ(t.nominal_degree(), 3);
  const auto attached = as_attached_hosts(t);
  ASSERT_TRUE(attached);
  for (NodeId host : t.hosts()) {
    const int leaf = (host.value() - 20) / 4;
    EXPECT_EQ(attached->switch_of[host], NodeId(leaf / 2 * 5 + leaf % 2));
  }
  EXPECT_FALSE(as_dragonfly(t));
  EXPECT_FALSE(
      as_dragonfly_plus(make_topology("without(cable=1, dragonfly-plus:l=1,s=1,p=1,h=1)")));
}

}  // namespace
}  // namespace weft::topology
