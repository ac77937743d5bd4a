// Every algorithm as an MSCCL++ plan: it runs to the right end under any interleaving of threads,
// one call after another, and the checker, which shares nothing with the exporter, finds no fault.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/every_schedule.hpp"
#include "support/gpu/mscclpp_runs.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp_check.hpp"
#include "weft/format/mscclpp_export.hpp"
#include "weft/format/mscclpp_program.hpp"
#include "weft/program/lift.hpp"
#include "weft/program/prove.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::mscclpp {
namespace {

std::string first_finding(const Plan& plan, const schedule::Collective& collective) {
  CheckOptions options;
  if (collective.rooted()) options.root = collective.root.value();
  const Report report = check(plan, options);
  if (!report.findings.empty())
    return report.findings.front().kind + ": " + report.findings.front().text;
  return report.result_checked ? "" : "the result was not checked";
}

// A plan of one instance lifts to a schedule with as many steps, and the messages of the one that
// was exported.
std::string lost_in_import(const Plan& plan, const schedule::Verified& exported) {
  const std::int64_t size_B = least_size_B(plan);
  const auto proved =
      program::prove(to_program(plan, size_B, Signals::none), *claim_of(plan, size_B));
  if (!proved) return proved.fault().text;
  const auto lifted = program::lift(*proved, {.algorithm = "back"});
  if (!lifted) return lifted.reason();
  if (lifted->schedule().steps() > exported.schedule().steps()) return "more steps than before";
  return lifted->schedule().collective().kind == exported.schedule().collective().kind
             ? ""
             : "another collective";
}

class EveryAlgorithmOfMscclpp : public testing::TestWithParam<std::string> {};

TEST_P(EveryAlgorithmOfMscclpp, runs_right) {
  int made = 0;
  for (const std::int32_t ranks : test::samples_between(2, 17))
    for (const auto& [label, made_schedule, algorithm_options] :
         test::schedules_of(algorithm::find_algorithm(GetParam()), ranks)) {
      const schedule::Collective& collective = made_schedule.collective();
      if (made_schedule.helpers() > 0 ||
          collective.kind == schedule::CollectiveKind::point_to_point)
        continue;
      // Many segments need more thread blocks than a GPU runs at once.
      constexpr std::int64_t kMostSegments = 4;
      const auto whole = schedule::verify_own(without_routes(expand_symmetry(made_schedule)));
      const auto verified = made_schedule.segments().count > kMostSegments
                                ? whole.with_segments(kMostSegments)
                                : whole;
      ++made;
      const ExportOptions options{
          .packets = made % 4 >= 2,
          .channels = made % 2 == 0 ? ChannelType::memory : ChannelType::port,
          .instances = 1 + made / 4 % 3};
      const Plan plan = build(verified, options);
      EXPECT_EQ(first_finding(plan, collective), "") << label << ' ' << plan.name;
      if (made % 16 == 0) {
        EXPECT_TRUE(read(write(plan), "plan.json").gpus == plan.gpus) << label;
      }
      if (!collective.rooted() && made % 4 == 1) {
        EXPECT_EQ(lost_in_import(plan, verified), "") << label << ' ' << plan.name;
      }
      for (std::uint64_t seed = 1; seed <= 1; ++seed)
        EXPECT_EQ(test::run_mscclpp(plan, collective, {.seed = seed}), "")
            << label << ' ' << plan.name << ", seed " << seed;
    }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    result.push_back(algorithm.name);
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithmOfMscclpp, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace weft::format::mscclpp
