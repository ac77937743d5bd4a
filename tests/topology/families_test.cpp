#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/families/dragonfly.hpp"
#include "weft/topology/families/kautz.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

using Arc = std::pair<int, int>;

std::vector<Arc> arcs(const Topology& topology) {
  std::vector<Arc> result;
  for (LinkId link : topology.links())
    result.emplace_back(topology.tail(link).value(), topology.head(link).value());
  std::sort(result.begin(), result.end());
  return result;
}

int diameter(const Topology& topology) {
  int largest = 0;
  for (const auto& row : support::naive_distances(topology))
    for (int distance : row) largest = std::max(largest, distance);
  return largest;
}

bool has_loop(const Topology& topology) {
  for (LinkId link : topology.links())
    if (topology.tail(link) == topology.head(link)) return true;
  return false;
}

bool has_double_link(const Topology& topology) {
  const auto all = arcs(topology);
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

// Every reverse leads back, and reversing is an involution within the cable.
void expect_sound_reverses(const Topology& topology) {
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (!reverse) continue;
    EXPECT_EQ(topology.tail(*reverse), topology.head(link));
    EXPECT_EQ(topology.head(*reverse), topology.tail(link));
    EXPECT_EQ(topology.reverse(*reverse), link);
    EXPECT_EQ(topology.cable(*reverse), topology.cable(link));
    EXPECT_EQ(topology.link_class(*reverse), topology.link_class(link));
  }
}

TEST(Families, sizes_degrees_and_diameters_follow_their_formulas) {
  const struct {
    const char* text;
    int nodes, links, cables, degree, diameter;
  } cases[] = {
      {"kautz:2,1", 3, 6, 6, 2, 1},          // d^k + d^(k-1) nodes; k = 1 is complete
      {"kautz:2,3", 12, 24, 24, 2, 3},       //
      {"kautz:3,2", 12, 36, 36, 3, 2},       //
      {"kautz:4,2", 20, 80, 80, 4, 2},       //
      {"genkautz:4,20", 20, 80, 80, 4, 2},   // the same as kautz:4,2
      {"debruijn:2,4", 16, 32, 32, 2, 4},    // d^n
      {"debruijn:3,2", 9, 27, 27, 3, 2},     //
      {"2dfc:4x3", 12, 60, 30, 5, 2},        // degree m1 + m2 - 2
      {"hamming:3x4x2", 24, 144, 72, 6, 3},  // degree 2 + 3 + 1
      {"torus:4x4", 16, 64, 32, 4, 4},       // 2 + 2
      {"torus:3x3x2", 18, 90, 45, 5, 3},     // the extent of 2 is one cable
      {"torus:2x2", 4, 8, 4, 2, 2},          //
      {"torus:5", 5, 10, 5, 2, 2},           //
      {"mesh:4x3", 12, 34, 17, 4, 5},        // cables 3*3 + 4*2; largest degree 4
      {"mesh:2x2x2", 8, 24, 12, 3, 3},       //
      {"hypercube:1", 2, 2, 1, 1, 1},        //
      {"hypercube:5", 32, 160, 80, 5, 5},    //
      {"ring:2", 2, 2, 1, 1, 1},             //
      {"ring:9", 9, 18, 9, 2, 4},            //
      {"uniring:6", 6, 6, 6, 1, 5},          //
      {"uniring:2", 2, 2, 2, 1, 1},          //
      {"complete:5", 5, 20, 10, 4, 1},       //
      {"bipartite:4,3", 7, 24, 12, 4, 2},    //
      {"circulant:16,3,4", 16, 64, 32, 4, 3},
      {"circulant:6,3,1", 6, 18, 9, 3, 2},  // the jump n/2 is one cable
      {"ring:4 * complete:3", 12, 48, 24, 4, 3},
      {"power(2, kautz:2,2)", 36, 144, 144, 4, 4},  // degrees and diameters add
  };
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    EXPECT_EQ(t.node_count(), c.nodes) << c.text;
    EXPECT_EQ(t.link_count(), c.links) << c.text;
    EXPECT_EQ(t.cable_count(), c.cables) << c.text;
    EXPECT_EQ(t.nominal_degree(), c.degree) << c.text;
    EXPECT_EQ(diameter(t), c.diameter) << c.text;
    EXPECT_FALSE(has_double_link(t)) << c.text;
    EXPECT_EQ(t.name(), c.text);
    EXPECT_FALSE(t.has_switches());
    expect_sound_reverses(t);
  }
}

