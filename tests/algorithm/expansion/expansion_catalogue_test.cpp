#include "weft/algorithm/expansion_catalogue.hpp"

#include <gtest/gtest.h>

#include "support/even_bfb.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

std::string message_of(std::string_view table) {
  try {
    const StoredSchedules stored(table);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(ExpansionCatalogue, every_schedule_that_ships_is_right_and_bandwidth_optimal) {
  const auto names = StoredSchedules::shipped().names();
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    const Fabric fabric(build_topology(name));
    const Topology& topology = fabric.topology();
    EXPECT_EQ(topology.name(), name);
    const Network network(fabric, topology::place(topology, {}), {},
                          network::make_routing("shortest", fabric));
    const auto schedule = StoredSchedules::shipped().find(topology);
    ASSERT_TRUE(schedule.has_value());
    const auto verified = schedule::verify(*schedule, &topology);
    ASSERT_TRUE(verified) << name << ": " << verified.fault().text;
    const std::int64_t n = topology.node_count();
    EXPECT_EQ(cost(*verified, network).bandwidth_factor, Rational(n - 1, n)) << name;
  }
}

TEST(ExpansionCatalogue, reads_what_it_writes) {
  const Topology topology = make_topology("biring:4,5");  // parallel links
  const Schedule schedule = test::even_bfb(topology);
  const StoredSchedules stored("# a comment\n\n" + table_entry(schedule, topology));
  EXPECT_EQ(stored.names(), std::vector<std::string>{"biring:4,5"});
  const auto again = stored.find(topology);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(table_entry(*again, topology), table_entry(schedule, topology));
  EXPECT_FALSE(stored.find(make_topology("ring:5")).has_value());
}

TEST(ExpansionCatalogue, names_the_line_that_is_wrong) {
  EXPECT_EQ(message_of("0 0 0 0 1"),
            "schedule table, line 1: a send before any \"schedule EXPRESSION units U\"");
  EXPECT_EQ(message_of("schedule ring:4"),
            "schedule table, line 1: no units (needs \"schedule EXPRESSION units U\")");
  EXPECT_EQ(message_of("schedule ring:4 units 2\n0 0 x 0 1"),
            "schedule table, line 2: 'x' is not an integer from 0 to 2147483646");
  EXPECT_EQ(message_of("schedule ring:4 units 2\n0 0 0 1 2"),
            "schedule table, line 2: '2' is not an integer from 1 to 1");
  EXPECT_EQ(message_of("schedule ring:4 units 2\n0 0 0 0 1 7"),
            "schedule table, line 2: more fields than step, link, source, first and count");
  EXPECT_EQ(message_of("schedule ring:4 units 2\nschedule ring:4 units 1"),
            "schedule table, line 2: a second schedule for the same topology");
}

TEST(ExpansionCatalogue, refuses_links_that_the_topology_lacks) {
  const StoredSchedules stored("schedule ring:4 units 1\n0 99 0 0 1\n");
  EXPECT_THROW(stored.find(make_topology("ring:4")), InvalidInput);
}

}  // namespace
}  // namespace weft::algorithm
