// Minimal-split against distances by repeated relaxation, and against minimal where that is the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "support/judges/naive_routes.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

// Hosts passed, links between groups, links. A link of class "global" is one between groups.
using Length = std::tuple<int, int, int>;

Length operator+(const Length& a, const Length& b) {
  return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b),
          std::get<2>(a) + std::get<2>(b)};
}

// Over a link to a node that is so far.
std::optional<Length> length_of(const Topology& topology, const test::NaiveLengths& lengths,
                                LinkId link, const Length& rest) {
  const int length = lengths(link, std::get<2>(rest));
  if (length == test::NaiveLengths::kNever) return std::nullopt;
  const std::string& name = topology.class_names()[topology.link_class(link)];
  return Length{length / topology.node_count(), name == "global" ? 1 : 0, 1};
}

using Distances = std::map<NodeId, Length>;

Distances distances_to(const Topology& topology, NodeId target) {
  const test::NaiveLengths lengths(topology, target);
  Distances found{{target, {0, 0, 0}}};
  for (bool changed = true; changed;) {
    changed = false;
    for (const LinkId link : topology.links()) {
      const auto rest = found.find(topology.head(link));
      if (rest == found.end()) continue;
      const auto length = length_of(topology, lengths, link, rest->second);
      if (!length) continue;
      const Length through = rest->second + *length;
      const auto [here, is_new] = found.try_emplace(topology.tail(link), through);
      if (!is_new && here->second <= through) continue;
      here->second = through;
      changed = true;
    }
  }
  return found;
}

constexpr const char* kNetworks[] = {
    "dragonfly:a=4,p=2,h=2",
    "dragonfly:a=4,p=1,h=2,g=3",
    "dragonfly:a=3,p=1,h=3,g=4,arrangement=circulant",
    "without(cable=7, cable=30, dragonfly:a=4,p=1,h=2)",
    "without(node=3, node=9, dragonfly:a=4,p=1,h=2)",
    "planes(2, dragonfly:a=2,p=2,h=2)",
    "without(node=12, planes(2, dragonfly:a=2,p=2,h=2))",
    "boxes(9, complete:4, dragonfly:a=3,p=2,h=2,g=6)",
    "boxes(4, wiring=rail, xgft:1;4;1, dragonfly:a=2,p=1,h=1,g=2)",
    "boxes(5, xgft:1;4;1, dragonfly:a=2,p=2,h=2,g=5)",
    "boxes(8, wiring=rail, complete:4, dragonfly:a=2,p=2,h=1,g=2)",  // cards relay to other rails
};

// At each node that a message reaches, all links that begin a minimal way carry as much; from a
// host those of the class that has the most.
TEST(MinimalSplit, divides_over_all_minimal_ways) {
  for (const char* name : kNetworks) {
    SCOPED_TRACE(name);
    const Fabric fabric(build_topology(name));
    const Topology& topology = fabric.topology();
    const auto routing = make_routing("minimal-split", fabric);
    for (const NodeId to : topology.hosts()) {
      const Distances distances = distances_to(topology, to);
      const test::NaiveLengths lengths(topology, to);
      for (const NodeId from : topology.hosts()) {
        if (from == to || !distances.contains(from)) continue;
        const Flow flow{from, to};
        RouteTable routes;
        routing->route(std::span(&flow, 1), routes);
        std::map<LinkId, Rational> share;
        for (std::size_t i = 0; i < routes.links(0).size(); ++i)
          share[routes.links(0)[i]] = routes.has_shares() ? routes.shares(0)[i] : Rational(1);
        std::set<NodeId> reached{from};
        for (const auto& [link, part] : share) reached.insert(topology.head(link));
        for (const NodeId node : reached) {
          if (node == to) continue;
          std::set<Rational> parts;
          std::map<ClassId, int> minimal, taken;
          for (const LinkId link : topology.out_links(node)) {
            const auto rest = distances.find(topology.head(link));
            const auto length = rest == distances.end()
                                    ? std::nullopt
                                    : length_of(topology, lengths, link, rest->second);
            const bool leads = length && rest->second + *length == distances.at(node);
            if (leads) ++minimal[topology.link_class(link)];
            if (!share.contains(link)) continue;
            ASSERT_TRUE(leads);
            parts.insert(share.at(link));
            ++taken[topology.link_class(link)];
          }
          ASSERT_EQ(parts.size(), 1U);
          if (topology.is_host(node)) {  // all links are as fast
            int most = 0;
            for (const auto& [link_class, links] : minimal) most = std::max(most, links);
            std::erase_if(minimal, [&](const auto& each) { return each.second < most; });
          }
          ASSERT_EQ(taken, minimal);
        }
      }
    }
  }
}

// One way between any two routers: that of minimal.
TEST(MinimalSplit, is_minimal_where_single_links_join_groups) {
  for (const char* name : {"dragonfly:a=4,p=2,h=2", "dragonfly:a=2,p=1,h=2",
                           "dragonfly:a=1,p=2,h=4", "dragonfly:a=6,p=1,h=1,arrangement=codes"}) {
    const Fabric fabric(build_topology(name));
    const auto flows = test::host_pairs(fabric.topology());
    RouteTable split, minimal;
    make_routing("minimal-split", fabric)->route(flows, split);
    make_routing("minimal", fabric)->route(flows, minimal);
    for (std::int64_t i = 0; i < std::ssize(flows); ++i) {
      const auto links = split.links(i), others = minimal.links(i);
      EXPECT_TRUE(std::ranges::equal(links, others)) << name << ' ' << i;
    }
  }
}

TEST(MinimalSplit, needs_groups_of_switches) {
  for (const char* name : {"torus:4x4", "xgft:2;4,4;2,2", "dragonfly-plus:l=2,s=2,p=2,h=2"})
    EXPECT_THROW(make_routing("minimal-split", Fabric(build_topology(name))), InvalidInput);
}

}  // namespace
}  // namespace weft::network
