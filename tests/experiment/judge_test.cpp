// Verdicts: each form of a claim, each mark, and that each key of a claim can fail, from numbers
// made by hand.
#include <gtest/gtest.h>

#include "support/results.hpp"
#include "weft/base/error.hpp"
#include "weft/experiment/verdict.hpp"

namespace weft::experiment {

namespace {

using test::joined;
using test::MadeRow;

std::int64_t operator""_KiB(unsigned long long count) {
  return static_cast<std::int64_t>(count) * 1024;
}

MadeRow timed(const char* algorithm, std::int64_t size, double time) {
  return {{{"algorithm", std::string(algorithm)}, {"size", size}, {"collective", std::string("x")}},
          {{"time", time}, {"share", std::string("15/16")}}};
}

Experiment two_algorithms() {
  Experiment experiment;
  experiment.axes = {{.name = "collective", .values = {"x"}},
                     {.name = "size", .values = {"1KiB,1MiB"}},
                     {.name = "algorithm", .values = {"bruck", "ring"}}};
  experiment.measures = {"time"};
  return experiment;
}

// Bruck wins at 1 KiB, 10 against 40; ring at 1 MiB, 50 against 100.
std::vector<MadeRow> crossing() {
  return {timed("bruck", 1_KiB, 10), timed("ring", 1_KiB, 40), timed("bruck", 1024_KiB, 100),
          timed("ring", 1024_KiB, 50)};
}

Match match(std::vector<std::pair<std::string, std::string>> equal) {
  return {.equal = std::move(equal)};
}

Experiment two_radices() {
  Experiment experiment = two_algorithms();
  experiment.path = "t.toml";
  experiment.axes.push_back({.name = "radix", .values = {"2", "4"}});
  return experiment;
}

std::vector<MadeRow> with_radices() {
  auto rows = crossing();
  rows.resize(2);
  rows[1].results["time"] = 15.0;
  rows[0].parameters["radix"] = std::int64_t{2};
  rows.push_back(timed("bruck", 1_KiB, 20));
  rows.back().parameters["radix"] = std::int64_t{4};
  return rows;
}

Claim value_claim(std::string column, std::string printed, double tolerance) {
  Claim claim;
  claim.column = std::move(column);
  claim.where = match({{"size", "1KiB"}, {"algorithm", "ring"}});
  claim.wanted = std::move(printed);
  claim.tolerance = tolerance;
  return claim;
}

Claim ring_below_bruck() {
  Claim claim;
  claim.form = Claim::Form::below;
  claim.where = match({{"algorithm", "ring"}});
  claim.than = match({{"algorithm", "bruck"}});
  return claim;
}

TEST(Judge, holds_a_value_to_its_relative_tolerance) {
  const Results results = joined(two_algorithms(), crossing());
  EXPECT_EQ(judge(value_claim("time", "40", 0), results).mark, ClaimMark::met);
  EXPECT_EQ(judge(value_claim("time", "40.3", 0.01), results).mark, ClaimMark::met);
  EXPECT_TRUE(judge(value_claim("time", "41", 0.01), results).fails);
}

// Printed with three decimals, 1.3125 is 1.312 or 1.313: half of the last digit is within.
TEST(Judge, takes_an_absolute_tolerance_inclusively) {
  Experiment experiment;
  experiment.axes = {{.name = "topology", .values = {"ring:4"}}};
  const Results results = joined(experiment, {{{{"topology", std::string("ring:4")}},
                                               {{"bandwidth_factor", std::string("21/16")}}}});
  Claim claim;
  claim.column = "bandwidth_factor";
  claim.within = 5e-4;
  for (const char* near : {"1.312", "1.313"}) {
    claim.wanted = near;
    EXPECT_EQ(judge(claim, results).mark, ClaimMark::met) << near;
  }
  for (const char* far : {"1.311", "1.3131", "1.314"}) {
    claim.wanted = far;
    EXPECT_TRUE(judge(claim, results).fails) << far;
  }
}

TEST(Judge, takes_bounds_without_slack_unless_it_is_given) {
  const Results results = joined(two_algorithms(), crossing());  // 10, 40, 100, 50
  Claim claim = value_claim("time", "40", 0.01);
  claim.form = Claim::Form::at_most;
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.wanted = "39.9";
  EXPECT_TRUE(judge(claim, results).fails);
  claim.within = 0.2;
  claim.lines["within"] = 1;
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  EXPECT_EQ(show_printed(claim), "at most 39.90s");
  claim.form = Claim::Form::at_least;
  claim.wanted = "40.1";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.wanted = "40.3";
  EXPECT_TRUE(judge(claim, results).fails);
}

// 40 and 50: what decides is shown.
TEST(Judge, shows_the_worst_of_a_bound) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = value_claim("time", "39", 0.01);
  claim.where = match({{"algorithm", "ring"}});
  claim.form = Claim::Form::at_least;
  EXPECT_EQ(judge(claim, results).ours, "40.00s");
  claim.form = Claim::Form::at_most;
  EXPECT_EQ(judge(claim, results).ours, "50.00s");
  EXPECT_TRUE(judge(claim, results).fails);
  claim.wanted = "50";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  EXPECT_EQ(judge(claim, results).ours, "50.00s");
}

TEST(Judge, wants_the_printed_value_in_the_interval) {
  Experiment experiment;
  experiment.axes = {{.name = "topology", .values = {"ring:4"}}};
  const Results results = joined(experiment, {{{{"topology", std::string("ring:4")}},
                                               {{"throughput", 0.2}, {"upper_bound", 0.21}}}});
  Claim claim;
  claim.form = Claim::Form::interval;
  claim.column = "throughput";
  claim.column_to = "upper_bound";
  claim.within = 0.005;
  for (const char* near : {"0.195", "0.205", "0.215"}) {
    claim.wanted = near;
    EXPECT_EQ(judge(claim, results).mark, ClaimMark::met) << near;
  }
  for (const char* far : {"0.194", "0.216"}) {
    claim.wanted = far;
    EXPECT_TRUE(judge(claim, results).fails) << far;
  }
}

TEST(Judge, combines_the_rows_of_a_claim) {
  const Results results = joined(two_algorithms(), crossing());  // 10, 40, 100, 50
  Claim claim = value_claim("time", "50", 0);
  claim.where = match({});
  claim.over = Claim::Over::mean;
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.over = Claim::Over::least;
  claim.wanted = "10";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.over = Claim::Over::greatest;
  claim.form = Claim::Form::at_most;
  claim.wanted = "99";
  EXPECT_TRUE(judge(claim, results).fails);
}

TEST(Judge, compares_fractions_exactly_and_texts_as_texts) {
  const Results results = joined(two_algorithms(), crossing());
  EXPECT_EQ(judge(value_claim("share", "30/32", 0), results).mark, ClaimMark::met);
  EXPECT_EQ(judge(value_claim("share", "0.94", 0.01), results).mark, ClaimMark::met);
  EXPECT_TRUE(judge(value_claim("share", "14/16", 0), results).fails);
  EXPECT_EQ(judge(value_claim("algorithm", "Ring", 0), results).mark, ClaimMark::met);
  EXPECT_TRUE(judge(value_claim("algorithm", "bruck", 0), results).fails);
}

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
  claim.rival = "43";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely);
  EXPECT_FALSE(judge(claim, results).fails);
}

