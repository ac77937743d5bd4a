// Charts as pictures.
#include "weft/report/chart.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/report/chart/gnuplot_run.hpp"

namespace weft::report {

namespace {

bool is_empty(const Chart& chart) {
  return chart.series.empty() &&
         std::all_of(chart.panels.begin(), chart.panels.end(),
                     [](const Panel& panel) { return panel.series.empty(); });
}

void require_lines(const Chart& chart, const std::string& name) {
  require(!is_empty(chart),
          "the chart '{}' has no lines, because nothing takes time (its axes are logarithmic); "
          "give sizes above 0 and more ranks",
          name);
}

// The picture's bytes; `name` is for messages.
std::string picture_of(const Chart& chart, const std::string& terminal, const std::string& name) {
  require_lines(chart, name);
  const auto script = [&](const std::string& output) {
    return gnuplot_script(chart, terminal, output);
  };
  return picture_by(script, {.terminal = terminal, .title = chart.title, .name = name});
}

}  // namespace

void require_gnuplot() {
  const Chart line{.series = {{.title = "", .x = {1, 2}, .y = {1, 2}}}};
  picture_of(line, "svg", "charts");
}

void draw_chart(const Chart& chart, const std::string& path) {
  write_file(path, picture_of(chart, terminal_of(path), path));
}

std::string svg_of(const Chart& chart) {
  return picture_of(chart, "svg", chart.title);
}

std::vector<std::string> page_svgs_of(const Chart& chart) {
  require_lines(chart, chart.title);
  const TemporaryFolder folder;
  std::vector<std::string> files, titles, svgs;
  for (const Panel& panel : chart.panels) titles.push_back(chart.title + ": " + panel.title);
  titles.resize(page_pictures(chart), chart.title);
  for (std::size_t i = 0; i < titles.size(); ++i)
    files.push_back(folder.file(std::to_string(i) + ".svg"));
  run_gnuplot(folder, gnuplot_page_script(chart, files), chart.title);
  for (std::size_t i = 0; i < files.size(); ++i)
    svgs.push_back(titled(whole_svg(files[i], chart.title), titles[i]));
  return svgs;
}

}  // namespace weft::report
