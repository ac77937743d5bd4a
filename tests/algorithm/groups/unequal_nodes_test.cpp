// Node lanes where nodes have several numbers of ranks: right for all, and as dear as theory says.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

// This number of ranks on each node: node by node, or one on each node and then the next round.
Network with_ranks(std::string_view expression, const std::vector<int>& ranks, bool cyclic) {
  const Network nodes = test::on(expression);
  Placement placement;
  if (!cyclic)
    for (std::size_t node = 0; node < ranks.size(); ++node)
      placement.nodes.insert(placement.nodes.end(), ranks[node], nodes.placement().nodes[node]);
  else
    for (int turn = 0; turn < std::ranges::max(ranks); ++turn)
      for (std::size_t node = 0; node < ranks.size(); ++node)
        if (turn < ranks[node]) placement.nodes.push_back(nodes.placement().nodes[node]);
  return nodes.with_placement(std::move(placement));
}

schedule::Cost cost_of(const Schedule& schedule, const Network& network) {
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

// A judge plays the messages on sets of contributions, from and to every root.
TEST(UnequalNodes, are_right_for_all_collectives_and_roots) {
  for (const auto& ranks : std::vector<std::vector<int>>{{1, 2}, {2, 1}, {7, 8}, {3, 1, 2}})
    for (const bool cyclic : {false, true})
      for (const CollectiveKind kind : find_algorithm("node-lanes").collectives) {
        const Network network = with_ranks(fmt::format("complete:{}", ranks.size()), ranks, cyclic);
        Collective collective{.kind = kind, .ranks = network.ranks()};
        const std::int32_t roots = collective.rooted() ? network.ranks() : 1;
        for (std::int32_t root = 0; root < roots; ++root) {
          collective.root = Rank(root);
          for (const std::int64_t segments : {1, 3}) {
            const auto variants = build_variants("node-lanes", collective, &network,
                                                 {.values = {{"segments", segments}}});
            EXPECT_FALSE(variants.empty());
            for (const Schedule& variant : variants) {
              SCOPED_TRACE(fmt::format("{} {} root {}", variant.algorithm(), ranks, root));
              EXPECT_EQ(test::execute(variant).violation, "");
            }
          }
        }
      }
}

// Two nodes and a cable, of M/B = 1 each way. What crosses it is what theory asks: of 15 blocks, 7
// or 8 one way, all of a broadcast or reduce, and half of an allreduce in each of two steps; an
// all-to-all's buffer is 15 blocks, and 56 cross. A step within the nodes comes before and after
// that, or two on the side on which blocks join their lanes.
TEST(UnequalNodes, cross_a_cable_once) {
  using enum CollectiveKind;
  const Network network = with_ranks("complete:2", {7, 8}, false);
  struct Case {
    CollectiveKind kind;
    std::int32_t root;
    Rational factor;
    std::int64_t steps;
  };
  for (const Case& each : std::vector<Case>{{allgather, 0, Rational(8, 15), 3},
                                            {reduce_scatter, 0, Rational(8, 15), 3},
                                            {alltoall, 0, Rational(56, 15), 3},
                                            {allreduce, 0, Rational(1), 4},
                                            {broadcast, 14, Rational(1), 3},
                                            {reduce, 14, Rational(1), 3},
                                            {scatter, 14, Rational(7, 15), 3},
                                            {scatter, 0, Rational(8, 15), 3},
                                            {gather, 14, Rational(7, 15), 3},
                                            {gather, 0, Rational(8, 15), 3}}) {
    const Collective collective{.kind = each.kind, .ranks = 15, .root = Rank(each.root)};
    std::vector<std::int64_t> steps;
    for (const Schedule& variant : build_variants("node-lanes", collective, &network))
      steps.push_back(variant.steps());
    const auto cost = cost_of(build_schedule("node-lanes", collective, &network), network);
    EXPECT_EQ(cost.bandwidth_factor, each.factor) << name_of(each.kind) << each.root;
    EXPECT_LE(std::ranges::min(steps), each.steps) << name_of(each.kind);
    EXPECT_LE(cost.steps, each.steps) << name_of(each.kind);
  }
}

// Lanes share a whole buffer equally, so that links carry what they do with one rank a node: bfb's
// optimum, 2 (N - 1) / N of M at the full bandwidth of all links of N nodes.
TEST(UnequalNodes, load_links_as_one_rank_a_node_does) {
  const Network network = with_ranks("torus:3x3", {2, 3, 2, 2, 5, 2, 2, 2, 4}, true);
  const Collective collective = schedule::allreduce(network.ranks());
  EXPECT_EQ(cost_of(build_schedule("node-lanes", collective, &network,
                                   {.values = {{"lane", std::string("bfb")}}}),
                    network)
                .bandwidth_factor,
            Rational(2 * 8, 9));
}

// As many lanes as the smallest node has ranks: other ranks send and get within their node alone.
TEST(UnequalNodes, have_as_many_lanes_as_the_smallest_node_has_ranks) {
  const Network network = with_ranks("ring:4", {2, 3, 4, 3}, false);
  const auto& nodes = network.placement().nodes;
  for (const CollectiveKind kind : find_algorithm("node-lanes").collectives) {
    const Schedule schedule = schedule::expand_symmetry(build_schedule(
        "node-lanes", {.kind = kind, .ranks = network.ranks(), .root = Rank(4)}, &network));
    std::vector<char> crosses(network.ranks(), 0);
    for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
      const auto from = schedule.message(m).from.index(), to = schedule.message(m).to.index();
      if (nodes[from] != nodes[to]) crosses[from] = crosses[to] = 1;
    }
    EXPECT_EQ(std::accumulate(crosses.begin(), crosses.end(), 0), 2 * 4) << name_of(kind);
  }
}

}  // namespace
}  // namespace weft::algorithm
