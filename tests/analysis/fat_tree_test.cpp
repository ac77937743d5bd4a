#include "support/formulas/fat_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/formulas/exchange_phases.hpp"
#include "support/table_1.hpp"
#include "weft/base/error.hpp"
#include "weft/network/tree_occupation.hpp"
#include "weft/topology/families/trees/xgft.hpp"

namespace weft::analysis {
namespace {

using test::full_bandwidth_parents, test::least_parents, test::least_phase_loads;
using test::tree_parts, test::tree_savings, test::TreeParts, test::TreeSavings;

using Loads = std::vector<std::int64_t>;

TEST(LeastPhaseLoads, are_those_of_equation_1) {
  EXPECT_EQ(least_phase_loads({4, 2}), (Loads{1, 2}));        // 4 - floor(4/2), section 3.2
  EXPECT_EQ(least_phase_loads({4, 2, 2}), (Loads{1, 3, 4}));  // 4 - 4/4, 8 - 8/2
  EXPECT_EQ(least_phase_loads({8, 8, 8, 2}), (Loads{1, 8, 60, 256}));  // 8, 64 - 64/16, 512 - 256
  EXPECT_EQ(least_phase_loads({3, 3}), (Loads{1, 2}));                 // 3 - 3/3: two thirds
  EXPECT_EQ(least_phase_loads({1}), (Loads{0}));
}

/// Phases of an exchange on a network of Table 1.
enum class Exchange { opt, lin, exclusive_or };
std::vector<std::vector<network::LevelOccupation>> phases(const test::Table1Network& network,
                                                          Exchange exchange) {
  const auto view = *as_xgft(topology::xgft(network.children, network.parents));
  const auto opt = test::tree_exchange_destinations(network.children);
  std::vector<std::vector<network::LevelOccupation>> all;
  for (std::int32_t p = 0; p < network.hosts; ++p) {
    std::vector<network::Flow> step;
    for (std::int32_t s = 0; s < network.hosts; ++s) {
      const std::int32_t to =
          exchange == Exchange::lin ? (s + p) % network.hosts
          : exchange == Exchange::exclusive_or
              ? (s ^ p)
              : opt[static_cast<std::size_t>(p) * static_cast<std::size_t>(network.hosts) +
                    static_cast<std::size_t>(s)];
      step.push_back({NodeId(s), NodeId(to)});
    }
    all.push_back(network::tree_occupation(view, step));
  }
  return all;
}

TEST(LeastPhaseLoads, are_met_by_opt_in_every_phase_of_every_network_of_table_1) {
  for (const test::Table1Network& network : test::table_1()) {
    const Loads least = least_phase_loads(network.children);
    for (const auto& phase : phases(network, Exchange::opt)) {
      // Figure 4 a: half of all messages cross the bisection, in every phase.
      ASSERT_EQ(phase.back().crossing, network.hosts / 2);
      for (std::size_t l = 0; l < least.size(); ++l) {
        ASSERT_LE(phase[l].up, least[l]) << network.hosts << " level " << l;
        ASSERT_LE(phase[l].down, least[l]) << network.hosts << " level " << l;
        ASSERT_LE(phase[l].contention, 1);
      }
    }
  }
}

/// Phases in which the busiest link must take more than one message.
std::int64_t contended(const std::vector<std::vector<network::LevelOccupation>>& phases) {
  return std::ranges::count_if(
      phases, [](const auto& phase) { return network::least_contention(phase) > 1; });
}

TEST(LeastPhaseLoads, are_missed_by_xor_and_lin_in_half_of_the_phases) {
  // XOR sends all across the top in N/2 phases; LIN sends min(p, N - p) from each half, more than
  // its N/4 links for N/4 < p < 3N/4: N/2 - 1 phases.
  for (const test::Table1Network& network : test::table_1()) {
    const std::int32_t n = network.hosts;
    const auto by_xor = phases(network, Exchange::exclusive_or);
    const auto by_lin = phases(network, Exchange::lin);
    EXPECT_EQ(contended(by_xor), n / 2);
    EXPECT_EQ(contended(by_lin), n / 2 - 1);
    for (std::int32_t p = 0; p < n; ++p) {
      const auto at = static_cast<std::size_t>(p);
      ASSERT_EQ(by_xor[at].back().crossing, p < n / 2 ? 0 : n);
      ASSERT_EQ(by_lin[at].back().crossing, 2 * std::min(p, n - p));
      ASSERT_LE(network::least_contention(by_lin[at]), 2);
      ASSERT_LE(network::least_contention(by_xor[at]), 2);
    }
  }
}

TEST(LeastPhaseLoads, are_met_by_opt_where_the_top_has_three_or_more_subtrees) {
  // Beyond the paper: the slimmest trees by least_parents, phase by phase.
  for (const std::vector<int>& children :
       {std::vector{4, 3}, std::vector{4, 4, 3}, std::vector{6, 5}, std::vector{3, 2, 4}}) {
    std::int32_t hosts = 1;
    for (const int m : children) hosts *= m;
    for (const auto& phase : phases({hosts, children, least_parents(children)}, Exchange::opt))
      ASSERT_LE(network::least_contention(phase), 1);
  }
}

TEST(LeastParents, have_room_for_the_least_loads) {
  EXPECT_EQ(least_parents({4, 4}), (std::vector<int>{1, 3}));        // 4 - 4/4
  EXPECT_EQ(least_parents({8, 8, 2}), (std::vector<int>{1, 8, 4}));  // Table 1's
  // 3 and 4 of 4 x 2 x 2: one more level is slimmed than in Table 1's (1, 4, 1), and the top less.
  EXPECT_EQ(least_parents({4, 2, 2}), (std::vector<int>{1, 3, 2}));
}

TEST(TreeParts, are_those_of_the_topology) {
  for (const test::Table1Network& network : test::table_1()) {
    const Topology topology = topology::xgft(network.children, network.parents);
    const TreeParts parts = tree_parts(network.children, network.parents);
    EXPECT_EQ(parts.all_switches(), std::ssize(topology.nodes()) - network.hosts);
    EXPECT_EQ(parts.all_cables() * 2, topology.link_count());
  }
}

TEST(TreeSavings, are_a_half_of_the_top_level) {
  // Section 4.2: E(l) = E and S(l) = E / m_l but for the top, which loses half; 1/(2h) of the
  // links.
  const std::vector<Rational> switches{{1, 5}, {1, 4}, {2, 7}, {1, 3}, {2, 9}, {1, 4}, {2, 7}};
  const auto networks = test::table_1();
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto& [hosts, children, parents] = networks[i];
    const TreeSavings savings = tree_savings(tree_parts(children, full_bandwidth_parents(children)),
                                             tree_parts(children, parents));
    EXPECT_EQ(savings.switches, switches[i]) << hosts;
    EXPECT_EQ(savings.cables, Rational(1, 2 * std::ssize(children))) << hosts;
  }
}

TEST(FatTree, rejects_what_is_no_tree) {
  EXPECT_THROW(least_phase_loads({}), InvalidInput);
  EXPECT_THROW(least_phase_loads({4, 0}), InvalidInput);
  EXPECT_THROW(tree_parts({4, 2}, {1}), InvalidInput);
  EXPECT_THROW(tree_parts({4, 2}, {1, 0}), InvalidInput);
}

}  // namespace
}  // namespace weft::analysis
