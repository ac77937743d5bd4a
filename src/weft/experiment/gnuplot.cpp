// The gnuplot script of a chart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "weft/experiment/chart.hpp"
#include "weft/experiment/ticks.hpp"

namespace weft::experiment {

namespace {

// Okabe and Ito's colours, which people who see colours differently can tell apart; then darker
// ones. Dashes and point shapes tell lines apart in print.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#7F3C8D",
                                    "#8C564B", "#4B6A53", "#A61E4D", "#5C5CFF"};
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
  return static_cast<std::size_t>(std::find(titles.begin(), titles.end(), title) - titles.begin());
}

std::string scale_commands(char axis, Scale scale) {
  if (scale == Scale::linear) return {};
  return fmt::format("set logscale {} {}\n", axis, scale == Scale::log2 ? 2 : 10);
}

// How the panels and their key share the page: in SVG pixels. The key stands in a cell that the
// panels leave empty, else to their right.
struct Layout {
  int columns = 1, rows = 1;
  double cell_width = 960, cell_height = 600, head = 0, key_width = 0;
  double width() const { return columns * cell_width + key_width; }
  double height() const { return rows * cell_height + head; }
};

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t length = 0;
  for (const std::string& text : texts) length = std::max(length, text.size());
  return length;
}

// Category labels that would touch each other are turned.
bool turns_labels(const Chart& chart, std::size_t panels) {
  std::size_t width = 0;
  for (const std::string& text : chart.categories) width += text.size() + 2;
  return width > (panels > 1 ? 44 : 80);
}

Layout layout_of(const Chart& chart, std::size_t panels, const std::vector<std::string>& titles) {
  Layout layout;
  if (panels > 1) {
    layout.columns = panels < 5 ? 2 : 3;
    layout.rows = static_cast<int>((panels + layout.columns - 1) / layout.columns);
    layout.cell_width = 480;
    layout.cell_height = 380;
    layout.head = 40;
    if (panels == static_cast<std::size_t>(layout.columns * layout.rows))
      layout.key_width = 90 + 8.5 * static_cast<double>(longest(titles));
  }
  if (turns_labels(chart, panels))
    layout.cell_height += std::min(200.0, 4 * static_cast<double>(longest(chart.categories)));
  return layout;
}

std::string terminal_command(const std::string& terminal, const Layout& layout) {
  const bool svg = terminal == "svg";
  const double scale = svg ? 1 : 1.5;
  return fmt::format("set terminal {} size {},{}{} enhanced background '#ffffff' font '{}'\n",
                     svg ? "svg" : "pngcairo", std::round(layout.width() * scale),
                     std::round(layout.height() * scale), svg ? " dynamic" : "",
                     svg ? "sans-serif,14" : "sans-serif,16");
}

// Scales, ranges and ticks: the same in every panel, so that they can be compared by eye.
std::string axis_commands(const Chart& chart, const std::vector<Panel>& panels) {
  Range x, y;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series) {
      x.include(series.x);
      for (const auto* values : {&series.y, &series.low, &series.high}) y.include(*values);
    }
  const bool several = panels.size() > 1, bars = chart.mark == Mark::bars;
  std::string script = chart.categories.empty() ? scale_commands('x', chart.x_scale) : "";
  script += scale_commands('y', chart.y_scale);
  const auto out = std::back_inserter(script);
  if (!chart.categories.empty())
    fmt::format_to(out, "set xtics ({}) nomirror noenhanced{}\nset xrange [-0.6:{}]\n",
                   category_ticks(chart.categories),
                   turns_labels(chart, panels.size()) ? " rotate by -30" : "",
                   static_cast<double>(chart.categories.size()) - 0.4);
  else if (chart.x_is_bytes)
    fmt::format_to(out, "set xtics ({})\n", byte_ticks(x, several ? 5 : 10));
  if (chart.categories.empty() && chart.x_scale != Scale::linear)  // room beside the ends
    fmt::format_to(out, "set xrange [{:.9g}:{:.9g}]\n", x.low / 1.12, x.high * 1.12);
  if (chart.y_is_seconds)
    fmt::format_to(out, "set ytics ({})\n",
                   chart.y_scale == Scale::linear ? linear_second_ticks(y) : second_ticks(y));
  if (chart.y_is_rate) script += "set format y '%.0s %cB/s'\n";
  if (chart.y_scale == Scale::linear)
    fmt::format_to(out, "set yrange [{}:*]\n", y.low >= 0 ? "0" : "*");
  else if (several || bars)  // bars of a logarithmic axis stand on a power
    fmt::format_to(out, "set yrange [1e{}:1e{}]\n", std::floor(std::log10(y.low) - 0.05),
                   std::ceil(std::log10(y.high) + 0.05));
  if (several && chart.y_scale == Scale::linear && y.high > 0)
    fmt::format_to(out, "set yrange [{}:{:.6g}]\n", y.low >= 0 ? "0" : "*", 1.06 * y.high);
  return script;
}

