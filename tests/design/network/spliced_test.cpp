// Networks where nodes and ports are odd: nothing is left but the port that has to be.
#include "weft/design/network/spliced.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "design/network/asking.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

// N d is odd, so that (N d - 1) / 2 cables are the most: one node has d - 1 of them. No two join
// the same nodes, as 7 nodes of 5 ports have room for.
TEST(SplicedCandidates, leave_one_port_free) {
  for (const auto& [nodes, ports] :
       {std::pair(5, 3), {7, 3}, {7, 5}, {9, 7}, {23, 5}, {37, 3}, {99, 9}, {1001, 5}, {99, 63}}) {
    const auto candidates = spliced_candidates(nodes, ports, search::Catalogue::by_rule());
    EXPECT_FALSE(candidates.empty()) << nodes << " nodes of " << ports;
    EXPECT_LE(candidates.size(), 3u);
    for (const CandidateNetwork& candidate : candidates) {
      SCOPED_TRACE(candidate.topology);
      const Topology topology = make_topology(candidate.topology);
      EXPECT_EQ(topology.node_count(), nodes);
      EXPECT_EQ(topology.cable_count(), (nodes * ports - 1) / 2);
      EXPECT_EQ(topology.link_count(), 2 * topology.cable_count());
      EXPECT_TRUE(analysis::summarize_distances(topology).connected());
      for (const NodeId node : topology.nodes()) {
        EXPECT_EQ(topology.out_degree(node), node.value() == nodes - 1 ? ports - 1 : ports);
        std::vector<NodeId> heads;
        for (const LinkId link : topology.out_links(node)) heads.push_back(topology.head(link));
        std::ranges::sort(heads);
        EXPECT_TRUE(std::ranges::adjacent_find(heads) == heads.end());
        EXPECT_FALSE(std::ranges::binary_search(heads, node));
      }
    }
  }
}

// None is kept that another betters in all that they are chosen by.
TEST(SplicedCandidates, differ_in_what_they_are_best_at) {
  for (const auto& [nodes, ports] : {std::pair(23, 5), {35, 7}, {51, 3}}) {
    using Measures = std::tuple<Rational, std::int64_t, std::int64_t>;
    std::vector<Measures> all;
    const auto candidates = spliced_candidates(nodes, ports, search::Catalogue::by_rule());
    for (const CandidateNetwork& candidate : candidates) {
      const Topology topology = make_topology(candidate.topology);
      const auto cost = algorithm::bfb_cost(topology);
      all.emplace_back(cost.exact_bandwidth_factor, cost.steps,
                       analysis::summarize_distances(topology).sum());
    }
    for (const Measures& one : all)
      for (const Measures& other : all)
        EXPECT_FALSE(one != other && std::get<0>(one) >= std::get<0>(other) &&
                     std::get<1>(one) >= std::get<1>(other) &&
                     std::get<2>(one) >= std::get<2>(other))
            << nodes << " nodes of " << ports;
    const auto again = spliced_candidates(nodes, ports, search::Catalogue::by_rule());
    EXPECT_TRUE(std::ranges::equal(candidates, again, {}, &CandidateNetwork::topology,
                                   &CandidateNetwork::topology));
  }
}

// With a port idle at every node no allreduce is faster than 2 (N - 1) / N * M by d - 1 of them.
TEST(SplicedCandidates, better_all_networks_of_idle_ports) {
  const double idle_s = 2.0 * 22 / 23 * (64 << 20) / (4 * 12.5e9);
  for (const CandidateNetwork& candidate :
       spliced_candidates(23, 5, search::Catalogue::by_rule())) {
    NetworkSpec spec;
    spec.topology = candidate.topology;
    const Network network =
        fields::make_network(spec, topology::build_topology(candidate.topology), {});
    const advise::Comparison comparison = advise::compare(
        schedule::allreduce(23), network, {.algorithms = {"packing"}, .sizes_B = {64 << 20}});
    EXPECT_LT(comparison.rows[0].result.time_s, 0.95 * idle_s) << candidate.topology;
  }
}

}  // namespace
}  // namespace weft::design
