// BCube and DCell: networks in which servers pass messages on.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "topology/families/family_checks.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

// Servers apart by hops, as the papers count: a way over a switch is one hop, and so is a cable
// between two servers.
int hops(const Topology& t) {
  int most = 0;
  for (const NodeId from : t.hosts()) {
    std::vector<int> hops(t.node_count(), -1);
    std::vector<NodeId> here{from};
    hops[from.index()] = 0;
    for (int hop = 1; !here.empty(); ++hop) {
      std::vector<NodeId> next;
      const auto visit = [&](NodeId node) {
        if (hops[node.index()] >= 0) return;
        hops[node.index()] = hop;
        next.push_back(node);
        most = std::max(most, hop);
      };
      for (const NodeId node : here)
        for (const LinkId link : t.out_links(node)) {
          const NodeId other = t.head(link);
          if (t.is_host(other)) visit(other);
          if (!t.is_host(other))
            for (const LinkId on : t.out_links(other)) visit(t.head(on));
        }
      here = std::move(next);
    }
    for (const NodeId host : t.hosts()) EXPECT_GE(hops[host.index()], 0) << t.name();
  }
  return most;
}

// Guo et al. 2009: BCube(n, k) has n^(k+1) servers of k + 1 ports, k + 1 levels of n^k switches of
// n ports and the diameter k + 1 (theorem 2); BCube(4, 1) of figure 1 has 16 servers and 8
// switches.
TEST(BCube, has_the_counts_and_the_diameter_of_its_paper) {
  const struct {
    int n, k, servers, switches;
  } cases[] = {{4, 1, 16, 8}, {2, 3, 16, 32}, {3, 2, 27, 27}, {5, 0, 5, 1},
               {2, 1, 4, 4},  {6, 1, 36, 12}, {4, 2, 64, 48}};
  for (const auto& c : cases) {
    const std::string text = fmt::format("bcube:{},{}", c.n, c.k);
    const Topology t = make_topology(text);
    EXPECT_EQ(std::ssize(t.hosts()), c.servers) << text;
    EXPECT_EQ(std::ssize(t.switches()), c.switches) << text;
    EXPECT_EQ(t.cable_count(), c.servers * (c.k + 1)) << text;
    EXPECT_EQ(t.nominal_degree(), c.k + 1) << text;
    for (const NodeId host : t.hosts()) EXPECT_EQ(t.out_degree(host), c.k + 1) << text;
    for (const NodeId node : t.switches()) EXPECT_EQ(t.out_degree(node), c.n) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
    EXPECT_EQ(hops(t), c.k + 1) << text;
    expect_a_sound_family(text);
  }
}

// "A BCube_3 of 8-port switches": 4096 servers.
TEST(BCube, of_four_levels_has_the_servers_of_its_paper) {
  const Topology t = make_topology("bcube:8,3");
  EXPECT_EQ(std::ssize(t.hosts()), 4096);
  EXPECT_EQ(std::ssize(t.switches()), 4 * 512);
}

// A switch of level l joins the servers whose words differ in letter l alone.
TEST(BCube, switches_join_servers_that_differ_in_one_letter) {
  const int n = 3;
  const Topology t = make_topology("bcube:3,2");
  std::map<std::string, int> switches;  // by level
  for (const NodeId node : t.switches()) {
    std::set<std::string> levels;
    std::set<int> differing;
    const int first = t.head(t.out_links(node)[0]).value();
    for (const LinkId link : t.out_links(node)) {
      levels.insert(t.class_names()[t.link_class(link)]);
      const int server = t.head(link).value();
      for (int letter = 0, a = server, b = first; letter < 3; ++letter, a /= n, b /= n)
        if (a % n != b % n) differing.insert(letter);
    }
    ASSERT_EQ(levels.size(), 1u);
    ASSERT_EQ(differing.size(), 1u);
    EXPECT_EQ(*levels.begin(), fmt::format("level{}", *differing.begin()));
    ++switches[*levels.begin()];
  }
  EXPECT_EQ(switches, (std::map<std::string, int>{{"level0", 9}, {"level1", 9}, {"level2", 9}}));
}

TEST(BCube, smaller_ones_in_it_are_groups) {
  EXPECT_EQ(as_host_groups(make_topology("bcube:3,2"))->count, 9);
  EXPECT_EQ(nested_group_sizes(make_topology("bcube:3,2")), (std::vector<std::int64_t>{3, 9}));
  EXPECT_FALSE(as_host_groups(make_topology("bcube:3,0")));
}

// Guo et al. 2008: t_k = t_(k-1) (t_(k-1) + 1) servers from t_0 = n, each with a cable of every
// level, t_k / n switches, and a diameter of at most 2^(k+1) - 1 (theorem 2), which these reach.
// DCell(4, 1) of figure 1 has 20 servers.
TEST(DCell, has_the_counts_and_the_diameter_of_its_paper) {
  const struct {
    int n, k, servers;
  } cases[] = {{4, 1, 20}, {2, 1, 6}, {5, 0, 5}, {2, 2, 42}, {6, 1, 42}, {3, 2, 156}, {4, 2, 420}};
  for (const auto& c : cases) {
    const std::string text = fmt::format("dcell:{},{}", c.n, c.k);
    const Topology t = make_topology(text);
    EXPECT_EQ(std::ssize(t.hosts()), c.servers) << text;
    EXPECT_EQ(std::ssize(t.switches()), c.servers / c.n) << text;
    EXPECT_EQ(t.cable_count(), c.servers + c.servers * c.k / 2) << text;
    EXPECT_EQ(t.nominal_degree(), c.k + 1) << text;
    for (const NodeId host : t.hosts()) {
      std::set<std::string> levels;
      for (const LinkId link : t.out_links(host))
        levels.insert(t.class_names()[t.link_class(link)]);
      EXPECT_EQ(std::ssize(levels), c.k + 1) << text;
      EXPECT_EQ(t.out_degree(host), c.k + 1) << text;
    }
    for (const NodeId node : t.switches()) EXPECT_EQ(t.out_degree(node), c.n) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
    EXPECT_EQ(hops(t), (2 << c.k) - 1) << text;
    expect_a_sound_family(text);
  }
}

// Any two parts of a level are joined by one cable.
TEST(DCell, joins_any_two_parts_of_a_level_once) {
  const Topology t = make_topology("dcell:2,2");  // 7 parts of 6 servers, these 3 parts of 2
  std::set<std::pair<int, int>> pairs;
  for (const LinkId link : t.links()) {
    const int tail = t.tail(link).value(), head = t.head(link).value();
    const std::string level = t.class_names()[t.link_class(link)];
    if (level == "level0") continue;
    const int part = level == "level1" ? 2 : 6, whole = level == "level1" ? 6 : 42;
    EXPECT_EQ(tail / whole, head / whole);
    EXPECT_NE(tail / part, head / part);
    EXPECT_TRUE(pairs.emplace(tail / part * 100 + part, head / part).second);
  }
  EXPECT_EQ(pairs.size(), 7u * 3 * 2 + 7 * 6);  // both ways
}

TEST(DCell, smaller_ones_in_it_are_groups) {
  EXPECT_EQ(as_host_groups(make_topology("dcell:3,2"))->count, 52);
  EXPECT_EQ(nested_group_sizes(make_topology("dcell:3,2")), (std::vector<std::int64_t>{3, 12}));
}

}  // namespace
}  // namespace weft::topology