TEST(Families, structures_equal_naive_ones) {
  EXPECT_EQ(arcs(make_topology("torus:4x3x5")), arcs(support::torus_of({4, 3, 5})));
  EXPECT_EQ(arcs(make_topology("ring:7")), arcs(support::cycle(7)));
  EXPECT_EQ(arcs(make_topology("uniring:7")), arcs(support::one_way_cycle(7)));
  EXPECT_EQ(arcs(make_topology("complete:6")), arcs(support::complete_graph(6)));
  EXPECT_EQ(arcs(make_topology("hypercube:4")), arcs(support::binary_cube(4)));
  EXPECT_EQ(arcs(make_topology("ring:4 * ring:3 * ring:5")), arcs(make_topology("torus:4x3x5")));
  EXPECT_EQ(arcs(make_topology("power(2, ring:5)")), arcs(make_topology("torus:5x5")));
  EXPECT_EQ(arcs(make_topology("2dfc:4x3")), arcs(make_topology("hamming:4x3")));
}

TEST(Families, products_of_rings_are_the_torus_link_by_link) {
  const Topology product = make_topology("ring:4 * ring:2 * ring:3");
  const Topology torus = make_topology("torus:4x2x3");
  EXPECT_EQ(product.hash(), torus.hash());
  EXPECT_TRUE(std::ranges::equal(product.class_names(), torus.class_names()));
}

// A vertex-symmetric family lets a translation map the k-th link to the k-th link.
TEST(Families, translations_keep_the_order_of_links) {
  const struct {
    const char* text;
    std::vector<int> extents;
  } cases[] = {{"torus:4x2x3", {4, 2, 3}}, {"hamming:3x4", {3, 4}},    {"ring:6", {6}},
               {"circulant:8,4,1,3", {8}}, {"hypercube:3", {2, 2, 2}}, {"complete:5", {5}}};
  for (const auto& c : cases) {
    const Topology t = make_topology(c.text);
    const Extents space{c.extents};
    for (NodeId u : t.nodes()) {
      for (int k = 0; k < t.out_degree(u); ++k) {
        auto image = space.coordinates(t.head(t.out_links(NodeId(0))[k]).value());
        const auto shift = space.coordinates(u.value());
        for (std::size_t d = 0; d < image.size(); ++d)
          image[d] = (image[d] + shift[d]) % space.extents[d];
        EXPECT_EQ(t.head(t.out_links(u)[k]).value(), space.node(image)) << c.text;
        EXPECT_EQ(t.link_class(t.out_links(u)[k]), t.link_class(t.out_links(NodeId(0))[k]));
      }
    }
  }
}

TEST(Families, dimensions_are_link_classes) {
  const Topology t = make_topology("torus:3x3x3x3");
  EXPECT_EQ(std::vector<std::string>(t.class_names().begin(), t.class_names().end()),
            (std::vector<std::string>{"x", "y", "z", "d4"}));
  const Topology m = make_topology("mesh:3x2");
  EXPECT_EQ(m.class_names()[m.link_class(*m.find_link(NodeId(0), NodeId(1))).index()], "x");
  EXPECT_EQ(m.class_names()[m.link_class(*m.find_link(NodeId(0), NodeId(3))).index()], "y");
}

TEST(Kautz, has_the_distances_of_the_word_labelled_digraph) {
  for (const auto& [d, k] : {std::pair{2, 1}, {2, 2}, {2, 4}, {3, 3}, {4, 2}}) {
    const Topology ours = kautz(d, k);
    const Topology words = support::kautz_of_words(d, k);
    EXPECT_FALSE(has_loop(ours));
    auto rows = support::naive_distances(ours), expected = support::naive_distances(words);
    for (auto* all : {&rows, &expected}) {
      for (auto& row : *all) std::sort(row.begin(), row.end());
      std::sort(all->begin(), all->end());
    }
    EXPECT_EQ(rows, expected);
    for (NodeId node : ours.nodes()) EXPECT_EQ(ours.in_degree(node), d);
  }
}

TEST(Kautz, generalised_digraphs_reach_all_within_the_logarithm) {
  for (int d = 2; d <= 4; ++d) {
    for (int n = d + 1; n <= 40; ++n) {
      const Topology t = generalized_kautz(d, n);
      EXPECT_FALSE(has_double_link(t));
      int power = 1, logarithm = 0;
      while (power < n) power *= d, ++logarithm;
      EXPECT_LE(diameter(t), logarithm) << t.name();
      for (NodeId node : t.nodes()) EXPECT_EQ(t.in_degree(node), d) << t.name();
    }
  }
}

