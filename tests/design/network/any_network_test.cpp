// What no network of so many nodes and ports betters, against all small networks there are.
#include "weft/design/network/any_network.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "design/network/asking.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/topology/placement.hpp"

namespace weft::design {
namespace {

constexpr const char* kCalls =
    "allgather:1MiB,reduce-scatter:1MiB,allreduce:1MiB,alltoall:1MiB,broadcast:1MiB,reduce:1MiB,"
    "scatter:1MiB,gather:1MiB";

// How many cables join two nodes, by pair (u < v), u first.
using Cables = std::vector<int>;

std::vector<std::pair<int, int>> pairs_of(int nodes) {
  std::vector<std::pair<int, int>> pairs;
  for (int u = 0; u < nodes; ++u)
    for (int v = u + 1; v < nodes; ++v) pairs.emplace_back(u, v);
  return pairs;
}

// The greatest under all other numbers of the nodes.
Cables canonical(const Cables& cables, int nodes) {
  const auto pairs = pairs_of(nodes);
  std::vector<std::vector<int>> between(nodes, std::vector<int>(nodes, 0));
  for (std::size_t i = 0; i < pairs.size(); ++i)
    between[pairs[i].first][pairs[i].second] = between[pairs[i].second][pairs[i].first] = cables[i];
  std::vector<int> order(nodes);
  std::iota(order.begin(), order.end(), 0);
  Cables greatest;
  do {
    Cables renumbered;
    for (const auto& [u, v] : pairs) renumbered.push_back(between[order[u]][order[v]]);
    greatest = std::max(greatest, renumbered);
  } while (std::ranges::next_permutation(order).found);
  return greatest;
}

bool is_connected(const Cables& cables, int nodes) {
  const auto pairs = pairs_of(nodes);
  std::uint32_t reached = 1;  // a bit a node
  for (int round = 1; round < nodes; ++round)
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (const std::uint32_t ends = 1U << pairs[i].first | 1U << pairs[i].second;
          cables[i] > 0 && (reached & ends) != 0)
        reached |= ends;
  return reached == (1U << nodes) - 1;
}

// All connected networks with parallel cables and all ports but one in use, each once.
std::set<Cables> networks(int nodes, int ports) {
  const auto pairs = pairs_of(nodes);
  std::set<Cables> found;
  Cables cables(pairs.size(), 0);
  std::vector<int> left(nodes, ports);
  const auto fill = [&](auto&& self, std::size_t at) -> void {
    if (at == pairs.size()) {
      if (std::reduce(left.begin(), left.end()) <= 1 && is_connected(cables, nodes))
        found.insert(canonical(cables, nodes));
      return;
    }
    const auto [u, v] = pairs[at];
    const int most = std::min(left[u], left[v]);
    for (int count = 0; count <= most; ++count) {
      cables[at] = count;
      left[u] -= count;
      left[v] -= count;
      self(self, at + 1);
      left[u] += count;
      left[v] += count;
    }
    cables[at] = 0;
  };
  fill(fill, 0);
  return found;
}

Topology topology_of(const Cables& cables, int nodes) {
  topology::TopologyBuilder builder(nodes);
  const auto pairs = pairs_of(nodes);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (int k = 0; k < cables[i]; ++k)
      builder.add_cable(NodeId(pairs[i].first), NodeId(pairs[i].second));
  return std::move(builder).build({});
}

// The least T_B of each call over all of them, and the least of their diameters.
struct Best {
  std::vector<double> factors;
  std::int64_t diameter = 0;
};

Best best_of_all(int nodes, int ports, const std::vector<order::MixEntry>& calls) {
  Best best{std::vector<double>(calls.size(), 1e9), nodes};
  for (const Cables& cables : networks(nodes, ports)) {
    const Fabric fabric(topology_of(cables, nodes), {});
    best.diameter = std::min<std::int64_t>(
        best.diameter, analysis::summarize_distances(fabric.topology()).diameter());
    const Network network(fabric, topology::place(fabric.topology(), {}), {},
                          make_routing("auto", fabric));
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (int root = 0; root < nodes; ++root) {
        auto collective = fields::make_collective({.kind = calls[i].collective}, nodes);
        if (root > 0 && !collective.rooted()) break;
        collective.root = Rank(root);
        const Optimum found = evaluate::optimum(collective, network);
        const double factor =
            found.bandwidth_factor ? found.bandwidth_factor->to_double() : *found.reached;
        best.factors[i] = std::min(best.factors[i], factor);
      }
  }
  return best;
}

// 3 x 3, 5 x 3 and 3 x 5 ports: one is left over. With even ones all are in use.
TEST(AnyNetwork, betters_no_bound) {
  for (const auto& [nodes, ports] : {std::pair(3, 3), {5, 3}, {3, 5}, {4, 3}, {5, 2}, {5, 4}}) {
    SCOPED_TRACE(fmt::format("{} nodes of {} ports", nodes, ports));
    const DesignQuestion asked = asking(nodes, ports, kCalls);
    const auto bounds = bounds_of_any_network(asked, {});
    const Best best = best_of_all(nodes, ports, asked.calls);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      SCOPED_TRACE(name_of(asked.calls[i].collective));
      EXPECT_LE(bounds[i].bandwidth_factor.to_double(), best.factors[i] + 1e-9);
      EXPECT_LE(bounds[i].links, best.diameter);
    }
  }
}

// Of five nodes and three ports some node has two: 4/5 of M over two thirds of the bandwidth is
// 6/5, M over them 3/2; 8 M over 14 links of a third 12/7. Some network comes to each, but of
// allreduce and all-to-all only near it.
TEST(AnyNetwork, has_a_port_left_where_nodes_and_ports_are_odd) {
  const DesignQuestion asked = asking(5, 3, kCalls);
  const auto bounds = bounds_of_any_network(asked, {});
  const Best best = best_of_all(5, 3, asked.calls);
  const std::array<Rational, 8> expected{
      Rational(6, 5), {6, 5}, {12, 7}, bounds[3].bandwidth_factor, {3, 2}, {3, 2}, {4, 5}, {4, 5}};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    SCOPED_TRACE(name_of(asked.calls[i].collective));
    EXPECT_EQ(bounds[i].bandwidth_factor, expected[i]);
    EXPECT_NEAR(best.factors[i], expected[i].to_double(), i == 2 ? 0.1 : i == 3 ? 0.2 : 1e-9);
  }
}

