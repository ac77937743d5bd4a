#include "weft/experiment/gnuplot_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weft/experiment/ticks.hpp"

namespace weft::experiment {

namespace {

std::string scale_commands(char axis, Scale scale) {
  if (scale == Scale::linear) return {};
  return fmt::format("set logscale {} {}\n", axis, scale == Scale::log2 ? 2 : 10);
}

struct Ranges {
  Range x, y;
};

// Of the results, in all panels: what bounds them does not stretch the axes.
Ranges ranges_of(const std::vector<Panel>& panels) {
  Ranges ranges;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series) {
      if (series.role == Role::bound) continue;
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

std::string y_ticks(const Chart& chart, const Range& y, Scale scale) {
  if (scale == Scale::linear) {
    if (chart.y_is_seconds) return linear_second_ticks(y);
    return chart.y_is_dollars ? linear_ticks(y, dollar_label) : std::string();
  }
  if (chart.y_is_seconds) return log_ticks(y, second_label);
  if (chart.y_is_dollars) return log_ticks(y, dollar_label);
  const bool few = has_few_powers(y);  // gnuplot's own are powers of ten alone
  return few && !chart.y_is_rate ? log_ticks(y, plain_label) : std::string();
}

std::string y_axis_commands(const Chart& chart, const Range& y, bool several) {
  const Scale scale = y_scale_of(chart, y);
  std::string script = scale_commands('y', scale);
  const auto out = std::back_inserter(script);
  const std::string ticks = y_ticks(chart, y, scale);
  if (!ticks.empty()) fmt::format_to(out, "set ytics ({})\n", ticks);
  if (chart.y_is_rate) script += "set format y '%.0s %cB/s'\n";
  if (scale == Scale::linear && (several || !ticks.empty()) && y.high > 0)
    fmt::format_to(out, "set yrange [{}:{:.6g}]\n", y.low >= 0 ? "0" : "*", 1.06 * y.high);
  else if (scale == Scale::linear)
    fmt::format_to(out, "set yrange [{}:*]\n", y.low >= 0 ? "0" : "*");
  else if (chart.mark == Mark::bars)  // they stand on a power
    fmt::format_to(out, "set yrange [1e{}:{:.6g}]\n", std::floor(std::log10(y.low) - 0.05),
                   1.3 * y.high);
  else
    fmt::format_to(out, "set yrange [{:.6g}:{:.6g}]\n", y.low / 1.25, 1.25 * y.high);
  return script;
}

}  // namespace

bool turns_labels(const Chart& chart, std::size_t panels) {
  std::size_t width = 0;
  for (const std::string& text : chart.categories) width += text.size() + 2;
  return width > (panels > 1 ? 44 : 60);
}

std::string axis_commands(const Chart& chart, const std::vector<Panel>& panels) {
  const Ranges ranges = ranges_of(panels);
  return x_axis_commands(chart, ranges.x, panels.size()) +
         y_axis_commands(chart, ranges.y, panels.size() > 1);
}

}  // namespace weft::experiment
