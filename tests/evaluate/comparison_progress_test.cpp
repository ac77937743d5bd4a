// What a comparison shows while it runs.
#include "weft/evaluate/comparison_progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/evaluate/contender.hpp"
#include "weft/evaluate/contest.hpp"

namespace weft::evaluate {
namespace {

using Lines = std::vector<std::string>;

const std::vector<std::int64_t> kSizes_B{1024, 2048, 1 << 20};

TEST(ComparisonProgress, names_the_stage_and_the_algorithm) {
  ComparisonProgress progress(kSizes_B, 2, {});
  EXPECT_EQ(progress.lines(), Lines{"working; 0 of 2 algorithms built"});
  {
    const auto first = progress.doing("building", "packing");
    const auto second = progress.doing("building", "ring");  // the older one takes longer
    EXPECT_EQ(progress.lines(), Lines{"building packing; 0 of 2 algorithms built"});
  }
  progress.built();
  EXPECT_EQ(progress.lines(), Lines{"working; 1 of 2 algorithms built"});
}

// Ring wins at two sizes and stands first; of 1 MiB a slower time is no news.
TEST(ComparisonProgress, has_the_winners_so_far) {
  ComparisonProgress progress(kSizes_B, 0, {});
  const auto shown = progress.doing("simulating", "ring", 1 << 20);
  progress.spent(7, 100);
  progress.found("bfb", 1024, 16.04e-6);
  progress.found("ring", 2048, 30e-6);
  progress.found("bfb", 1 << 20, 1);
  progress.found("ring", 1 << 20, 41.2e-6);
  progress.found("bfb", 1 << 20, 1);
  progress.decided(1024);
  EXPECT_EQ(
      progress.lines(),
      (Lines{"simulating ring at 1MiB; winner known at 1 of 3 sizes, 7 % of the budget used; so "
             "far at 1MiB: ring 41.20us",
             "  2KiB to 1MiB  ring  30.00us to 41.20us  so far", "  1KiB          bfb   16.04us"}));
}

TEST(ComparisonProgress, shows_eight_ranges_at_most) {
  std::vector<std::int64_t> sizes_B;
  for (int i = 0; i < 11; ++i) sizes_B.push_back(std::int64_t{1} << i);
  ComparisonProgress progress(sizes_B, 0, {});
  for (int i = 0; i < 11; ++i) progress.found(i % 2 == 0 ? "ring" : "bfb", sizes_B[i], 1e-6);
  const Lines lines = progress.lines();
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines.back(), "  and 3 more ranges");
}

TEST(ComparisonProgress, has_no_time_left_but_that_of_a_limit) {
  ComparisonProgress open(kSizes_B, 0, {});
  open.spent(0, 100);
  EXPECT_EQ(open.lines().front().find("left"), std::string::npos);
  const ComparisonProgress limited(kSizes_B, 0, 3600);
  EXPECT_EQ(limited.lines(), Lines{"working; at most 3600 s left"});
}

// The fastest of each size that is shown in the end is the winner; all sizes are known.
TEST(ComparisonProgress, ends_with_the_winners_of_a_contest) {
  const Network network = test::on("torus:4x4");
  const Collective collective = schedule::allreduce(16);
  std::vector<Candidate> candidates;
  for (const algorithm::Algorithm* each : algorithm::applicable(collective, &network))
    candidates.push_back(make_candidate(*each, collective, network, {}));
  std::vector<Contender> contenders(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c)
    contenders[c].algorithm = candidates[c].verified.schedule().algorithm();
  ComparisonProgress progress(kSizes_B, 0, {});
  const ContestResult found =
      contest(candidates, contenders, kSizes_B, network, {}, {.most_work = kUsualWork}, &progress);
  const Lines lines = progress.lines();
  EXPECT_NE(lines.front().find("winner known at 3 of 3 sizes"), std::string::npos) << lines.front();
  ASSERT_GE(lines.size(), 2U);
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].find("so far"), std::string::npos) << lines[i];
}

}  // namespace
}  // namespace weft::evaluate
