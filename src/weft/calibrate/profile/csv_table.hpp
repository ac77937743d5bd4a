// Tables in CSV whose first line names the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::calibrate {

struct CsvRow {
  std::int64_t line = 0;  // in the file, from 1
  std::vector<std::string> fields = {};
};

/// Fields have no blanks around them; what stands between quotes may contain commas. Empty lines
/// and those that begin with '#' are passed over.
struct CsvTable {
  CsvRow head = {};  // line 0 where the text has no line
  std::vector<CsvRow> rows = {};

  bool has(std::string_view column) const { return places.contains(column); }
  /// Empty where there is no such column.
  const std::string& text(const CsvRow& row, std::string_view column) const;

  std::map<std::string, std::size_t, std::less<>> places = {};  // of columns, by name
};

/// Throws InvalidInput with file and line for a row of another number of columns, and where the
/// first line repeats one of `columns`, which the caller reads. Other columns may be repeated.
CsvTable read_csv(std::string_view text, const std::string& path,
                  std::span<const std::string_view> columns);

/// The columns alone.
CsvTable csv_head(std::string_view text);

}  // namespace weft::calibrate
