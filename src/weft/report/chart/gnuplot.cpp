// The gnuplot script of a chart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/report/chart.hpp"
#include "weft/report/chart/gnuplot_axes.hpp"
#include "weft/report/chart/gnuplot_run.hpp"
#include "weft/report/chart/ticks.hpp"

namespace weft::report {

namespace {

// Dashes and point shapes tell lines apart in print.
constexpr int kPoints[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2};

// A chart's `series` are its only panel.
std::vector<Panel> panels_of(const Chart& chart) {
  if (!chart.panels.empty()) return chart.panels;
  return {{.title = "", .series = chart.series}};
}

// All titles in the order of their first appearance: a series' number sets its colour.
std::vector<std::string> titles_of(const std::vector<Panel>& panels) {
  std::vector<std::string> titles;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series)
      if (std::find(titles.begin(), titles.end(), series.title) == titles.end())
        titles.push_back(series.title);
  return titles;
}

std::size_t number_of(const std::vector<std::string>& titles, const std::string& title) {
  const auto found = std::find(titles.begin(), titles.end(), title);
  WEFT_ASSERT(found != titles.end());
  return static_cast<std::size_t>(found - titles.begin());
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t length = 0;
  for (const std::string& text : texts) length = std::max(length, text.size());
  return length;
}

// How the panels and their key share the page, in SVG pixels: a head for the title, the panels in
// rows, the key below them, where it covers no curve and takes no width.
struct Layout {
  int columns = 1, rows = 1;
  double cell_width = 720, cell_height = 460, head = 0, key_height = 0;
  double width() const { return columns * cell_width; }
  double height() const { return head + rows * cell_height + key_height; }
};

// Lines of the key when its entries stand side by side.
double key_height(const std::vector<std::string>& titles, double width) {
  const double entry = 68 + 7.8 * static_cast<double>(longest(titles));
  const double columns = std::max(1.0, std::floor((width - 150) / entry));
  return 30 + 19 * std::ceil(static_cast<double>(titles.size()) / columns);
}

double label_height(const Chart& chart, std::size_t panels) {
  return turns_labels(chart, panels)
             ? std::min(200.0, 4 * static_cast<double>(longest(chart.categories)))
             : 0;
}

Layout layout_of(const Chart& chart, std::size_t panels, const std::vector<std::string>& titles) {
  WEFT_ASSERT(panels >= 1);
  Layout layout;
  if (panels > 1) {
    layout.columns = panels < 5 ? 2 : 3;
    layout.rows = static_cast<int>((panels + layout.columns - 1) / layout.columns);
    layout.cell_width = 480;
    layout.cell_height = 380;
    layout.head = 40;
  }
  layout.key_height = key_height(titles, layout.width());
  layout.cell_height += label_height(chart, panels);
  return layout;
}

// A text among data, where no quotes can stand in it.
std::string datum(const std::string& text) {
  std::string line = printable(text, "\n");
  std::erase_if(line, [](char c) { return c == '"' || c == '\n'; });
  return '"' + line + '"';
}

std::string data_block(const Series& series, const std::string& name, double shift) {
  WEFT_ASSERT(series.x.size() == series.y.size() && series.low.size() == series.high.size());
  WEFT_ASSERT(series.low.empty() || series.low.size() == series.y.size());
  WEFT_ASSERT(series.labels.empty() || series.labels.size() == series.y.size());
  std::string block = name + " << EOD\n";
  const bool bars = !series.low.empty();
  for (std::size_t k = 0; k < series.x.size(); ++k)
    fmt::format_to(std::back_inserter(block), "{:.9g} {:.9g} {:.9g} {:.9g}{}\n",
                   series.x[k] + shift, series.y[k], bars ? series.low[k] : series.y[k],
                   bars ? series.high[k] : series.y[k],
                   series.labels.empty() ? "" : ' ' + datum(series.labels[k]));
  return block + "EOD\n";
}

// Bars stand side by side, or in the middle where no category has two.
std::size_t bar_slots(const std::vector<Panel>& panels, const std::vector<std::string>& titles) {
  for (const Panel& panel : panels) {
    std::vector<double> taken;
    for (const Series& series : panel.series)
      for (const double x : series.x) {
        if (std::find(taken.begin(), taken.end(), x) != taken.end()) return titles.size();
        taken.push_back(x);
      }
  }
  return 1;
}

struct Style {
  std::size_t number = 0;  // of the series
  std::string title;       // empty: not in the key
};

// The bar from low to high: gnuplot's own error bars rub out what lies below their middle.
std::string error_bars(const std::string& data, const char* colour) {
  return fmt::format(
      ", {} using 1:3:(0):($4-$3) notitle with vectors heads size screen 0.003,90 lw 1.2 lc rgb "
      "'{}'",
      data, colour);
}

const char* drawn_with(Mark mark) {
  switch (mark) {
    case Mark::bars:
      return "boxes";
    case Mark::points:
    case Mark::steps:  // over the stairs
      return "points";
    case Mark::lines:
      break;
  }
  return "linespoints";
}

std::string title_of(const Style& style) {
  return style.title.empty() ? std::string("notitle") : "title " + literal(style.title);
}

// What stands beside the results: a bound, or rings around the best.
std::string mark_element(const Series& series, const std::string& data, const Style& style,
                         Mark mark) {
  const char* bound =
      mark == Mark::steps ? "steps lw 2 dt 2 lc rgb '#444444'" : "lines lw 2 dt 2 lc rgb '#444444'";
  return fmt::format(
      "{} using 1:2 with {} {}", data,
      series.role == Role::bound ? bound : "points pt 6 ps 1.7 lw 2 lc rgb '#000000'",
      title_of(style));
}

std::string plot_element(const Series& series, const std::string& data, const Style& style,
                         Mark mark) {
  if (series.role != Role::results) return mark_element(series, data, style, mark);
  const std::size_t i = style.number;
  const char* colour = colour_of(i);
  const bool bars = mark == Mark::bars;
  std::string element =
      mark == Mark::steps
          ? fmt::format("{} using 1:2 with steps notitle lw 2 lc rgb '{}', ", data, colour)
          : std::string();
  element += data + " using 1:2 with " + drawn_with(mark) + ' ';
  element += title_of(style);
  element += bars ? fmt::format(" fs solid {} border lc rgb '{}' lc rgb '{}'",
                                i < kColourCount ? "0.85" : "0.45", colour, colour)
                  : fmt::format(" lw 2 ps {} lc rgb '{}' pt {} dt {}",
                                mark == Mark::points && series.x.size() > 30 ? "0.35" : "0.8",
                                colour, kPoints[i % std::size(kPoints)], 1 + i / kColourCount);
  if (!series.labels.empty())
    element += fmt::format(
        ", {} using 1:2:5 notitle with labels left offset char 0.6,0.6 noenhanced font ',11' tc "
        "rgb '{}'",
        data, colour);
  return series.low.empty() ? element : element + error_bars(data, bars ? "#222222" : colour);
}

// Data and plot command of one panel. `with_key`: its series name themselves.
std::string plot_panel(const Chart& chart, const Panel& panel,
                       const std::vector<std::string>& titles, std::size_t slots, bool with_key) {
  WEFT_ASSERT(slots >= 1);
  const double width = 0.8 / static_cast<double>(slots);
  std::string blocks, plot;
  std::size_t count = 0;
  for (const Series& series : panel.series) {
    if (series.x.empty() && !with_key) continue;
    const std::size_t number = number_of(titles, series.title);
    const double shift =
        chart.mark == Mark::bars ? (static_cast<double>(number % slots) + 0.5) * width - 0.4 : 0;
    const std::string data = fmt::format("$s{}", count++);
    // Without points a series keeps its line in the key.
    blocks += series.x.empty() ? data + " << EOD\nNaN NaN\nEOD\n" : data_block(series, data, shift);
    plot += (plot.empty() ? "" : ", \\\n  ") +
            plot_element(series, data, {number, with_key ? series.title : ""}, chart.mark);
  }
  if (plot.empty()) plot = "NaN notitle";
  const bool any = std::ranges::any_of(panel.series, [](const Series& s) { return !s.x.empty(); });
  const std::string ranges = any ? "" : "set xrange [0:1]\nset yrange [0:1]\n";
  return blocks + ranges + "plot " + plot + "\n";
}

std::string labels(const Chart& chart, const std::string& title) {
  return fmt::format(
      "set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
      literal(title), literal(chart.x_label), literal(chart.y_label));
}

// The series that stand for their titles in a key: lines without data.
std::vector<Series> key_of(const std::vector<Panel>& panels,
                           const std::vector<std::string>& titles) {
  std::vector<Series> key(titles.size());
  for (const Panel& panel : panels)
    for (const Series& series : panel.series)
      key[number_of(titles, series.title)] = {
          .title = series.title, .x = {}, .y = {}, .role = series.role};
  return key;
}

constexpr const char* kKeyPlace = "horizontal Left reverse noenhanced samplen 2 font ',12'";

// Only the key.
std::string plot_key(const Chart& chart, const std::vector<Series>& key) {
  std::string plot;
  for (std::size_t i = 0; i < key.size(); ++i)
    plot +=
        (i == 0 ? "" : ", \\\n  ") + plot_element(key[i], "$none", {i, key[i].title}, chart.mark);
  return fmt::format(
             "set margins 0,0,0,0\nunset border\nunset tics\nunset title\nunset xlabel\n"
             "unset ylabel\nset xrange [0:1]\nset yrange [0:1]\nset key inside center center {}\n"
             "$none << EOD\n5 5\nEOD\nplot ",
             kKeyPlace) +
         plot + "\n";
}

// Broken lines from the bottom to the top, each with its label along it.
std::string vertical_commands(const Chart& chart) {
  std::string script;
  for (const Vertical& vertical : chart.verticals)
    fmt::format_to(
        std::back_inserter(script),
        "set arrow from {0:.9g}, graph 0 to {0:.9g}, graph 1 nohead front lw 1.5 dt 3 lc "
        "rgb '{1}'\nset label {2} at {0:.9g}, graph 0.98 rotate by 90 right offset "
        "-0.7,0 front noenhanced tc rgb '{1}'\n",
        vertical.x, colour_of(vertical.series), literal(vertical.label));
  return script;
}

// Places what is plotted next: pixels of the page from the top left corner.
std::string place(const Layout& layout, double x, double y, double width, double height) {
  return fmt::format("set size {:.4f},{:.4f}\nset origin {:.4f},{:.4f}\n", width / layout.width(),
                     height / layout.height(), x / layout.width(),
                     1 - (y + height) / layout.height());
}

std::string plot_grid(const Chart& chart, const std::vector<Panel>& panels,
                      const std::vector<std::string>& titles, std::size_t slots,
                      const Layout& layout) {
  std::string script =
      fmt::format("set multiplot title {} noenhanced\nunset key\n", literal(chart.title));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % layout.columns);
    const auto above = i / layout.columns;
    const auto row = static_cast<double>(above);
    script += place(layout, column * layout.cell_width, layout.head + row * layout.cell_height,
                    layout.cell_width, layout.cell_height);
    script += labels(chart, panels[i].title) + plot_panel(chart, panels[i], titles, slots, false);
  }
  script += "reset\n" + place(layout, 0, layout.height() - layout.key_height, layout.width(),
                              layout.key_height);
  return script + plot_key(chart, key_of(panels, titles)) + "unset multiplot\n";
}

