#include "cli/find/find_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/options.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

using search::FoundTopology;

namespace {

template <class Value>
std::string cell(const std::optional<Value>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "";
}

// The rows of a table, of which columns without any value are left out.
class Columns {
 public:
  explicit Columns(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  Table table() const {
    std::vector<std::size_t> used;
    for (std::size_t column = 0; column < heading_.size(); ++column)
      if (std::any_of(rows_.begin(), rows_.end(),
                      [&](const auto& row) { return !row[column].empty(); }))
        used.push_back(column);
    const auto pick = [&](const std::vector<std::string>& row) {
      std::vector<std::string> picked;
      for (const std::size_t column : used) picked.push_back(row[column]);
      return picked;
    };
    Table result(pick(heading_));
    for (const auto& row : rows_) result.add(pick(row));
    return result;
  }

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

template <class Add>
void for_lines(const FoundFronts& found, const MeasuredFronts& measured, Add add) {
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t k = 0; k < found[i].front.size(); ++k)
      add(fmt::format("{}", found[i].nodes), found[i].front[k], measured[i][k]);
}

std::string throughput_cell(const FoundMeasures& measures, double KnownThroughput::*end) {
  return measures.throughput ? fmt::format("{:.6g}", *measures.throughput.*end) : "";
}

}  // namespace

const char* name_of(search::ReachedBy algorithm) {
  return algorithm == search::ReachedBy::expand ? "expand" : "bfb";
}

const char* wiring_of(const FoundMeasures& measures) {
  return measures.two_way ? "two-way" : "one-way";
}

Table exact_lines(const FoundFronts& found, const MeasuredFronts& measured) {
  Columns columns({"nodes", "topology", "steps", "bandwidth_factor", "diameter", "distance_bound",
                   "throughput", "upper_bound", "time", "algorithm", "source", "wiring", "ports",
                   "idle_ports"});
  for_lines(
      found, measured,
      [&](const std::string& nodes, const FoundTopology& line, const FoundMeasures& measures) {
        columns.add({nodes, line.expression, fmt::format("{}", line.facts.steps),
                     to_string(line.facts.bandwidth_factor), cell(measures.diameter, "{}"),
                     cell(measures.distance_bound, "{:.6g}"),
                     throughput_cell(measures, &KnownThroughput::throughput),
                     throughput_cell(measures, &KnownThroughput::upper_bound),
                     cell(measures.time_s, "{:.6g}"), name_of(line.algorithm), line.source,
                     wiring_of(measures), fmt::format("{}", measures.ports),
                     fmt::format("{}", line.idle_ports)});
      });
  return columns.table();
}

Table shown_lines(const FoundFronts& found, const MeasuredFronts& measured) {
  Columns columns({"nodes", "wiring", "ports", "idle", "T_L", "T_B", "diameter", "distance bound",
                   "throughput", "upper bound", "time", "by", "source", "topology"});
  for_lines(
      found, measured,
      [&](const std::string& nodes, const FoundTopology& line, const FoundMeasures& measures) {
        columns.add({nodes, wiring_of(measures), fmt::format("{}", measures.ports),
                     line.idle_ports > 0 ? fmt::format("{}", line.idle_ports) : "",
                     fmt::format("{}", line.facts.steps), show(line.facts.bandwidth_factor),
                     cell(measures.diameter, "{}"), cell(measures.distance_bound, "{:.6g}"),
                     throughput_cell(measures, &KnownThroughput::throughput),
                     throughput_cell(measures, &KnownThroughput::upper_bound),
                     measures.time_s ? format_seconds(*measures.time_s) : "",
                     name_of(line.algorithm), line.source, line.expression});
      });
  return columns.table();
}

}  // namespace weft::cli
