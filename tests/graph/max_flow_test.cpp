#include "weft/graph/max_flow.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"

namespace weft::graph {
namespace {

constexpr std::int64_t kAll = 1'000'000;

// Ford and Fulkerson's own kind of trap: the path 0 1 2 3 blocks both others, until flow is taken
// back over 1 2.
MaxFlow diamond() {
  MaxFlow graph(4);
  graph.add_arc(0, 1, 1000);
  graph.add_arc(0, 2, 1000);
  graph.add_arc(1, 2, 1);
  graph.add_arc(1, 3, 1000);
  graph.add_arc(2, 3, 1000);
  return graph;
}

TEST(MaxFlow, rejects_nodes_and_capacities_out_of_range) {
  MaxFlow graph(2);
  for (const std::int32_t node : {-1, 2}) {
    EXPECT_THROW(graph.add_arc(node, 0, 1), InvalidInput) << node;
    EXPECT_THROW(graph.add_arc(0, node, 1), InvalidInput) << node;
    EXPECT_THROW(graph.add_sink(node), InvalidInput) << node;
  }
  EXPECT_THROW(graph.add_arc(0, 1, -1), InvalidInput);
}

TEST(MaxFlow, takes_flow_back_where_that_makes_room) {
  MaxFlow graph = diamond();
  EXPECT_EQ(graph.max_flow(0, 3, kAll), 2000);  // both arcs out of 0
}

TEST(MaxFlow, stops_at_enough_and_goes_on_from_there) {
  MaxFlow graph = diamond();
  EXPECT_EQ(graph.max_flow(0, 3, 700), 700);
  EXPECT_EQ(graph.max_flow(0, 3, kAll), 1300);
  EXPECT_EQ(graph.max_flow(0, 3, kAll), 0);
}

TEST(MaxFlow, has_all_capacities_again_after_forgetting) {
  MaxFlow graph = diamond();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(graph.max_flow(0, 3, kAll), 2000);
    graph.forget_flow();
    EXPECT_EQ(graph.max_flow(1, 3, kAll), 1001);  // its arcs to 2 and 3
    graph.forget_flow();
  }
}

TEST(MaxFlow, marks_the_smaller_side_of_the_cut) {
  MaxFlow graph(4);  // 0 -5- 1 -3- 2 -3- 3: cuts of 3 at two places
  graph.add_arc(0, 1, 5);
  graph.add_arc(1, 2, 3);
  graph.add_arc(2, 3, 3);
  EXPECT_EQ(graph.max_flow(0, 3, kAll), 3);
  EXPECT_TRUE(graph.on_source_side(0));
  EXPECT_TRUE(graph.on_source_side(1));
  EXPECT_FALSE(graph.on_source_side(2));
  EXPECT_FALSE(graph.on_source_side(3));
}

TEST(MaxFlow, ends_at_any_of_its_sinks) {
  MaxFlow graph(5);  // a star: 2 + 3 + 4 leave node 0, 3 of them for node 2
  for (int leaf = 1; leaf < 4; ++leaf) graph.add_arc(0, leaf, leaf + 1);
  graph.add_arc(3, 4, 1);
  graph.add_sink(1);
  EXPECT_EQ(graph.max_flow(0, kAll), 2);
  graph.forget_flow();
  graph.add_sink(4);
  EXPECT_EQ(graph.max_flow(0, kAll), 2 + 1);
  graph.forget_flow();
  EXPECT_EQ(graph.max_flow(0, 2, kAll), 2 + 1 + 3);
  graph.forget_flow();
  EXPECT_EQ(graph.max_flow(0, kAll), 2 + 1) << "2 was a sink for one flow only";
}

TEST(MaxFlow, sends_nothing_where_no_way_leads) {
  MaxFlow graph(3);
  graph.add_arc(1, 0, 7);
  graph.add_arc(1, 1, 7);
  EXPECT_EQ(graph.max_flow(0, 1, kAll), 0);
  EXPECT_EQ(graph.max_flow(1, 2, kAll), 0);
  EXPECT_TRUE(graph.on_source_side(0));
  EXPECT_EQ(MaxFlow(2).max_flow(0, 1, kAll), 0) << "no arc at all";
}

TEST(MaxFlow, lets_an_arc_carry_either_way) {
  MaxFlow graph(2);
  graph.add_arc(0, 1, 4, 6);
  EXPECT_EQ(graph.max_flow(0, 1, kAll), 4);
  EXPECT_EQ(graph.max_flow(1, 0, kAll), 4 + 6) << "what came takes its way back";
}

}  // namespace
}  // namespace weft::graph
