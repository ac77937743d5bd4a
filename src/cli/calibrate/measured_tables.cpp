#include "cli/calibrate/measured_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using calibrate::MeasuredTable;

// "16", or "8 groups of 2".
std::string ranks_text(const MeasuredTable& table) {
  if (table.ranks == 0) return "";
  const std::int32_t groups = table.group_count();
  return groups == 1 ? fmt::format("{}", table.ranks)
                     : fmt::format("{} groups of {}", groups, table.ranks / groups);
}

std::string range_text(const MeasuredTable& table) {
  if (table.rows.empty()) return "";
  const auto& first = table.rows.front();
  const auto& last = table.rows.back();
  return fmt::format("{} to {}", format_size(first.size_B), format_size(last.size_B));
}

Json json_of(const MeasuredTable& table) {
  Json rows = Json::array();
  for (const calibrate::MeasuredRow& row : table.rows)
    rows.push_back({{"size", row.size_B}, {"measured_time", row.time_s}});
  Json json{{"file", table.path}, {"benchmark", table.benchmark}, {"rows", std::move(rows)}};
  json["ranks"] = table.ranks > 0 ? Json(table.ranks) : Json();
  if (const std::int32_t groups = table.group_count(); groups > 1) json["groups"] = groups;
  return json;
}

}  // namespace

int print_tables(std::span<const MeasuredTable> tables, const std::vector<std::string>& remarks,
                 const OutputOptions& common, Streams& streams) {
  streams.notes->add(NoteWeight::assumption, remarks);
  if (common.json) {
    Json json = answer("calibrate", common);
    json["tables"] = Json::array();
    for (const MeasuredTable& table : tables) json["tables"].push_back(json_of(table));
    json["remarks"] = remarks;
    print(json, streams);
    return kFine;
  }
  Table table({"file", "benchmark", "ranks", "rows", "sizes"});
  for (const MeasuredTable& each : tables)
    table.add({each.path, each.benchmark, ranks_text(each), fmt::format("{}", each.rows.size()),
               range_text(each)});
  streams.out << table.text(screen_of(streams));
  return kFine;
}

}  // namespace weft::cli
