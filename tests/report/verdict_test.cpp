// Marks: what a claim that is not met says of ours, that each of its keys can fail, and the counts.
#include <gtest/gtest.h>

#include "study/timed_rows.hpp"

namespace weft::report {

using namespace test;

namespace {

// The ring takes 40 s at 1 KiB and 80 are printed.
Claim eighty() {
  Claim claim = value_claim("time", "80", 0.01);
  claim.reason = "copies are free here";
  claim.ours = {"40"};
  return claim;
}

TEST(Judge, leaves_a_difference_open_that_is_stated_and_fails_any_other) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = eighty();
  const Verdict known = judge(claim, results);
  EXPECT_EQ(known.mark, ClaimMark::open);
  EXPECT_FALSE(known.fails);
  EXPECT_EQ(known.detail, "copies are free here");
  EXPECT_EQ(known.ours, "40.00s");
  claim.ours = {"45"};
  const Verdict moved = judge(claim, results);
  EXPECT_EQ(moved.mark, ClaimMark::open);
  EXPECT_TRUE(moved.fails);
  EXPECT_EQ(moved.detail, "ours was 45.00s, and is 40.00s");
  claim.ours = {};  // a reason alone excuses nothing
  const Verdict unsaid = judge(claim, results);
  EXPECT_TRUE(unsaid.fails);
  EXPECT_EQ(unsaid.detail, "time is 40.00s, printed is 80.00s");
  claim.wanted = "40";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
}

TEST(Judge, holds_ours_within_its_own_tolerance) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = eighty();
  claim.tolerance = 0.2;  // of the print, and not of ours
  claim.ours = {"40.1"};
  EXPECT_FALSE(judge(claim, results).fails);
  claim.ours = {"40.4"};
  EXPECT_TRUE(judge(claim, results).fails);
  claim.ours_tolerance = 0.02;
  EXPECT_FALSE(judge(claim, results).fails);
}

// 40 and 50 s.
TEST(Judge, holds_each_row_to_its_value_of_ours) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = eighty();
  claim.where = match({{"algorithm", "ring"}});
  EXPECT_TRUE(judge(claim, results).fails);
  claim.ours = {"40", "50"};
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::open);
  EXPECT_FALSE(judge(claim, results).fails);
  claim.ours = {"50", "40"};
  EXPECT_TRUE(judge(claim, results).fails);
  claim.ours = {"40", "50", "60"};
  EXPECT_EQ(judge(claim, results).detail, "ours has 3 values for 2 rows");
  claim.wanted = "50";  // what is as printed needs no statement
  claim.ours = {"40"};
  EXPECT_FALSE(judge(claim, results).fails);
}

// Of eight rows four are of lines, two of rings, one of a torus and one of a mesh.
TEST(Judge, holds_the_commonest_values_of_texts) {
  std::vector<MadeRow> rows;
  for (const char* family : {"line", "ring", "line", "torus", "line", "mesh", "ring", "line"}) {
    rows.push_back(timed("ring", static_cast<std::int64_t>(rows.size() + 1), 1));
    rows.back().results["family"] = std::string(family);
  }
  Claim claim;
  claim.column = "family";
  claim.over = Claim::Over::commonest;
  const auto judged = [&](const char* wanted) {
    claim.wanted = wanted;
    return judge(claim, joined(two_algorithms(), rows));
  };
  EXPECT_EQ(judged("line").mark, ClaimMark::met);
  EXPECT_EQ(judged("Line, ring").mark, ClaimMark::met);
  EXPECT_TRUE(judged("ring").fails);
  const Verdict other = judged("ring, line");
  EXPECT_TRUE(other.fails);
  EXPECT_EQ(other.detail, "family is line, ring, printed is ring, line");
  EXPECT_EQ(judged("line, ring, mesh").ours, "line, ring, mesh = torus");  // a tie is no order
  EXPECT_TRUE(judged("line, ring, mesh").fails);
  rows[0].results["family"] = std::string("circulant:9,2,3");  // a comma within a name
  for (const std::size_t i : {1UL, 6UL}) rows[i].results["family"] = std::string("circulant:9,2,3");
  EXPECT_EQ(judged("circulant:9,2,3, line").ours, "circulant:9,2,3 = line");
  rows[2].results["family"] = std::string("circulant:9,2,3");
  EXPECT_EQ(judged("circulant:9,2,3").mark, ClaimMark::met);
  EXPECT_EQ(judged("circulant:9,2,3, line").mark, ClaimMark::met);
  for (const std::size_t i : {0UL, 2UL}) rows[i].results["family"] = std::string("line");
  rows[6].results["family"] = std::string("ring");
  rows[1].results["family"] = std::string("line");
  EXPECT_EQ(judged("line").mark, ClaimMark::met);
  EXPECT_TRUE(judged("line, ring").fails);
}

TEST(Judge, takes_what_the_claim_says_of_the_grid) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = eighty();
  claim.ours = {"45"};
  claim.ours_quick = {"40"};
  EXPECT_TRUE(judge(claim, results).fails);
  EXPECT_TRUE(judge(claim, results, Grid::full).fails);
  EXPECT_FALSE(judge(claim, results, Grid::quick).fails);
  claim.ours_full = {"40"};
  EXPECT_FALSE(judge(claim, results, Grid::full).fails);
}