TEST(Judge, calls_one_side_of_a_printed_value_loose) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = value_claim("time", "30", 0.01);
  claim.form = Claim::Form::above;
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely);
  EXPECT_EQ(show_printed(claim), "at least 30.00s");
  claim.form = Claim::Form::under;
  EXPECT_TRUE(judge(claim, results).fails);
  claim.wanted = "45";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::loosely);
}

TEST(Judge, says_what_is_missing) {
  auto rows = crossing();
  rows[1].results.clear();
  const Results results = joined(two_algorithms(), rows);
  EXPECT_EQ(judge(value_claim("time", "40", 0), results).mark, ClaimMark::missing);
  Claim nowhere = value_claim("time", "40", 0);
  nowhere.where = match({{"algorithm", "spread"}});
  EXPECT_EQ(judge(nowhere, results).detail, "no row has algorithm = spread");
}

TEST(Judge, counts_a_failed_row_as_not_met) {
  auto rows = crossing();
  rows[1].results.clear();
  rows[1].error = "no route";
  Claim value = value_claim("time", "40", 0), order = ring_below_bruck();
  value.reason = order.reason = "a reason explains no failure";
  for (const Claim& claim : {value, order}) {
    const Verdict verdict = judge(claim, joined(two_algorithms(), rows));
    EXPECT_TRUE(verdict.fails);
    EXPECT_EQ(verdict.detail, "no route");
  }
}

