#include "weft/report/chart/gnuplot_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/xml.hpp"
#include "weft/report/chart.hpp"

namespace weft::report {

namespace {

// Okabe and Ito's colours, which people who see colours differently can tell apart; then darker
// ones.
constexpr std::array<const char*, kColourCount> kColours = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#000000", "#7F3C8D", "#8C564B", "#4B6A53", "#A61E4D", "#5C5CFF"};

std::string extension_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

}  // namespace

const char* colour_of(std::size_t i) {
  return kColours[i % kColours.size()];
}

std::string terminal_command(const std::string& terminal, double width, double height) {
  const bool svg = terminal == "svg";
  WEFT_ASSERT((svg || terminal == "png") && width > 0 && height > 0);
  const double scale = svg ? 1 : 1.5;
  return fmt::format("set terminal {} size {},{}{} enhanced background '#ffffff' font '{}'\n",
                     svg ? "svg" : "pngcairo", std::round(width * scale),
                     std::round(height * scale), svg ? " dynamic" : "",
                     svg ? "sans-serif,14" : "sans-serif,16");
}

void require_chart_path(const std::string& path) {
  const std::string extension = extension_of(path);
  require(extension == ".svg" || extension == ".png",
          "chart '{}' ends in '{}' (expected .svg or .png)", path, extension);
}

std::string terminal_of(const std::string& path) {
  require_chart_path(path);
  return extension_of(path).substr(1);
}

void run_gnuplot(const TemporaryFolder& folder, const std::string& script,
                 const std::string& name) {
  write_file(folder.file("chart.gp"), script);
  const int status = run_child({"gnuplot", folder.file("chart.gp")}, folder.file("log"));
  require(status != -1 && status != 127,
          "cannot draw '{}': gnuplot is not installed (Debian: gnuplot-nox)", name);
  if (status == 0) return;
  std::string log = read_file(folder.file("log"));
  std::replace(log.begin(), log.end(), '\n', ' ');
  const bool is_silent = log.find_first_not_of(' ') == std::string::npos;
  reject("cannot draw '{}': gnuplot failed: {}", name,
         is_silent ? fmt::format("it ended with status {} and no message", status) : log);
}

// Where it cannot write all of a file gnuplot says nothing.
std::string whole_svg(const std::string& path, const std::string& name) {
  std::string svg = read_file(path);
  require(svg.find("</svg>") != std::string::npos,
          "cannot draw '{}': gnuplot failed: the picture is incomplete (disk full or file "
          "limit); free some space",
          name);
  return svg;
}

// Gnuplot calls every one "Gnuplot".
std::string titled(std::string svg, const std::string& title) {
  constexpr std::string_view kEvery = "<title>Gnuplot</title>";
  if (const std::size_t at = svg.find(kEvery); at != std::string::npos)
    svg.replace(at, kEvery.size(), "<title>" + escape_xml(title) + "</title>");
  return svg;
}

std::string picture_by(const std::function<std::string(const std::string& output)>& script,
                       const PictureOf& of) {
  const TemporaryFolder folder;
  const std::string picture = folder.file("chart." + of.terminal);
  run_gnuplot(folder, script(picture), of.name);
  return of.terminal == "svg" ? titled(whole_svg(picture, of.name), of.title) : read_file(picture);
}

}  // namespace weft::report
