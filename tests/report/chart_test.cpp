// Charts from results, and the scripts that draw them.
#include <gtest/gtest.h>

#include "support/results.hpp"
#include "weft/base/error.hpp"
#include "weft/report/draw.hpp"

namespace weft::report {

namespace {

using test::joined;
using test::MadeRow;

Experiment seeded() {
  Experiment experiment;
  experiment.path = "made.toml";
  experiment.title = "Made by hand";
  experiment.axes = {{.name = "topology", .values = {"ring:8", "complete:8"}},
                     {.name = "size", .values = {"1KiB:2KiB"}},
                     {.name = "algorithm", .values = {"ring", "bruck"}},
                     {.name = "seed", .values = {"1", "2", "3"}}};
  return experiment;
}

// 2 topologies x 2 sizes x 2 algorithms x 3 seeds; the time is 1, 2, 6 by seed, doubled with the
// size.
Results seeded_results() {
  std::vector<MadeRow> rows;
  for (const std::string topology : {"ring:8", "complete:8"})
    for (const std::int64_t size : {1024, 2048})
      for (const std::string algorithm : {"ring", "bruck"})
        for (const std::int64_t seed : {1, 2, 3})
          rows.push_back(
              {{{"topology", topology}, {"size", size}, {"algorithm", algorithm}, {"seed", seed}},
               {{"time",
                 static_cast<double>(seed < 3 ? seed : 6) * static_cast<double>(size) / 1024}}});
  return joined(seeded(), rows);
}

ChartSpec spread_spec() {
  ChartSpec spec;
  spec.name = "times";
  spec.panel = "topology";
  spec.spread = "seed";
  spec.line = 7;
  return spec;
}

TEST(ChartOf, makes_panels_series_and_spreads) {
  const Chart chart = chart_of(seeded(), spread_spec(), seeded_results());
  EXPECT_EQ(chart.title, "Made by hand");
  EXPECT_TRUE(chart.x_is_bytes && chart.y_is_seconds);
  ASSERT_EQ(chart.panels.size(), 2U);
  EXPECT_EQ(chart.panels[1].title, "complete:8");
  ASSERT_EQ(chart.panels[1].series.size(), 2U);
  const Series& bruck = chart.panels[1].series[1];
  EXPECT_EQ(bruck.title, "bruck");
  EXPECT_EQ(bruck.x, (std::vector<double>{1024, 2048}));
  EXPECT_EQ(bruck.y, (std::vector<double>{2, 4}));
  EXPECT_EQ(bruck.low, (std::vector<double>{1, 2}));
  EXPECT_EQ(bruck.high, (std::vector<double>{6, 12}));
}

// The rows of a front come in the order of the file, and their steps in any.
TEST(ChartOf, draws_numbers_from_left_to_right) {
  Experiment experiment;
  experiment.axes = {{.name = "seed", .values = {"3", "1", "2"}}};
  std::vector<MadeRow> rows;
  for (const std::int64_t seed : {3, 1, 2})
    rows.push_back({{{"seed", seed}, {"algorithm", std::string("bfb")}},
                    {{"time", static_cast<double>(seed)}}});
  ChartSpec spec;
  spec.name = "times";
  spec.x = "seed";
  const Chart chart = chart_of(experiment, spec, joined(experiment, rows));
  ASSERT_EQ(chart.series.size(), 1U);
  EXPECT_EQ(chart.series[0].x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(chart.series[0].y, (std::vector<double>{1, 2, 3}));
}

TEST(ChartOf, makes_lines_of_what_tells_rows_of_one_point_apart) {
  ChartSpec spec = spread_spec();
  spec.spread = {};
  const Chart chart = chart_of(seeded(), spec, seeded_results());
  ASSERT_EQ(chart.panels[0].series.size(), 6U);
  EXPECT_EQ(chart.panels[0].series[0].title, "ring, seed 1");
  EXPECT_EQ(chart.panels[0].series[5].title, "bruck, seed 3");
  spec.where.equal = {{"seed", "2"}};
  const Chart one = chart_of(seeded(), spec, seeded_results());
  ASSERT_EQ(one.panels[0].series.size(), 2U);
  EXPECT_EQ(one.panels[0].series[0].title, "ring");
  EXPECT_TRUE(one.panels[0].series[0].low.empty());
}

TEST(ChartOf, leaves_out_what_has_no_value) {
  Results results = seeded_results();
  for (ResultRow& row : results.rows) row.results.clear();
  results.rows[0].results["time"] = 5.0;
  const Chart chart = chart_of(seeded(), spread_spec(), results);
  ASSERT_EQ(chart.panels.size(), 1U);
  ASSERT_EQ(chart.panels[0].series.size(), 1U);
  EXPECT_EQ(chart.panels[0].series[0].y, (std::vector<double>{5}));
}

TEST(ChartOf, leaves_out_zero_on_a_logarithmic_axis) {
  Results results = seeded_results();
  ChartSpec spec = spread_spec();
  spec.x = "copies";
  spec.where.equal = {{"size", "1KiB"}};
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    results.rows[i].results["copies"] = std::int64_t{i % 2 == 0 ? 0 : 4};
  spec.spread = {};
  const Chart chart = chart_of(seeded(), spec, results);
  for (const Panel& panel : chart.panels)
    for (const Series& series : panel.series)
      for (const double x : series.x) EXPECT_EQ(x, 4);
  EXPECT_NE(svg_of(chart).find("</svg>"), std::string::npos);
  spec.log_x = false;
  EXPECT_EQ(chart_of(seeded(), spec, results).panels[0].series[0].x.front(), 0);
}

// 64, 128, 256 stand on powers of two; 100, 1000 and 7000 do not.
TEST(ChartOf, has_powers_of_two_only_where_all_values_are) {
  Results results = seeded_results();
  ChartSpec spec = spread_spec();
  spec.x = "copies";
  spec.where.equal = {{"size", "1KiB"}, {"algorithm", "ring"}};
  spec.spread = {};
  const auto scale = [&](std::vector<std::int64_t> copies) {
    for (std::size_t i = 0; i < results.rows.size(); ++i)
      results.rows[i].results["copies"] = copies[i % 3];
    return chart_of(seeded(), spec, results).x_scale;
  };
  EXPECT_EQ(scale({64, 128, 256}), Scale::log2);
  EXPECT_EQ(scale({100, 1000, 7000}), Scale::log10);
}

TEST(ChartOf, names_the_groups_of_bars) {
  ChartSpec spec = spread_spec();
  spec.form = ChartSpec::Form::bars;
  spec.x = "topology";
  spec.panel = {};
  spec.log_y = false;
  spec.where.equal = {{"size", "2KiB"}};
  const Chart chart = chart_of(seeded(), spec, seeded_results());
  EXPECT_EQ(chart.categories, (std::vector<std::string>{"ring:8", "complete:8"}));
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[0].x, (std::vector<double>{0, 1}));
  EXPECT_EQ(chart.series[0].y, (std::vector<double>{4, 4}));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

TEST(ChartOf, says_where_lines_are_too_many_to_tell_apart) {
  Chart chart;
  for (int i = 0; i < 12; ++i) chart.series.push_back({std::to_string(i), {1, 2}, {1, 2}});
  EXPECT_EQ(crowding_of(chart), "");
  chart.series.push_back({"12", {1, 2}, {1, 2}});
  EXPECT_EQ(crowding_of(chart), " (13 lines; more than 12 are hard to tell apart)");
}

TEST(GnuplotScript, joins_lines_and_leaves_points_apart) {
  ChartSpec spec = spread_spec();
  const auto script = [&] {
    return gnuplot_script(chart_of(seeded(), spec, seeded_results()), "svg", "out.svg");
  };
  EXPECT_GT(count(script(), "with linespoints"), 0U);
  spec.form = ChartSpec::Form::points;
  EXPECT_EQ(count(script(), "with linespoints"), 0U);
  EXPECT_GT(count(script(), "with points"), 0U);
}

TEST(GnuplotScript, draws_each_panel_and_one_key) {
  const std::string script =
      gnuplot_script(chart_of(seeded(), spread_spec(), seeded_results()), "svg", "out.svg");
  EXPECT_EQ(count(script, "set multiplot title"), 1U);
  EXPECT_EQ(count(script, "\nplot "), 3U);  // two panels and the key
  EXPECT_EQ(count(script, " title 'bruck'"), 1U);
  EXPECT_EQ(count(script, "with vectors"), 4U);
  EXPECT_NE(script.find("'1KiB' 1024"), std::string::npos);
}

TEST(GnuplotScript, quotes_titles_of_any_text) {
  const Chart chart{.title = "it's\n`rm`", .series = {{"a'b", {1, 2}, {1, 2}}}};
  const std::string script = gnuplot_script(chart, "png", "x'y.png");
  EXPECT_NE(script.find("set title \"it\\047s\\140rm\\140\" noenhanced"), std::string::npos)
      << script;
  EXPECT_NE(script.find("title \"a\\047b\""), std::string::npos);
  EXPECT_NE(script.find("set output \"x\\047y.png\""), std::string::npos);
}

TEST(GnuplotScript, sets_bars_side_by_side) {
  const Chart chart{.y_scale = Scale::linear,
                    .series = {{"a", {0, 1}, {3, 4}}, {"b", {0, 1}, {5, 6}}},
                    .mark = Mark::bars,
                    .categories = {"one", "two"}};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("set xtics ('one' 0, 'two' 1) nomirror noenhanced"), std::string::npos)
      << script;
  // Two bars share 0.8 around each number: centres 0.2 to either side.
  EXPECT_NE(script.find("\n-0.2 3 3 3\n0.8 4 4 4\n"), std::string::npos) << script;
  EXPECT_NE(script.find("\n0.2 5 5 5\n1.2 6 6 6\n"), std::string::npos);
  EXPECT_NE(script.find("set yrange [0:*]"), std::string::npos);
}

// Between whole numbers of steps the value is that of the lower one.
TEST(GnuplotScript, draws_stairs_with_ticks_at_whole_numbers) {
  const Chart chart{
      .x_scale = Scale::linear,
      .y_scale = Scale::linear,
      .series = {{"best", {2, 3, 4}, {1.7, 1.3, 1.2}},
                 {.title = "bound", .x = {2, 3}, .y = {1.6, 1.2}, .role = Role::bound}},
      .mark = Mark::steps};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("set xtics 1\n"), std::string::npos) << script;
  EXPECT_NE(script.find("$s0 using 1:2 with steps notitle"), std::string::npos);
  EXPECT_NE(script.find("$s0 using 1:2 with points title 'best'"), std::string::npos);
  EXPECT_NE(script.find("$s1 using 1:2 with steps lw 2 dt 2"), std::string::npos);
  EXPECT_EQ(script.find("with lines"), std::string::npos);
}

// Of stairs, what none can pass is half of what is told: the axis reaches it.
TEST(GnuplotScript, names_points_and_reaches_the_bound_of_stairs) {
  Chart chart{.x_scale = Scale::linear,
              .y_scale = Scale::linear,
              .series = {{.title = "best", .x = {4, 6}, .y = {3.3, 2.5}, .labels = {"b\"fb", ""}},
                         {.title = "bound", .x = {4, 6}, .y = {2, 2}, .role = Role::bound}},
              .mark = Mark::steps};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("4 3.3 3.3 3.3 \"bfb\"\n6 2.5 2.5 2.5 \"\"\n"), std::string::npos)
      << script;
  EXPECT_NE(script.find("$s0 using 1:2:5 notitle with labels"), std::string::npos) << script;
  EXPECT_NE(script.find("set yrange [0:"), std::string::npos) << script;
  chart.mark = Mark::lines;  // 2.5 to 3.3 alone are close, and are shown so
  EXPECT_EQ(gnuplot_script(chart, "svg", "x.svg").find("set yrange [0:"), std::string::npos);
}

