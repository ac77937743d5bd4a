// Timeline charts: what each stream does when, as bars in rows, drawn by gnuplot.
//
//   draw_timeline({.title = "step", .rows = {"computing", "collectives"},
//                  .kinds = {"forward", "allreduce"},
//                  .bars = {{0, 0, 0, 1e-3}, {1, 1, 1e-3, 4e-3}}}, "step.svg");
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::report {

struct TimelineBar {
  std::size_t row = 0, kind = 0;  // indices into the chart's rows and kinds
  double start_s = 0, end_s = 0;
};

struct TimelineChart {
  std::string title = {};
  std::vector<std::string> rows = {};   // from the top
  std::vector<std::string> kinds = {};  // a colour and a line of the key each
  std::vector<TimelineBar> bars = {};   // of a row in the order of time
};

/// The gnuplot script, its data inline, for `terminal` ("svg" or "png"). Bars of one row and kind
/// that are closer than a pixel are drawn as one. O(bars).
std::string timeline_script(const TimelineChart& chart, const std::string& terminal,
                            const std::string& output);

/// Draws the chart into PATH, .svg or .png, wholly or not at all. Throws InvalidInput for another
/// extension, where there are more rows than a picture can show, and where gnuplot is missing or
/// fails.
void draw_timeline(const TimelineChart& chart, const std::string& path);

}  // namespace weft::report
