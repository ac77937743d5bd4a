#include "weft/report/timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/report/chart/gnuplot_run.hpp"
#include "weft/report/chart/ticks.hpp"

namespace weft::report {

namespace {

constexpr double kWidth = 960, kRow = 28, kHead = 60, kFoot = 60, kKeyRow = 20;  // SVG pixels
// Of the key. gnuplot lays it out by the width of the axes; long names of three columns are wider.
constexpr std::size_t kKeyColumns = 2;
constexpr std::size_t kMostRows = 500;

struct TimeUnit {
  double seconds;
  const char* name;
};

TimeUnit unit_of(double end_s) {
  constexpr std::array<TimeUnit, 4> kUnits = {{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  for (const TimeUnit& unit : kUnits)
    if (end_s >= 2 * unit.seconds) return unit;
  return kUnits.back();
}

// Those that the eye cannot tell apart as one.
std::vector<TimelineBar> joined(const TimelineChart& chart, double least_gap_s) {
  std::vector<TimelineBar> bars;
  std::vector<std::size_t> last(chart.rows.size(), chart.bars.size());
  for (const TimelineBar& bar : chart.bars) {
    if (bar.end_s <= bar.start_s) continue;
    std::size_t& before = last[bar.row];
    if (before < bars.size() && bars[before].kind == bar.kind &&
        bar.start_s - bars[before].end_s < least_gap_s) {
      bars[before].end_s = std::max(bars[before].end_s, bar.end_s);
      continue;
    }
    before = bars.size();
    bars.push_back(bar);
  }
  return bars;
}

// Of a row in pixels: each has one of the kinds that have a part of it, nothing being one, so that
// all get what they take of the row to within a pixel or so (error diffusion). What is drawn last
// would hide what is shorter than a pixel.
void add_pixels(std::vector<TimelineBar>& pixels, const std::vector<TimelineBar>& of_row,
                std::size_t kinds, double pixel_s, std::size_t count) {
  std::vector<std::vector<double>> parts(count, std::vector<double>(kinds + 1, 0));
  for (std::vector<double>& part : parts) part[kinds] = pixel_s;
  for (const TimelineBar& bar : of_row)
    for (auto i = static_cast<std::size_t>(bar.start_s / pixel_s); i < count; ++i) {
      const double from_s = static_cast<double>(i) * pixel_s;
      if (from_s >= bar.end_s) break;
      const double s = std::min(bar.end_s, from_s + pixel_s) - std::max(bar.start_s, from_s);
      parts[i][bar.kind] += s;
      parts[i][kinds] -= s;
    }
  std::vector<double> owed(kinds + 1, 0);
  const std::size_t first = pixels.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t most = kinds;
    for (std::size_t kind = 0; kind <= kinds; ++kind) {
      owed[kind] += std::max(parts[i][kind], 0.0);
      if (parts[i][kind] > 0 && (parts[i][most] <= 0 || owed[kind] > owed[most])) most = kind;
    }
    owed[most] -= pixel_s;
    if (most == kinds) continue;
    const double from_s = static_cast<double>(i) * pixel_s;
    const double to_s = static_cast<double>(i + 1) * pixel_s;
    if (pixels.size() > first && pixels.back().kind == most && pixels.back().end_s == from_s)
      pixels.back().end_s = to_s;
    else
      pixels.push_back({of_row.front().row, most, from_s, to_s});
  }
}

std::vector<TimelineBar> in_pixels(const TimelineChart& chart, double end_s, std::size_t count) {
  std::vector<std::vector<TimelineBar>> rows(chart.rows.size());
  for (const TimelineBar& bar : chart.bars)
    if (bar.end_s > bar.start_s) rows[bar.row].push_back(bar);
  std::vector<TimelineBar> pixels;
  for (const auto& of_row : rows)
    if (!of_row.empty())
      add_pixels(pixels, of_row, chart.kinds.size(), end_s / static_cast<double>(count), count);
  return pixels;
}

// Which kinds have bars.
std::vector<bool> kinds_in(const TimelineChart& chart) {
  std::vector<bool> shown(chart.kinds.size(), false);
  for (const TimelineBar& bar : chart.bars)
    if (bar.end_s > bar.start_s) shown[bar.kind] = true;
  return shown;
}

}  // namespace

std::string timeline_script(const TimelineChart& chart, const std::string& terminal,
                            const std::string& output) {
  double end_s = 0;
  for (const TimelineBar& bar : chart.bars) end_s = std::max(end_s, bar.end_s);
  const TimeUnit unit = unit_of(end_s);
  const auto bars = terminal == "png" ? in_pixels(chart, end_s, static_cast<std::size_t>(kWidth))
                                      : joined(chart, end_s / kWidth);
  const auto rows = static_cast<double>(chart.rows.size());
  const std::vector<bool> shown = kinds_in(chart);
  const auto names = static_cast<std::size_t>(std::ranges::count(shown, true));
  const std::size_t key_lines = (names + kKeyColumns - 1) / kKeyColumns;
  const auto key_rows = static_cast<double>(key_lines);
  std::string script =
      terminal_command(terminal, kWidth, kHead + kRow * rows + kFoot + kKeyRow * key_rows);
  fmt::format_to(std::back_inserter(script),
                 "set output {}\nset title {} noenhanced\nset xlabel 'time ({})'\n"
                 "set xrange [0:{:.9g}]\nset yrange [{:g}:-0.5]\nset style fill solid 1 noborder\n"
                 "set grid xtics back lt 1 lc rgb '#dddddd'\nset border 3 lc rgb '#444444'\n"
                 "set tics nomirror out\n"
                 "set key outside bottom center horizontal maxcols {} Left reverse samplen 2 "
                 "noenhanced\n",
                 literal(output), literal(chart.title), unit.name, end_s / unit.seconds, rows - 0.5,
                 kKeyColumns);
  script += "set ytics noenhanced (";
  for (std::size_t row = 0; row < chart.rows.size(); ++row)
    script += fmt::format("{}{} {}", row > 0 ? ", " : "", literal(chart.rows[row]), row);
  script += ")\n";
  std::vector<std::string> plots;
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    std::string data;
    for (const TimelineBar& bar : bars)
      if (bar.kind == kind)
        data += fmt::format("{:.9g} {:.9g} {}\n", bar.start_s / unit.seconds,
                            bar.end_s / unit.seconds, bar.row);
    if (data.empty()) continue;
    script += fmt::format("$kind{} << EOD\n{}EOD\n", kind, data);
    plots.push_back(fmt::format(
        "$kind{} using 1:3:1:2:($3-0.38):($3+0.38) with boxxyerror lc rgb '{}' title {}", kind,
        colour_of(kind), literal(chart.kinds[kind])));
  }
  script += "plot ";
  for (std::size_t i = 0; i < plots.size(); ++i) script += (i > 0 ? ", " : "") + plots[i];
  return script + '\n';
}

void draw_timeline(const TimelineChart& chart, const std::string& path) {
  const std::string terminal = terminal_of(path);
  require(std::ranges::any_of(chart.bars, [](const auto& bar) { return bar.end_s > bar.start_s; }),
          "the chart '{}' has no bars: nothing takes time", path);
  require(chart.rows.size() <= kMostRows,
          "{} rows are too many for a picture; write --chrome-trace in its place",
          chart.rows.size());
  const auto script = [&](const std::string& output) {
    return timeline_script(chart, terminal, output);
  };
  write_file(path, picture_by(script, {.terminal = terminal, .title = chart.title, .name = path}));
}

}  // namespace weft::report
