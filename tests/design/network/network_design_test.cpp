// Network design: what is advised holds what is said of it, and nothing betters it.
#include "weft/design/network_design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "design/network/asking.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

// Each node sends 7 blocks of 1 MiB over a link of its own: 1 us + 1 MiB / 12.5 GB/s.
TEST(NetworkDesign, takes_the_complete_graph_where_ports_suffice) {
  const DesignQuestion asked = asking(8, 7, "alltoall:1MiB:5");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  const Topology topology = make_topology(chosen.candidate.topology);
  EXPECT_EQ(topology.cable_count(), 28);
  EXPECT_NEAR(chosen.time_s(), 5 * (1e-6 + 1048576 / 12.5e9), 1e-9);
  EXPECT_EQ(chosen.cables, 28);
  EXPECT_EQ(chosen.ports, 7);
}

// Without a cable a ring is a path, which nothing serves faster than twice as long; a kept schedule
// sends what that cable carried the long way round besides.
TEST(NetworkDesign, makes_schedules_anew_past_the_worst_cable) {
  DesignQuestion asked = asking(7, 2, "allreduce:64MiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& ring = found.rows.front();
  ASSERT_TRUE(ring.by_cables.has_value());
  ASSERT_TRUE(ring.by_cables->worst_anew.has_value());
  EXPECT_GE(ring.by_cables->worst_slowdown, *ring.by_cables->worst_anew);
  EXPECT_NEAR(*ring.by_cables->worst_anew, 2, 0.05);
}

// One cable to a single switch: without it a host is alone.
TEST(NetworkDesign, says_which_failures_cut_hosts_off) {
  DesignQuestion asked = asking(4, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  ASSERT_EQ(found.rows.size(), 1u);
  ASSERT_TRUE(found.rows[0].by_cables.has_value());
  EXPECT_EQ(found.rows[0].by_cables->tried, 4);
  EXPECT_EQ(found.rows[0].by_cables->judged, 4);
  EXPECT_EQ(found.rows[0].by_cables->cut, 4);
  EXPECT_EQ(found.rows[0].by_nodes->tried, 1);
  EXPECT_EQ(found.rows[0].by_nodes->cut, 1);
  EXPECT_EQ(found.rows[0].by_cables->possible, 4);
  EXPECT_EQ(found.rows[0].switches, 1);
  EXPECT_FALSE(found.rows[0].by_cables->worst.has_value());  // no slowdown to name
  EXPECT_FALSE(found.rows[0].by_cables->worst_slowdown.has_value());
  EXPECT_FALSE(found.rows[0].by_nodes->mean_slowdown.has_value());
}

// Where too many to try each: cables of hosts cut these off, whichever it is. The others are told
// of by those that are like them for every call, so that all are judged by a few.
TEST(NetworkDesign, judges_all_failures_by_those_that_tell_of_others) {
  DesignQuestion asked = asking(136, 1, "allreduce:1MiB,alltoall:64KiB,broadcast:1KiB");
  asked.build = Build::switches;
  asked.radix = 16;
  asked.finalists = 1;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& finalist = found.rows.front();
  EXPECT_GT(finalist.cables, (1 << 22) / (136 * 136));
  EXPECT_EQ(finalist.by_cables->possible, finalist.cables);
  EXPECT_GE(finalist.by_cables->judged,
            std::min<std::int64_t>(finalist.cables, 136 + (1 << 22) / (136 * 136)));
  EXPECT_EQ(finalist.by_cables->cut, 136);
  EXPECT_LT(finalist.by_cables->tried, finalist.by_cables->judged);
  EXPECT_EQ(finalist.by_nodes->judged, finalist.switches);
  EXPECT_EQ(finalist.by_nodes->tried, finalist.switches);
  EXPECT_GE(finalist.by_cables->worst_slowdown, finalist.by_cables->mean_slowdown);
}

// 100 hosts on 13 leaves of eight places: eight or seven on each, where linear leaves four for the
// last.
TEST(NetworkDesign, leaves_the_places_free_that_the_placement_does_not_take) {
  const auto unevenness = [](const std::string& placement) {
    DesignQuestion asked = asking(100, 1, "broadcast:1KiB");
    asked.build = Build::switches;
    asked.radix = 16;
    asked.placement = placement;
    asked.finalists = 1;
    std::int64_t greatest = 0;
    for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
      EXPECT_EQ(row.hosts, 100) << row.candidate.topology;
      if (row.room == 100) continue;
      const Topology topology = make_topology(row.candidate.topology);
      std::int64_t least = 100, most = 0;
      for (const NodeId node : topology.switches()) {
        std::int64_t hosts = 0;
        for (const LinkId link : topology.out_links(node))
          hosts += topology.is_host(topology.head(link)) ? 1 : 0;
        if (hosts == 0) continue;  // a spine
        least = std::min(least, hosts);
        most = std::max(most, hosts);
      }
      greatest = std::max(greatest, most - least);
    }
    return greatest;
  };
  EXPECT_GT(unevenness("linear"), 1);
  EXPECT_LE(unevenness("round-robin-router"), 1);
  DesignQuestion asked = asking(100, 1, "broadcast:1KiB");
  for (const char* placement : {"file:places.txt", "hosts:PATH", "nowhere"}) {
    asked.placement = placement;
    EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput) << placement;
  }
}

