#include "weft/experiment/chart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"

extern char** environ;

namespace weft::experiment {

namespace {

// Okabe and Ito's colours, which people who see colours differently can tell apart; then darker
// ones. Dashes and point shapes tell lines apart in print.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#7F3C8D",
                                    "#8C564B", "#4B6A53", "#A61E4D", "#5C5CFF"};
constexpr int kPoints[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 1, 2};

std::string literal(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    if (c != '\n') result += c;
  }
  return result + "'";
}

struct Range {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
};

Range range_of(const Chart& chart, std::vector<double> Series::*values) {
  Range range;
  for (const Series& series : chart.series)
    for (const double value : series.*values) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  return range;
}

// "1KiB" at each power of two, thinned so that some ten labels stay.
std::string byte_ticks(const Range& range) {
  const int first = static_cast<int>(std::floor(std::log2(std::max(range.low, 1.0))));
  const int last = static_cast<int>(std::ceil(std::log2(std::max(range.high, 1.0))));
  const int stride = std::max(1, (last - first + 9) / 10);
  std::string ticks;
  for (int power = first; power <= last; power += stride)
    ticks += fmt::format("{}'{}' {}", ticks.empty() ? "" : ", ",
                         format_size(std::int64_t{1} << power), std::int64_t{1} << power);
  return ticks;
}

std::string second_ticks(const Range& range) {
  constexpr const char* kUnits[] = {"ps", "ns", "us", "ms", "s"};
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  std::string ticks;
  for (int power = first; power <= last; ++power) {
    const int unit = std::clamp((power + 12) / 3, 0, 4);
    const double value = std::pow(10.0, power - (unit * 3 - 12));
    ticks += fmt::format("{}'{:g}{}' 1e{}", ticks.empty() ? "" : ", ", value, kUnits[unit], power);
  }
  return ticks;
}

std::string scale_commands(char axis, Scale scale) {
  if (scale == Scale::linear) return {};
  return fmt::format("set logscale {} {}\n", axis, scale == Scale::log2 ? 2 : 10);
}

std::string terminal_command(const std::string& terminal) {
  return terminal == "svg" ? "set terminal svg size 960,600 dynamic enhanced background '#ffffff' "
                             "font 'sans-serif,14'\n"
                           : "set terminal pngcairo size 1440,900 enhanced background '#ffffff' "
                             "font 'sans-serif,16'\n";
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-chart-XXXXXX").string();
    require(::mkdtemp(pattern.data()) != nullptr, "cannot make a temporary folder: {}",
            std::strerror(errno));
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Runs gnuplot on a script; its messages go to `log`. The exit status, or -1 when it cannot be
// started.
int run_gnuplot(const std::string& script, const std::string& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::string program = "gnuplot", argument = script;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string extension_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

}  // namespace

std::string gnuplot_script(const Chart& chart, const std::string& terminal,
                           const std::string& output) {
  std::string script = terminal_command(terminal);
  const auto out = std::back_inserter(script);
  fmt::format_to(out,
                 "set output {}\nset title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} "
                 "noenhanced\n",
                 literal(output), literal(chart.title), literal(chart.x_label),
                 literal(chart.y_label));
  script += scale_commands('x', chart.x_scale) + scale_commands('y', chart.y_scale);
  if (chart.x_is_bytes)
    fmt::format_to(out, "set xtics ({})\n", byte_ticks(range_of(chart, &Series::x)));
  if (chart.y_is_seconds)
    fmt::format_to(out, "set ytics ({})\n", second_ticks(range_of(chart, &Series::y)));
  script +=
      "set grid xtics ytics back lt 1 lc rgb '#dddddd'\nset key outside right top Left reverse "
      "noenhanced\nset border lc rgb "
      "'#444444'\n";
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    fmt::format_to(out, "$s{} << EOD\n", i);
    for (std::size_t k = 0; k < chart.series[i].x.size(); ++k)
      fmt::format_to(out, "{:.9g} {:.9g}\n", chart.series[i].x[k], chart.series[i].y[k]);
    script += "EOD\n";
  }
  script += "plot ";
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    fmt::format_to(out, "{}$s{} with linespoints title {} lw 2 ps 0.7 lc rgb '{}' pt {} dt {}",
                   i == 0 ? "" : ", \\\n  ", i, literal(chart.series[i].title),
                   kColours[i % std::size(kColours)], kPoints[i % std::size(kPoints)],
                   1 + i / std::size(kColours));
  return script + "\n";
}

void require_chart_path(const std::string& path) {
  const std::string extension = extension_of(path);
  require(extension == ".svg" || extension == ".png",
          "chart '{}' ends in '{}'; charts are .svg or .png", path, extension);
}

void draw_chart(const Chart& chart, const std::string& path) {
  require_chart_path(path);
  const std::string extension = extension_of(path);
  require(!chart.series.empty(),
          "the chart '{}' has no lines (nothing takes time, which scales of powers can't show); "
          "give sizes above 0 and more ranks",
          path);
  const TemporaryFolder folder;
  const std::string picture = folder.file("chart" + extension), script = folder.file("chart.gp");
  write_file(script, gnuplot_script(chart, extension.substr(1), picture));
  const int status = run_gnuplot(script, folder.file("log"));
  require(status != -1 && status != 127,
          "cannot draw '{}': gnuplot is not installed (Debian: gnuplot-nox)", path);
  if (status != 0) {
    std::string log = read_file(folder.file("log"));
    std::replace(log.begin(), log.end(), '\n', ' ');
    reject("cannot draw '{}': gnuplot failed: {}", path, log);
  }
  write_file(path, read_file(picture));
}

}  // namespace weft::experiment
