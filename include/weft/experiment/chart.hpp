// Charts, drawn by gnuplot as SVG or PNG: lines, points or grouped bars, in one panel or several.
#pragma once

#include <string>
#include <vector>

namespace weft::experiment {

/// One line of a chart, or the bars of one colour.
struct Series {
  std::string title;
  std::vector<double> x, y;
  /// Ends of the error bars, one for each y; empty: none.
  std::vector<double> low = {}, high = {};
};

/// One of several diagrams under one title and one key.
struct Panel {
  std::string title;
  std::vector<Series> series;
};

enum class Scale : unsigned char { linear, log2, log10 };
enum class Mark : unsigned char { lines, points, bars };

struct Chart {
  std::string title = {};
  std::string x_label = {}, y_label = {};
  Scale x_scale = Scale::log2, y_scale = Scale::log10;
  bool x_is_bytes = false;    // ticks as 1KiB, 1MiB
  bool y_is_seconds = false;  // ticks as 1us, 1ms
  std::vector<Series> series = {};
  bool y_is_rate = false;  // ticks as 10GB/s
  Mark mark = Mark::lines;
  /// Texts at x = 0, 1, 2, ...; needed for bars, whose x are these numbers. Empty: x is a number.
  std::vector<std::string> categories = {};
  /// Instead of `series`: diagrams with the same axes. Series of one title are drawn alike, and
  /// share a line of the key; a panel may lack some.
  std::vector<Panel> panels = {};
};

/// Throws InvalidInput unless the path ends in .svg or .png; for a check before the long work.
void require_chart_path(const std::string& path);

/// Throws InvalidInput unless gnuplot draws; for a check before the long work.
void require_gnuplot();

/// Draws the chart into PATH, .svg or .png, wholly or not at all. Throws InvalidInput for another
/// extension, or when gnuplot is missing or fails.
void draw_chart(const Chart& chart, const std::string& path);

/// The chart as the text of an SVG file. Throws InvalidInput as draw_chart does.
std::string svg_of(const Chart& chart);

/// The gnuplot script for `terminal` ("svg" or "png"), its data inline; writes to `output`.
std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output);

}  // namespace weft::experiment