// K(4,4) has three names among the candidates of 8 nodes and 4 ports, the 3-cube three.
TEST(NetworkDesign, counts_a_network_once) {
  const NetworkDesign found =
      design_network(asking(8, 4, "allreduce:1MiB"), search::Catalogue::by_rule());
  const auto row_of = [&](const std::string& name) {
    return std::ranges::find_if(found.rows, [&](const DesignRow& row) {
      return row.candidate.topology == name || std::ranges::count(row.also, name) > 0;
    });
  };
  const auto bipartite = row_of("bipartite:4,4");
  ASSERT_NE(bipartite, found.rows.end());
  EXPECT_EQ(bipartite, row_of("shifted-ring:8"));
  EXPECT_EQ(bipartite, row_of("twisted-torus:2x4"));
  EXPECT_TRUE(bipartite->candidate.baseline);  // as the shifted ring is
  const auto cube = row_of("hypercube:3");
  ASSERT_NE(cube, found.rows.end());
  EXPECT_EQ(cube, row_of("torus:4x2"));
  EXPECT_NE(cube, bipartite);
}

// 64 nodes of 4 two-way ports: 1 + 4 + 12 + 36 = 53 < 64, so that some node is 4 links away; the
// sum of distances is 4 + 24 + 108 + 11 * 4 = 180 at least, and an all-to-all's T_B 180/64. Of an
// allreduce 2 * 63/64. 100 Gbps and 1 us a link.
TEST(NetworkDesign, knows_what_no_network_betters) {
  DesignQuestion asked = asking(64, 4, "allreduce:100MiB:3,alltoall:1MiB,broadcast:8");
  asked.finalists = 1;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  ASSERT_EQ(found.bounds.size(), 3u);
  EXPECT_EQ(found.bounds[0].links, 4);
  EXPECT_EQ(found.bounds[0].bandwidth_factor, Rational(63, 32));
  EXPECT_EQ(found.bounds[1].bandwidth_factor, Rational(180, 64));
  const double ports_Bps = 4 * 12.5e9, allreduce_s = 63.0 / 32 * 104857600 / ports_Bps,
               alltoall_s = 180.0 / 64 * 64 * 1048576 / ports_Bps;
  EXPECT_NEAR(found.bounds[0].time_s, allreduce_s, 1e-9);
  EXPECT_NEAR(found.bounds[1].time_s, alltoall_s, 1e-9);
  EXPECT_NEAR(found.bounds[2].time_s, 4e-6, 1e-12);  // of 8 bytes the way alone
  for (const DesignRow& row : found.rows) {
    EXPECT_NEAR(found.any_least_s(row), 3 * allreduce_s + alltoall_s + 4e-6, 1e-8);
    EXPECT_GE(row.least_s(), 0.999 * found.any_least_s(row)) << row.candidate.topology;
  }
}

// A host reaches 7 hosts on its 8-port switch by 2 links, at most 7 * 7 by 3. An all-to-all sends
// 39 of 40 blocks through the only port.
TEST(NetworkDesign, knows_what_no_switches_better) {
  DesignQuestion asked = asking(40, 1, "alltoall:1MiB");
  asked.build = Build::switches;
  asked.radix = 8;
  asked.finalists = 1;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  EXPECT_EQ(found.bounds[0].links, 3);
  EXPECT_EQ(found.bounds[0].bandwidth_factor, Rational(39, 40));
  for (const DesignRow& row : found.rows)
    EXPECT_GE(row.least_s(), 0.999 * found.any_least_s(row)) << row.candidate.topology;
}

