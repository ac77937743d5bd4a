// weft compare: who is compared, who wins and how that is shown.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include <nlohmann/json.hpp>

#include "cli/options/algorithm_list.hpp"
#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

std::vector<std::string> algorithms_of(const json& answer) {
  std::vector<std::string> names;
  for (const json& algorithm : answer["algorithms"]) names.push_back(algorithm["algorithm"]);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

// 4 boxes of 8 GPUs, 450 GB/s within a box and 50 GB/s on each rail. An allreduce moves
// 2 (7/8) M within the box and 2 (3/32) M over each rail: 2 (7/8)/450 + 2 (3/32)/50 = 1/131 of M,
// against 2 (31/32)/50 = 1/26 of a ring that goes from box to box by single GPUs.
// A local ring waits for what goes over a box' link, then for what goes over a rail. In segments
// the longer of the two counts, and some start and end of the pipeline: here less than 0.4 of it.
TEST(CompareCommand, levels_win_on_boxes_with_rails) {
  const json answer =
      answer_of("compare allreduce --effort full --sizes 64MiB -t file:" + test::source_dir() +
                "/examples/gpu-rails.json");
  EXPECT_EQ(answer["winners"][0]["algorithms"], json::array({"hierarchical"}));
  std::map<std::string, double> times;
  for (const json& row : answer["rows"]) times[row["algorithm"]] = row["time"];
  const double size = 64 << 20, box = size * 2 * 7 / 8. / 450e9, rail = size * 2 * 3 / 32. / 50e9;
  EXPECT_GT(times["ring"], 3 * times["local-ring"]);
  EXPECT_GT(times["local-ring"], box + rail);
  EXPECT_GT(times["hierarchical"], std::max(box, rail));
  EXPECT_LT(times["hierarchical"], 1.4 * std::max(box, rail));
  // What it chose are options that make the same again.
  for (const json& algorithm : answer["algorithms"])
    if (algorithm["algorithm"] == "hierarchical") {
      const json& largest = algorithm["at_largest"];
      const std::string chosen = largest["schedule"];
      std::string words;
      ASSERT_TRUE(chosen.starts_with("hierarchical(group=8, inner=")) << chosen;
      for (const char c : chosen.substr(13, chosen.size() - 14))
        words += c == '=' ? " " : c == ',' ? "" : c == ' ' ? " --" : std::string(1, c);
      const json again = answer_of(
          fmt::format("schedule allreduce -a hierarchical -t file:{}/examples/gpu-rails.json --{} "
                      "--segments {}",
                      test::source_dir(), words, largest["segments"].get<int>()));
      EXPECT_EQ(again["bandwidth_factor"], largest["bandwidth_factor"]);
    }
}

// Small calls take what has the fewest steps and start-ups, large ones the least bandwidth; the
// answer names both, and simulate has their times by these names.
TEST(CompareCommand, names_what_hierarchical_runs_as_at_each_size) {
  const std::string on = " allreduce -t xgft:2;8,4;1,8 --ranks 29 --machine ib-hdr ";
  const std::string compare = "compare" + on + "-a hierarchical --effort full --sizes 8B,64MiB";
  const json rows = answer_of(compare)["rows"];
  ASSERT_EQ(rows.size(), 2u);
  const auto time_s = [&](const json& chosen, const json& at) {
    return answer_of(fmt::format("simulate{}-a \"{}\" --size {}", on,
                                 chosen["schedule"].get<std::string>(),
                                 at["size"].get<std::int64_t>()))["time"]
        .get<double>();
  };
  for (const auto& [row, other] : {std::pair(rows[0], rows[1]), std::pair(rows[1], rows[0])}) {
    const double own_s = row["time"].get<double>();
    EXPECT_NEAR(time_s(row, row), own_s, 1e-9 * own_s);
    EXPECT_GT(time_s(other, row), own_s);
  }
  const std::string text = run_weft(words_of(compare)).out;
  const std::string line =
      fmt::format("\nhierarchical runs as {} at 8B; {} at 64MiB\n",
                  rows[0]["schedule"].get<std::string>(), rows[1]["schedule"].get<std::string>());
  EXPECT_NE(text.find(line), std::string::npos) << text;
}

// What a row names and prints is all that it takes to have its time again.
TEST(CompareCommand, names_the_trees_that_packing_chose_for_a_size) {
  for (const std::string line :
       {"allreduce -t network:dgx-1 -a packing ",
        "allgather -t rail:boxes=3,gpus=4,spines=2 -a packing --machine generic --alpha 500ns "})
    for (const json& row :
         answer_of("compare " + line + "--effort full --sizes 8KiB:1MiB")["rows"]) {
      const std::string schedule = row["schedule"];
      ASSERT_TRUE(schedule.starts_with("packing(tree-set=")) << schedule;
      const json again = answer_of(
          fmt::format("simulate {} --tree-set {}{} --segments {} --size {}", line,
                      std::stoi(schedule.substr(schedule.find('=') + 1)),
                      schedule.ends_with(", routes=network)") ? " --routes network" : "",
                      row["segments"].get<std::int64_t>(), row["size"].get<std::int64_t>()));
      EXPECT_NEAR(again["time"].get<double>(), row["time"].get<double>(),
                  1e-9 * row["time"].get<double>());
      EXPECT_EQ(again["messages"], row["messages"]);
    }
}

TEST(CompareCommand, an_option_brings_in_the_algorithm_that_needs_it) {
  const std::string line = "compare allreduce -t ring:8 --sizes 1KiB";
  EXPECT_FALSE(has(algorithms_of(answer_of(line)), "local-ring"));
  EXPECT_TRUE(has(algorithms_of(answer_of(line + " --group 4")), "local-ring(group=4)"));
}

TEST(CompareCommand, refuses_options_that_no_algorithm_of_the_run_takes) {
  for (const auto& [line, reason] : std::vector<std::pair<std::string, std::string>>{
           {"compare allreduce -t ring:8 --radix 1", "radix 1 is too small"},
           {"compare allreduce -t ring:8 --radix 3", "supports option radix (bruck: it supports"},
           {"compare allreduce -t ring:8 -a ring --group 4",
            "take local-ring or hierarchical too, or leave it out"},
           {"compare allreduce -t ring:8 --group 3", "group 3 does not divide 8 ranks"},
           {"compare alltoall -t ring:8 --sigma 1", "supports option sigma"},
           {"compare allreduce -t ring:8 --paths 2", "supports option paths (multipath"}}) {
    const Ran ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << line << ": " << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

// One path for both: of hosts in a row the inner one gets a block over each of its links, both at
// once, and passes them on, T_B 2/3 * 2.
TEST(CompareCommand, has_the_curve_of_optimum) {
  const json curve =
      answer_of("compare allgather -t mesh:3 --sizes 1KiB -a bfb,packing --steps 2..3")["curve"];
  EXPECT_EQ(curve, answer_of("optimum allgather -t mesh:3 -a bfb,packing --steps 2..3")["curve"]);
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_EQ(curve[0]["steps"], 2);
  EXPECT_EQ(curve[0]["bandwidth_factor_bound"], "4/3");
  EXPECT_EQ(curve[0]["bandwidth_factor"], "4/3");
}

// The ring of four is at the optimum, 3/4, from 2 steps on.
TEST(OptimumCommand, shows_steps_that_are_alike_in_one_row) {
  const auto ran = weft::test::run_weft(
      {"optimum", "allgather", "-t", "ring:4", "-a", "bfb", "--steps", "2..1000"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("2..1000"), std::string::npos) << ran.out;
}

// Both halves of a ring of five meet in two steps: (N - 1)/N, as packing's trees.
TEST(OptimumCommand, holds_all_that_apply_against_it) {
  std::vector<std::string> names;
  const json answer = answer_of("optimum allgather -t ring:5 -a all");
  for (const json& row : answer["schedules"]) {
    names.push_back(row["algorithm"]);
    if (names.back() == "bfb") {
      EXPECT_EQ(row["bandwidth_factor"], "4/5");
    }
  }
  for (const char* name : {"bfb", "ring", "packing"})
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
}

// Of 200 ranks none is priced unless named. The first that the hint names is at the bound here: 6.
TEST(OptimumCommand, hints_at_algorithms_near_the_optimum) {
  const Ran ran = run_weft(words_of("optimum alltoall -t torus:5x5x8"));
  EXPECT_NE(ran.err.find("--algorithms spread,hierarchical\n"), std::string::npos) << ran.err;
  const json answer = answer_of("optimum alltoall -t torus:5x5x8 -a spread,hierarchical");
  EXPECT_EQ(answer["bandwidth_factor"], "6");
  EXPECT_EQ(answer["schedules"][0]["bandwidth_factor"], "6");
}

// Ranks of a host are neighbours, as a file of their hosts has them.
TEST(CompareCommand, takes_several_ranks_on_each_host) {
  const ScratchFolder folder;
  const std::string hosts = folder.file("hosts", "0\n0\n1\n1\n2\n2\n3\n3\n");
  using Keys = std::vector<std::string>;
  for (const auto& [command, keys] :
       {std::pair(std::string("compare allreduce --sizes 1KiB,1MiB "), Keys{"rows", "winners"}),
        {"simulate allreduce -a node-lanes --size 1MiB ", {"time", "messages"}}}) {
    const json per_host = answer_of(command + "-t ring:4 --per-host 2");
    const json placed = answer_of(command + "-t ring:4 --placement file:" + hosts);
    EXPECT_EQ(per_host["ranks"], 8);
    EXPECT_EQ(per_host["per_host"], 2);
    for (const std::string& key : keys) {
      ASSERT_TRUE(per_host.contains(key)) << command << key;
      EXPECT_EQ(per_host[key], placed.at(key)) << command << key;
    }
  }
  for (const char* one : {"compare allreduce --sizes 1KiB -a ring -t ring:4",
                          "simulate allreduce --size 1KiB -a ring -t ring:4 --per-host 1"})
    EXPECT_FALSE(answer_of(one).contains("per_host")) << one;
  for (const char* more : {"--per-host 2 --ranks 4", "--per-host 2 --placement random"})
    EXPECT_NE(run_weft(words_of(std::string("compare allreduce -t ring:4 ") + more))
                  .err.find("with --per-host, which sets the number of ranks on each host;"),
              std::string::npos);
  const auto none = run_weft(words_of("compare allreduce -t ring:4 --per-host 0"));
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("invalid number of ranks on each host: 0 (expected at least 1)"),
            std::string::npos)
      << none.err;
}

TEST(CompareCommand, refuses_steps_without_a_bound) {
  for (const auto& [line, part] :
       {std::pair("compare alltoall -t mesh:3 --steps 2..3",
                  "--steps: no curve is known for alltoall"),
        {"compare allgather -t mesh:3 -a bfb --sizes 1KiB --steps 1..3", "the diameter is 2"},
        {"compare allgather -t mesh:3 --steps 2..3 --csv", "--steps"},
        {"compare allgather -t mesh:3 --steps-chart a.svg", "without --steps"},
        {"compare allgather -t mesh:3 --steps 2.. --steps-chart a.gif", "a.gif"}}) {
    const Ran ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

// On a Hamming network bfb and md build schedules of equal steps and loads: not eight flips between
// them, but one range of the first.
TEST(CompareCommand, of_those_that_tie_one_wins) {
  const json answer =
      answer_of("compare allgather -t 2dfc:4x4 -a ring,bfb,md --sizes 1KiB:1MiB --link 1Gbps,1us");
  ASSERT_EQ(answer["winners"].size(), 1) << answer["winners"];
  EXPECT_EQ(answer["winners"][0]["from"], 1024);
  EXPECT_EQ(answer["winners"][0]["to"], 1 << 20);
  EXPECT_EQ(answer["winners"][0]["algorithms"], json::array({"bfb"}));
  for (const json& row : answer["rows"]) EXPECT_EQ(row["best"], row["algorithm"] == "bfb") << row;
  const Ran ran = run_weft(
      words_of("compare allgather -t 2dfc:4x4 -a ring,bfb,md --sizes 1KiB:1MiB --winners"));
  EXPECT_NE(ran.out.find("bfb wins at every size"), std::string::npos) << ran.out;
}

TEST(CompareCommand, winners_are_in_the_answer_however_it_is_asked) {
  const std::string line = "compare allreduce -t torus:3x3 --sizes 1KiB:1MiB";
  const json answer = answer_of(line);
  EXPECT_EQ(answer["winners"], answer_of(line + " --winners")["winners"]);
  EXPECT_EQ(answer["winners"].front()["from"], 1024);
  EXPECT_EQ(answer["winners"].back()["to"], 1 << 20);
  EXPECT_TRUE(answer.contains("routing"));
}

// A ring's time on a torus is a straight line in the size: both ends and the middle tell it. Times
// of its own stand only where they are asked for, so that answers repeat.
TEST(CompareCommand, says_what_it_spent) {
  const std::string line =
      "compare allreduce -t torus:4x4 -a ring,bfb --sizes 1KiB:1MiB --effort full";
  const json spent = answer_of(line)["algorithms"][0]["spent"];
  EXPECT_EQ(spent["simulations"], 3);
  EXPECT_GT(spent["work"], 0);
  EXPECT_EQ(spent.size(), 2);
  const json timed = answer_of(line + " --timings");
  for (const json& algorithm : timed["algorithms"])
    for (const char* key : {"build", "verify", "cost", "simulate"})
      EXPECT_GE(algorithm["spent"][key], 0) << algorithm;
  const std::string text = run_weft(words_of(line + " --timings")).out;
  EXPECT_NE(text.find("simulations"), std::string::npos) << text;
  EXPECT_EQ(run_weft(words_of(line)).out.find("simulations"), std::string::npos);
}

TEST(CompareCommand, compares_expand_with_bfb_on_expansions_alone) {
  EXPECT_FALSE(
      has(algorithms_of(answer_of("compare allgather -t 2dfc:4x4 --sizes 1KiB")), "expand"));
  EXPECT_TRUE(
      has(algorithms_of(answer_of("compare allgather -t \"power(2, ring:4)\" --sizes 1KiB")),
          "expand"));
}

TEST(CompareCommand, ends_with_its_time_limit) {
  const Ran ran = run_weft(words_of("compare allreduce -t ring:4 --time-limit 0s"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("64MiB      4.027ms"), std::string::npos) << ran.out;  // 3/2 * 64 MiB / B
  EXPECT_NE(ran.err.find("nothing was simulated"), std::string::npos) << ran.err;
  const Ran as_json = run_weft(words_of("compare allreduce -t ring:4 --time-limit 0s --json"));
  EXPECT_EQ(as_json.code, 1);
  const json answer = json::parse(as_json.out);
  EXPECT_EQ(answer["complete"], false);
  EXPECT_EQ(answer["rows"], json::array());
  EXPECT_EQ(answer["bandwidth_factor_bound"], "3/2");
  EXPECT_EQ(run_weft(words_of("compare allreduce -t ring:4 --time-limit 1h")).code, 0);
}

TEST(NotesOf, are_a_line_for_those_left_out_alike) {
  const std::vector<evaluate::Dropped> dropped{
      {"a", "too slow", "wait"}, {"b", "too large", "cut it"}, {"c", "too slow", "wait"}};
  EXPECT_EQ(cli::notes_of(dropped),
            (std::vector<std::string>{"a, c are left out (too slow); wait",
                                      "b is left out (too large); cut it"}));
  EXPECT_TRUE(cli::notes_of(std::span<const evaluate::Dropped>()).empty());
}

}  // namespace
}  // namespace weft::test
