// Fabrics recognised as families, whatever the order of their nodes.
#include "weft/analysis/recognition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "weft/base/random.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

// The network with nodes in another order, named "n" and the number that each had, without facets.
BuiltTopology shuffled(const Topology& whole, std::uint64_t seed) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(whole.node_count()));
  std::iota(number.begin(), number.end(), 0);
  Rng rng(seed);
  rng.shuffle(number);
  TopologyBuilder builder(whole.node_count());
  topology::Names names;
  names.nodes.resize(number.size());
  for (const NodeId node : whole.nodes()) {
    builder.set_kind(NodeId(number[node.index()]), whole.kind(node));
    names.nodes[number[node.index()]] = "n" + std::to_string(node.value());
  }
  for (const LinkId link : whole.links())
    if (const LinkId back = *whole.reverse(link); link < back) {
      builder.add_cable(NodeId(number[whole.tail(link).index()]),
                        NodeId(number[whole.head(link).index()]));
      names.ports.push_back("p" + std::to_string(link.value()));
      names.ports.push_back("p" + std::to_string(back.value()));
    }
  topology::Facets facets;
  facets.names = std::make_shared<const topology::Names>(std::move(names));
  builder.set_facets(std::move(facets));
  return {std::move(builder).build({"test", "", {}}), {}};
}

// Where the recognised network has the name, the original has a node with that number; links join
// the same of them.
void expect_same_cables(const Topology& found, const Topology& original) {
  ASSERT_EQ(found.link_count(), original.link_count());
  std::vector<std::pair<int, int>> here, there;
  const auto number = [&](NodeId node) { return std::stoi(name_of(found, node).substr(1)); };
  for (const LinkId link : found.links()) {
    here.emplace_back(number(found.tail(link)), number(found.head(link)));
    const int old = std::stoi(port_of(found, link).substr(1));
    EXPECT_EQ(number(found.tail(link)), original.tail(LinkId(old)).value());
  }
  for (const LinkId link : original.links())
    there.emplace_back(original.tail(link).value(), original.head(link).value());
  std::ranges::sort(here);
  std::ranges::sort(there);
  EXPECT_EQ(here, there);
}

TEST(Recognition, finds_families_under_any_numbers) {
  const struct {
    const char* network;
    const char* family;
  } cases[] = {{"fat-tree:4,2", "xgft:2;4,4;1,4"},
               {"xgft:3;4,3,2;1,2,3", "xgft:3;4,3,2;1,2,3"},
               {"leaf-spine:leaves=4,spines=2,hosts=3,uplinks=6",
                "leaf-spine:leaves=4,spines=2,hosts=3,uplinks=6"},
               {"hosts(2, torus:4x3x3)", "hosts(2, torus:4x3x3)"},
               {"torus:5x4", "torus:5x4"},
               {"hosts(1, hypercube:4)", "hosts(1, hypercube:4)"},
               {"hosts(3, hamming:4x3)", "hosts(3, hamming:4x3)"},
               {"complete:6", "complete:6"},
               {"hosts(1, ring:7)", "hosts(1, ring:7)"},
               {"hosts(2, mesh:4x3)", "hosts(2, mesh:4x3)"},
               {"dragonfly:a=4,p=2,h=2,g=9", "dragonfly:a=4,p=2,h=2,g=9"},
               {"dragonfly-plus:l=2,s=2,p=2,h=2,g=3", "dragonfly-plus:l=2,s=2,p=2,h=2,g=3"},
               {"hosts(2, slimfly:5)", "hosts(2, slimfly:5)"},
               {"hosts(2, polarfly:5)", "hosts(2, polarfly:5)"}};
  for (const auto& [network, family] : cases) {
    const Topology original = make_topology(network);
    for (std::uint64_t seed : {1, 2, 3}) {
      const auto found = recognise(shuffled(original, seed));
      ASSERT_TRUE(found) << network;
      EXPECT_EQ(found->family, family);
      EXPECT_TRUE(found->missing.empty());
      EXPECT_EQ(found->network.topology.hash(), make_topology(family).hash());
      EXPECT_FALSE(found->network.topology.facets().facets.empty()) << network;
      expect_same_cables(found->network.topology, original);
    }
  }
}

