#include "weft/calibrate/profile/forced_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "weft/algorithm/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/profile/csv_table.hpp"
#include "weft/calibrate/profile/pico_points.hpp"
#include "weft/fields/field.hpp"
#include "weft/fields/fields.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::calibrate {

namespace {

constexpr double kLeast_s = 1e-9, kMost_s = 1e6;  // no collective takes less or more
constexpr std::array<std::string_view, 11> kColumns = {
    "collective", "algorithm", "size",    "time",   "ranks", "topology",
    "per_host",   "options",   "machine", "sample", "point"};
constexpr std::span kNeeded = std::span(kColumns).first<5>();

// The first column that is needed and not there; empty where all are. Ranks are not needed where
// each line has its topology.
std::string_view missing_of(const CsvTable& table) {
  const auto missing = std::ranges::find_if(kNeeded, [&](std::string_view name) {
    return !table.has(name) && (name != "ranks" || !table.has("topology"));
  });
  return missing == kNeeded.end() ? std::string_view{} : *missing;
}

class ForcedLine {
 public:
  ForcedLine(const CsvTable& table, const CsvRow& row, const std::string& path)
      : table_(table), row_(row), path_(path) {}

  ForcedPoint point() const {
    ForcedPoint made{.path = path_,
                     .line = row_.line,
                     .id = text("point"),
                     .machine = text("machine"),
                     .topology = text("topology")};
    made.ranks = count("ranks");
    made.per_host = count("per_host");
    if (made.ranks == 1) fail("1 rank does not send; give 2 or more");
    made.collective = text("collective");
    made.algorithm = text("algorithm");
    if (made.algorithm.empty())
      fail("the algorithm is missing; give a name of weft list algorithms");
    read([&] { (void)schedule::parse_collective(made.collective); });
    read([&] { made.size_B = parse_size(text("size")); });
    made.time_s = seconds();
    made.options = options();
    if (made.size_B <= 0) fail("the size is {}; give 1 byte or more", text("size"));
    if (const std::string& sample = text("sample"); sample == "loop")
      made.sampling = Sampling::loop;
    else if (!sample.empty() && sample != "barrier")
      fail(
          "invalid sample '{}' (expected 'barrier', one call after a barrier, or 'loop', the mean "
          "of "
          "calls in a row)",
          sample);
    return made;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    reject("{}:{}: {}", path_, row_.line, fmt::format(format, std::forward<Args>(args)...));
  }
  template <class Read>
  void read(Read&& read) const {
    try {
      read();
    } catch (const InvalidInput& error) {
      fail("{}", error.what());
    }
  }
  const std::string& text(std::string_view column) const { return table_.text(row_, column); }
  std::int32_t count(std::string_view column) const {
    const std::string& own = text(column);
    if (own.empty()) return 0;
    const auto value = number_in<std::int32_t>(own);
    if (!value || *value < 1) fail("invalid {} '{}' (expected 1 or more)", column, own);
    return *value;
  }
  double seconds() const {
    const std::string& own = text("time");
    double time_s = 0;
    if (const auto bare = number_in<double>(own))
      time_s = *bare;
    else
      read([&] { time_s = parse_seconds(own); });
    if (!(time_s >= kLeast_s && time_s <= kMost_s))
      fail("the time is '{}' (expected seconds from 1e-9 to 1e6, or a unit)", own);
    return time_s;
  }
  Values options() const {
    Values values;
    for (const std::string_view each : split(text("options"), ';')) {
      if (each.empty()) continue;
      const std::size_t equals = each.find('=');
      if (equals == std::string_view::npos) fail("option '{}' is not NAME=VALUE", each);
      const std::string_view name = each.substr(0, equals);
      if (algorithm::find_option(name) == nullptr && fields::find_run_field(name) == nullptr)
        fail("unknown option '{}'; weft list algorithms shows those of each algorithm", name);
      values[std::string(each.substr(0, equals))] = std::string(each.substr(equals + 1));
    }
    return values;
  }

  const CsvTable& table_;
  const CsvRow& row_;
  const std::string& path_;
};

// Whoever has microseconds in the table has to see that it is read in seconds.
std::vector<std::string> remarks_on_units(const CsvTable& table, const std::string& path) {
  const auto bare = [&](const CsvRow& row) {
    return number_in<double>(table.text(row, "time")).has_value();
  };
  const auto first = std::ranges::find_if(table.rows, bare);
  if (first == table.rows.end()) return {};
  return {
      fmt::format("{}:{}: the time {} has no unit and is read as seconds, as every bare number "
                  "of this column; write 42us for microseconds",
                  path, first->line, table.text(*first, "time"))};
}

}  // namespace

std::string ForcedPoint::place() const {
  return fmt::format("{}:{}", path, line);
}

bool is_forced_table(std::string_view text) {
  const CsvTable head = csv_head(text);
  return (head.has("collective") && head.has("algorithm")) || is_pico_table(head) ||
         is_pico_iterations(head);
}

std::vector<ForcedPoint> read_forced_points(std::string_view text, const std::string& path) {
  const CsvTable table = read_csv(text, path, kColumns);
  if (table.head.line > 0 && !missing_of(table).empty())
    reject(
        "{}:{}: the column {} is missing; the first line must name "
        "collective,algorithm,ranks,size,time; topology,per_host,options,sample are optional",
        path, table.head.line, missing_of(table));
  std::vector<ForcedPoint> points;
  for (const CsvRow& row : table.rows) points.push_back(ForcedLine(table, row, path).point());
  if (points.empty()) reject("{}: the table of forced algorithms has no points", path);
  return points;
}

ForcedTable read_forced_table(std::string_view text, const std::string& path) {
  const CsvTable head = csv_head(text);
  if (is_pico_iterations(head))
    reject(
        "{}: the file has the times of each iteration of pico, without their collective; "
        "give aggregated_results_summary.csv of the same run",
        path);
  if (is_pico_table(head)) return read_pico_points(text, path);
  return {read_forced_points(text, path), remarks_on_units(read_csv(text, path, kColumns), path)};
}

}  // namespace weft::calibrate
