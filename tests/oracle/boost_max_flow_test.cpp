// Boost.Graph's push-relabel judges maximum flows on random graphs, with many flows on one graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/judges/boost_max_flow.hpp"
#include "weft/base/random.hpp"
#include "weft/graph/max_flow.hpp"

namespace weft::graph {
namespace {

using support::BoostMaxFlow;
using support::CapacityArc;

constexpr std::int64_t kAll = std::int64_t{1} << 60;

MaxFlow flow_graph(std::int32_t nodes, const std::vector<CapacityArc>& arcs) {
  MaxFlow graph(nodes);
  for (const CapacityArc& arc : arcs) graph.add_arc(arc.tail, arc.head, arc.capacity);
  return graph;
}

// What leaves the source's side, which is the flow if both are right.
std::int64_t cut_capacity(const MaxFlow& graph, const std::vector<CapacityArc>& arcs) {
  std::int64_t sum = 0;
  for (const CapacityArc& arc : arcs)
    if (graph.on_source_side(arc.tail) && !graph.on_source_side(arc.head)) sum += arc.capacity;
  return sum;
}

TEST(BoostMaxFlow, agrees_on_random_graphs) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Rng random(seed);
    const auto nodes = static_cast<std::int32_t>(2 + random.below(30));
    const auto count = static_cast<std::int32_t>(random.below(std::int64_t{6} * nodes));
    const std::vector<CapacityArc> arcs =
        support::random_arcs(random, nodes, count, seed % 3 == 0 ? 1 : 1000);
    MaxFlow ours = flow_graph(nodes, arcs);
    BoostMaxFlow judge(nodes, arcs);
    for (std::int32_t sink = 1; sink < nodes; ++sink) {
      const std::int64_t expected = judge.max_flow(0, sink);
      ASSERT_EQ(ours.max_flow(0, sink, kAll), expected);
      ASSERT_EQ(cut_capacity(ours, arcs), expected);
      ASSERT_TRUE(ours.on_source_side(0) && !ours.on_source_side(sink));
      ours.forget_flow();
      ASSERT_EQ(ours.max_flow(0, sink, expected / 2), expected / 2);
      ours.forget_flow();
    }
  }
}

// Several sinks are one sink behind arcs without limit.
TEST(BoostMaxFlow, agrees_on_flows_to_several_sinks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng random(seed);
    const auto nodes = static_cast<std::int32_t>(4 + random.below(30));
    std::vector<CapacityArc> arcs = support::random_arcs(random, nodes, 5 * nodes, 20);
    MaxFlow ours = flow_graph(nodes, arcs);
    for (std::int32_t node = 1; node < nodes; node += 2) {
      ours.add_sink(node);
      arcs.push_back({node, nodes, kAll >> 10});
    }
    BoostMaxFlow judge(nodes + 1, arcs);
    for (std::int32_t source = 0; source < nodes; source += 2) {
      ASSERT_EQ(ours.max_flow(source, kAll), judge.max_flow(source, nodes));
      ours.forget_flow();
    }
  }
}

}  // namespace
}  // namespace weft::graph
