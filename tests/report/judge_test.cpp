// Judging: each form of a claim held against rows made by hand.
#include <gtest/gtest.h>

#include "study/timed_rows.hpp"
#include "weft/base/error.hpp"

namespace weft::report {

using namespace test;

namespace {

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
  EXPECT_EQ(study::show_printed(claim), "at most 39.90s");
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
  claim.over = Claim::Over::median;  // between 40 and 50
  claim.wanted = "45";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.over = Claim::Over::least;
  claim.wanted = "10";
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  claim.over = Claim::Over::greatest;
  claim.form = Claim::Form::at_most;
  claim.wanted = "99";
  EXPECT_TRUE(judge(claim, results).fails);
}

// The ring takes 40 and 50 s, Bruck 10 and 100: 45 against 55 on average.
TEST(Judge, orders_what_all_rows_come_to) {
  const Results results = joined(two_algorithms(), crossing());
  Claim claim = ring_below_bruck();
  for (const Claim::Over over : {Claim::Over::mean, Claim::Over::median, Claim::Over::greatest}) {
    claim.over = over;
    EXPECT_EQ(judge(claim, results).mark, ClaimMark::met);
  }
  EXPECT_EQ(judge(claim, results).ours, "50.00s against 100.0s");
  claim.over = Claim::Over::least;  // 40 and 10
  EXPECT_TRUE(judge(claim, results).fails);
  claim.reason = "reproduction/notes/p.md: somewhere";
  claim.broken = std::vector<Match>{{}};
  EXPECT_FALSE(judge(claim, results).fails);
  EXPECT_EQ(judge(claim, results).mark, ClaimMark::open);
  claim.over = Claim::Over::mean;  // holds, against what is stated
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
                    .starts_with("t.toml:7: no rows are there for the claim 'the ring wins'; "))
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

TEST(Judge, takes_a_ratio_next_to_1_for_a_tie) {
  const auto ratio = [](double ours) {
    return joined(two_algorithms(), {timed("ring", 1_KiB, ours)});
  };
  Claim claim = value_claim("time", "1", 0.01);
  claim.form = Claim::Form::at_most;
  EXPECT_EQ(judge(claim, ratio(0.998)).mark, ClaimMark::met);
  EXPECT_TRUE(judge(claim, ratio(0.9995)).fails);
  claim.form = Claim::Form::at_least;
  EXPECT_TRUE(judge(claim, ratio(1.0005)).fails);
  EXPECT_EQ(judge(claim, ratio(1.002)).mark, ClaimMark::met);
  claim.over = Claim::Over::greatest;  // of counts: a limit that is met exactly
  claim.form = Claim::Form::at_most;
  claim.column = "steps";
  auto counted = timed("ring", 1_KiB, 1);
  counted.results["steps"] = std::int64_t{1};
  EXPECT_EQ(judge(claim, joined(two_algorithms(), {counted})).mark, ClaimMark::met);
  claim = value_claim("time", "2", 0.01);  // no order, but a limit
  claim.form = Claim::Form::at_least;
  EXPECT_EQ(judge(claim, ratio(2.0005)).mark, ClaimMark::met);
}

}  // namespace

}  // namespace weft::report
