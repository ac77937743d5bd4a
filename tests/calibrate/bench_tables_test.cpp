// What weft-bench measures, and what is fitted to it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/calibrate/link_patterns.hpp"
#include "weft/calibrate/ways.hpp"
#include "weft/topology/registry.hpp"

namespace weft::calibrate {
namespace {

constexpr const char* kHead =
    "# weft-bench 1\n# Ranks: 4\n# Hosts: a b c d\n# Topology: bipartite:2,2\n"
    "test,class,load,messages,size_B,calls,minimum_s,median_s\n";

Network network_of(const std::string& expression, const std::string& routing) {
  const Fabric fabric(build_topology(expression));
  const auto hosts = fabric.topology().hosts();
  return {fabric, {{hosts.begin(), hosts.end()}}, {}, make_routing(routing, fabric)};
}

TEST(BenchTables, are_read_by_test_and_messages) {
  const auto read = read_measured_tables(
      std::string(kHead) +
          "message,link,1,0>1,1024,9,2e-06,3e-06\nmessage,link,1,0>1,2048,9,4e-06,5e-06\n"
          "message,link,2,0>1+3>1,1024,9,6e-06,7e-06\nreduction,,,,4096,9,1e-06,1e-06\n"
          "allreduce,,,,64,9,8e-06,9e-06\n",
      "links.csv");
  ASSERT_EQ(read.tables.size(), 4U);
  const MeasuredTable& alone = read.tables[0];
  EXPECT_EQ(alone.pattern, Pattern::listed);
  EXPECT_EQ(alone.ranks, 4);
  EXPECT_EQ(alone.topology, "bipartite:2,2");
  EXPECT_EQ(alone.hosts, (std::vector<std::string>{"a", "b", "c", "d"}));
  ASSERT_EQ(alone.rows.size(), 2U);
  EXPECT_EQ(alone.rows[1].size_B, 2048);
  EXPECT_EQ(alone.rows[1].time_s, 4e-6);  // the least
  EXPECT_EQ(read.tables[1].messages, (std::vector<RankMessage>{{0, 1}, {3, 1}}));
  EXPECT_EQ(read.tables[2].work, MemoryWork::reduction);
  EXPECT_EQ(read.tables[3].collective, CollectiveKind::allreduce);
}

void expect_refused(const std::string& text, const std::string& part) {
  try {
    (void)read_measured_tables(text, "links.csv");
    FAIL() << "not refused: " << part;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(BenchTables, are_refused_by_line) {
  const std::string head = kHead;
  expect_refused("# weft-bench 1\n# Ranks: 4\ntest,size_B\n",
                 "links.csv:3: the columns differ from those of weft-bench: test,class,load,");
  expect_refused("# weft-bench 1\ntest,class,load,messages,size_B,calls,minimum_s,median_s\n",
                 "# Ranks: N");
  expect_refused(head + "message,link,1,0>4,1024,9,2e-06,3e-06\n",
                 "links.csv:6: '0>4' is not a message between two of 4 ranks");
  expect_refused(head + "message,link,1,0>1,1024,9\n", "links.csv:6: 6 columns");
  expect_refused(head + "dance,,,,1024,9,2e-06,3e-06\n", "'dance' is not a test");
  expect_refused(head + "copy,,,,1024,9,0,3e-06\n",
                 "links.csv:6: the minimum time is '0' (expected a number above 0)");
}

TEST(LinkPatterns, put_as_many_messages_on_a_link_as_they_say) {
  const std::pair<const char*, const char*> cases[] = {
      {"hosts(2, ring:5)", "shortest"}, {"xgft:2;4,4;1,2", "d-mod-k"}, {"uniring:6", "shortest"}};
  for (const auto& [expression, routing] : cases) {
    const Network network = network_of(expression, routing);
    const auto names = network.topology().class_names().values();
    std::set<std::string> classes;
    for (const LinkPattern& pattern : link_patterns(network)) {
      classes.insert(pattern.link_class);
      const MeasuredTable table{.pattern = Pattern::listed, .messages = pattern.messages};
      const Ways ways = ways_of(table, network.placement().nodes, network);
      const auto own = std::ranges::find(names, pattern.link_class) - names.begin();
      EXPECT_GE(ways.load[static_cast<std::size_t>(own)], pattern.load) << expression;
      EXPECT_EQ(std::ssize(pattern.messages), pattern.load) << expression;
    }
    EXPECT_EQ(classes.size(), names.size()) << expression;
  }
}

// Times by the model's formula: o for each message of the busiest sender, h links, w on the
// busiest.
TEST(Calibration, finds_what_tables_of_weft_bench_were_made_from) {
  constexpr double kStart_s = 1e-6, kHop_s = 2e-6, kPerByte_s = 1e-9;
  const Network network = network_of("uniring:6", "shortest");
  std::string text =
      "# weft-bench 1\n# Ranks: 6\n"
      "test,class,load,messages,size_B,calls,minimum_s,median_s\n";
  for (const LinkPattern& pattern : link_patterns(network)) {
    const MeasuredTable table{.pattern = Pattern::listed, .messages = pattern.messages};
    const Ways ways = ways_of(table, network.placement().nodes, network);
    std::string messages;
    for (const RankMessage& each : pattern.messages)
      messages += fmt::format("{}{}>{}", messages.empty() ? "" : "+", each.from, each.to);
    for (std::int64_t size_B = 1; size_B <= 1 << 20; size_B *= 4) {
      const double time_s = ways.starts * kStart_s + ways.hops[0] * kHop_s +
                            static_cast<double>(size_B) * ways.load[0] * kPerByte_s;
      text +=
          fmt::format("message,link,{},{},{},9,{:.9g},1\n", pattern.load, messages, size_B, time_s);
    }
  }
  text += "copy,,,,1000000,9,0.0001,1\nreduction,,,,1000000,9,0.0002,1\n";
  std::vector<PlacedTable> placed;
  for (MeasuredTable& table : read_measured_tables(text, "links.csv").tables)
    placed.push_back({std::move(table), network.placement().nodes});
  const Calibration fit = calibrate(placed, network);
  EXPECT_NEAR(fit.startup_s.value, kStart_s, 0.03 * kStart_s);
  EXPECT_NEAR(fit.classes[0].latency_s.value, kHop_s, 0.03 * kHop_s);
  EXPECT_NEAR(fit.classes[0].bandwidth_Bps.value, 1 / kPerByte_s, 0.03 / kPerByte_s);
  ASSERT_TRUE(fit.copy_Bps && fit.reduce_Bps);
  EXPECT_NEAR(fit.copy_Bps->value, 1e10, 1e4);   // 1 MB in 0.1 ms
  EXPECT_NEAR(fit.reduce_Bps->value, 5e9, 1e4);  // in 0.2 ms
}

}  // namespace
}  // namespace weft::calibrate
