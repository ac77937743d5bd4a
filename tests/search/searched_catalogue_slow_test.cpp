// Lines of the shipped catalogue by code of its own: distances to every node, the usable in-links
// from the distances to their tails, every set of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "naive_allgather.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/base/file.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

using Row = std::vector<std::uint16_t>;  // distances from every node to one

Row distances_to(const Topology& topology, NodeId root) {
  Row distance(static_cast<std::size_t>(topology.node_count()), UINT16_MAX);
  distance[root.index()] = 0;
  std::vector<NodeId> reached{root};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const LinkId link : topology.in_links(reached[i])) {
      const NodeId tail = topology.tail(link);
      if (distance[tail.index()] != UINT16_MAX) continue;
      distance[tail.index()] = static_cast<std::uint16_t>(distance[reached[i].index()] + 1);
      reached.push_back(tail);
    }
  return distance;
}

// By step, then by mask of usable in-links: how many shards.
std::vector<std::vector<int>> shards_by_mask(const Topology& topology,
                                             const std::vector<Row>& distance, NodeId u) {
  const auto links = topology.in_links(u);
  std::vector<std::vector<int>> shards;
  for (const NodeId v : topology.nodes()) {
    if (v == u) continue;
    const std::size_t step = distance[u.index()][v.index()];
    unsigned mask = 0;
    for (std::size_t i = 0; i < links.size(); ++i)
      if (distance[topology.tail(links[i]).index()][v.index()] + 1u == step) mask |= 1u << i;
    if (shards.size() <= step) shards.resize(step + 1, std::vector<int>(1u << links.size(), 0));
    ++shards[step][mask];
  }
  return shards;
}

Rational largest_load(const std::vector<int>& shards) {
  Rational most = 0;
  for (unsigned set = 1; set < shards.size(); ++set) {
    int inside = 0;
    for (unsigned mask = set; mask > 0; mask = (mask - 1) & set) inside += shards[mask];
    most = std::max(most, Rational(inside, std::popcount(set)));
  }
  return most;
}

support::NaiveCost cost_of(const Topology& topology) {
  std::vector<Row> distance;
  for (const NodeId node : topology.nodes()) distance.push_back(distances_to(topology, node));
  std::vector<Rational> loads;
  for (const NodeId u : topology.nodes()) {
    const auto shards = shards_by_mask(topology, distance, u);
    loads.resize(std::max(loads.size(), shards.size()), 0);
    for (std::size_t step = 1; step < shards.size(); ++step)
      loads[step] = std::max(loads[step], largest_load(shards[step]));
  }
  support::NaiveCost cost{static_cast<int>(loads.size()) - 1, 0};
  for (const Rational& load : loads) cost.bandwidth_factor += load;
  cost.bandwidth_factor *= Rational(topology.nominal_degree(), topology.node_count());
  return cost;
}

bool regular(const Topology& topology, const SearchResult& line) {
  for (const NodeId node : topology.nodes()) {
    if (topology.out_degree(node) != line.degree) return false;
    for (const LinkId link : topology.out_links(node))
      if (line.direction == Direction::bidirectional && !topology.reverse(link)) return false;
  }
  return topology.node_count() == line.nodes;
}

// All lines to 100 nodes of degree 2 and 4, and a sample of the others, so that the test takes
// seconds; `fill_catalogue` costs every line from every node before it writes it.
TEST(SearchedCatalogue, shipped_lines_cost_what_they_say) {
  const auto shipped =
      SearchedCatalogue::parse(read_file(test::source_dir() + "/share/catalogue/searched.csv"));
  int number = 0;
  for (const SearchResult& line : shipped.results()) {
    ++number;
    const bool small = line.nodes <= 100 && line.degree <= 4;
    if (!small && number % 67 != 0) continue;
    const Topology topology = make_topology(line.expression);
    EXPECT_EQ(topology.name(), line.expression);
    EXPECT_TRUE(regular(topology, line)) << line.expression;
    EXPECT_EQ(cost_of(topology), (support::NaiveCost{line.steps, line.bandwidth_factor}))
        << line.expression;
  }
}

// The algorithm that will run on these graphs finds the same cost.
TEST(SearchedCatalogue, shipped_lines_cost_the_same_by_bfb) {
  const auto shipped =
      SearchedCatalogue::parse(read_file(test::source_dir() + "/share/catalogue/searched.csv"));
  for (std::size_t i = 0; i < shipped.results().size(); i += 41) {
    const SearchResult& line = shipped.results()[i];
    const BfbCost cost = bfb_cost(make_topology(line.expression));
    EXPECT_EQ(cost.steps, line.steps) << line.expression;
    EXPECT_EQ(cost.exact_bandwidth_factor, line.bandwidth_factor) << line.expression;
  }
}

}  // namespace
}  // namespace weft::search