// What lies within a factor of three needs no powers of ten; the axis of what does not ends near
// it.
TEST(GnuplotScript, has_an_axis_that_shows_the_values) {
  const auto script = [](std::vector<double> y) {
    return gnuplot_script({.x_scale = Scale::linear, .series = {{"a", {1, 2}, std::move(y)}}},
                          "svg", "x.svg");
  };
  EXPECT_EQ(script({10, 29}).find("set logscale y"), std::string::npos);
  EXPECT_NE(script({10, 29}).find("set yrange [0:*]"), std::string::npos);
  // 1 to 1.2 with 0.15 of 0.2 to either side: from 0 all would be one line.
  EXPECT_NE(script({1, 1.2}).find("set yrange [0.97:1.23]"), std::string::npos) << script({1, 1.2});
  EXPECT_NE(script({5, 5}).find("set yrange [0:*]"), std::string::npos);
  const std::string wide = script({10, 40});
  EXPECT_NE(wide.find("set logscale y 10"), std::string::npos);
  EXPECT_NE(wide.find("set yrange [8:50]"), std::string::npos) << wide;
  EXPECT_NE(wide.find("'20' 20"), std::string::npos) << wide;
}

// A bound far below, as of small messages, is no reason to show what lies between.
TEST(GnuplotScript, draws_bounds_and_winners_beside_the_results) {
  const Chart chart{
      .x_scale = Scale::linear,
      .series = {{"a", {1, 2}, {10, 100}},
                 {.title = "fastest", .x = {1}, .y = {10}, .role = Role::best},
                 {.title = "bound", .x = {1, 2}, .y = {1e-9, 90}, .role = Role::bound}}};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("set yrange [8:125]"), std::string::npos) << script;
  EXPECT_NE(script.find("with lines lw 2 dt 2 lc rgb '#444444' title 'bound'"), std::string::npos);
  EXPECT_NE(script.find("with points pt 6"), std::string::npos);
}

