#include "weft/topology/families/dragonfly/dragonfly.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "topology/structure.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// Links between every two groups, by counting.
std::vector<std::vector<int>> group_links(const Topology& t, const DragonflyView& d) {
  std::vector<std::vector<int>> count(static_cast<std::size_t>(d.g),
                                      std::vector<int>(static_cast<std::size_t>(d.g), 0));
  for (LinkId link : t.links())
    if (t.class_names()[t.link_class(link)] == "global")
      ++count[t.tail(link).value() / d.a][t.head(link).value() / d.a];
  return count;
}

TEST(Dragonfly, spreads_global_links_evenly_over_groups) {
  for (auto arrangement : {GlobalArrangement::absolute, GlobalArrangement::relative,
                           GlobalArrangement::circulant, GlobalArrangement::codes}) {
    for (int a = 1; a <= 4; ++a)
      for (int h = 1; h <= 3; ++h)
        for (int g = 2; g <= a * h + 1; ++g) {
          const Topology t = dragonfly({a, 2, h, g, arrangement});
          const auto view = as_dragonfly(t);
          ASSERT_TRUE(view);
          EXPECT_EQ(t.node_count(), g * a * 3);
          EXPECT_EQ(static_cast<int>(t.switches().size()), g * a);
          const int least = a * h / (g - 1);
          int links = 0;
          const auto count = group_links(t, *view);
          for (int x = 0; x < g; ++x)
            for (int y = 0; y < g; ++y) {
              const int n = count[x][y];
              links += n;
              const bool even = x == y ? n == 0 : n == least || n == least + 1;
              EXPECT_TRUE(even) << t.name();
            }
          const bool odd = a * h % (g - 1) % 2 == 1 && g % 2 == 1;
          EXPECT_EQ(links, g * (a * h - (odd ? 1 : 0))) << t.name();
          for (NodeId s : t.switches())  // locals, hosts, globals
            EXPECT_LE(t.out_degree(s), a - 1 + 2 + h) << t.name();
          expect_sound_reverses(t);
        }
  }
}

// The group that port k of group q leads to, from the definitions of Hastings et al. 2015.
int naive_target(GlobalArrangement arrangement, int g, int q, int k) {
  switch (arrangement) {
    case GlobalArrangement::absolute:
      return k < q ? k : k + 1;
    case GlobalArrangement::relative:
      return (q + k + 1) % g;
    default:
      break;
  }
  return ((k % 2 == 0 ? q + k / 2 + 1 : q - k / 2 - 1) + g) % g;
}

TEST(Dragonfly, largest_ones_follow_the_three_arrangements) {
  const int a = 3, h = 2, g = a * h + 1;
  for (auto arrangement :
       {GlobalArrangement::absolute, GlobalArrangement::relative, GlobalArrangement::circulant}) {
    const Topology t = dragonfly({a, 1, h, g, arrangement});
    for (int q = 0; q < g; ++q)
      for (int k = 0; k < a * h; ++k) {
        const int router = q * a + k / h;
        int found = 0;
        for (LinkId link : t.out_links(NodeId(router)))
          found += t.head(link).value() / a == naive_target(arrangement, g, q, k) &&
                   t.head(link).value() < g * a;
        EXPECT_EQ(found, 1) << t.name() << " group " << q << " port " << k;
      }
  }
}

// CODES: the i-th global link of a group's router r leads to group r + i a, its own number replaced
// by g - 1.
TEST(Dragonfly, codes_deals_groups_to_routers_in_turn) {
  for (const auto& [a, h] : {std::pair(3, 2), {4, 2}, {16, 8}, {2, 1}}) {
    const int g = a * h + 1;
    const Topology t = dragonfly({a, 1, h, g, GlobalArrangement::codes});
    for (int q = 0; q < g; ++q)
      for (int r = 0; r < a; ++r) {
        std::set<int> wanted, groups;
        for (int i = 0; i < h; ++i) wanted.insert(r + i * a == q ? g - 1 : r + i * a);
        for (LinkId link : t.out_links(NodeId(q * a + r)))
          if (t.class_names()[t.link_class(link)] == "global")
            groups.insert(t.head(link).value() / a);
        EXPECT_EQ(groups, wanted) << t.name() << " group " << q << " router " << r;
      }
  }
}

TEST(Dragonfly, router_linked_to_every_group_when_h_allows) {
  // a = 16, g = 17, h = 16: every router is linked to every other group once.
  const Topology t = dragonfly({16, 1, 16, 17});
  for (NodeId s : t.switches()) {
    std::set<int> groups;
    for (LinkId link : t.out_links(s))
      if (t.head(link).value() < 272) groups.insert(t.head(link).value() / 16);
    EXPECT_EQ(groups.size(), 17u);
  }
  EXPECT_EQ(t.nominal_degree(), 31);
}

TEST(Dragonfly, leaves_g_to_the_largest) {
  EXPECT_EQ(make_topology("dragonfly:a=4,p=2,h=2").name(), "dragonfly:a=4,p=2,h=2,g=9");
  EXPECT_EQ(make_topology("dragonfly:h=2,p=2,a=4,g=5,arrangement=Relative").name(),
            "dragonfly:a=4,p=2,h=2,g=5,arrangement=relative");
}

}  // namespace
}  // namespace weft::topology