// Each candidate's best is 5 / 1,000 off the bound or found among all others: no algorithm of a
// full comparison is faster.
TEST(NetworkDesign, misses_nothing_where_ranks_are_many) {
  DesignQuestion asked = asking(264, 1, "allreduce:1MiB,alltoall:4KiB");
  asked.build = Build::switches;
  asked.radix = 36;
  asked.finalists = 1;
  for (const DesignRow& row : design_network(asked, search::Catalogue::by_rule()).rows) {
    SCOPED_TRACE(row.candidate.topology);
    const auto built = topology::build_topology(row.candidate.topology);
    NetworkSpec spec;
    spec.topology = row.candidate.topology;
    spec.placing.ranks = 264;
    const Network network = fields::make_network(spec, built, {});
    for (std::size_t i = 0; i < asked.calls.size(); ++i) {
      const advise::Comparison all = advise::compare(
          fields::make_collective({.kind = asked.calls[i].collective}, 264), network,
          {.sizes_B = {asked.calls[i].size_B},
           .simulation = {.model = simulation::Model::alpha_beta}});
      const double fastest_s = all.winners().front()->result.time_s;
      EXPECT_LE(row.calls[i].time_s, 1.0051 * fastest_s) << row.calls[i].algorithm;
    }
  }
}

// What a ring's links carry of an all-to-all takes many times as long as on the best network, so
// that it cannot be advised: the fluid model is not asked.
TEST(NetworkDesign, judges_none_of_many_nodes_that_cannot_be_advised) {
  DesignQuestion asked = asking(260, 4, "alltoall:64KiB");
  asked.finalists = 100;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  ASSERT_TRUE(chosen.is_finalist());
  EXPECT_TRUE(found.in_time());
  EXPECT_LT(std::ranges::count_if(found.rows, &DesignRow::is_finalist), std::ssize(found.rows));
  for (const DesignRow& row : found.rows) {
    if (row.candidate.topology == "ring:260") {
      EXPECT_FALSE(row.is_finalist());
    }
    if (!row.is_finalist()) {
      EXPECT_GT(row.time_s(), chosen.time_s()) << row.candidate.topology;
    }
  }
}

TEST(NetworkDesign, answers_with_what_is_known_in_time) {
  DesignQuestion asked = asking(16, 4, "allreduce:1MiB");
  asked.time_limit_s = 1e-9;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const auto candidates = candidate_networks(asked, search::Catalogue::by_rule());
  EXPECT_FALSE(found.in_time());
  ASSERT_EQ(found.rows.size(), 1u);
  EXPECT_EQ(found.chosen, 0u);
  EXPECT_FALSE(found.rows[0].is_finalist());
  EXPECT_EQ(found.unjudged, 1);
  EXPECT_TRUE(found.hurried);
  EXPECT_EQ(found.untimed.size(), candidates.size() - 1);
  asked.time_limit_s = 1e6;
  EXPECT_TRUE(design_network(asked, search::Catalogue::by_rule()).in_time());
}

