// Results: joining, derived columns and matching, from numbers made by hand.
#include "weft/study/results.hpp"

#include <gtest/gtest.h>

#include "study/timed_rows.hpp"
#include "weft/base/error.hpp"

namespace weft::study {

using namespace test;

namespace {

TEST(Results, name_the_columns_that_differ_in_the_order_of_the_file) {
  const Results results = joined(two_algorithms(), crossing());
  EXPECT_EQ(results.parameters, (std::vector<std::string>{"size", "algorithm"}));
  EXPECT_EQ(results.measures, (std::vector<std::string>{"time"}));
  EXPECT_EQ(results.rows[1].get("algorithm"), Value(std::string("ring")));
  EXPECT_EQ(results.rows[1].get("nothing"), Value());
}

TEST(Results, say_which_rows_are_missing_or_failed) {
  auto rows = crossing();
  rows[1].results.clear();
  rows[2].results.clear();
  rows[2].error = "no route";
  const Results results = joined(two_algorithms(), rows);
  EXPECT_FALSE(results.rows[0].missing);
  EXPECT_TRUE(results.rows[1].missing);
  EXPECT_EQ(results.rows[2].error, "no route");
  EXPECT_FALSE(results.rows[2].missing);
}

TEST(Derived, compares_with_the_row_that_is_otherwise_the_same) {
  Experiment experiment = two_algorithms();
  experiment.derived = {
      {.name = "faster",
       .form = Derived::Form::speedup,
       .against = match({{"algorithm", "bruck"}})},
      {.name = "slower", .form = Derived::Form::ratio, .against = match({{"algorithm", "Bruck"}})}};
  const Results results = joined(experiment, crossing());
  EXPECT_EQ(results.rows[1].get("faster"), Value(10.0 / 40));
  EXPECT_EQ(results.rows[3].get("faster"), Value(100.0 / 50));
  EXPECT_EQ(results.rows[3].get("slower"), Value(50.0 / 100));
  EXPECT_EQ(results.rows[0].get("faster"), Value(1.0));
  EXPECT_EQ(results.measures.back(), "slower");
}

TEST(Derived, is_empty_without_its_reference) {
  Experiment experiment = two_algorithms();
  experiment.derived = {{.name = "faster", .against = match({{"algorithm", "bruck"}})}};
  auto rows = crossing();
  rows[0].results.clear();  // not computed
  const Results results = joined(experiment, rows);
  EXPECT_EQ(results.rows[1].get("faster"), Value());
  EXPECT_EQ(results.rows[3].get("faster"), Value(0.5));
}

// A radix belongs to Bruck alone.
TEST(Derived, passes_over_a_parameter_that_only_one_row_has) {
  Experiment experiment = two_radices();
  experiment.derived = {
      {.name = "to-bruck", .against = match({{"algorithm", "bruck"}, {"radix", "2"}})},
      {.name = "to-ring", .against = match({{"algorithm", "ring"}})}};
  const Results results = joined(experiment, with_radices());
  EXPECT_EQ(results.rows[1].get("to-bruck"), Value(15.0 / 10));
  EXPECT_EQ(results.rows[2].get("to-bruck"), Value(20.0 / 10));
  EXPECT_EQ(results.rows[0].get("to-ring"), Value(10.0 / 15));
  EXPECT_EQ(results.rows[2].get("to-ring"), Value(20.0 / 15));
}

std::string refusal_of(const Experiment& experiment, const std::vector<MadeRow>& rows) {
  try {
    joined(experiment, rows);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Derived, refuses_a_reference_that_is_one_of_several) {
  Experiment experiment = two_radices();
  experiment.derived = {{.name = "slower", .against = match({{"algorithm", "bruck"}})}};
  experiment.derived[0].against.line = 9;
  const std::string wanted =
      "t.toml:9: against of 'slower' leaves radix open (2 rows fit one); name it: radix = 2";
  EXPECT_EQ(refusal_of(experiment, with_radices()), wanted);
  auto rows = with_radices();  // before anything is computed
  for (MadeRow& row : rows) row.results.clear();
  EXPECT_EQ(refusal_of(experiment, rows), wanted);
}

// The linear placement draws nothing, so its rows have no seed.
TEST(Derived, refuses_a_reference_for_each_seed) {
  Experiment experiment;
  experiment.axes = {{.name = "placement", .values = {"linear", "random"}},
                     {.name = "seed", .values = {"1", "2"}}};
  experiment.derived = {{.name = "slower", .against = match({{"placement", "linear"}})}};
  const auto drawn = [](std::int64_t seed, double time) {
    return MadeRow{{{"placement", std::string("random")}, {"seed", seed}}, {{"time", time}}};
  };
  const std::vector<MadeRow> rows{
      {{{"placement", std::string("linear")}}, {{"time", 2.0}}}, drawn(1, 3), drawn(2, 4)};
  EXPECT_EQ(joined(experiment, rows).rows[2].get("slower"), Value(2.0));
  experiment.derived[0].against = match({{"placement", "random"}});
  EXPECT_NE(refusal_of(experiment, rows).find("leaves seed open"), std::string::npos);
}

// topology = "{family}:8": naming the variable, the topology is free to differ, and the other way
// round.
TEST(Derived, lets_an_axis_change_with_its_variable) {
  Experiment experiment;
  experiment.axes = {{.name = "family", .values = {"ring", "complete"}, .variable = true},
                     {.name = "topology", .values = {"{family}:8"}}};
  experiment.derived = {{.name = "by-variable", .against = match({{"family", "ring"}})},
                        {.name = "by-axis", .against = match({{"topology", "ring:8"}})}};
  const auto row = [](const std::string& family, double time) {
    return MadeRow{{{"topology", family + ":8"}}, {{"time", time}}, "", {{"family", family}}};
  };
  const Results results = joined(experiment, {row("ring", 8), row("complete", 2)});
  EXPECT_EQ(results.rows[1].get("by-variable"), Value(0.25));
  EXPECT_EQ(results.rows[1].get("by-axis"), Value(0.25));
}

// Against the ring of the row's own m, whichever network the row is on.
TEST(Derived, keeps_the_variable_that_a_text_takes_from_the_row) {
  Experiment experiment;
  experiment.axes = {{.name = "m", .values = {"2", "3"}, .variable = true},
                     {.name = "topology", .values = {"ring:{m*m}", "torus:{m}x{m}"}}};
  experiment.derived = {{.name = "ratio", .against = match({{"topology", "ring:{m*m}"}})}};
  const auto row = [](const std::string& name, std::int64_t m, double time) {
    return MadeRow{{{"topology", name}},
                   {{"time", time}},
                   "",
                   {{"m", m}},
                   std::string(name.starts_with("ring") ? "ring:{m*m}" : "torus:{m}x{m}")};
  };
  const Results results = joined(experiment, {row("ring:4", 2, 10), row("torus:2x2", 2, 5),
                                              row("ring:9", 3, 30), row("torus:3x3", 3, 6)});
  EXPECT_EQ(results.rows[1].get("ratio"), Value(0.5));
  EXPECT_EQ(results.rows[3].get("ratio"), Value(0.2));
}

TEST(Derived, finds_the_variable_in_a_product) {
  for (const char* text : {"ring:{n*n}", "ring:{ n }"}) {
    Experiment experiment;
    experiment.axes = {{.name = "n", .values = {"2", "3"}, .variable = true},
                       {.name = "topology", .values = {text}}};
    experiment.derived = {{.name = "by-variable", .against = match({{"n", "2"}})},
                          {.name = "by-axis", .against = match({{"topology", "ring:2"}})}};
    const auto row = [](std::int64_t n, double time) {
      return MadeRow{{{"topology", "ring:" + std::to_string(n)}}, {{"time", time}}, "", {{"n", n}}};
    };
    const Results results = joined(experiment, {row(2, 8), row(3, 2)});
    EXPECT_EQ(results.rows[1].get("by-variable"), Value(0.25)) << text;
    EXPECT_EQ(results.rows[1].get("by-axis"), Value(0.25)) << text;
  }
}

TEST(Matches, compares_sizes_numbers_and_names_by_meaning) {
  const Results results = joined(two_algorithms(), crossing());
  const ResultRow& row = results.rows[2];  // bruck, 1 MiB
  for (const char* size : {"1MiB", "1024KiB", "1048576"})
    EXPECT_TRUE(matches(row, match({{"size", size}}))) << size;
  EXPECT_FALSE(matches(row, match({{"size", "1MB"}})));
  EXPECT_TRUE(matches(row, match({{"algorithm", "Bruck"}, {"time", "1e2"}})));
  EXPECT_FALSE(matches(row, match({{"algorithm", "ring"}})));
  EXPECT_FALSE(matches(row, match({{"nothing", "1"}})));
  EXPECT_TRUE(matches(row, match({})));
}

// Rows have no background where nothing is said, and so are found by its word; other names that a
// row lacks are not.
TEST(Matches, finds_rows_without_background_traffic) {
  auto rows = crossing();
  rows[1].parameters["background"] = std::string("uniform");
  const Results results = joined(two_algorithms(), rows);
  EXPECT_TRUE(matches(results.rows[0], match({{"background", "None"}})));
  EXPECT_FALSE(matches(results.rows[1], match({{"background", "none"}})));
  EXPECT_FALSE(matches(results.rows[0], match({{"background", "uniform"}})));
  EXPECT_FALSE(matches(results.rows[0], match({{"radix", "none"}})));
}

TEST(ShowValue, has_speeds_and_times_as_one_writes_them) {
  const auto shown = [](const char* column, const char* text) {
    return show_value(column, Value(std::string(text)));
  };
  EXPECT_EQ(shown("copy-bandwidth", "3984Mbps"), "498MBps");
  EXPECT_EQ(shown("copy-bandwidth", "100Gbps"), "100Gbps");
  EXPECT_EQ(shown("copy-bandwidth", "free"), "free");
  EXPECT_EQ(shown("switch-delay", "1164360ps"), "1.16436us");
  EXPECT_EQ(shown("switch-delay", "100ns"), "100ns");
  EXPECT_EQ(shown("credit-delay", "link"), "link");
}

}  // namespace

}  // namespace weft::study
