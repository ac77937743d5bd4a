// Algorithms with their parameters, as answers write them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"

namespace {

using nlohmann::json;
using weft::test::answer_of;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::vector<std::string> words_with(const std::vector<std::string>& head,
                                    const std::vector<std::string>& tail) {
  std::vector<std::string> words = head;
  words.insert(words.end(), tail.begin(), tail.end());
  return words;
}

TEST(AlgorithmList, parameters_in_parentheses_are_options) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"hierarchical(group=4)", {"hierarchical", "--group", "4"}},
      {"hierarchical(group=2,8, segments=2)",
       {"hierarchical", "--group", "2,8", "--segments", "2"}}};
  for (const char* command : {"simulate", "schedule", "compare", "degrade"})
    for (const auto& [name, options] : cases) {
      const std::vector<std::string> head{command, "allreduce", "-t", "torus:4x4", "-a"};
      const auto by_name = run_weft(words_with(head, {name}));
      const auto by_options = run_weft(words_with(head, options));
      EXPECT_EQ(by_name.code, 0) << command << by_name.err;
      EXPECT_NE(by_name.out.find("group="), std::string::npos) << by_name.out;
      EXPECT_EQ(by_name.out, by_options.out) << command;
    }
}

json json_of(const std::vector<std::string>& words) {
  const auto ran = run_weft(words_with(words, {"--json"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? json::parse(ran.out) : json();
}

const std::string kAllreduce = "allreduce -t torus:4x4 ";

// weft schedule builds and prices the same schedule.
TEST(AlgorithmList, optimum_reads_parameters) {
  const json schedule = answer_of("schedule " + kAllreduce + "-a hierarchical --group 4");
  const json found =
      json_of({"optimum", "allreduce", "-t", "torus:4x4", "-a", "hierarchical(group=4)"});
  bool is_there = false;
  for (const json& each : found["schedules"])
    is_there = is_there || (each["steps"] == schedule["steps"] &&
                            each["bandwidth_factor"] == schedule["bandwidth_factor"]);
  EXPECT_TRUE(is_there) << found["schedules"];
  EXPECT_EQ(run_weft({"optimum", "allgather", "-t", "torus:4x4", "-a", "ring(group=4)"}).code, 2);
  EXPECT_EQ(run_weft({"optimum", "allgather", "-t", "torus:4x4", "-a", "bfb(segments=4)", "--steps",
                      "4.."})
                .code,
            2);
}

TEST(AlgorithmList, plan_reads_parameters) {
  const ScratchFolder folder;
  const std::string file = folder.path("c.plan");
  const auto text_with = [&](const std::vector<std::string>& algorithm) {
    std::vector<std::string> words =
        words_of("plan -t torus:4x4 --collectives allreduce --sizes 1MiB -o " + file);
    const auto ran = run_weft(words_with(words, algorithm));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return read_text(file);
  };
  const std::string by_name = text_with({"-a", "hierarchical(group=4)"});
  EXPECT_NE(by_name.find("hierarchical(group=4"), std::string::npos) << by_name.substr(0, 600);
  EXPECT_EQ(by_name, text_with({"-a", "hierarchical", "--group", "4"}));
  const auto ran = run_weft(
      words_with(words_of("plan -t torus:4x4 --collectives allreduce --sizes 1MiB -o " + file),
                 {"-a", "ring(group=4)"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("no algorithm of this run supports option group"), std::string::npos)
      << ran.err;
}

TEST(AlgorithmList, refuses_options_that_no_variant_takes) {
  std::vector<std::string> words =
      words_of("compare allreduce -t torus:4x4 --sizes 1KiB --radix 4");
  const auto ran =
      run_weft(words_with(words, {"-a", "hierarchical(group=4),hierarchical(group=8)"}));
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("no algorithm of this run supports option radix"), std::string::npos)
      << ran.err;
}

TEST(AlgorithmList, train_reads_parameters) {
  const std::vector<std::string> step = words_of("train gpt-2-small -t ring:4 -a");
  const auto by_name = run_weft(words_with(step, {"hierarchical(group=2)"}));
  const auto by_options = run_weft(words_with(step, {"hierarchical", "--group", "2"}));
  EXPECT_EQ(by_name.code, 0) << by_name.err;
  EXPECT_EQ(by_name.out, by_options.out);
}

TEST(AlgorithmList, order_names_the_parameters) {
  const auto ran = run_weft(words_with(words_of("order " + kAllreduce + "--size 1MiB --attempts 5"),
                                       {"-a", "hierarchical(group=4)"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("hierarchical(group=4"), std::string::npos) << ran.out;
}

// weft simulate takes one at a time.
TEST(AlgorithmList, compare_takes_one_algorithm_with_several_parameters) {
  const json found =
      json_of({"compare", "allreduce", "-t", "torus:4x4", "--sizes", "1MiB", "--effort", "full",
               "-a", "hierarchical(group=4),ring,hierarchical(group=8)"});
  ASSERT_EQ(found["rows"].size(), 3U) << found["rows"];
  std::vector<double> times, expected;
  for (const json& row : found["rows"]) times.push_back(row["time"]);
  for (const char* algorithm : {"hierarchical --group 4", "ring", "hierarchical --group 8"})
    expected.push_back(answer_of("simulate " + kAllreduce + "--size 1MiB -a " + algorithm)["time"]);
  std::ranges::sort(times);
  std::ranges::sort(expected);
  EXPECT_EQ(times, expected);
  const auto only = json_of({"compare", "allreduce", "-t", "torus:4x4", "--sizes", "1MiB", "-a",
                             "hierarchical(group=4), hierarchical(group=8)"});
  EXPECT_EQ(only["rows"].size(), 2U) << only["rows"];
  for (const char* wrong :
       {"hierarchical(group=4),hierarchical(group=4)", "ring(group=4),hierarchical(group=8)",
        "hierarchical(group=4),ring,ring", "hierarchical(group=4),rign"}) {
    const auto ran = run_weft({"compare", "allreduce", "-t", "torus:4x4", "-a", wrong});
    EXPECT_EQ(ran.code, 2) << wrong;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

TEST(AlgorithmList, refuses_wrong_parameters_in_one_line) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"ring,hierarchical(group=4)", "parameters in parentheses are for one algorithm alone"},
      {"hierarchical(group=4", "it has no closing parenthesis"},
      {"hierarchical(grup=4)", "unknown parameter 'grup'; did you mean group?"},
      {"hierarchical()", "'' is not a parameter (expected NAME=VALUE"},
      {"hierarchical(group=)", "'group=' is not a parameter (expected NAME=VALUE"},
      {"hierarchical(4)", "'4' is not a parameter (expected NAME=VALUE"},
      {"hierarchical(group=4, group=4)", "is given more than once"},
      {"hierarchical(group=banana)", "invalid group 'banana'"},
      {"ring(group=4)", "ring does not support option group"}};
  for (const auto& [name, says] : cases) {
    const auto ran = run_weft({"simulate", "allreduce", "-t", "torus:4x4", "-a", name});
    EXPECT_EQ(ran.code, 2) << name;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

}  // namespace