TEST(NetworkDesign, advises_none_that_another_betters) {
  const DesignQuestion asked = asking(16, 4, "allreduce:64MiB:3,alltoall:256KiB,broadcast:1MiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  const DesignRow& chosen = found.rows[found.chosen];
  ASSERT_TRUE(chosen.is_finalist());
  for (const DesignRow& row : found.rows) {
    ASSERT_EQ(row.calls.size(), 3u);
    EXPECT_GE(row.time_s(), 0.999 * row.least_s()) << row.candidate.topology;
    if (!row.is_finalist()) continue;
    EXPECT_LE(chosen.time_s(), 1.05 * row.time_s()) << row.candidate.topology;
  }
  EXPECT_GE(std::ranges::count_if(found.rows, &DesignRow::is_finalist), 3);
  EXPECT_TRUE(std::ranges::any_of(found.rows, &DesignRow::efficient));
}

// The paths of a flow come near the all-to-all throughput, which spreading does not on all
// networks.
TEST(NetworkDesign, serves_alltoall_by_flows_where_they_are_faster) {
  const DesignQuestion asked = asking(14, 3, "alltoall:1MiB");
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  int by_flow = 0;
  for (const DesignRow& row : found.rows) {
    if (!row.is_finalist()) continue;
    SCOPED_TRACE(row.candidate.topology);
    const auto built = topology::build_topology(row.candidate.topology);
    NetworkSpec spec;
    spec.topology = row.candidate.topology;
    const Network network = fields::make_network(spec, built, {});
    const advise::Comparison flow = advise::compare(schedule::alltoall(14), network,
                                                    {.algorithms = {"flow"}, .sizes_B = {1 << 20}});
    EXPECT_LE(row.time_s(), 1.001 * flow.rows[0].result.time_s);
    const bool is_by_flow = row.calls[0].algorithm == "flow";
    by_flow += is_by_flow;
    ASSERT_EQ(row.calls[0].routed_s.has_value(), is_by_flow);
    if (!is_by_flow) continue;
    const advise::Comparison others =
        advise::compare(schedule::alltoall(14), network, {.sizes_B = {1 << 20}});
    EXPECT_NEAR(*row.calls[0].routed_s, others.winners().front()->result.time_s,
                *row.calls[0].routed_s * 0.001);
  }
  EXPECT_GT(by_flow, 0);
}

// Whatever is shown, simulated or not.
TEST(NetworkDesign, advises_none_that_is_slower_and_dearer_than_another) {
  for (const int nodes : {8, 9})
    for (const int ports : {2, 4}) {
      DesignQuestion asked = asking(nodes, ports, "allreduce:1MiB");
      asked.finalists = 1;
      const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
      const DesignRow& chosen = found.rows[found.chosen];
      for (const DesignRow& row : found.rows)
        EXPECT_FALSE(row.time_s() < chosen.time_s() && row.bill.dollars() < chosen.bill.dollars())
            << nodes << " nodes of " << ports << ": " << row.candidate.topology << " betters "
            << chosen.candidate.topology;
    }
}

// Every network is judged by the paths that serve it best: on uneven ones those of a flow, 1 % off
// the throughput, which random regular networks reach with a third less than straight ways.
TEST(NetworkDesign, orders_networks_by_the_best_paths_of_an_alltoall) {
  DesignQuestion asked = asking(32, 4, "alltoall:1MiB");
  asked.finalists = 1;
  const NetworkDesign found = design_network(asked, search::Catalogue::by_rule());
  int by_flow = 0;
  for (const DesignRow& row : found.rows) {
    SCOPED_TRACE(row.candidate.topology);
    const auto throughput =
        flow::all_to_all_throughput(make_topology(row.candidate.topology)).throughput;
    // M / 32 for each pair at a share of 12.5 GB/s; five links of 1 us.
    const double flow_s = 1048576 / (throughput * 12.5e9);
    EXPECT_LE(row.alpha_beta_s(), 1.015 * flow_s + 16e-6);
    EXPECT_GE(row.alpha_beta_s(), 0.999 * flow_s);
    by_flow += row.calls[0].algorithm == "flow";
  }
  EXPECT_GT(by_flow, 0);
}

// The one of 129 nodes or more, by alpha-beta or by the fluid model 5 % off the least.
TEST(NetworkDesign, says_which_alltoall_a_flow_may_serve_better) {
  const auto without = [](int nodes, const char* calls, double time_s,
                          std::optional<double> fluid_s, bool hurried = false) {
    const DesignQuestion asked = asking(nodes, 4, calls);
    NetworkDesign found;
    found.hurried = hurried;
    DesignedCall& call = found.rows.emplace_back().calls.emplace_back();
    call.time_s = time_s;
    call.fluid_s = fluid_s;
    call.least_s = 1;
    return call_without_flow(asked, found);
  };
  EXPECT_EQ(without(129, "alltoall:1MiB", 1.06, 1.06), 0U);
  EXPECT_EQ(without(129, "alltoall:1MiB", 1.04, 1.06), 0U);
  EXPECT_FALSE(without(129, "alltoall:1MiB", 1.06, 1.04));
  EXPECT_FALSE(without(129, "allgather:1MiB", 1.06, 1.06));
  EXPECT_FALSE(without(128, "alltoall:1MiB", 1.06, 1.06));                // it was tried
  EXPECT_EQ(without(128, "alltoall:1MiB", 1.06, std::nullopt), 0U);       // no time for it
  EXPECT_FALSE(without(129, "alltoall:1MiB", 1.06, std::nullopt, true));  // nor for quicker ones
}

TEST(NetworkDesign, hands_over_the_schedules_that_it_priced) {
  const DesignQuestion asked = asking(12, 4, "allreduce:16MiB,allgather:64KiB");
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
  DesignQuestion asked = asking(8, 4, "allreduce:1MiB");
  asked.calls.clear();
  EXPECT_THROW(design_network(asked, search::Catalogue::by_rule()), InvalidInput);
}

}  // namespace
}  // namespace weft::design
