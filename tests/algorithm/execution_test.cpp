// Every algorithm, collective, number of ranks and several roots, judged by the brute-force
// executor and by the verifier.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/every_schedule.hpp"
#include "support/judges/executor.hpp"
#include "support/samples.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

class EveryAlgorithm : public testing::TestWithParam<std::string> {};

std::string text_of(const schedule::VerifyResult& result) {
  return result ? std::string() : result.fault().text;
}

TEST_P(EveryAlgorithm, is_right_for_1_to_33_ranks) {
  for (const std::int32_t ranks : test::samples_between(1, 33))
    for (const auto& [label, schedule, options] :
         test::schedules_of(find_algorithm(GetParam()), ranks)) {
      EXPECT_EQ(test::execute(schedule).violation, "") << label;
      EXPECT_EQ(text_of(schedule::verify(schedule)), "") << label;
    }
}

TEST_P(EveryAlgorithm, is_right_for_48_64_and_100_ranks) {
  for (const std::int32_t ranks : test::samples({48, 64, 100}))
    for (const auto& [label, schedule, options] :
         test::schedules_of(find_algorithm(GetParam()), ranks))
      EXPECT_EQ(text_of(schedule::verify(schedule)), "") << label;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Algorithm& algorithm : algorithms()) result.push_back(algorithm.name);
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace weft::algorithm