std::string style_commands(const Chart& chart, std::size_t slots) {
  std::string script =
      "set grid xtics ytics back lt 1 lc rgb '#dddddd'\nset border lc rgb '#444444'\n";
  if (chart.mark == Mark::bars)
    script += fmt::format("set boxwidth {:.6g}\nset grid noxtics\n",
                          slots == 1 ? 0.4 : 0.76 / static_cast<double>(slots));
  return script;
}

// One panel with its key below it.
std::string plot_alone(const Chart& chart, const Panel& panel, const std::string& title,
                       std::size_t slots) {
  const std::vector<std::string> titles = titles_of({panel});
  return fmt::format("set key outside bottom center {} title ' '\n", kKeyPlace) +
         vertical_commands(chart) + labels(chart, title) +
         plot_panel(chart, panel, titles, slots, true);
}

}  // namespace

std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output) {
  const std::vector<Panel> panels = panels_of(chart);
  const std::vector<std::string> titles = titles_of(panels);
  const Layout layout = layout_of(chart, panels.size(), titles);
  const std::size_t slots = std::max<std::size_t>(bar_slots(panels, titles), 1);
  std::string script = terminal_command(terminal, layout.width(), layout.height());
  script += fmt::format("set output {}\n", path_literal(output)) + axis_commands(chart, panels) +
            style_commands(chart, slots);
  if (panels.size() > 1) return script + plot_grid(chart, panels, titles, slots, layout);
  return script + plot_alone(chart, panels[0], chart.title, slots);
}

