// Charts, drawn by gnuplot as SVG or PNG.
#pragma once

#include <string>
#include <vector>

namespace weft::experiment {

/// One line of a chart.
struct Series {
  std::string title;
  std::vector<double> x, y;
};

enum class Scale : unsigned char { linear, log2, log10 };

struct Chart {
  std::string title;
  std::string x_label, y_label;
  Scale x_scale = Scale::log2, y_scale = Scale::log10;
  bool x_is_bytes = false;    // ticks as 1KiB, 1MiB
  bool y_is_seconds = false;  // ticks as 1us, 1ms
  std::vector<Series> series = {};
};

/// Throws InvalidInput unless the path ends in .svg or .png; for a check before the long work.
void require_chart_path(const std::string& path);

/// Draws the chart into PATH, .svg or .png, wholly or not at all. Throws InvalidInput for another
/// extension, or when gnuplot is missing or fails.
void draw_chart(const Chart& chart, const std::string& path);

/// The gnuplot script for `terminal` ("svg" or "png"), its data inline; writes to `output`.
std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output);

}  // namespace weft::experiment
