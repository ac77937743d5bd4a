#include "cli/calibrate/measured_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
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

Parts<MeasuredRow> row_parts() {
  constexpr PartOf<MeasuredRow> part;
  return {part(keys::kMessageSize, &MeasuredRow::size_B),
          part(keys::kMeasuredTime, &MeasuredRow::time_s)};
}

Parts<MeasuredTable> table_parts() {
  constexpr PartOf<MeasuredTable> part;
  return {part(keys::kTableFile, "file", &MeasuredTable::path),
          part(keys::kBenchmark, "benchmark", &MeasuredTable::benchmark),
          part.list(keys::kMeasuredRows, &MeasuredTable::rows, row_parts())
              .shown_as(
                  [](const MeasuredTable& table) { return fmt::format("{}", table.rows.size()); }),
          part("ranks", "ranks", Unit::none, "number of ranks, or null if the table has none",
               [](const MeasuredTable& table) {
                 return table.ranks > 0 ? std::optional(table.ranks) : std::nullopt;
               })
              .shown_as(ranks_text),
          part("groups", "", Unit::none, "groups of ranks that run at once",
               &MeasuredTable::group_count)
              .when([](const MeasuredTable& table) { return table.group_count() > 1; }),
          part.line("sizes", range_text)};
}

}  // namespace

Parts<ReadTables> read_tables_parts() {
  constexpr PartOf<ReadTables> part;
  return {part.list(keys::kMeasuredTables, &ReadTables::tables, table_parts()),
          part(keys::kRemarks, [](const ReadTables& read) { return read.remarks; })};
}

int print_tables(const ReadTables& read, const OutputOptions& common, Streams& streams) {
  streams.notes->add(NoteWeight::assumption, read.remarks);
  if (common.json) {
    print_json("calibrate", read, read_tables_parts(), common, streams);
    return kFine;
  }
  constexpr auto kColumns = std::to_array<answer::Column>(
      {{"file"}, {"benchmark"}, {"ranks"}, {"rows", "rows"}, {"sizes"}});
  const answer::Cells cells =
      answer::cells_of(read.tables, table_parts(), kColumns, answer::Reader::person);
  streams.out << table_of(cells).text(screen_of(streams));
  return kFine;
}

}  // namespace weft::cli