std::size_t page_pictures(const Chart& chart) {
  return chart.panels.size() > 1 ? chart.panels.size() + 1 : 1;
}

std::string gnuplot_page_script(const Chart& chart, const std::vector<std::string>& outputs) {
  WEFT_ASSERT(outputs.size() == page_pictures(chart));
  constexpr double kWidth = 480, kHeight = 340;  // readable at the width of a phone
  const std::vector<Panel> panels = panels_of(chart);
  const std::vector<std::string> titles = titles_of(panels);
  const std::size_t slots = std::max<std::size_t>(bar_slots(panels, titles), 1);
  const double key = key_height(titles, kWidth), height = kHeight + label_height(chart, 2);
  const bool several = panels.size() > 1;
  std::string script;
  const auto begin = [&](std::size_t picture, double pixels) {
    script += "reset\n" + terminal_command("svg", kWidth, pixels) +
              fmt::format("set output {}\n", path_literal(outputs[picture]));
  };
  for (std::size_t i = 0; i < panels.size(); ++i) {
    begin(i, several ? height : height + key);
    script += axis_commands(chart, panels) + style_commands(chart, slots);
    script += several ? "unset key\n" + labels(chart, panels[i].title) +
                            plot_panel(chart, panels[i], titles, slots, false)
                      : plot_alone(chart, panels[i], panels[i].title, slots);
  }
  if (!several) return script;
  begin(panels.size(), key);
  return script + plot_key(chart, key_of(panels, titles));
}

std::string crowding_of(const Chart& chart) {
  const std::size_t lines = titles_of(panels_of(chart)).size();
  if (lines <= std::size(kPoints)) return "";
  return fmt::format(" ({} {}; more than {} are hard to tell apart)", lines,
                     chart.mark == Mark::bars ? "colours" : "lines", std::size(kPoints));
}

}  // namespace weft::report
