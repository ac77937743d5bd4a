// Running gnuplot on a chart's script.
#include "weft/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/xml.hpp"
#include "weft/report/chart/child.hpp"

namespace weft::report {

namespace {

std::string extension_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

bool is_empty(const Chart& chart) {
  return chart.series.empty() &&
         std::all_of(chart.panels.begin(), chart.panels.end(),
                     [](const Panel& panel) { return panel.series.empty(); });
}

void require_lines(const Chart& chart, const std::string& name) {
  require(!is_empty(chart),
          "the chart '{}' has no lines (nothing takes time, which scales of powers can't show); "
          "give sizes above 0 and more ranks",
          name);
}

// Runs the script in the folder; `name` is for messages.
void draw(const TemporaryFolder& folder, const std::string& script, const std::string& name) {
  write_file(folder.file("chart.gp"), script);
  const int status = run_child({"gnuplot", folder.file("chart.gp")}, folder.file("log"));
  require(status != -1 && status != 127,
          "cannot draw '{}': gnuplot is not installed (Debian: gnuplot-nox)", name);
  if (status == 0) return;
  std::string log = read_file(folder.file("log"));
  std::replace(log.begin(), log.end(), '\n', ' ');
  const bool is_silent = log.find_first_not_of(' ') == std::string::npos;
  reject("cannot draw '{}': gnuplot failed: {}", name,
         is_silent ? fmt::format("it ended with status {} and said nothing", status) : log);
}

// Where it cannot write all of a file gnuplot says nothing.
std::string whole_svg(const std::string& path, const std::string& name) {
  std::string svg = read_file(path);
  require(svg.find("</svg>") != std::string::npos,
          "cannot draw '{}': gnuplot failed: its picture is cut off (the disk is full, or the file "
          "over a limit); make room for it",
          name);
  return svg;
}

// What browsers and screen readers call the picture; gnuplot calls every one "Gnuplot".
std::string titled(std::string svg, const std::string& title) {
  constexpr std::string_view kEvery = "<title>Gnuplot</title>";
  if (const std::size_t at = svg.find(kEvery); at != std::string::npos)
    svg.replace(at, kEvery.size(), "<title>" + escape_xml(title) + "</title>");
  return svg;
}

// The picture's bytes; `name` is for messages.
std::string picture_of(const Chart& chart, const std::string& terminal, const std::string& name) {
  require_lines(chart, name);
  const TemporaryFolder folder;
  const std::string picture = folder.file("chart." + terminal);
  draw(folder, gnuplot_script(chart, terminal, picture), name);
  return terminal == "svg" ? titled(whole_svg(picture, name), chart.title) : read_file(picture);
}

}  // namespace

void require_chart_path(const std::string& path) {
  const std::string extension = extension_of(path);
  require(extension == ".svg" || extension == ".png",
          "chart '{}' ends in '{}'; charts are .svg or .png", path, extension);
}

void require_gnuplot() {
  const Chart line{.series = {{.title = "", .x = {1, 2}, .y = {1, 2}}}};
  picture_of(line, "svg", "charts");
}

void draw_chart(const Chart& chart, const std::string& path) {
  require_chart_path(path);
  write_file(path, picture_of(chart, extension_of(path).substr(1), path));
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
  draw(folder, gnuplot_page_script(chart, files), chart.title);
  for (std::size_t i = 0; i < files.size(); ++i)
    svgs.push_back(titled(whole_svg(files[i], chart.title), titles[i]));
  return svgs;
}

}  // namespace weft::report
