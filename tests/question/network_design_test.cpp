// Network design: what is looked at can be built, and what is advised holds what is said of it.
#include "weft/question/network_design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/question/comparison.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {
namespace {

analysis::PriceList prices() {
  return analysis::load_price_list(WEFT_SOURCE_DIR "/share/prices/infiniband-2025.toml");
}

DesignAsked asking(int nodes, int ports, const char* calls) {
  return {.nodes = nodes, .ports = ports, .calls = parse_mix(calls), .prices = prices()};
}

// Ends of cables at a node; a link of a node to itself takes none.
std::vector<int> ports_of(const Topology& topology) {
  std::vector<int> ports(static_cast<std::size_t>(topology.node_count()), 0);
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++ports[topology.tail(link).index()];
  return ports;
}

TEST(DesignCandidates, have_the_nodes_and_the_ports_that_were_asked_for) {
  for (const int nodes : {2, 5, 8, 12, 27, 32, 50, 64, 97})
    for (const int ports : {2, 3, 4, 6, 8})
      for (const auto direction : {search::Direction::bidirectional, search::Direction::one_way}) {
        DesignAsked asked = asking(nodes, ports, "allreduce:1MiB");
        asked.direction = direction;
        const auto candidates = candidate_networks(asked, search::Catalogue::by_rule());
        std::set<std::string> names;
        for (const CandidateNetwork& candidate : candidates) {
          SCOPED_TRACE(candidate.topology);
          EXPECT_TRUE(names.insert(candidate.topology).second);
          const Topology topology = make_topology(candidate.topology);
          EXPECT_EQ(std::ssize(topology.hosts()), nodes);
          EXPECT_FALSE(topology.has_switches());
          EXPECT_LE(std::ranges::max(ports_of(topology)), ports);
          if (direction == search::Direction::bidirectional) {
            EXPECT_EQ(topology.link_count(), 2 * topology.cable_count());
          }
        }
      }
}

// 64 = 8 x 8: the torus, and what is built by habit.
TEST(DesignCandidates, have_what_is_usual_among_them) {
  const auto candidates =
      candidate_networks(asking(64, 4, "allreduce:1MiB"), search::Catalogue::by_rule());
  for (const char* name : {"torus:8x8", "shifted-ring:64", "double-binary-tree:64", "ring:64"}) {
    const auto found = std::ranges::find(candidates, name, &CandidateNetwork::topology);
    ASSERT_NE(found, candidates.end()) << name;
    EXPECT_TRUE(found->baseline) << name;
  }
}

TEST(DesignCandidates, of_switches_hold_the_hosts_within_their_radix) {
  for (const int radix : {8, 16, 36, 64})
    for (const int nodes : {7, 30, 64, 100, 500, 1000})
      for (const int ports : {1, 2}) {
        if (nodes > radix * (radix / 2) * (radix / 2)) continue;
        DesignAsked asked = asking(nodes, ports, "allreduce:1MiB");
        asked.build = Build::switches;
        asked.radix = radix;
        for (const CandidateNetwork& candidate :
             candidate_networks(asked, search::Catalogue::by_rule())) {
          SCOPED_TRACE(fmt::format("radix {}: {}", radix, candidate.topology));
          const Topology topology = make_topology(candidate.topology);
          EXPECT_GE(std::ssize(topology.hosts()), nodes);
          const std::vector<int> taken = ports_of(topology);
          for (const NodeId node : topology.nodes())
            EXPECT_LE(taken[node.index()], topology.is_host(node) ? ports : radix);
        }
      }
}

// A leaf without oversubscription has a cable up for each of its hosts, one of 2 : 1 for every two.
TEST(DesignCandidates, are_subscribed_as_they_are_called) {
  DesignAsked asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  int seen = 0;
  for (const CandidateNetwork& candidate :
       candidate_networks(asked, search::Catalogue::by_rule())) {
    const int hosts_per_uplink = candidate.origin == "leaf-spine"          ? 1
                                 : candidate.origin == "leaf-spine, 2 : 1" ? 2
                                                                           : 0;
    if (hosts_per_uplink == 0) continue;
    ++seen;
    const Topology topology = make_topology(candidate.topology);
    for (const NodeId leaf : topology.switches()) {
      int down = 0, up = 0;
      for (const LinkId link : topology.out_links(leaf))
        ++(topology.is_host(topology.head(link)) ? down : up);
      EXPECT_TRUE(down == 0 || hosts_per_uplink * up >= down);
    }
  }
  EXPECT_EQ(seen, 2);
}

TEST(DesignCandidates, say_what_is_next_where_there_are_none) {
  try {
    candidate_networks(asking(3, 1, "allreduce:1MiB"), search::Catalogue::by_rule());
    FAIL() << "three nodes of a port each are no network";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("nearest size that has one is 2"), std::string::npos)
        << error.what();
  }
  DesignAsked asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 4;  // 4^3 / 4 = 16 hosts
  EXPECT_THROW(candidate_networks(asked, search::Catalogue::by_rule()), InvalidInput);
  asked.nodes = 1;
  EXPECT_THROW(candidate_networks(asked, search::Catalogue::by_rule()), InvalidInput);
}

