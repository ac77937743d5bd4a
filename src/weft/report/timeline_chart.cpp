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
constexpr double kColumn = 2;  // pixels of a PNG, whose edges are blended with what is beside them

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

// A row of a picture, in columns each of which has one kind or none. What is drawn last would else
// hide what is shorter than a pixel.
class Columns {
 public:
  Columns(const std::vector<TimelineBar>& of_row, std::size_t kinds, double column_s,
          std::size_t count)
      : row_(of_row.front().row), kinds_(kinds), column_s_(column_s), parts_(count) {
    WEFT_ASSERT(!of_row.empty() && kinds > 0 && column_s > 0);
    for (const TimelineBar& bar : of_row)
      for (auto i = static_cast<std::size_t>(bar.start_s / column_s); i < count; ++i) {
        const double from_s = start_s(i);
        if (from_s >= bar.end_s) break;
        parts_[i].resize(kinds, 0);
        parts_[i][bar.kind] += std::min(bar.end_s, start_s(i + 1)) - std::max(bar.start_s, from_s);
      }
  }

  // What stands alone is seen, however short; of all else each kind, and nothing too, has the part
  // of the columns that it has of the time, to within one or so (error diffusion).
  std::vector<TimelineBar> bars() {
    for (std::size_t first = 0, last = 0; first < parts_.size(); first = last) {
      last = first + 1;
      if (parts_[first].empty()) continue;
      while (last < parts_.size() && !parts_[last].empty()) ++last;
      constexpr std::size_t kLone = 2;
      if (last - first <= kLone)
        give(largest(first) >= largest(last - 1) ? first : last - 1);
      else
        diffuse(first, last);
    }
    return std::move(bars_);
  }

 private:
  double start_s(std::size_t column) const { return static_cast<double>(column) * column_s_; }
  double largest(std::size_t column) const { return *std::ranges::max_element(parts_[column]); }

  void give(std::size_t column) {
    WEFT_ASSERT(column < parts_.size() && !parts_[column].empty());
    const auto most = std::ranges::max_element(parts_[column]);
    put(column, static_cast<std::size_t>(most - parts_[column].begin()));
  }

  void diffuse(std::size_t first, std::size_t last) {
    std::vector<double> owed(kinds_ + 1, 0);  // the last: nothing
    for (std::size_t column = first; column < last; ++column) {
      double idle_s = column_s_;
      std::size_t most = kinds_;
      for (std::size_t kind = 0; kind < kinds_; ++kind) {
        owed[kind] += parts_[column][kind];
        idle_s -= parts_[column][kind];
        if (parts_[column][kind] > 0 && (most == kinds_ || owed[kind] > owed[most])) most = kind;
      }
      owed[kinds_] += std::max(idle_s, 0.0);
      if (owed[kinds_] > owed[most]) most = kinds_;
      owed[most] -= column_s_;
      if (most < kinds_) put(column, most);
    }
  }

  void put(std::size_t column, std::size_t kind) {
    if (!bars_.empty() && bars_.back().kind == kind && bars_.back().end_s == start_s(column))
      bars_.back().end_s = start_s(column + 1);
    else
      bars_.push_back({row_, kind, start_s(column), start_s(column + 1)});
  }

  std::size_t row_, kinds_;
  double column_s_;
  std::vector<std::vector<double>> parts_;  // by column and kind; empty: nothing is there
  std::vector<TimelineBar> bars_;
};

std::vector<TimelineBar> in_columns(const TimelineChart& chart, double end_s, std::size_t count) {
  std::vector<std::vector<TimelineBar>> rows(chart.rows.size());
  for (const TimelineBar& bar : chart.bars)
    if (bar.end_s > bar.start_s) rows[bar.row].push_back(bar);
  std::vector<TimelineBar> columns;
  for (const auto& of_row : rows) {
    if (of_row.empty()) continue;
    const auto bars =
        Columns(of_row, chart.kinds.size(), end_s / static_cast<double>(count), count).bars();
    columns.insert(columns.end(), bars.begin(), bars.end());
  }
  return columns;
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
  WEFT_ASSERT(std::ranges::all_of(chart.bars, [&](const TimelineBar& bar) {
    return bar.row < chart.rows.size() && bar.kind < chart.kinds.size();
  }));
  double end_s = 0;
  for (const TimelineBar& bar : chart.bars) end_s = std::max(end_s, bar.end_s);
  const TimeUnit unit = unit_of(end_s);
  const auto bars = terminal == "png"
                        ? in_columns(chart, end_s, static_cast<std::size_t>(kWidth / kColumn))
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
                 path_literal(output), literal(chart.title), unit.name, end_s / unit.seconds,
                 rows - 0.5, kKeyColumns);
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
          "the chart '{}' has no bars, because nothing takes time", path);
  require(chart.rows.size() <= kMostRows,
          "{} rows are too many for a picture; use --chrome-trace instead", chart.rows.size());
  const auto script = [&](const std::string& output) {
    return timeline_script(chart, terminal, output);
  };
  write_file(path, picture_by(script, {.terminal = terminal, .title = chart.title, .name = path}));
}

}  // namespace weft::report
