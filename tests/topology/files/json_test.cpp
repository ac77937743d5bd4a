#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "topology/files/file_helpers.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/views.hpp"

namespace weft::topology {
namespace {

TEST(Json, round_trips_exactly) {
  for (const std::string& text : kNetworks) {
    const BuiltTopology built = build_topology(text);
    const std::string json = format_topology(built, TopologyFormat::json);
    const BuiltTopology again = parse_topology(json, TopologyFormat::json, "net.json");
    expect_same(built, again);
  }
}

TEST(Json, keeps_the_expression_that_builds_the_graph) {
  const BuiltTopology built = build_topology("hosts(2, torus:4x4)");
  const std::string json = format_topology(built, TopologyFormat::json);
  const Topology again = parse_topology(json, TopologyFormat::json, "net.json").topology;
  EXPECT_EQ(again.name(), "hosts(2, torus:4x4)");
  EXPECT_TRUE(as_torus(again));
}

TEST(Json, drops_an_expression_that_builds_another_graph) {
  std::string json =
      format_topology(build_topology("without(cable=0, torus:4x4)"), TopologyFormat::json);
  for (const char* lie : {"torus:4x4", "kautz:100,4", "nonsense:1", "file:/dev/zero.json", ")("}) {
    std::string edited = json;
    edited.replace(edited.find("without(cable=0, torus:4x4)"),
                   std::string_view("without(cable=0, torus:4x4)").size(), lie);
    const Topology again = parse_topology(edited, TopologyFormat::json, "net.json").topology;
    EXPECT_EQ(again.name(), "file:net.json") << lie;
    EXPECT_FALSE(as_torus(again));
  }
}

TEST(Json, every_truncation_is_refused) {
  const std::string json =
      format_topology(build_topology("hosts(1, ring:3)"), TopologyFormat::json);
  for (std::size_t size = 0; size + 2 < json.size(); ++size)
    EXPECT_NE(message(json.substr(0, size), TopologyFormat::json), "(accepted)") << size;
}

TEST(Json, an_edited_graph_does_not_fit_its_hash) {
  std::string json = format_topology(build_topology("uniring:5"), TopologyFormat::json);
  json.replace(json.find("[3,4,0]"), 7, "[3,1,0]");
  EXPECT_NE(message(json, TopologyFormat::json).find("does not match the graph"),
            std::string::npos);
}

TEST(Json, bad_input_is_named) {
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"[]", "is not a weft topology (its 'format' is not 'weft-topology"},
      {R"({"format":"weft-topology","version":3})", "unknown version 3 (this"},
      {R"({"format":"weft-topology","version":1,"nodes":2})", "'links' is missing"},
      {R"({"format":"weft-topology","version":1,"links":[]})", "'nodes' is missing"},
      {R"({"format":"weft-topology","version":1,"nodes":2000000000,"links":[]})",
       ": 'nodes\' is 2000000000 (expected an integer from 1 to 1000)"},
      {R"({"format":"weft-topology","version":1,"nodes":1e3,"links":[]})", "'nodes\' is 1000.0"},
      {R"({"format":"weft-topology","version":1,"nodes":18446744073709551615,"links":[]})",
       "'nodes\' is 18446744073709551615"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,2]]})", "link 0's head is 2"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[-1,0]]})",
       "link 0's tail is -1"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,"1"]]})",
       "link 0's head is \"1\""},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0]]})", "link 0 is [0]"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1,1]]})",
       "link 0's class is 1"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1,0,1],[0,1,0,0]]})",
       "link 0 has reverse 1, but that link does"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"bandwidth_Bps":[0]})",
       "bandwidth_Bps of link 0 is 0"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"latency_ps":[]})",
       "'latency_ps\' has 0 entries for 1 links"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"switches":[7]})",
       "a switch is 7"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"classes":["a","a"]})",
       "class 'a' is repeated"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"ports":["p"]})",
       ": 'ports\' needs 'names' as well"},
      {R"({"format":"weft-topology","version":1,"nodes":2,"links":[[0,1]],"holes":{"nodes":[2]}})",
       ": 'holes\' needs 'facets' as well"},
  };
  for (const auto& c : cases)
    EXPECT_NE(message(c.text, TopologyFormat::json).find(c.expected), std::string::npos)
        << c.text << "\n"
        << message(c.text, TopologyFormat::json);
}

TEST(Json, keys_that_are_not_read_are_refused) {
  const std::string json =
      format_topology(build_topology("hosts(2, torus:4x3)"), TopologyFormat::json);
  const auto edited = [&](std::string_view from, std::string_view to) {
    std::string text = json;
    text.replace(text.find(from), from.size(), to);
    return message(text, TopologyFormat::json);
  };
  const auto line_of = [&](std::string_view key) {
    return 1 + std::count(json.begin(), json.begin() + static_cast<long>(json.find(key)), '\n');
  };
  EXPECT_EQ(edited("\"switches\"", "\"swiches\""),
            fmt::format("net:{}: unknown key 'swiches'; did you mean switches?",
                        line_of("\"switches\"")));
  EXPECT_EQ(
      edited("\"switches\": [", "\"nmes\": null, \"switches\": ["),
      fmt::format("net:{}: unknown key 'nmes'; did you mean names?", line_of("\"switches\"")));
  EXPECT_EQ(edited("\"facets\": {", "\"facets\": {\"corodinates\": {},"),
            fmt::format("net:{}: unknown key 'corodinates'; did you mean coordinates?",
                        line_of("\"facets\"")));
  EXPECT_EQ(edited("\"extent\":", "\"extend\":"),
            fmt::format("net:{}: unknown key 'extend'; known: extent, shape, parallel",
                        line_of("\"extent\"")));
  EXPECT_EQ(edited("\"switches\"", "\"nodes\": 3, \"switches\""),
            fmt::format("net:{}: key 'nodes' is repeated; remove one", line_of("\"switches\"")));
  // What only looks like keys.
  EXPECT_EQ(edited("\"classes\": [\"", "\"classes\": [\"{\\\":\\\\"), "(accepted)");
}

}  // namespace
}  // namespace weft::topology