TEST(GnuplotScript, draws_lines_across_in_the_colour_of_their_series) {
  const Chart chart{.x_scale = Scale::linear,
                    .y_scale = Scale::linear,
                    .series = {{"a", {0.1, 0.2}, {10, 20}}, {"b", {0.1, 0.3}, {10, 20}}},
                    .verticals = {{0.25, "0.25", 0}, {0.35, "0.35", 1}}};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("set arrow from 0.35, graph 0 to 0.35, graph 1 nohead front lw 1.5 dt 3 lc "
                        "rgb '#D55E00'"),
            std::string::npos)
      << script;
  EXPECT_NE(script.find("set label '0.25' at 0.25"), std::string::npos);
}

TEST(GnuplotScript, puts_the_key_where_it_covers_nothing) {
  const Chart chart{.series = {{"a", {1, 2}, {1, 2}}}};
  EXPECT_NE(gnuplot_script(chart, "svg", "x.svg").find("set key outside bottom"),
            std::string::npos);
}

TEST(GnuplotScript, writes_dollars_in_millions) {
  const Chart chart{.x_scale = Scale::linear,
                    .y_scale = Scale::linear,
                    .series = {{"a", {1, 2}, {2e7, 1e8}}},
                    .y_is_dollars = true};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  EXPECT_NE(script.find("'$20M' 20000000"), std::string::npos) << script;
  EXPECT_NE(script.find("'$100M' 100000000"), std::string::npos) << script;
  Chart few = chart;
  few.series[0].y = {150, 1.2e9};
  few.y_scale = Scale::log10;
  const std::string wide = gnuplot_script(few, "svg", "x.svg");
  for (const char* label : {"'$100' 100", "'$10k' 10000", "'$1B' 1e+09"})
    EXPECT_NE(wide.find(label), std::string::npos) << label << wide;
}

