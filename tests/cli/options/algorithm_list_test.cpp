// Algorithms with their parameters, as answers write them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/process/command_line.hpp"

namespace {

using weft::test::run_weft;

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