TEST(Debruijn, keeps_its_self_loops) {
  const Topology t = make_topology("debruijn:3,2");
  int loops = 0;
  for (LinkId link : t.links()) loops += t.tail(link) == t.head(link);
  EXPECT_EQ(loops, 3);  // the words 00, 11, 22
}

TEST(RandomRegular, is_simple_connected_and_regular_for_every_small_size) {
  for (int n = 2; n <= 13; ++n) {
    for (int d = n == 2 ? 1 : 2; d < n; ++d) {
      if (n * d % 2 == 1) continue;
      for (int seed = 0; seed < 4; ++seed) {
        const Topology t = make_topology(fmt::format("random-regular:{},{},seed={}", n, d, seed));
        EXPECT_FALSE(has_loop(t)) << t.name();
        EXPECT_FALSE(has_double_link(t)) << t.name();
        EXPECT_LT(diameter(t), n) << t.name();
        for (NodeId node : t.nodes()) EXPECT_EQ(t.out_degree(node), d) << t.name();
      }
    }
  }
}

TEST(RandomRegular, follows_its_seed) {
  const auto hash = [](const char* text) { return make_topology(text).hash(); };
  EXPECT_EQ(hash("random-regular:64,8,seed=7"), hash("random-regular:64, 8, SEED=7"));
  EXPECT_NE(hash("random-regular:64,8,seed=7"), hash("random-regular:64,8,seed=8"));
  EXPECT_EQ(make_topology("random-regular:64,8").name(), "random-regular:64,8,seed=1");
}

