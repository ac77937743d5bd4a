// Charts, drawn by gnuplot as SVG or PNG: lines, points or grouped bars, in one panel or several.
#pragma once

#include <string>
#include <vector>

namespace weft::report {

/// What a series is for: results; what none of them can pass, drawn as a broken line that stretches
/// the axes of stairs alone; or rings around the results that are best.
enum class Role : unsigned char { results, bound, best };

/// One line of a chart, or the bars of one colour.
struct Series {
  std::string title;
  std::vector<double> x, y;
  /// Ends of the error bars, one for each y; empty: none.
  std::vector<double> low = {}, high = {};
  Role role = Role::results;
  /// Texts beside the points, one for each y, empty ones too; none: no texts.
  std::vector<std::string> labels = {};
};

/// A line across the chart at some x, in the colour of a series: where it ends, saturates, changes.
struct Vertical {
  double x = 0;
  std::string label;
  std::size_t series = 0;  // index into Chart::series
};

/// One of several diagrams under one title and one key.
struct Panel {
  std::string title;
  std::vector<Series> series;
};

enum class Scale : unsigned char { linear, log2, log10 };
/// Steps are those of stairs: y holds from its x, a whole number, up to the next one's.
enum class Mark : unsigned char { lines, points, bars, steps };

struct Chart {
  std::string title = {};
  std::string x_label = {}, y_label = {};
  /// A logarithmic y-axis is drawn as a linear one where all results lie within a factor of three.
  Scale x_scale = Scale::log2, y_scale = Scale::log10;
  bool x_is_bytes = false;    // ticks as 1KiB, 1MiB
  bool y_is_seconds = false;  // ticks as 1us, 1ms
  std::vector<Series> series = {};
  bool y_is_rate = false;     // ticks as 10GB/s
  bool y_is_dollars = false;  // ticks as $20M
  Mark mark = Mark::lines;
  /// Texts at x = 0, 1, 2, ...; needed for bars, whose x are these numbers. Empty: x is a number.
  std::vector<std::string> categories = {};
  /// Instead of `series`: diagrams with the same axes. Series of one title are drawn alike, and
  /// share a line of the key; a panel may lack some.
  std::vector<Panel> panels = {};
  std::vector<Vertical> verticals = {};  // of a chart without panels
};

/// Throws InvalidInput unless the path ends in .svg or .png; for a check before the long work.
void require_chart_path(const std::string& path);

/// Throws InvalidInput unless gnuplot draws; for a check before the long work.
void require_gnuplot();

/// Draws the chart into PATH, .svg or .png, wholly or not at all. Throws InvalidInput for another
/// extension, or when gnuplot is missing or fails.
void draw_chart(const Chart& chart, const std::string& path);

/// " (16 lines; more than 12 are hard to tell apart)", to be said of a written chart; empty where
/// the chart has no more.
std::string crowding_of(const Chart& chart);

/// The chart as the text of an SVG file. Throws InvalidInput as draw_chart does.
std::string svg_of(const Chart& chart);

/// The chart as SVG files for a page that arranges them itself and names the chart: each panel
/// alone, and at the end the key of all; of a chart without panels one that has its key.
std::vector<std::string> page_svgs_of(const Chart& chart);

/// The gnuplot script for `terminal` ("svg" or "png"), its data inline; writes to `output`.
std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output);

/// The script that writes the pictures of page_svgs_of to these files; see page_pictures.
std::string gnuplot_page_script(const Chart& chart, const std::vector<std::string>& outputs);

/// How many pictures page_svgs_of gives.
std::size_t page_pictures(const Chart& chart);

}  // namespace weft::report