TEST(Judge, holds_ours_of_bounds_means_and_intervals) {
  const Results results = joined(two_algorithms(), crossing());
  Claim bound = eighty();
  bound.form = Claim::Form::at_least;
  EXPECT_FALSE(judge(bound, results).fails);
  bound.ours = {"39"};
  EXPECT_TRUE(judge(bound, results).fails);
  Claim mean = eighty();
  mean.where = match({{"algorithm", "ring"}});
  mean.over = Claim::Over::mean;
  mean.ours = {"45"};
  EXPECT_FALSE(judge(mean, results).fails);
  mean.ours = {"40"};
  EXPECT_TRUE(judge(mean, results).fails);
  Claim interval = eighty();
  interval.form = Claim::Form::interval;
  interval.column_to = "time";
  interval.ours = {"40", "40"};
  EXPECT_FALSE(judge(interval, results).fails);
  interval.ours = {"40", "41"};
  EXPECT_TRUE(judge(interval, results).fails);
}

// Copies at a rate of their own make 80 of the ring's 40 s: the row with the cause.
TEST(Judge, calls_a_difference_explained_where_the_cause_gives_the_print) {
  Experiment experiment = two_algorithms();
  experiment.axes.push_back({.name = "copy-bandwidth", .values = {"free", "1GBps"}});
  std::vector<MadeRow> rows{timed("ring", 1_KiB, 40), timed("ring", 1_KiB, 80.2)};
  rows[0].parameters["copy-bandwidth"] = std::string("free");
  rows[1].parameters["copy-bandwidth"] = std::string("8Gbps");
  Claim claim = eighty();
  claim.where.equal.emplace_back("copy-bandwidth", "free");
  claim.cause = match({{"copy-bandwidth", "8Gbps"}});
  const Verdict verdict = judge(claim, joined(experiment, rows));
  EXPECT_EQ(verdict.mark, ClaimMark::explained);
  EXPECT_FALSE(verdict.fails);
  EXPECT_EQ(verdict.detail, "80.20s with copy-bandwidth = 8Gbps; copies are free here");
  rows[1].results["time"] = 75.0;
  const Verdict other = judge(claim, joined(experiment, rows));
  EXPECT_EQ(other.mark, ClaimMark::open);
  EXPECT_TRUE(other.fails);
  rows[1].results.clear();  // not computed: nothing is shown
  const Verdict unknown = judge(claim, joined(experiment, rows));
  EXPECT_EQ(unknown.mark, ClaimMark::open);
  EXPECT_FALSE(unknown.fails);
}

TEST(Judge, calls_a_difference_explained_where_the_print_is_proved_wrong) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = eighty();
  claim.proof = "no schedule takes more than 50 s";
  const Verdict verdict = judge(claim, results);
  EXPECT_EQ(verdict.mark, ClaimMark::explained);
  EXPECT_EQ(verdict.detail, "no schedule takes more than 50 s");
  claim.ours = {"45"};
  EXPECT_TRUE(judge(claim, results).fails);
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::open);
}

TEST(Judge, calls_loose_what_another_reading_would_pass) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = value_claim("time", "41", 0.05);
  claim.rival = "44";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  for (const char* rival : {"43", "42.9", "85/2"}) {  // up to 41 + 2.05
    claim.rival = rival;
    EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely) << rival;
    EXPECT_FALSE(judge(claim, results).fails);
  }
  claim.rival = "43.06";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
}

TEST(Judge, calls_one_side_of_a_printed_value_loose) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = value_claim("time", "30", 0.01);
  claim.form = Claim::Form::above;
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely);
  EXPECT_EQ(study::show_printed(claim), "at least 30.00s");
  claim.form = Claim::Form::under;
  EXPECT_TRUE(judge(claim, results).fails);
  claim.wanted = "45";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely);
}

// It does not hold at 1 KiB, and does at 1 MiB.
TEST(Judge, holds_an_order_to_the_pairs_that_are_said_to_be_broken) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = ring_below_bruck();
  claim.reason = "start-ups";
  claim.broken = {match({{"size", "1KiB"}})};
  const Verdict known = judge(claim, results);
  EXPECT_EQ(known.mark, ClaimMark::open);
  EXPECT_FALSE(known.fails);
  EXPECT_EQ(known.detail, "start-ups");
  claim.broken = {match({{"size", "1MiB"}})};
  const Verdict other = judge(claim, results);
  EXPECT_TRUE(other.fails);
  EXPECT_EQ(other.detail, "at size 1KiB, algorithm ring the order held, and does not now");
  claim.broken = {match({})};  // all
  EXPECT_EQ(judge(claim, results).detail,
            "at size 1MiB, algorithm ring the order did not hold, and does now");
  claim.from = "1MiB";  // there it holds
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.from = {};
  claim.broken = {match({{"size", "1KiB"}})};
  claim.proof = "a bound";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::explained);
}

TEST(Tally, counts_printed_claims_by_mark_and_ours_apart) {
  Claim printed, own;
  own.kind = Claim::Kind::own;
  Tally none, ours, tally;
  EXPECT_EQ(text_of(none), "0 claims");
  ours.add(own, {.mark = ClaimMark::met});
  EXPECT_EQ(text_of(ours), "1 of our own: 1 ✓ met");
  tally.add(printed, {.mark = ClaimMark::met});
  tally.add(printed, {.mark = ClaimMark::loosely});
  tally.add(printed, {.mark = ClaimMark::open, .fails = true});
  EXPECT_EQ(text_of(tally), "3 claims: 1 ✓ met, 1 ≈ met loosely, 0 ≠ explained, 1 ✗ open; 1 fails");
  tally.add(own, {.mark = ClaimMark::met});
  tally.add(own, {.mark = ClaimMark::open});
  tally.add(printed, {});
  EXPECT_EQ(text_of(tally),
            "4 claims: 1 ✓ met, 1 ≈ met loosely, 0 ≠ explained, 1 ✗ open, 1 – not in this grid; "
            "2 of our own: 1 ✓ met, 1 ✗ open; 1 fails");
}

}  // namespace

}  // namespace weft::report
