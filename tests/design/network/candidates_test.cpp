// Networks that a design looks at: they can be built, from the ports that there are.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "design/network/asking.hpp"
#include "weft/base/error.hpp"
#include "weft/design/network/switched.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

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
        DesignQuestion asked = asking(nodes, ports, "allreduce:1MiB");
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

// With one port each, one-way links make a ring and nothing else.
TEST(DesignCandidates, of_one_port_are_one_ring) {
  for (const int nodes : {2, 3, 9, 64}) {
    DesignQuestion asked = asking(nodes, 1, "allreduce:1MiB");
    asked.direction = search::Direction::one_way;
    for (const CandidateNetwork& candidate :
         candidate_networks(asked, search::Catalogue::by_rule())) {
      SCOPED_TRACE(candidate.topology);
      const Topology topology = make_topology(candidate.topology);
      EXPECT_EQ(topology.node_count(), nodes);
      EXPECT_EQ(topology.link_count(), nodes);
    }
  }
}

// 24 hosts at two switches of 16 ports leave four of each for cables between the two, where uniform
// traffic would take six; a third switch makes that 8 + 2 * 3 ports.
TEST(DesignCandidates, of_switches_join_few_without_spines) {
  DesignQuestion asked = asking(24, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 16;
  std::vector<std::string> joined;
  for (const CandidateNetwork& candidate : candidate_networks(asked, search::Catalogue::by_rule()))
    if (candidate.origin.starts_with("switches joined")) joined.push_back(candidate.topology);
  EXPECT_EQ(joined, (std::vector<std::string>{"hosts(8, hyperx:3,3)", "hosts(12, hyperx:2,4)"}));
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
        DesignQuestion asked = asking(nodes, ports, "allreduce:1MiB");
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
  DesignQuestion asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  int seen = 0;
  for (const CandidateNetwork& candidate :
       candidate_networks(asked, search::Catalogue::by_rule())) {
    const int hosts_per_uplink = candidate.origin == "leaf-spine"          ? 1
                                 : candidate.origin == "leaf-spine, 2 : 1" ? 2
                                 : candidate.origin == "leaf-spine, 3 : 1" ? 3
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
  EXPECT_EQ(seen, 3);
}

// 1,000 = 31 * 32 + 8 hosts: 32 leaves, half of whose 64 ports go up; 32 * 32 cables fill 16
// spines.
TEST(DesignCandidates, fill_their_switches) {
  DesignQuestion asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  const auto candidates = candidate_networks(asked, search::Catalogue::by_rule());
  EXPECT_EQ(candidates.front().topology, "leaf-spine:leaves=32,spines=16,hosts=32,uplinks=32");
  // Of three levels none is asked for where two reach 64^2 / 2 hosts.
  EXPECT_TRUE(std::ranges::none_of(candidates, [](const CandidateNetwork& candidate) {
    return candidate.origin.starts_with("three-level");
  }));
  asked.nodes = 2049;
  EXPECT_TRUE(std::ranges::any_of(candidate_networks(asked, search::Catalogue::by_rule()),
                                  [](const CandidateNetwork& candidate) {
                                    return candidate.origin == "three-level fat tree";
                                  }));
}

// With the hosts spread evenly, a leaf has an uplink for each (or for every two or three), and no
// more than make all spines equal: fewer than there are spines.
TEST(DesignCandidates, have_no_uplinks_that_hosts_cannot_use) {
  for (const int radix : {8, 16, 36, 40, 64})
    for (int nodes = radix + 1; nodes <= radix * radix / 2; nodes += 1 + nodes / 16) {
      DesignQuestion asked = asking(nodes, 1, "allreduce:1MiB");
      asked.build = Build::switches;
      asked.radix = radix;
      for (const CandidateNetwork& candidate :
           candidate_networks(asked, search::Catalogue::by_rule())) {
        if (!candidate.origin.starts_with("leaf-spine")) continue;
        SCOPED_TRACE(fmt::format("{} hosts, radix {}: {}", nodes, radix, candidate.topology));
        const int per_uplink = candidate.origin.ends_with("2 : 1")   ? 2
                               : candidate.origin.ends_with("3 : 1") ? 3
                                                                     : 1;
        const topology::BuiltTopology built = topology::build_topology(candidate.topology);
        const Topology left = topology::remove_failed(spare_hosts(built, asked), built).topology;
        std::int64_t spines = 0, least = nodes, most = 0, most_up = 0;
        for (const NodeId node : left.switches()) {
          std::int64_t down = 0, up = 0;
          for (const LinkId link : left.out_links(node))
            ++(left.is_host(left.head(link)) ? down : up);
          if (down == 0) {
            ++spines;
            continue;
          }
          least = std::min(least, down);
          most = std::max(most, down);
          most_up = std::max(most_up, up);
        }
        EXPECT_LE(most - least, 1);
        EXPECT_LT(most_up, (most + per_uplink - 1) / per_uplink + spines);
      }
    }
}

// Uniform traffic of h hosts on each of m switches in a row: h / m hosts' worth goes from each of
// them to each other, which k cables carry where h <= k m.
TEST(DesignCandidates, have_hyperx_without_oversubscription) {
  DesignQuestion asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  int seen = 0;
  for (const CandidateNetwork& candidate :
       candidate_networks(asked, search::Catalogue::by_rule())) {
    if (!candidate.origin.starts_with("HyperX")) continue;
    ++seen;
    const Topology topology = make_topology(candidate.topology);
    const auto switches = std::ssize(topology.switches());
    const auto hosts = std::ssize(topology.hosts()) / switches;
    const auto dimensions = candidate.origin.ends_with("2-D") ? 2 : 3;
    const auto extent = std::llround(std::pow(static_cast<double>(switches), 1.0 / dimensions));
    const auto links = topology.out_degree(topology.switches().front()) - hosts;
    EXPECT_LE(hosts * dimensions * (extent - 1), links * extent) << candidate.topology;
  }
  EXPECT_EQ(seen, 2);
}

TEST(DesignCandidates, have_a_card_to_switches_and_four_ports_else) {
  EXPECT_EQ(default_ports(Build::switches), 1);
  for (const Build build : {Build::direct, Build::patch_panel, Build::optical_switch})
    EXPECT_EQ(default_ports(build), 4);
}

// The least that is named has one, and one port less has none.
TEST(DesignCandidates, say_what_radix_suffices) {
  for (const auto& [nodes, radix] : {std::pair(100, 3), {100, 2}, {1000, 4}, {50'000, 16}}) {
    DesignQuestion asked = asking(nodes, 1, "allreduce:1MiB");
    asked.build = Build::switches;
    asked.radix = radix;
    std::string refusal;
    try {
      candidate_networks(asked, search::Catalogue::by_rule());
    } catch (const InvalidInput& error) {
      refusal = error.what();
    }
    const std::size_t at = refusal.find("--radix ");
    ASSERT_NE(at, std::string::npos) << refusal;
    asked.radix = std::stoi(refusal.substr(at + 8));
    EXPECT_FALSE(candidate_networks(asked, search::Catalogue::by_rule()).empty()) << refusal;
    --asked.radix;
    EXPECT_THROW(candidate_networks(asked, search::Catalogue::by_rule()), InvalidInput) << refusal;
  }
}

TEST(DesignCandidates, say_what_is_next_where_there_are_none) {
  try {
    candidate_networks(asking(3, 1, "allreduce:1MiB"), search::Catalogue::by_rule());
    FAIL() << "three nodes of a port each are no network";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("nearest size that has one is 2"), std::string::npos)
        << error.what();
  }
  DesignQuestion asked = asking(1000, 1, "allreduce:1MiB");
  asked.build = Build::switches;
  asked.radix = 4;  // 4^3 / 4 = 16 hosts
  EXPECT_THROW(candidate_networks(asked, search::Catalogue::by_rule()), InvalidInput);
  asked.nodes = 1;
  EXPECT_THROW(candidate_networks(asked, search::Catalogue::by_rule()), InvalidInput);
}

}  // namespace
}  // namespace weft::design
