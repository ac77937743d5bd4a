#include "naive_allgather.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "support/graphs.hpp"

namespace weft::support {

namespace {

// The largest load of a link of `u` when it receives the shards at distance `step`.
Rational load(const Topology& topology, const std::vector<std::vector<std::int32_t>>& distance,
              NodeId u, int step) {
  const auto links = topology.in_links(u);
  std::vector<unsigned> usable;
  for (const NodeId v : topology.nodes()) {
    if (distance[v.index()][u.index()] != step) continue;
    unsigned mask = 0;
    for (std::size_t i = 0; i < links.size(); ++i)
      if (distance[v.index()][topology.tail(links[i]).index()] == step - 1) mask |= 1u << i;
    usable.push_back(mask);
  }
  Rational most = 0;
  for (unsigned set = 1; set < 1u << links.size(); ++set) {
    const auto inside = std::count_if(usable.begin(), usable.end(),
                                      [&](unsigned mask) { return (mask & ~set) == 0; });
    most = std::max(most, Rational(inside, std::popcount(set)));
  }
  return most;
}

}  // namespace

NaiveCost naive_allgather(const Topology& topology) {
  const auto distance = naive_distances(topology);
  NaiveCost cost;
  for (const auto& row : distance)
    cost.steps = std::max(cost.steps, *std::max_element(row.begin(), row.end()));
  for (int step = 1; step <= cost.steps; ++step) {
    Rational most = 0;
    for (const NodeId u : topology.nodes())
      most = std::max(most, load(topology, distance, u, step));
    cost.bandwidth_factor += most;
  }
  cost.bandwidth_factor *= Rational(topology.nominal_degree(), topology.node_count());
  return cost;
}

namespace {

// A one-way ring takes N - 1 steps of one shard; a ring floor(N / 2) steps of one shard a link, the
// last half a shard when N is even: both meet (N - 1) / N.
TEST(NaiveAllgather, rings_meet_the_bound) {
  EXPECT_EQ(naive_allgather(one_way_cycle(5)), (NaiveCost{4, Rational(4, 5)}));
  EXPECT_EQ(naive_allgather(cycle(6)), (NaiveCost{3, Rational(5, 6)}));
}

// Section 1 of the source's erratum on links into a Kautz node: kautz:2,2 = L(K3) has T_B = 2/3 +
// 1/6, its base's plus one shard of the six.
TEST(NaiveAllgather, kautz_is_the_line_graph_of_the_complete_graph) {
  EXPECT_EQ(naive_allgather(kautz_of_words(2, 2)), (NaiveCost{2, Rational(1)}));
}

}  // namespace

}  // namespace weft::support