// Distances of a node to the 36 others: 3 + 6 + 12 at 1, 2 and 3 links, 15 at 4: 111; of one with
// two cables 2 + 4 + 8 + 16, and 6 at 5 links: 128. Over 37 * 3 - 1 links of a third of B, and 1/37
// of M for each pair: 3 (36 * 111 + 128) / (37 * 110). One-way links, and an even number of nodes,
// leave no port over.
TEST(AnyNetwork, counts_distances_from_the_node_with_a_port_left) {
  DesignQuestion asked = asking(37, 3, "alltoall:1MiB,broadcast:1MiB");
  const auto bounds = bounds_of_any_network(asked, {});
  EXPECT_EQ(bounds[0].bandwidth_factor, Rational(3 * (36 * 111 + 128), 37 * 110));
  EXPECT_EQ(bounds[0].links, 5);
  EXPECT_EQ(bounds[1].links, 4);  // the root may be another
  asked.direction = search::Direction::one_way;
  asked.calls = order::parse_mix("allgather:1MiB");
  EXPECT_EQ(bounds_of_any_network(asked, {})[0].bandwidth_factor, Rational(36, 37));
  asked.direction = search::Direction::bidirectional;
  EXPECT_EQ(bounds_of_any_network(asked, {})[0].bandwidth_factor, Rational(54, 37));
  asked.nodes = 38;
  EXPECT_EQ(bounds_of_any_network(asked, {})[0].bandwidth_factor, Rational(37, 38));
}

}  // namespace
}  // namespace weft::design