std::string data_block(const Series& series, const std::string& name, double shift) {
  std::string block = name + " << EOD\n";
  const bool bars = !series.low.empty();
  for (std::size_t k = 0; k < series.x.size(); ++k)
    fmt::format_to(std::back_inserter(block), "{:.9g} {:.9g} {:.9g} {:.9g}\n", series.x[k] + shift,
                   series.y[k], bars ? series.low[k] : series.y[k],
                   bars ? series.high[k] : series.y[k]);
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
      return "points";
    case Mark::lines:
      break;
  }
  return "linespoints";
}

std::string plot_element(const Series& series, const std::string& data, const Style& style,
                         Mark mark) {
  const std::size_t i = style.number;
  const char* colour = kColours[i % std::size(kColours)];
  const bool bars = mark == Mark::bars;
  std::string element = data + " using 1:2 with " + drawn_with(mark) + ' ';
  element += style.title.empty() ? std::string("notitle") : "title " + literal(style.title);
  element +=
      bars ? fmt::format(" fs solid {} border lc rgb '{}' lc rgb '{}'",
                         i < std::size(kColours) ? "0.85" : "0.45", colour, colour)
           : fmt::format(" lw 2 ps {} lc rgb '{}' pt {} dt {}",
                         mark == Mark::points && series.x.size() > 30 ? "0.35" : "0.8", colour,
                         kPoints[i % std::size(kPoints)], 1 + i / std::size(kColours));
  return series.low.empty() ? element : element + error_bars(data, bars ? "#222222" : colour);
}

// Data and plot command of one panel. `with_key`: its series name themselves.
std::string plot_panel(const Chart& chart, const Panel& panel,
                       const std::vector<std::string>& titles, std::size_t slots, bool with_key) {
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

// Only the key: lines without data beside each title.
std::string plot_key(const Chart& chart, const std::vector<std::string>& titles) {
  std::string plot;
  for (std::size_t i = 0; i < titles.size(); ++i)
    plot += (i == 0 ? "" : ", \\\n  ") +
            plot_element({titles[i], {}, {}}, "$none", {i, titles[i]}, chart.mark);
  return "set margins 0,0,0,0\nunset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
         "set key inside left center Left reverse noenhanced\n$none << EOD\n5 5\nEOD\nplot " +
         plot + "\n";
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
    const auto row = static_cast<double>(i / layout.columns);
    script += place(layout, column * layout.cell_width, layout.head + row * layout.cell_height,
                    layout.cell_width, layout.cell_height);
    script += labels(chart, panels[i].title) + plot_panel(chart, panels[i], titles, slots, false);
  }
  const bool beside = layout.key_width > 0;
  const double x = layout.columns * layout.cell_width;
  script += "reset\n";
  script += beside ? place(layout, x, layout.head, layout.key_width, layout.height() - layout.head)
                   : place(layout, x - layout.cell_width + 60, layout.height() - layout.cell_height,
                           layout.cell_width - 60, layout.cell_height);
  return script + plot_key(chart, titles) + "unset multiplot\n";
}

}  // namespace

std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output) {
  const std::vector<Panel> panels = panels_of(chart);
  const std::vector<std::string> titles = titles_of(panels);
  const Layout layout = layout_of(chart, panels.size(), titles);
  const std::size_t slots = std::max<std::size_t>(bar_slots(panels, titles), 1);
  std::string script = terminal_command(terminal, layout);
  script += fmt::format("set output {}\n", literal(output)) + axis_commands(chart, panels);
  script += "set grid xtics ytics back lt 1 lc rgb '#dddddd'\nset border lc rgb '#444444'\n";
  if (chart.mark == Mark::bars)
    script += fmt::format("set boxwidth {:.6g}\nset grid noxtics\n",
                          slots == 1 ? 0.4 : 0.76 / static_cast<double>(slots));
  if (panels.size() > 1) return script + plot_grid(chart, panels, titles, slots, layout);
  script += "set key outside right top Left reverse noenhanced\n" + labels(chart, chart.title);
  return script + plot_panel(chart, panels[0], titles, slots, true);
}

}  // namespace weft::experiment
