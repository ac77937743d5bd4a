// weft list: the tables that the reference pages are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"
#include "weft/base/text.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;

// The rows of a list.
json listed(const std::string& kind, const std::string& name = "") {
  std::vector<std::string> words{"list", kind};
  if (!name.empty()) words.push_back(name);
  words.emplace_back("--json");
  const auto ran = run_weft(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out)[kind];
}

json named(const json& rows, const std::string& name) {
  for (const json& row : rows)
    if (row["name"] == name) return row;
  ADD_FAILURE() << "no " << name;
  return {};
}

// A ring passes N - 1 blocks on, one in each step.
TEST(ListCommandTables, costs_of_one_algorithm) {
  const json costs = listed("costs", "ring");
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_EQ(costs[0]["collectives"], "allgather reduce-scatter");
  EXPECT_EQ(costs[0]["steps"], "N - 1");
  EXPECT_EQ(costs[0]["bandwidth_factor"], "(N - 1)/N");
  EXPECT_EQ(costs[1]["collectives"], "allreduce");
  EXPECT_EQ(run_weft({"list", "costs", "rink"}).code, 2);
}

TEST(ListCommandTables, algorithms_have_requirements) {
  const json algorithms = listed("algorithms");
  EXPECT_EQ(named(algorithms, "ring")["requirement"], "");
  EXPECT_EQ(named(algorithms, "neighbor")["requirement"], "The number of ranks is even.");
}

TEST(ListCommandTables, topologies_have_sizes_and_functions_have_none) {
  const json topologies = listed("topologies");
  EXPECT_EQ(named(topologies, "hypercube")["nodes"], "2^n");
  EXPECT_EQ(named(topologies, "dragonfly")["classes"], "local global terminal");
  EXPECT_EQ(named(topologies, "transpose")["nodes"], "");
}

// The table has the names; the JSON and a single machine have its speeds and sources.
TEST(ListCommandTables, machines_take_one_line_each) {
  const json machines = listed("machines");
  const std::string text = run_weft({"list", "machines"}).out;
  EXPECT_EQ(std::ranges::count(text, '\n'), std::ssize(machines) + 1);  // and the heading
  for (const std::string_view line : weft::split(text, '\n')) EXPECT_LE(line.size(), 100U) << line;
  for (const json& machine : machines) EXPECT_NE(machine["links"], "") << machine["name"];
  const std::string one = run_weft({"list", "machines", "ib-hdr"}).out;
  for (const char* part : {"links", "host", "source"})
    EXPECT_NE(one.find(part), std::string::npos) << one;
}

// As share/machines/leonardo.toml has them.
TEST(ListCommandTables, rates_of_hosts_have_the_unit_of_machine_files) {
  const std::string leonardo = named(listed("machines"), "leonardo")["host"];
  for (const char* value : {"exchange 8MiB,50GBps", "copy-bandwidth 9.5GBps",
                            "reduce-bandwidth 13.7GBps", "loopback 9.8GBps,150ns"})
    EXPECT_NE(leonardo.find(value), std::string::npos) << leonardo;
  for (const json& machine : listed("machines"))
    EXPECT_EQ(machine["host"].get<std::string>().find("Gbps"), std::string::npos)
        << machine["host"];
}

TEST(ListCommandTables, options_name_their_algorithms) {
  const json radix = named(listed("options"), "radix");
  EXPECT_EQ(radix["algorithms"], "bruck knomial");
  EXPECT_NE(radix["meaning"], "");
}

TEST(ListCommandTables, fields_have_defaults_kinds_and_models) {
  const json fields = listed("fields");
  const json size = named(fields, "packet-size");
  EXPECT_EQ(size["default"], "512");
  EXPECT_EQ(size["models"], "packet flit");
  EXPECT_EQ(named(fields, "nodes")["default"], "needed");
  EXPECT_EQ(named(fields, "nodes")["kinds"], "find design");
}

TEST(ListCommandTables, columns_of_one_kind) {
  const json columns = listed("columns", "embedding");
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_EQ(columns[0]["name"], "contained");
  for (const json& column : columns) EXPECT_EQ(column["kind"], "embedding");
  EXPECT_EQ(named(listed("kinds"), "embedding")["columns"],
            "contained isomorphic guest_nodes spare_cables");
}

TEST(ListCommandTables, every_table_has_rows_without_an_empty_name) {
  for (const std::string kind : {"placements", "symbols", "kinds", "fields", "columns", "options"})
    for (const json& row : listed(kind)) {
      EXPECT_NE(row[kind == "symbols" ? "symbol" : "name"], "") << row;
      EXPECT_NE(row[kind == "kinds" || kind == "placements" ? "summary" : "meaning"], "") << row;
    }
}

}  // namespace