// Each node sends 7 blocks of 1 MiB over a link of its own: 1 us + 1 MiB / 12.5 GB/s.
TEST(NetworkDesign, takes_the_complete_graph_where_ports_suffice) {
  const DesignAsked asked = asking(8, 7, "alltoall:1MiB:5");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  const Topology topology = make_topology(chosen.candidate.topology);
  EXPECT_EQ(topology.cable_count(), 28);
  EXPECT_NEAR(chosen.time_s(), 5 * (1e-6 + 1048576 / 12.5e9), 1e-9);
  EXPECT_EQ(chosen.cables, 28);
  EXPECT_EQ(chosen.ports, 7);
}

// One cable to a single switch: without it a host is alone.
TEST(NetworkDesign, says_which_failures_cut_hosts_off) {
  DesignAsked asked = asking(4, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  ASSERT_EQ(found.rows.size(), 1u);
  ASSERT_TRUE(found.rows[0].by_cables.has_value());
  EXPECT_EQ(found.rows[0].by_cables->tried, 4);
  EXPECT_EQ(found.rows[0].by_cables->cut, 4);
  EXPECT_EQ(found.rows[0].by_nodes->tried, 1);
  EXPECT_EQ(found.rows[0].by_nodes->cut, 1);
  EXPECT_EQ(found.rows[0].switches, 1);
}

// However long it takes to try one.
TEST(NetworkDesign, tries_the_same_failures_with_every_call) {
  DesignAsked asked = asking(136, 1, "allreduce:1MiB,alltoall:64KiB,broadcast:1KiB");
  asked.build = Build::switches;
  asked.radix = 16;
  asked.finalists = 1;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& finalist = found.rows.front();
  EXPECT_GT(finalist.cables, (1 << 22) / (136 * 136));
  EXPECT_EQ(finalist.by_cables->tried, (1 << 22) / (136 * 136));
  EXPECT_EQ(finalist.by_nodes->tried, finalist.switches);
  EXPECT_GE(finalist.by_cables->worst_slowdown, finalist.by_cables->mean_slowdown);
}

// Two ends of every cable at the panel, 100 dollars each on the shipped list.
TEST(NetworkDesign, buys_a_port_of_the_panel_for_each_end_of_a_cable) {
  DesignAsked asked = asking(8, 4, "allreduce:1MiB");
  asked.build = Build::patch_panel;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    EXPECT_EQ(row.bill.panel_ports, 2 * row.cables);
    EXPECT_DOUBLE_EQ(row.bill.panel_dollars, 200.0 * static_cast<double>(row.cables));
    EXPECT_EQ(row.bill.panels, 1);  // of 1,008 ports
  }
  // A panel of 7 ports joins three cables, and has a port to spare.
  for (analysis::PortOffer& offer : asked.prices.ports) offer.most = 7;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    EXPECT_EQ(row.bill.panels, (row.cables + 2) / 3);
    EXPECT_DOUBLE_EQ(row.bill.panel_dollars, 200.0 * static_cast<double>(row.cables));
  }
  for (analysis::PortOffer& offer : asked.prices.ports) offer.most = 1;
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
  asked.prices.ports.clear();
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
}