TEST(GnuplotScript, writes_seconds_between_powers_of_ten) {
  const Chart chart{
      .x_scale = Scale::linear, .y_is_seconds = true, .series = {{"a", {1, 2}, {3e-6, 3e-5}}}};
  const std::string script = gnuplot_script(chart, "svg", "x.svg");
  for (const char* label : {"'5us' 5e-06", "'20us' 2e-05"})
    EXPECT_NE(script.find(label), std::string::npos) << label << script;
}

TEST(DrawChart, makes_svg_text) {
  const std::string svg = svg_of(chart_of(seeded(), spread_spec(), seeded_results()));
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("complete:8"), std::string::npos);
}

TEST(DrawChart, names_the_picture_by_its_content) {
  const std::string svg = svg_of({.title = "Times & sizes", .series = {{"a", {1, 2}, {1, 2}}}});
  EXPECT_NE(svg.find("<title>Times &amp; sizes</title>"), std::string::npos);
  EXPECT_EQ(svg.find("<title>Gnuplot</title>"), std::string::npos);
}

// Each panel, then the key of all; the key alone names the lines.
TEST(DrawChart, makes_pictures_that_a_page_can_arrange) {
  const Chart chart = chart_of(seeded(), spread_spec(), seeded_results());
  const std::vector<std::string> svgs = page_svgs_of(chart);
  ASSERT_EQ(svgs.size(), 3U);
  EXPECT_EQ(count(svgs[0], ">ring:8</"), 1U);
  EXPECT_EQ(count(svgs[1], ">complete:8</"), 1U);
  EXPECT_EQ(count(svgs[0], ">bruck</"), 0U);
  EXPECT_GT(count(svgs[2], ">bruck</"), 0U);
  EXPECT_NE(svgs[1].find("<title>Made by hand: complete:8</title>"), std::string::npos);
  EXPECT_EQ(page_svgs_of({.title = "one", .series = {{"a", {1, 2}, {1, 2}}}}).size(), 1U);
}

TEST(DrawChart, refuses_a_chart_without_data) {
  EXPECT_THROW(svg_of({.title = "empty"}), InvalidInput);
}

}  // namespace

}  // namespace weft::report