TEST(RandomRegular, hundred_thousand_nodes_are_connected) {
  for (const char* text : {"random-regular:100000,8,seed=3", "random-regular:100000,2,seed=3"}) {
    const Topology t = make_topology(text);
    std::vector<char> seen(100'000, 0);
    std::vector<NodeId> stack{NodeId(0)};
    seen[0] = 1;
    std::int64_t reached = 0;
    while (!stack.empty()) {
      const NodeId u = stack.back();
      stack.pop_back();
      ++reached;
      for (LinkId link : t.out_links(u))
        if (!std::exchange(seen[t.head(link).index()], 1)) stack.push_back(t.head(link));
    }
    EXPECT_EQ(reached, 100'000) << text;
    EXPECT_FALSE(has_double_link(t)) << text;
  }
}

// Links between every two groups, by counting.
std::vector<std::vector<int>> group_links(const Topology& t, const DragonflyView& d) {
  std::vector<std::vector<int>> count(static_cast<std::size_t>(d.g),
                                      std::vector<int>(static_cast<std::size_t>(d.g), 0));
  for (LinkId link : t.links())
    if (t.class_names()[t.link_class(link).index()] == "global")
      ++count[static_cast<std::size_t>(t.tail(link).value() / d.a)]
             [static_cast<std::size_t>(t.head(link).value() / d.a)];
  return count;
}

TEST(Dragonfly, spreads_global_links_evenly_over_groups) {
  for (auto arrangement :
       {GlobalArrangement::absolute, GlobalArrangement::relative, GlobalArrangement::circulant}) {
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
              const int n = count[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
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
    case GlobalArrangement::circulant:
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

TEST(Xgft, levels_have_their_sizes_and_degrees) {
  const Topology t = make_topology("xgft:3;4,3,2;1,2,3");
  const auto tree = as_xgft(t);
  ASSERT_TRUE(tree);
  // Level l has prod(m above l) * prod(w up to l) nodes: 24, 6, 4, 6.
  EXPECT_EQ(tree->first_of_level, (std::vector<std::int64_t>{0, 24, 30, 34, 40}));
  for (NodeId node : t.nodes()) {
    int level = 0;
    while (node.value() >= tree->first_of_level[static_cast<std::size_t>(level) + 1]) ++level;
    const int down = level == 0 ? 0 : tree->children[static_cast<std::size_t>(level) - 1];
    const int up = level == 3 ? 0 : tree->parents[static_cast<std::size_t>(level)];
    EXPECT_EQ(t.out_degree(node), down + up);
    EXPECT_EQ(t.is_host(node), level == 0);
  }
  EXPECT_EQ(std::vector<std::string>(t.class_names().begin(), t.class_names().end()),
            (std::vector<std::string>{"terminal", "level1", "level2"}));
  expect_sound_reverses(t);
}

TEST(Xgft, hosts_meet_at_their_lowest_common_level) {
  const Topology t = make_topology("xgft:3;4,3,2;2,2,3");
  const auto distances = support::naive_distances(t);
  for (int x = 0; x < 24; ++x)
    for (int y = 0; y < 24; ++y) {
      const int meet = x == y ? 0 : x / 4 == y / 4 ? 1 : x / 12 == y / 12 ? 2 : 3;
      EXPECT_EQ(distances[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)], 2 * meet);
    }
}

TEST(Xgft, a_fat_tree_is_the_k_ary_n_tree) {
  const Topology t = make_topology("fat-tree:4,3");
  EXPECT_EQ(t.hosts().size(), 64u);     // k^n
  EXPECT_EQ(t.switches().size(), 48u);  // n k^(n-1)
  EXPECT_EQ(t.hash(), make_topology("xgft:3;4,4,4;1,4,4").hash());
  EXPECT_EQ(t.nominal_degree(), 8);
}

TEST(Families, bad_parameters_say_what_would_be_right) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"kautz:1,3", "degree 1 is too small for Kautz (needs 2 or more); use uniring:N"},
      {"kautz:2,0", "diameter 0 is too small"},
      {"kautz:4", "\"4\" has too few parameters (expected kautz:d,k); for example kautz:16,2"},
      {"kautz:4,2,1", "too many parameters"},
      {"kautz:4,x", "parameter \"x\" is not an integer"},
      {"kautz:4,99999999999", "out of range"},
      {"kautz:1000,9", "kautz:1000,9 is too large (more than 10^15 nodes"},
      {"kautz:2,2147483647", "is too large"},
      {"kautz", "too few parameters"},
      {"genkautz:4,4", "needs at least 5 nodes"},
      {"genkautz:2147483647,2147483647", "needs at least 2147483648 nodes"},
      {"debruijn:2,31", "is too large"},
      {"2dfc:4", "2dfc has two extents"},
      {"2dfc:4x1", "extent 1 of 2dfc:4x1 is too small"},
      {"hamming:4x0x4", "extent 0"},
      {"hamming:4x-3", "extent -3"},
      {"hamming:100000x100000", "is too large"},
      {"torus:4x", "parameter \"\" is not an integer"},
      {"torus:4x1", "extent 1 of torus:4x1 is too small (needs 2 or more); leave it out"},
      {"torus:100000x100000x100000x100000x100000", "is too large"},
      {"mesh:4,4", "parameter \"4,4\" is not an integer"},
      {"hypercube:0", "0 dimensions"},
      {"hypercube:2147483647", "is too large"},
      {"ring:1", "needs 2 or more"},
      {"ring:2147483647", "is too large"},
      {"complete:100000", "is too large"},
      {"bipartite:0,4", "empty side"},
      {"circulant:16", "too few parameters"},
      {"circulant:16,9", "jump 9 of circulant:16,9 is out of range (needs 1 to 8"},
      {"circulant:16,3,3", "given twice"},
      {"random-regular:5,3,seed=1", "nodes * degree is odd"},
      {"random-regular:4,4,seed=1", "degree 4 is out of range"},
      {"random-regular:4,1,seed=1", "disconnected"},
      {"random-regular:64,8,7", "\"7\" is not seed=s"},
      {"random-regular:64,8,seed=-7", "seed \"-7\""},
      {"dragonfly:a=4,p=2", "h is missing"},
      {"dragonfly:a=4,p=2,h=2,g=10", "needs 2 to a*h + 1 = 9"},
      {"dragonfly:a=4,p=2,h=2,q=1", "unknown key \"q\""},
      {"dragonfly:a=4,p=2,h=2,a=3", "given twice"},
      {"dragonfly:a=4,p=2,h=2,arrangement=absolut", "did you mean absolute"},
      {"dragonfly:a=100000,p=1,h=100000", "is too large"},
      {"xgft:2;4,3;1", "height 2 does not fit 2 and 1"},
      {"xgft:2;4,0;1,2", "level 2 has 0 children"},
      {"xgft:3;8,4,2", "has 2 parts"},
      {"xgft:2;100000,100000;100000,100000", "is too large"},
      {"fat-tree:1,2", "arity 1"},
      {"fat-tree:4,40", "40 levels"},
      {"hosts(0, ring:4)", "0 hosts a switch"},
      {"hosts(ring:4)", "too few parameters"},
      {"hosts(2, fat-tree:2,2)", "has hosts already"},
      {"hosts(1000000000, ring:4)", "is too large"},
      {"hosts:4", "hosts is a function"},
      {"ring(4, ring:4)", "ring is a family"},
      {"hots(4, ring:4)", "unknown topology function \"hots\"; did you mean hosts?"},
      {"without(ring:4)", "nothing is removed"},
      {"without(cable=4, ring:4)", "cable 4 does not exist in ring:4 (it has cables 0 to 3)"},
      {"without(link=-1, ring:4)", "link -1 does not exist"},
      {"without(wire=1, ring:4)", "unknown key \"wire\""},
      {"without(node=0, node=1, ring:2)", "removes every node"},
      {"power(0, ring:4)", "power 0 is out of range"},
      {"power(40, ring:4)", "is too large"},
      {"complete:3 * fat-tree:2,2", "has switches"},
      {"transpose(3, ring:4)", "no parameters of its own"},
  };
  for (const auto& c : cases) {
    try {
      make_topology(c.text);
      ADD_FAILURE() << c.text << " is accepted";
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(c.expected), std::string::npos) << c.text << "\n"
                                                                               << error.what();
    }
  }
}