// 20 hosts on 8-port switches: whatever has room for more, 20 cables lead to hosts, and those
// between switches are none of theirs.
TEST(NetworkDesign, buys_no_cables_of_hosts_beyond_those_asked_for) {
  DesignAsked asked = asking(20, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 8;
  bool has_more = false;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    has_more = has_more || row.hosts > 20;
    const analysis::Bill& bill = row.bill.parts;
    EXPECT_EQ(bill.electrical.count + bill.optical.count, row.cables - (row.hosts - 20))
        << row.candidate.topology;
    EXPECT_EQ(bill.switches, row.switches);
  }
  EXPECT_TRUE(has_more);
}

TEST(NetworkDesign, advises_none_that_another_betters) {
  const DesignAsked asked = asking(16, 4, "allreduce:64MiB:3,alltoall:256KiB,broadcast:1MiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  ASSERT_TRUE(chosen.is_finalist());
  for (const DesignRow& row : found.rows) {
    ASSERT_EQ(row.calls.size(), 3u);
    EXPECT_GE(row.time_s(), 0.999 * row.least_s()) << row.candidate.topology;
    if (!row.is_finalist()) continue;
    EXPECT_LE(chosen.time_s(), 1.02 * row.time_s()) << row.candidate.topology;
  }
  EXPECT_EQ(std::ranges::count_if(found.rows, &DesignRow::is_finalist), 3);
  EXPECT_TRUE(std::ranges::any_of(found.rows, &DesignRow::efficient));
}

// The paths of a flow come near the all-to-all throughput, which spreading does not on all
// networks.
TEST(NetworkDesign, serves_alltoall_by_flows_where_they_are_faster) {
  const DesignAsked asked = asking(14, 3, "alltoall:1MiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  int by_flow = 0;
  for (const DesignRow& row : found.rows) {
    if (!row.is_finalist()) continue;
    SCOPED_TRACE(row.candidate.topology);
    const auto built = topology::build_topology(row.candidate.topology);
    const Network network = make_network({.topology = row.candidate.topology}, built, {});
    const Comparison flow =
        compare(schedule::alltoall(14), network, {.algorithms = {"flow"}, .sizes_B = {1 << 20}});
    EXPECT_LE(row.time_s(), 1.001 * flow.rows[0].result.time_s);
    by_flow += row.calls[0].algorithm == "flow";
  }
  EXPECT_GT(by_flow, 0);
}

TEST(NetworkDesign, hands_over_the_schedules_that_it_priced) {
  const DesignAsked asked = asking(12, 4, "allreduce:16MiB,allgather:64KiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  for (std::size_t call = 0; call < asked.calls.size(); ++call) {
    const schedule::Verified verified = designed_schedule(asked, chosen, call);
    EXPECT_EQ(verified.schedule().collective().kind, asked.calls[call].collective);
    EXPECT_EQ(verified.schedule().collective().ranks, 12);
    EXPECT_EQ(verified.schedule().steps(), chosen.calls[call].steps);
  }
}

TEST(NetworkDesign, asks_for_calls_that_move_data_among_all) {
  for (const char* calls : {"allreduce:0", "allreduce:1MiB,point-to-point:1MiB"})
    EXPECT_THROW(design_network(asking(8, 4, calls), search::Catalogue::by_rule()), InvalidInput)
        << calls;
  DesignAsked asked = asking(8, 4, "allreduce:1MiB");
  asked.calls.clear();
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
}

}  // namespace
}  // namespace weft::question
