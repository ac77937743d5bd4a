#include "weft/report/chart/gnuplot_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weft/report/chart/ticks.hpp"

namespace weft::report {

namespace {

std::string scale_commands(char axis, Scale scale) {
  if (scale == Scale::linear) return {};
  return fmt::format("set logscale {} {}\n", axis, scale == Scale::log2 ? 2 : 10);
}

struct Ranges {
  Range x, y;
};

// Of the results, in all panels: what bounds them stretches no axes but those of stairs, where it
// is half of what is told.
Ranges ranges_of(const std::vector<Panel>& panels, Mark mark) {
  Ranges ranges;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series) {
      if (series.role == Role::bound && mark != Mark::steps) continue;
      ranges.x.include(series.x);
      for (const auto* values : {&series.y, &series.low, &series.high}) ranges.y.include(*values);
    }
  return ranges;
}

// Powers of ten hide what lies within a factor of three.
Scale y_scale_of(const Chart& chart, const Range& y) {
  constexpr double kNear = 3;
  const bool near = y.low > 0 && y.high <= kNear * y.low;
  return chart.y_scale != Scale::linear && near ? Scale::linear : chart.y_scale;
}

std::string x_axis_commands(const Chart& chart, const Range& x, std::size_t panels) {
  if (!chart.categories.empty())
    return fmt::format("set xtics ({}) nomirror noenhanced{}\nset xrange [-0.6:{}]\n",
                       category_ticks(chart.categories),
                       turns_labels(chart, panels) ? " rotate by -30" : "",
                       static_cast<double>(chart.categories.size()) - 0.4);
  std::string script = scale_commands('x', chart.x_scale);
  if (chart.mark == Mark::steps) {  // ticks at whole numbers, and room for the last point's text
    constexpr double kMostTicks = 10, kRoom = 0.25;
    script +=
        fmt::format("set xtics {}\n", std::max(1.0, std::ceil((x.high - x.low) / kMostTicks)));
    script += fmt::format("set xrange [{:.9g}:{:.9g}]\n", x.low,
                          x.high + std::max(1.0, kRoom * (x.high - x.low)));
  }
  if (chart.x_is_bytes)
    script += fmt::format("set xtics ({})\n", byte_ticks(x, panels > 1 ? 5 : 7));
  if (chart.x_scale != Scale::linear)  // room beside the ends
    script += fmt::format("set xrange [{:.9g}:{:.9g}]\n", x.low / 1.12, x.high * 1.12);
  else if (!chart.verticals.empty()) {  // and beyond the lines across
    double last = x.high;
    for (const Vertical& vertical : chart.verticals) last = std::max(last, vertical.x);
    script += fmt::format("set xrange [{}:{:.9g}]\n", x.low >= 0 ? "0" : "*", 1.08 * last);
  }
  return script;
}

// What a linear axis spans: from 0, unless lines lie so near each other that it would show nothing
// but their distance from 0.
Range linear_range(const Chart& chart, const Range& y) {
  constexpr double kClose = 1.5;
  if (chart.mark != Mark::bars && y.low > 0 && y.high > y.low && y.high < kClose * y.low) {
    const double room = 0.15 * (y.high - y.low);
    return {y.low - room, y.high + room};
  }
  return {std::min(0.0, y.low), 1.06 * y.high};
}

std::string log_labels(const Chart& chart, const Range& y) {
  if (chart.y_is_seconds) return log_ticks(y, second_label);
  if (chart.y_is_dollars) return log_ticks(y, dollar_label);
  // gnuplot's own are powers of ten alone
  return has_few_powers(y) && !chart.y_is_rate ? log_ticks(y, plain_label) : std::string();
}

std::string linear_labels(const Chart& chart, const Range& axis) {
  if (chart.y_is_seconds) return linear_second_ticks(axis);
  return chart.y_is_dollars ? linear_ticks(axis, dollar_label) : std::string();
}

std::string linear_commands(const Chart& chart, const Range& y, bool several) {
  const Range axis = linear_range(chart, y);
  const std::string ticks = y.high > 0 ? linear_labels(chart, axis) : std::string();
  const bool fixed = (several || !ticks.empty() || axis.low > 0) && y.high > 0;
  std::string script = ticks.empty() ? "" : fmt::format("set ytics ({})\n", ticks);
  script += y.low < 0 ? "set yrange [*:" : fmt::format("set yrange [{:.6g}:", axis.low);
  return script + (fixed ? fmt::format("{:.6g}]\n", axis.high) : "*]\n");
}

std::string log_commands(const Chart& chart, const Range& y) {
  const std::string ticks = log_labels(chart, y);
  std::string script = ticks.empty() ? "" : fmt::format("set ytics ({})\n", ticks);
  if (chart.mark == Mark::bars)  // they stand on a power
    return script + fmt::format("set yrange [1e{}:{:.6g}]\n", std::floor(std::log10(y.low) - 0.05),
                                1.3 * y.high);
  return script + fmt::format("set yrange [{:.6g}:{:.6g}]\n", y.low / 1.25, 1.25 * y.high);
}

std::string y_axis_commands(const Chart& chart, const Range& y, bool several) {
  const Scale scale = y_scale_of(chart, y);
  return scale_commands('y', scale) + (chart.y_is_rate ? "set format y '%.0s %cB/s'\n" : "") +
         (scale == Scale::linear ? linear_commands(chart, y, several) : log_commands(chart, y));
}

}  // namespace

bool turns_labels(const Chart& chart, std::size_t panels) {
  std::size_t width = 0;
  for (const std::string& text : chart.categories) width += text.size() + 2;
  return width > (panels > 1 ? 44 : 60);
}

std::string axis_commands(const Chart& chart, const std::vector<Panel>& panels) {
  const Ranges ranges = ranges_of(panels, chart.mark);
  return x_axis_commands(chart, ranges.x, panels.size()) +
         y_axis_commands(chart, ranges.y, panels.size() > 1);
}

}  // namespace weft::report
