// Rows of studies next to the JSON answers of the commands that they call, for the same parameters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "rows/rows_of.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"

namespace {

using nlohmann::json;
using weft::InvalidInput;
using weft::rows::rows_of;
using weft::test::run_weft;

// The speeds of rows, which have no machine.
json answer_of(std::vector<std::string> arguments) {
  for (const char* option : {"--machine", "ideal", "--link", "100Gbps,1us", "--json"})
    arguments.emplace_back(option);
  const auto ran = run_weft(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return json::parse(ran.out);
}

json row_of(const std::string& kind, const std::string& grid) {
  return json::parse(weft::fields::to_json(weft::rows::measure(rows_of(grid, kind).at(0))));
}

// Columns that have other names than keys; nothing where there is no such key.
using Names = std::vector<std::pair<std::string, std::string>>;

// All other columns of the kind are keys of the answer, or null where it has no such key.
void expect_same(const json& row, const json& answer, const Names& renamed = {}) {
  for (const auto& [column, value] : row.items()) {
    std::string key = column;
    for (const auto& [of_row, of_answer] : renamed)
      if (of_row == column) key = of_answer;
    if (key.empty()) continue;
    EXPECT_EQ(value, answer.value(key, json())) << column;
  }
}

std::string key_of(const std::string& kind, const std::string& grid) {
  return rows_of(grid, kind).at(0).key;
}

// Eight nodes in a line: what the last one lacks, 7/8 of M, comes over one of the two links that B
// is, and 8 MiB are 7/4 times as long on their way as over both.
TEST(OptimumRows, have_the_values_of_the_command) {
  const std::string grid = "collective = \"allgather\"\ntopology = \"mesh:8\"\nsize = \"1MiB\"\n";
  const json row = row_of("optimum", grid + "compared-algorithms = \"ring,packing\"\n");
  const json answer =
      answer_of({"optimum", "allgather", "-t", "mesh:8", "--size", "1MiB", "-a", "ring,packing"});
  const Names of_best{{"best", ""}, {"best_steps", ""}, {"best_bandwidth_factor", ""}};
  Names renamed = of_best;
  renamed.emplace_back("over_optimum", "");
  expect_same(row, answer, renamed);
  EXPECT_EQ(row["bandwidth_factor"], "7/4");
  EXPECT_NEAR(row["time"].get<double>(), 1.75 * 8 * (1 << 20) / 25e9, 1e-12);
  const json& packing = answer["schedules"][1];
  ASSERT_EQ(packing["algorithm"].get<std::string>().substr(0, 7), "packing");
  EXPECT_EQ(row["best_bandwidth_factor"], "7/4");  // trees of a cut fill it
  EXPECT_EQ(row["over_optimum"], 1);
  EXPECT_EQ(row["best_steps"], packing["steps"]);
  EXPECT_FALSE(row_of("optimum", grid).contains("best"));
}

// Trees without a root of their own need all links of a torus both ways: 2 (N - 1) / N.
TEST(OptimumRows, of_an_allreduce_have_a_bound_and_what_is_reached) {
  const json row = row_of("optimum", "collective = \"allreduce\"\ntopology = \"torus:3x3\"\n");
  const json answer =
      answer_of({"optimum", "allreduce", "-t", "torus:3x3", "--size", "1MiB", "-a", "none"});
  expect_same(row, answer);
  EXPECT_EQ(row["bandwidth_factor"], "16/9");
  EXPECT_NEAR(row["bandwidth_factor_bound"].get<double>(), 16.0 / 9, 1e-12);
}

TEST(OptimumRows, have_keys_by_what_matters) {
  const std::string grid = "collective = \"allgather\"\ntopology = \"mesh:8\"\n";
  const std::string key = key_of("optimum", grid);
  EXPECT_EQ(key_of("optimum", grid + "compared-algorithms = \"NONE\"\nsize = \"1024KiB\"\n"), key);
  EXPECT_EQ(key_of("optimum", grid + "routing = \"dimension-order\"\n"), key);
  EXPECT_NE(key_of("optimum", grid + "compared-algorithms = \"ring\"\n"), key);
  EXPECT_NE(key_of("optimum", grid + "size = \"2MiB\"\n"), key);
}

TEST(OptimumRows, refuse_what_has_no_optimum) {
  for (const std::string grid :
       {"collective = \"allgather\"\n", "collective = \"point-to-point\"\nfrom = 0\nto = 1\n",
        "collective = \"allgather\"\nsize = 0\n",
        "collective = \"allgather\"\ncompared-algorithms = \"rings\"\n",
        "collective = \"allgather\"\nalgorithm = \"ring\"\n"})
    EXPECT_THROW(
        rows_of(grid + (grid.find('\n') + 1 == grid.size() ? "" : "topology = \"mesh:8\"\n"),
                "optimum"),
        InvalidInput)
        << grid;
}

// Four nodes, each with a cable to each other: all blocks of 1 MiB leave at once over links of
// their own, after 1 us, and no schedule is faster than these links.
TEST(CompareRows, have_the_values_of_the_command) {
  const std::string grid =
      "collective = \"allgather\"\ntopology = \"complete:4\"\nsize = \"1MiB\"\n";
  const json row = row_of("compare", grid);
  const json answer = answer_of({"compare", "allgather", "-t", "complete:4", "--sizes", "1MiB"});
  ASSERT_EQ(answer["fastest"].size(), 1);
  const json& fastest = answer["fastest"][0];
  expect_same(row, fastest, {{"best", "algorithm"}, {"segments_used", "segments"}});
  EXPECT_NEAR(row["least_time"].get<double>(), (1 << 20) / 12.5e9, 1e-12);
  EXPECT_NEAR(row["time"].get<double>(), 1e-6 + (1 << 20) / 12.5e9, 1e-10);
  EXPECT_EQ(row["complete"], true);
  EXPECT_EQ(fastest["algorithm"], answer["winners"][0]["algorithms"][0]);
  for (const json& other : answer["rows"]) {
    if (other["algorithm"] == row["best"]) {
      EXPECT_EQ(other["time"], row["time"]);
    }
    if (other["algorithm"] == row["runner_up"]) {
      EXPECT_EQ(other["time"], row["runner_up_time"]);
    }
  }
}

// A machine's links count, not the 1 us and 100 Gb/s of rows without one.
TEST(CompareRows, have_the_links_of_their_machine) {
  const json row =
      row_of("compare",
             "collective = \"allreduce\"\ntopology = \"xgft:2;4,2;1,2\"\nsize = \"1KiB\"\n"
             "machine = \"ib-hdr\"\n");
  const auto ran = run_weft({"compare", "allreduce", "-t", "xgft:2;4,2;1,2", "--sizes", "1KiB",
                             "--machine", "ib-hdr", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(row["time"], answer["fastest"][0]["time"]);
  EXPECT_EQ(row["best"], answer["fastest"][0]["algorithm"]);
}

TEST(CompareRows, have_what_a_library_would_take) {
  const std::string grid =
      "collective = \"allreduce\"\ntopology = \"2dfc:3x3\"\nsize = \"64KiB\"\n"
      "algorithms = \"ring,rabenseifner\"\n";
  const json row = row_of("compare", grid + "baseline = \"OpenMPI-4.1\"\n");
  const json answer = answer_of({"compare", "allreduce", "-t", "2dfc:3x3", "--sizes", "64KiB", "-a",
                                 "ring,rabenseifner", "--library", "openmpi-4.1"});
  const json& of_library = answer["library"]["rows"][0];
  EXPECT_EQ(row["library_time"], of_library["time"]);
  EXPECT_EQ(row["library_algorithm"], of_library["native"]);
  EXPECT_DOUBLE_EQ(row["over_library"].get<double>(),
                   of_library["time"].get<double>() / row["time"].get<double>());
  EXPECT_TRUE(row_of("compare", grid).value("library_time", json()).is_null());
}

TEST(CompareRows, have_keys_by_what_matters) {
  const std::string grid = "collective = \"allreduce\"\ntopology = \"ring:4\"\n";
  const std::string key = key_of("compare", grid);
  EXPECT_EQ(key_of("compare", grid + "algorithms = \"best\"\nbaseline = \"none\"\n"), key);
  EXPECT_EQ(key_of("compare", grid + "algorithms = \"ring\"\nradix = 4\n"),
            key_of("compare", grid + "algorithms = \"ring\"\n"));  // ring takes no radix
  for (const char* other : {"effort = \"full\"\n", "baseline = \"nccl\"\n", "size = \"2MiB\"\n",
                            "algorithms = \"ring\"\n", "model = \"alpha-beta\"\n"})
    EXPECT_NE(key_of("compare", grid + other), key) << other;
}

TEST(CompareRows, refuse_what_makes_no_sense) {
  const std::string grid = "collective = \"allreduce\"\ntopology = \"ring:4\"\n";
  for (const char* wrong : {"effort = \"most\"\n", "baseline = \"no-mpi\"\n", "size = 0\n",
                            "algorithms = \"rings\"\n", "algorithm = \"ring\"\n"})
    EXPECT_THROW(rows_of(grid + wrong, "compare"), InvalidInput) << wrong;
  EXPECT_THROW(rows_of("topology = \"ring:4\"\n", "compare"), InvalidInput);
}

// Six cables of a ring, each of which leaves a line of six nodes; of a line each cable cuts.
TEST(DegradeRows, have_the_values_of_the_command) {
  const std::string grid =
      "collective = \"allgather\"\ntopology = \"ring:6\"\nalgorithms = \"ring,bruck\"\n"
      "size = \"64KiB\"\nfailing-cables = \"all\"\n";
  const json row = row_of("degrade", grid);
  const json answer = answer_of({"degrade", "allgather", "-t", "ring:6", "-a", "ring,bruck",
                                 "--size", "64KiB", "--cables", "all"});
  const Names of_all{{"possible", ""}, {"tried", ""}, {"cut", ""}};
  expect_same(row, answer["best"], of_all);
  for (const auto& [name, key] : of_all) EXPECT_EQ(row[name], answer[name]) << name;
  EXPECT_EQ(row["possible"], 6);
  EXPECT_EQ(row["tried"], 6);
  EXPECT_EQ(row["cut"], 0);
  EXPECT_EQ(row["kept"].get<int>() + row["rebuilt"].get<int>(), 6);
  EXPECT_GT(row["worst_slowdown"], 1);
  const json line = row_of("degrade",
                           "collective = \"allgather\"\ntopology = \"mesh:4\"\n"
                           "algorithms = \"ring\"\nfailing-cables = \"all\"\n");
  EXPECT_EQ(line["cut"], 3);
  EXPECT_TRUE(line["worst_slowdown"].is_null());
}

TEST(DegradeRows, have_keys_by_what_matters) {
  const std::string grid = "collective = \"allgather\"\ntopology = \"ring:6\"\n";
  const std::string all = grid + "failing-cables = \"all\"\n";
  EXPECT_EQ(key_of("degrade", all + "seed = 2\n"), key_of("degrade", all));  // nothing is drawn
  EXPECT_NE(key_of("degrade", grid + "failing-cables = 2\nseed = 2\n"),
            key_of("degrade", grid + "failing-cables = 2\n"));
  for (const char* other :
       {"failures = 2\n", "schedules = \"rebuilt\"\n", "failing-nodes = \"all\"\n"})
    EXPECT_NE(key_of("degrade", all + other), key_of("degrade", all)) << other;
}

TEST(DegradeRows, refuse_what_makes_no_sense) {
  const std::string grid = "collective = \"allgather\"\ntopology = \"ring:6\"\n";
  for (const char* wrong :
       {"failing-cables = \"some\"\n", "failures = 0\n", "schedules = \"lost\"\n", "size = 0\n"})
    EXPECT_THROW(rows_of(grid + wrong, "degrade"), InvalidInput) << wrong;
}

// On four nodes with a cable to each other an allgather takes 1 us and its block over one link.
TEST(PlanRows, have_the_values_of_the_command) {
  const std::string grid =
      "collective = \"allgather\"\ntopology = \"complete:4\"\nsizes = \"1KiB:64KiB\"\n";
  const weft::test::ScratchFolder folder;
  const json answer = answer_of({"plan", "-t", "complete:4", "--collectives", "allgather",
                                 "--sizes", "1KiB:64KiB", "-o", folder.path("a.plan")});
  for (const json& range : answer["ranges"]) {
    const json row = row_of("plan", grid + "size = " + range["from"].dump() + "\n");
    expect_same(row, range,
                {{"best", "algorithm"},
                 {"timed_size", "size"},
                 {"range_from", "from"},
                 {"range_to", "to"},
                 {"steps", ""},
                 {"segments_used", ""},
                 {"range_count", ""}});
    EXPECT_EQ(row["range_count"], answer["ranges"].size());
    EXPECT_EQ(row["steps"], answer["schedules"][range["schedule"].get<int>()]["steps"]);
    EXPECT_NEAR(row["time"].get<double>(), 1e-6 + row["timed_size"].get<double>() / 12.5e9, 1e-10);
  }
}

TEST(PlanRows, have_the_time_of_their_own_size) {
  const std::string grid =
      "collective = \"allgather\"\ntopology = \"complete:4\"\nsizes = \"1KiB:64KiB\"\n";
  for (const std::int64_t size_B : {3'000, 48 << 10, 1 << 20}) {
    const json row = row_of("plan", grid + fmt::format("size = {}\n", size_B));
    EXPECT_EQ(row["timed_size"], size_B);
    EXPECT_NEAR(row["time"].get<double>(), 1e-6 + static_cast<double>(size_B) / 12.5e9, 1e-10);
  }
}

TEST(PlanRows, have_keys_by_what_matters) {
  const std::string grid = "collective = \"allgather\"\ntopology = \"ring:4\"\n";
  EXPECT_EQ(key_of("plan", grid + "sizes = \"1KiB:4KiB\"\n"),
            key_of("plan", grid + "sizes = \"4KiB,1KiB,2KiB\"\n"));
  EXPECT_NE(key_of("plan", grid + "sizes = \"1KiB:8KiB\"\n"),
            key_of("plan", grid + "sizes = \"1KiB:4KiB\"\n"));
  EXPECT_NE(key_of("plan", grid + "allow-different-bits = true\n"), key_of("plan", grid));
}

TEST(PlanRows, refuse_what_makes_no_sense) {
  for (const char* wrong : {"collective = \"point-to-point\"\n", "sizes = \"0B\"\n",
                            "sizes = \"some\"\n", "root = 1\n", "radix = 2\n"}) {
    const std::string given = wrong;
    const bool named = given.starts_with("collective");
    EXPECT_THROW(
        rows_of((named ? "" : "collective = \"allgather\"\n") + given + "topology = \"ring:4\"\n",
                "plan"),
        InvalidInput)
        << wrong;
  }
}

// Four nodes with one port each on one switch: of each block of 1 MiB three others come over a
// port.
TEST(DesignRows, have_the_values_of_the_command) {
  const json row = row_of("design",
                          "nodes = 4\nmix = \"allgather:1MiB\"\nbuild = \"switches\"\n"
                          "switch-ports = 8\n");
  const json answer = answer_of(
      {"design", "-n", "4", "-c", "allgather:1MiB", "--build", "switches", "--radix", "8"});
  json chosen;
  for (const json& each : answer["rows"])
    if (each["topology"] == answer["chosen"]) chosen = each;
  expect_same(row, chosen,
              {{"best", "topology"},
               {"ports_used", "ports"},
               {"any_least_time", ""},
               {"cable_worst_slowdown", ""},
               {"cable_cut", ""},
               {"node_worst_slowdown", ""},
               {"node_cut", ""},
               {"candidates", ""}});
  EXPECT_EQ(row["any_least_time"], answer["any_least_time"]);
  EXPECT_EQ(row["candidates"], answer["rows"].size());
  EXPECT_EQ(row["cable_cut"], chosen["cables_failed"]["cut"]);
  EXPECT_EQ(row["node_cut"], chosen["nodes_failed"]["cut"]);
  EXPECT_EQ(row["hosts"], 4);
  EXPECT_GE(row["least_time"].get<double>(), 3 * (1 << 20) / 12.5e9);
  EXPECT_GE(row["time"], row["least_time"]);
}

TEST(DesignRows, have_keys_by_what_matters) {
  const std::string grid = "nodes = 4\nmix = \"allgather:1MiB\"\nbuild = \"switches\"\n";
  const std::string key = key_of("design", grid);
  EXPECT_EQ(key_of("design", "nodes = 4\nmix = \"AllGather:1024KiB:1\"\nbuild = \"switches\"\n"),
            key);
  EXPECT_EQ(key_of("design", grid + "node-ports = 1\nwiring = \"one-way\"\n"), key);
  for (const char* other : {"node-ports = 2\n", "switch-ports = 8\n", "finalists = 1\n",
                            "link = \"25Gbps,1us\"\n", "hosts-per-rack = 16\n"})
    EXPECT_NE(key_of("design", grid + other), key) << other;
}

TEST(DesignRows, refuse_what_makes_no_sense) {
  for (const char* wrong :
       {"mix = \"allgather:1MiB\"\n", "nodes = 4\n", "nodes = 4\nmix = \"allgather\"\n",
        "nodes = 4\nmix = \"point-to-point:1KiB\"\n",
        "nodes = 4\nmix = \"allgather:1MiB\"\nbuild = \"tin\"\n",
        "nodes = 4\nmix = \"allgather:1MiB\"\nlink = \"x=25Gbps,1us\"\n"})
    EXPECT_THROW(rows_of(wrong, "design"), InvalidInput) << wrong;
}

TEST(LoadCurveRows, have_the_values_of_the_command) {
  const json row = row_of("load-curve", "topology = \"hosts(1, ring:4)\"\noffered-load = 0.1\n");
  const auto ran = run_weft({"load-curve", "hosts(1, ring:4)", "--loads", "0.1", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  expect_same(row, answer["points"][0], {{"routing_used", ""}});
  EXPECT_EQ(row["routing_used"], answer["routing"]);
}

}  // namespace
