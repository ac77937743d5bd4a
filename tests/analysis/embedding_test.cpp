// Thesis on Kautz and 2dfc collectives, Figures 2.4-2.6: what a 3x4 2dfc contains.
#include "weft/analysis/embedding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using Pair = std::pair<int, int>;

std::map<Pair, int> cables_between(const Topology& topology) {
  std::map<Pair, int> cables;
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (reverse && *reverse < link) continue;
    const NodeId u = topology.tail(link), v = topology.head(link);
    if (topology.has_switches() && (topology.is_host(u) || topology.is_host(v))) continue;
    if (u != v) ++cables[std::minmax(u.value(), v.value())];
  }
  return cables;
}

std::vector<int> core_nodes(const Topology& topology) {
  std::vector<int> nodes;
  for (NodeId node : topology.has_switches() ? topology.switches() : topology.hosts())
    nodes.push_back(node.value());
  return nodes;
}

// The embedding, held against its definition.
Embedding checked(const Topology& guest, const Topology& host) {
  const Embedding embedding = find_embedding(guest, host);
  if (embedding.answer != Containment::contained) return embedding;
  const std::vector<int> nodes = core_nodes(guest);
  EXPECT_EQ(embedding.nodes.size(), nodes.size());
  EXPECT_EQ(std::set<NodeId>(embedding.nodes.begin(), embedding.nodes.end()).size(), nodes.size());
  std::map<int, int> image;
  for (std::size_t i = 0; i < nodes.size(); ++i) image[nodes[i]] = embedding.nodes[i].value();
  auto left = cables_between(host);
  for (const auto& [ends, count] : cables_between(guest))
    EXPECT_GE(left[std::minmax(image[ends.first], image[ends.second])] -= count, 0);
  std::int64_t spare = 0;
  for (const auto& [ends, count] : left) spare += count;
  EXPECT_EQ(spare, embedding.spare_cables);
  return embedding;
}

Embedding embed(const std::string& guest, const std::string& host) {
  return checked(make_topology(guest), make_topology(host));
}

TEST(Embedding, finds_the_torus_and_the_mesh_in_2dfc) {
  // 30 cables in the 3x4 2dfc: 4 rows of 3 and 3 columns of 6. The torus keeps 4 * 3 + 3 * 4, the
  // mesh 4 * 2 + 3 * 3.
  EXPECT_EQ(embed("torus:3x4", "2dfc:3x4").spare_cables, 30 - 24);
  EXPECT_EQ(embed("torus:3x4", "2dfc:3x4").answer, Containment::contained);
  EXPECT_EQ(embed("mesh:3x4", "2dfc:3x4").spare_cables, 30 - 17);
  EXPECT_EQ(embed("mesh:3x4", "2dfc:3x4").answer, Containment::contained);
  EXPECT_EQ(embed("torus:4x4", "2dfc:3x4").answer, Containment::not_contained);
}

TEST(Embedding, knows_the_widest_dragonfly_for_the_2dfc_itself) {
  for (const char* arrangement : {"absolute", "relative", "circulant"}) {
    const std::string dragonfly =
        std::string("dragonfly:a=3,p=1,h=3,g=4,arrangement=") + arrangement;
    const Embedding embedding = embed(dragonfly, "2dfc:3x4");
    EXPECT_EQ(embedding.spare_cables, 0) << arrangement;
    EXPECT_TRUE(embedding.isomorphic) << arrangement;
  }
}

// By trying all orders of the nodes.
bool naively_contained(const Topology& guest, const Topology& host) {
  const auto wanted = cables_between(guest);
  const auto there = cables_between(host);
  std::vector<int> image(static_cast<std::size_t>(host.node_count()));
  std::iota(image.begin(), image.end(), 0);
  do {
    if (std::ranges::all_of(wanted, [&](const auto& cable) {
          const auto found =
              there.find(std::minmax(image[cable.first.first], image[cable.first.second]));
          return found != there.end() && found->second >= cable.second;
        }))
      return true;
  } while (std::next_permutation(image.begin(), image.end()));
  return false;
}

TEST(Embedding, is_found_exactly_where_some_order_of_the_nodes_gives_one) {
  int contained = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng(seed);
    const int nodes = 3 + static_cast<int>(rng.below(4));
    const Topology host = support::random_cables(nodes, 3 * nodes, rng);
    const int fewer = nodes - static_cast<int>(rng.below(2));
    const Topology guest =
        support::random_cables(fewer, 2 + static_cast<int>(rng.below(2 * fewer)), rng);
    const bool expected = naively_contained(guest, host);
    EXPECT_EQ(checked(guest, host).answer == Containment::contained, expected) << seed;
    contained += expected;
  }
  EXPECT_GT(contained, 40);
  EXPECT_LT(contained, 180);
}

TEST(Embedding, says_when_it_gives_up) {
  const Topology host = make_topology("torus:6x6"), guest = make_topology("2dfc:6x2");
  EXPECT_EQ(find_embedding(guest, host, 3).answer, Containment::undecided);
  EXPECT_THROW((void)find_embedding(make_topology("ring:20000"), host), InvalidInput);
}

}  // namespace
}  // namespace weft::analysis
