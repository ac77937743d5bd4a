// Timelines as gnuplot draws them.
#include "weft/report/timeline_chart.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::report {
namespace {

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TimelineChart two_rows() {
  return {.title = "A <step>",
          .rows = {"computing", "collectives"},
          .kinds = {"forward", "sums", "never"},
          .bars = {{0, 0, 0, 2e-3}, {0, 0, 2e-3, 4e-3}, {1, 1, 3e-3, 9e-3}, {0, 0, 8e-3, 10e-3}}};
}

// Bars that touch are one, in milliseconds; kinds that nothing is of have no line in the key.
TEST(TimelineChart, has_a_box_for_what_runs_at_once) {
  const std::string script = timeline_script(two_rows(), "svg", "out.svg");
  EXPECT_NE(script.find("$kind0 << EOD\n0 4 0\n8 10 0\nEOD\n"), std::string::npos) << script;
  EXPECT_NE(script.find("$kind1 << EOD\n3 9 1\nEOD\n"), std::string::npos) << script;
  EXPECT_EQ(script.find("never"), std::string::npos);
  EXPECT_NE(script.find("time (ms)"), std::string::npos);
}

TEST(TimelineChart, is_drawn) {
  const test::ScratchFolder folder;
  const std::string path = folder.path("step.svg");
  draw_timeline(two_rows(), path);
  const std::string svg = read_file(path);
  EXPECT_NE(svg.find("<title>A &lt;step&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find("collectives"), std::string::npos);
  EXPECT_GE(count_of(svg, "#0072B2") + count_of(svg, "rgb(  0, 114, 178)"), 2U);
}

// gnuplot writes lines of a key beyond the picture's edge where it has no room for them.
TEST(TimelineChart, has_room_for_all_kinds_in_its_key) {
  constexpr double kLetter = 7.5;  // pixels, of 14 points
  const test::ScratchFolder folder;
  const std::string path = folder.path("step.svg");
  TimelineChart chart = two_rows();
  chart.kinds = {"forward", "backward", "sums of gradients", "all-to-all",
                 "parameters and activations"};
  chart.rows = {"stage 0: to the stage before"};
  chart.bars.clear();
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind)
    chart.bars.push_back(
        {0, kind, 1e-3 * static_cast<double>(kind), 1e-3 * (static_cast<double>(kind) + 0.9)});
  draw_timeline(chart, path);
  const std::string svg = read_file(path);
  for (const std::string& kind : chart.kinds) {
    const std::size_t text = svg.find(">" + kind + "</text>");
    ASSERT_NE(text, std::string::npos) << kind;
    const std::string_view place = "translate(";
    const double left = std::stod(svg.substr(svg.rfind(place, text) + place.size()));
    EXPECT_LE(left + kLetter * static_cast<double>(kind.size()), 960) << kind;
  }
}

// 9,600 bars of each of two kinds, 6 and 3 of 10 parts of the time, on 960 pixels: each has its
// part of the picture.
TEST(TimelineChart, shows_what_is_shorter_than_a_pixel) {
  TimelineChart chart = two_rows();
  chart.kinds = {"long", "short"};
  chart.bars.clear();
  for (int i = 0; i < 9600; ++i) {
    const double at_s = 1e-3 * i;
    chart.bars.push_back({1, 0, at_s, at_s + 6e-4});
    chart.bars.push_back({1, 1, at_s + 6e-4, at_s + 9e-4});
  }
  const std::string script = timeline_script(chart, "png", "step.png");
  for (const auto& [block, part] : {std::pair("$kind0 << EOD\n", 0.6), {"$kind1 << EOD\n", 0.3}}) {
    const std::size_t at = script.find(block);
    ASSERT_NE(at, std::string::npos);
    std::istringstream lines(script.substr(at + std::string_view(block).size()));
    double sum_s = 0, from_s = 0, to_s = 0;
    for (int row = 0; lines >> from_s >> to_s >> row; sum_s += to_s - from_s) EXPECT_EQ(row, 1);
    EXPECT_NEAR(sum_s / 9.6, part, 0.01) << block;
  }
  chart.bars = {{0, 0, 0, 1e-6}, {1, 1, 0, 1}};
  EXPECT_NE(timeline_script(chart, "png", "step.png").find("$kind0 << EOD\n0 "), std::string::npos);
}

TEST(TimelineChart, refuses_what_shows_nothing) {
  const test::ScratchFolder folder;
  EXPECT_THROW(draw_timeline(two_rows(), folder.path("step.pdf")), InvalidInput);
  EXPECT_THROW(draw_timeline({.title = "", .rows = {"a"}, .kinds = {"b"}}, folder.path("a.svg")),
               InvalidInput);
  TimelineChart many = two_rows();
  many.rows.resize(1000);
  EXPECT_THROW(draw_timeline(many, folder.path("many.svg")), InvalidInput);
}

}  // namespace
}  // namespace weft::report