TEST(Hosts, hang_behind_the_switches_in_order) {
  const Topology t = make_topology("hosts(3, kautz:2,2)");
  EXPECT_EQ(t.switches().size(), 6u);
  EXPECT_EQ(t.hosts().size(), 18u);
  EXPECT_EQ(t.nominal_degree(), 2);
  const auto attachment = as_attached_hosts(t);
  ASSERT_TRUE(attachment);
  for (NodeId host : t.hosts())
    EXPECT_EQ(attachment->switch_of[host.index()].value(), (host.value() - 6) / 3);
  const Topology plain = make_topology("kautz:2,2");
  for (NodeId s : t.switches())  // X's links come first, in their order
    for (int k = 0; k < plain.out_degree(s); ++k)
      EXPECT_EQ(t.head(t.out_links(s)[k]), plain.head(plain.out_links(s)[k]));
  EXPECT_EQ(t.class_names().back(), "terminal");
}

TEST(Without, removes_cables_links_and_nodes) {
  const Topology ring = make_topology("ring:5");
  const Topology cable = make_topology("without(cable=0, ring:5)");
  EXPECT_EQ(cable.link_count(), 8);
  EXPECT_EQ(cable.nominal_degree(), 2);
  EXPECT_FALSE(cable.find_link(NodeId(0), NodeId(1)));
  EXPECT_FALSE(cable.find_link(NodeId(1), NodeId(0)));

  const Topology link = make_topology("without(link=0, ring:5)");  // 0 -> 1
  EXPECT_EQ(link.link_count(), 9);
  EXPECT_EQ(link.cable_count(), 5);
  EXPECT_FALSE(link.find_link(NodeId(0), NodeId(1)));
  EXPECT_FALSE(link.reverse(*link.find_link(NodeId(1), NodeId(0))));

  const Topology node = make_topology("without(node=1, ring:5)");  // 0 2 3 4 become 0 1 2 3
  EXPECT_EQ(arcs(node), (std::vector<Arc>{{0, 3}, {1, 2}, {2, 1}, {2, 3}, {3, 0}, {3, 2}}));
}

TEST(Without, names_the_same_failures_alike) {
  EXPECT_EQ(make_topology("without(node=2, cable=7, cable=1, node=2, torus:4x4)").name(),
            "without(cable=1, cable=7, node=2, torus:4x4)");
}

TEST(Transpose, turns_every_link) {
  auto forth = arcs(make_topology("genkautz:3,10"));
  for (auto& [u, v] : forth) std::swap(u, v);
  std::sort(forth.begin(), forth.end());
  const Topology back = make_topology("transpose(genkautz:3,10)");
  EXPECT_EQ(arcs(back), forth);
  EXPECT_EQ(make_topology("transpose(transpose(genkautz:3,10))").name(),
            "transpose^2(genkautz:3,10)");
  EXPECT_EQ(arcs(make_topology("transpose^2(genkautz:3,10)")),
            arcs(make_topology("genkautz:3,10")));
}

}  // namespace
}  // namespace weft::topology
