// What a kept full grid adds to verdicts of a smaller one.
#include "weft/report/kept_verdict.hpp"

#include <gtest/gtest.h>

#include "study/timed_rows.hpp"

namespace weft::report {

using namespace test;

namespace {

// "The ring takes 40 s", of rows at a size.
Claim forty(const std::string& size) {
  Claim claim = value_claim("time", "40", 0.01);
  claim.where = match({{"size", size}, {"algorithm", "ring"}});
  return claim;
}

// The smaller grid has the rows of 1 KiB alone; the full one those of 1 MiB too, where the ring
// takes 50 s.
class KeptVerdict : public ::testing::Test {
 protected:
  KeptVerdict() {
    experiment_.claims = {forty("1KiB"), forty("1MiB")};
    auto rows = crossing();
    full_.results = joined(experiment_, rows);
    rows.resize(2);
    small_ = joined(experiment_, rows);
    full_.kept.version = "1.0";
    full_.kept.date = "2026-01-31";
    full_.kept.store = "sha256:0123456789abcdef";
  }

  std::vector<Verdict> judged() {
    std::vector<Verdict> verdicts;
    std::vector<bool> has_rows;
    for (const Claim& claim : experiment_.claims) {
      verdicts.push_back(judge(claim, small_));
      has_rows.push_back(speaks_of_rows(claim, small_));
    }
    of_full_ = judge_by_kept(full_, experiment_, has_rows, verdicts);
    return verdicts;
  }

  Experiment experiment_ = two_algorithms();
  Results small_;
  SavedResults full_;
  std::vector<bool> of_full_;
};

TEST_F(KeptVerdict, judges_what_the_smaller_grid_has_no_rows_for) {
  experiment_.claims[1].wanted = "50";
  const auto verdicts = judged();
  EXPECT_EQ(verdicts[1].mark, ClaimMark::met);
  EXPECT_EQ(verdicts[1].detail, "full grid, version 1.0, 2026-01-31, store sha256:0123456789ab");
  EXPECT_EQ(of_full_, (std::vector{false, true}));
}

TEST_F(KeptVerdict, fails_what_the_full_grid_refutes) {
  const auto verdicts = judged();
  EXPECT_EQ(verdicts[0].mark, ClaimMark::met);
  EXPECT_FALSE(verdicts[0].fails);
  EXPECT_EQ(verdicts[0].detail, "");  // the full grid says the same
  EXPECT_EQ(verdicts[1].mark, ClaimMark::open);
  EXPECT_TRUE(verdicts[1].fails);
  EXPECT_NE(verdicts[1].detail.find("time is 50.00s, printed is 40.00s"), std::string::npos)
      << verdicts[1].detail;
}

TEST_F(KeptVerdict, tells_what_more_rows_say) {
  for (const bool is_stated : {false, true}) {
    Claim both = forty("1KiB");
    both.where = match({{"algorithm", "ring"}});
    if (is_stated) {
      both.reason = "the larger one is slower";
      both.ours_full = {"40", "50"};
    }
    experiment_.claims = {both};
    const Verdict verdict = judged()[0];
    EXPECT_EQ(verdict.mark, ClaimMark::met);  // of the smaller grid
    EXPECT_NE(verdict.detail.find("full grid: ✗ "), std::string::npos) << verdict.detail;
    EXPECT_EQ(verdict.fails, !is_stated);
    EXPECT_EQ(of_full_, (std::vector{false}));
  }
}

TEST_F(KeptVerdict, judges_nothing_by_a_stale_grid) {
  full_.stale = "the grid has changed since";
  const auto verdicts = judged();
  EXPECT_EQ(verdicts[0].mark, ClaimMark::met);
  EXPECT_EQ(verdicts[1].mark, ClaimMark::missing);
  EXPECT_FALSE(verdicts[1].fails);
  EXPECT_NE(verdicts[1].detail.find("is stale (the grid has changed since)"), std::string::npos);
  EXPECT_EQ(of_full_, (std::vector{false, false}));
}

}  // namespace
}  // namespace weft::report
