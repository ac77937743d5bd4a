// Schedules on fabrics that forward by tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/forwarding/forwarding.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

// Of shortest ways, all to a host over the same spine; a host's address is its place.
Topology with_tables(const Topology& topology) {
  topology::ForwardingTables tables;
  tables.hosts.assign(topology.hosts().begin(), topology.hosts().end());
  tables.next.resize(tables.hosts.size() * topology.switches().size(),
                     topology::ForwardingTables::kNone);
  for (std::size_t address = 0; address < tables.hosts.size(); ++address) {
    std::vector<NodeId> reached{tables.hosts[address]};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const LinkId link : topology.in_links(reached[i])) {
        const NodeId node = topology.tail(link);
        if (topology.is_host(node) || std::ranges::find(reached, node) != reached.end()) continue;
        reached.push_back(node);
        const auto row = std::ranges::find(topology.switches(), node) - topology.switches().begin();
        tables.next[static_cast<std::size_t>(row) * tables.hosts.size() + address] = link.value();
      }
  }
  return topology::with_tables(topology, tables, "test");
}

Network routed(const char* routing) {
  BuiltTopology built = build_topology("leaf-spine:leaves=4,spines=2,hosts=4");
  built.topology = with_tables(built.topology);
  const Fabric fabric(built);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing(routing, fabric)};
}

Rational factor(const Schedule& schedule, const Network& network) {
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network)
      .bandwidth_factor;
}

// Trees choose paths, which tables do not have: what runs has the price of the tables' paths.
TEST(TableRoutes, are_those_of_schedules_where_the_network_routes_by_tables) {
  const Network by_tables = routed("table"), by_source = routed("shortest");
  for (const Collective& collective : {schedule::broadcast(16), schedule::allgather(16)}) {
    const Schedule paths = build_schedule("packing", collective, &by_source);
    EXPECT_GT(paths.route_count(), 0);
    const Schedule runs = build_schedule("packing", collective, &by_tables);
    EXPECT_EQ(runs.route_count(), 0);
    EXPECT_EQ(factor(runs, by_tables), factor(schedule::without_routes(paths), by_tables));
    for (const Schedule& each : build_variants("packing", collective, &by_tables))
      EXPECT_EQ(each.route_count(), 0);
  }
}

// Unless messages name their ways.
TEST(TableRoutes, give_way_to_paths_that_messages_name) {
  const Network by_tables = routed("table"),
                by_source = by_tables.with_host({.source_routed = true});
  const Schedule paths = build_schedule("packing", schedule::broadcast(16), &by_source);
  EXPECT_GT(paths.route_count(), 0);
  EXPECT_LE(factor(paths, by_source), factor(schedule::without_routes(paths), by_tables));
}

}  // namespace
}  // namespace weft::algorithm