// Where names are in the order of the family, hosts get the numbers of their names again: no
// isomorphism gives host 0, then host 1 and so on to a name that stands before.
TEST(Recognition, keeps_the_order_of_names) {
  for (const char* network :
       {"xgft:2;4,6;1,4", "xgft:3;2,3,4;1,2,3", "fat-tree:4,3", "hosts(2, torus:4x3x3)",
        "leaf-spine:leaves=4,spines=2,hosts=3,uplinks=6", "torus:5x4", "hosts(1, hypercube:4)",
        "complete:6", "hosts(3, hamming:4x3)", "dragonfly:a=4,p=2,h=2,g=9",
        "without(cable=90, xgft:2;8,8;1,4)"}) {
    const Topology original = make_topology(network);
    for (std::uint64_t seed : {1, 2}) {
      const auto found = recognise(shuffled(original, seed));
      ASSERT_TRUE(found) << network;
      const Topology& topology = found->network.topology;
      for (const NodeId host : topology.hosts())
        EXPECT_EQ(name_of(topology, host), "n" + std::to_string(host.value())) << network;
    }
  }
}

// By hand: node9, node10 and node11, node12 on two leaves, counted as people do.
TEST(Recognition, sorts_leaves_by_their_first_host) {
  TopologyBuilder builder(8);
  topology::Names names{{"node12", "node10", "node9", "node11", "s1", "s2", "b", "a"}, {}};
  for (int node = 4; node < 8; ++node) builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (const auto& [a, b] : std::vector<std::pair<int, int>>{
           {0, 4}, {3, 4}, {1, 5}, {2, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}})
    builder.add_cable(NodeId(a), NodeId(b));
  topology::Facets facets;
  facets.names = std::make_shared<const topology::Names>(std::move(names));
  builder.set_facets(std::move(facets));
  const auto found = recognise({std::move(builder).build({"test", "", {}}), {}});
  ASSERT_TRUE(found);
  std::vector<std::string> order;
  for (const NodeId node : found->network.topology.nodes())
    order.push_back(name_of(found->network.topology, node));
  EXPECT_EQ(order, (std::vector<std::string>{"node9", "node10", "node11", "node12", "s2", "s1", "a",
                                             "b"}));
}

TEST(Recognition, says_which_cables_are_missing) {
  // Cables between switches: those of hosts stand first on trees.
  for (const char* whole : {"xgft:2;4,4;1,4", "hosts(2, torus:5x4)", "hosts(2, hamming:4x4)"}) {
    const Topology family = make_topology(whole);
    std::vector<CableId> between;
    for (const LinkId link : family.links())
      if (!family.is_host(family.tail(link)) && !family.is_host(family.head(link)) &&
          link < *family.reverse(link))
        between.push_back(family.cable(link));
    const std::string without = fmt::format("without(cable={}, cable={}, {})", between[1].value(),
                                            between[between.size() / 2].value(), whole);
    const Topology damaged = make_topology(without);
    const auto found = recognise(shuffled(damaged, 5));
    ASSERT_TRUE(found) << without;
    EXPECT_EQ(found->family, whole);
    EXPECT_EQ(found->missing.size(), 2u);
    EXPECT_TRUE(found->network.topology.facets().holes);
    expect_same_cables(found->network.topology, damaged);
  }
}

TEST(Recognition, says_no_to_what_is_no_family) {
  EXPECT_FALSE(recognise(build_topology("hosts(1, random-regular:12,3,seed=1)")));
  EXPECT_FALSE(recognise(build_topology("uniring:5")));  // one-way
  EXPECT_FALSE(
      recognise(build_topology("without(cable=20, cable=21, cable=22, cable=23, "
                               "xgft:2;4,4;1,4)")));
}

}  // namespace
}  // namespace weft::analysis
