#include "weft/calibrate/profile/csv_table.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::calibrate {

namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (std::string& field : fields) field = std::string(trim(field));
  return fields;
}

// Calls visit(row) for each line that is no remark, until it returns false.
template <class Visit>
void each_row(std::string_view text, Visit&& visit) {
  std::int64_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (!visit(CsvRow{number, fields_of(line)})) return;
  }
}

void take_head(CsvTable& table, CsvRow row) {
  for (std::size_t at = 0; at < row.fields.size(); ++at)
    table.places.try_emplace(row.fields[at], at);
  table.head = std::move(row);
}

void refuse_repeated(const CsvRow& head, const std::string& path,
                     std::span<const std::string_view> columns) {
  for (const std::string_view column : columns)
    if (std::ranges::count(head.fields, column) > 1)
      reject("{}:{}: the column {} is repeated; name it once", path, head.line, column);
}

}  // namespace

const std::string& CsvTable::text(const CsvRow& row, std::string_view column) const {
  static const std::string none;
  const auto found = places.find(column);
  WEFT_ASSERT(found == places.end() || found->second < row.fields.size());
  return found == places.end() ? none : row.fields[found->second];
}

CsvTable read_csv(std::string_view text, const std::string& path,
                  std::span<const std::string_view> columns) {
  CsvTable table;
  each_row(text, [&](CsvRow row) {
    if (table.head.line == 0) {
      take_head(table, std::move(row));
      refuse_repeated(table.head, path, columns);
      return true;
    }
    if (row.fields.size() != table.head.fields.size())
      reject("{}:{}: {} columns, but the first line names {}", path, row.line, row.fields.size(),
             table.head.fields.size());
    table.rows.push_back(std::move(row));
    return true;
  });
  return table;
}

CsvTable csv_head(std::string_view text) {
  CsvTable table;
  each_row(text, [&](CsvRow row) {
    take_head(table, std::move(row));
    return false;
  });
  return table;
}

}  // namespace weft::calibrate