TEST(Judge, wants_an_order_in_every_pair_between_the_sizes) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = ring_below_bruck();
  const Verdict everywhere = judge(claim, results);
  EXPECT_TRUE(everywhere.fails);
  EXPECT_EQ(everywhere.ours,
            "not in 1 of 2 pairs: 40.00s against 10.00s at size 1KiB, algorithm ring");
  claim.from = "1MiB";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.from = {};
  claim.to = "1KiB";
  EXPECT_TRUE(judge(claim, results).fails);
  claim.from = claim.to = "4KiB";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::missing);
}

// The ring's 15 is below Bruck's 20, and not below its 10.
TEST(Judge, wants_an_order_against_each_row_that_fits) {
  const Results results = joined(two_radices(), with_radices());
  Claim claim = ring_below_bruck();
  EXPECT_EQ(judge(claim, results).ours,
            "not in 1 of 2 pairs: 15.00s against 10.00s at algorithm ring");
  claim.than = match({{"algorithm", "bruck"}, {"radix", "4"}});
  EXPECT_EQ(judge(claim, results).ours, "in all 1 pairs");
}

TEST(Judge, compares_no_row_with_itself) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = ring_below_bruck();  // 40 at 1 KiB is below 50 at 1 MiB
  claim.where = match({{"algorithm", "ring"}});
  claim.than = match({{"algorithm", "ring"}, {"size", "1MiB"}});
  EXPECT_EQ(judge(claim, results).ours, "in all 1 pairs");
  claim.than = match({{"algorithm", "ring"}});
  EXPECT_FALSE(speaks_of_rows(claim, results));
}

TEST(Judge, knows_whether_a_claim_speaks_of_rows) {
  const Results results = joined(two_algorithms(), crossing());
  Claim order = ring_below_bruck(), value = value_claim("time", "40", 0);
  EXPECT_TRUE(speaks_of_rows(order, results) && speaks_of_rows(value, results));
  order.from = order.to = "4KiB";  // between the sizes
  EXPECT_FALSE(speaks_of_rows(order, results));
  value.where = match({{"size", "4KiB"}});
  EXPECT_FALSE(speaks_of_rows(value, results));
  Claim apart = ring_below_bruck();  // the ring's 1 KiB has no partner at 1 MiB
  const Results two =
      joined(two_algorithms(), {timed("ring", 1_KiB, 10), timed("bruck", 1024_KiB, 10)});
  EXPECT_FALSE(speaks_of_rows(apart, two));
}

TEST(Judge, refuses_claims_without_rows_with_their_place) {
  Experiment experiment = two_algorithms();
  experiment.path = "t.toml";
  experiment.claims = {ring_below_bruck()};
  experiment.claims[0].line = 7;
  experiment.claims[0].text = "the ring wins";
  const Results results = joined(experiment, crossing());
  EXPECT_NO_THROW(check_claims_have_rows(experiment, results));
  experiment.claims[0].from = "2MiB";
  try {
    check_claims_have_rows(experiment, results);
    FAIL() << "a claim without rows was taken";
  } catch (const InvalidInput& error) {
    EXPECT_TRUE(std::string(error.what())
                    .starts_with("t.toml:7: no rows are there for the claim \"the ring wins\"; "))
        << error.what();
  }
}

TEST(Judge, does_not_take_equal_for_below) {
  const Results results =
      joined(two_algorithms(), {timed("bruck", 1_KiB, 10), timed("ring", 1_KiB, 10)});
  EXPECT_TRUE(judge(ring_below_bruck(), results).fails);
}

// 10 against 10.005 is 0.05 %; steps are counted, and 1,999 are fewer than 2,000.
TEST(Judge, takes_a_tie_for_no_order_where_numbers_are_measured) {
  const auto times = [](double ring) {
    return joined(two_algorithms(), {timed("bruck", 1_KiB, 10), timed("ring", 1_KiB, ring)});
  };
  EXPECT_TRUE(judge(ring_below_bruck(), times(9.995)).fails);
  EXPECT_EQ(judge(ring_below_bruck(), times(9.98)).mark, ClaimMark::met);
  std::vector<MadeRow> rows{timed("bruck", 1_KiB, 10), timed("ring", 1_KiB, 10)};
  rows[0].results["steps"] = std::int64_t{2000};
  rows[1].results["steps"] = std::int64_t{1999};
  Claim claim = ring_below_bruck();
  claim.column = "steps";
  EXPECT_EQ(judge(claim, joined(two_algorithms(), rows)).mark, ClaimMark::met);
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

}  // namespace weft::experiment
