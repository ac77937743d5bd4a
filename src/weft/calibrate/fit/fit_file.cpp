// Measured times from a CSV text.
#include <charconv>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/fit/fit.hpp"
#include "weft/fields/read_number.hpp"

namespace weft::calibrate {
namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    fields.push_back(trim(line.substr(from, comma - from)));
    from = comma + 1;
  }
  return fields;
}

struct Columns {
  std::size_t steps, bandwidth_factor, size, time;
};

struct Place {
  const std::string& path;
  std::size_t line;
};

Columns columns_of(const std::vector<std::string_view>& heading, const Place& place) {
  const auto find = [&](std::string_view name, std::string_view alias) {
    for (std::size_t i = 0; i < heading.size(); ++i)
      if (heading[i] == name || heading[i] == alias) return i;
    reject(
        "{}:{}: the column '{}' is missing; the first line must name steps, "
        "bandwidth_factor, size and time",
        place.path, place.line, name);
  };
  return {find("steps", "T_L"), find("bandwidth_factor", "T_B"), find("size", "M"),
          find("time", "time")};
}

double number_in(std::string_view text, std::string_view column, const Place& place,
                 const auto& with_unit) {
  std::optional<double> number = fields::read_number(text);
  if (!number) try {
      number = with_unit(text);
    } catch (const InvalidInput& error) {
      reject("{}:{}: {}: {}", place.path, place.line, column, error.what());
    }
  constexpr double kMost = 1e18;  // of steps, bytes and seconds alike
  require(*number >= 0 && *number <= kMost, "{}:{}: {} is '{}' (expected a number from 0 to {:g})",
          place.path, place.line, column, text, kMost);
  return *number;
}

Measurement measurement_in(const std::vector<std::string_view>& fields, const Columns& columns,
                           const Place& place) {
  const auto plain = [](std::string_view text) -> double {
    reject("'{}' is not a number (expected a number or a fraction)", text);
  };
  const auto size = [](std::string_view text) { return static_cast<double>(parse_size(text)); };
  const Measurement row{.steps = number_in(fields[columns.steps], "steps", place, plain),
                        .bandwidth_factor = number_in(fields[columns.bandwidth_factor],
                                                      "bandwidth_factor", place, plain),
                        .size_B = number_in(fields[columns.size], "size", place, size),
                        .time_s = number_in(fields[columns.time], "time", place, parse_seconds)};
  constexpr double kLeastSeconds = 1e-12, kMostSeconds = 1e6;
  require(row.time_s >= kLeastSeconds && row.time_s <= kMostSeconds,
          "{}:{}: the time is {:g} seconds (expected {:g} to {:g} seconds)", place.path, place.line,
          row.time_s, kLeastSeconds, kMostSeconds);
  return row;
}

}  // namespace

std::vector<Measurement> read_measurements(std::string_view text, const std::string& path) {
  std::optional<Columns> columns;
  std::size_t width = 0, number = 0;
  std::vector<Measurement> rows;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = trim(text.substr(from, end - from));
    from = end + 1;
    const Place place{path, ++number};
    if (line.empty() || line.front() == '#') continue;
    const auto fields = fields_of(line);
    if (!columns) {
      columns = columns_of(fields, place);
      width = fields.size();
      continue;
    }
    require(fields.size() == width, "{}:{}: {} fields (expected {} as in the first line)", path,
            number, fields.size(), width);
    rows.push_back(measurement_in(fields, *columns, place));
  }
  require(columns.has_value(),
          "{}: the file is empty; give a CSV file whose first line names its columns", path);
  return rows;
}

}  // namespace weft::calibrate
