#include "weft/network/network.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/network/routings.hpp"
#include "weft/topology/registry.hpp"

namespace weft::network {
namespace {

Fabric fabric(const char* expression) {
  return {make_topology(expression), LinkSpeed{}};
}

Placement on(std::vector<NodeId> nodes) {
  return Placement{std::move(nodes)};
}

TEST(Network, holds_what_it_is_given) {
  const Fabric ring = fabric("ring:4");
  const Network network(ring, on({NodeId(3), NodeId(0), NodeId(0)}),
                        {.startup_ps = 5, .ports = 2, .copy_bandwidth_Bps = 7},
                        make_routing("shortest", ring));
  EXPECT_EQ(network.ranks(), 3);
  EXPECT_EQ(network.topology().name(), "ring:4");
  EXPECT_EQ(network.host().ports, 2);
  EXPECT_EQ(network.routing().name(), "shortest");
}

TEST(Network, rejects_the_routing_of_another_topology) {
  EXPECT_THROW(
      Network(fabric("ring:4"), on({NodeId(0)}), {}, make_routing("shortest", fabric("ring:5"))),
      InvalidInput);
}

TEST(Network, rejects_ranks_on_switches_or_outside) {
  const Fabric hosts = fabric("hosts(1, ring:4)");  // switches 0..3, hosts 4..7
  const auto routing = make_routing("shortest", hosts);
  EXPECT_NO_THROW(Network(hosts, on({NodeId(4), NodeId(7)}), {}, routing));
  EXPECT_THROW(Network(hosts, on({NodeId(3)}), {}, routing), InvalidInput);
  EXPECT_THROW(Network(hosts, on({NodeId(8)}), {}, routing), InvalidInput);
  EXPECT_THROW(Network(hosts, on({NodeId(-1)}), {}, routing), InvalidInput);
  EXPECT_THROW(Network(hosts, on({}), {}, routing), InvalidInput);
}

TEST(Network, rejects_negative_host_parameters) {
  const Fabric ring = fabric("ring:4");
  const auto routing = make_routing("shortest", ring);
  for (const HostParameters& host :
       {HostParameters{.startup_ps = -1}, HostParameters{.ports = -1},
        HostParameters{.copy_bandwidth_Bps = -1}, HostParameters{.reduce_bandwidth_Bps = -1}})
    EXPECT_THROW(Network(ring, on({NodeId(0)}), host, routing), InvalidInput);
}

TEST(Routings, the_table_names_what_can_be_made) {
  ASSERT_FALSE(routings().empty());
  EXPECT_EQ(routings().front().name, "auto");
  for (const RoutingInfo& info : routings()) EXPECT_FALSE(info.summary.empty()) << info.name;
}

TEST(Routings, an_unknown_name_is_rejected_with_the_nearest) {
  try {
    make_routing("shortst", fabric("ring:4"));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("shortest"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::network
