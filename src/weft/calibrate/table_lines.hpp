// What the readers of measured tables share: the lines of a file, and rows by columns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/calibrate/measured_table.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::calibrate {

/// No clock measures less, and nobody waits for more.
inline constexpr double kLeastSeconds = 1e-12, kMostSeconds = 1e6;

/// A line with its words.
struct TableLine {
  std::int64_t number = 0;
  std::string_view text = {};                // behind its labels, without blanks at the ends
  std::vector<std::string_view> words = {};  // of a remark: without the leading '#'
  bool remark = false;                       // begins with '#'
};

/// The lines that are not empty. Throws InvalidInput for bytes that are no text.
std::vector<TableLine> table_lines(std::string_view text, const std::string& path);

/// Where a row has its values.
struct TableColumns {
  std::size_t count = 0;  // words of a row
  std::size_t size = 0, value = 0;
};

/// Reads rows one after the other.
class RowReader {
 public:
  explicit RowReader(const std::string& path, topology::ImportLog* log = nullptr)
      : path_(&path), log_(log) {}

  /// Two numbers or more, and nothing else.
  static bool is_row(const TableLine& line);
  /// Counts a line of others. Throws InvalidInput where the reading is strict.
  void skip(const TableLine& line) const;

  /// The number in a column, finite and above 0 (sizes: a whole number, 0 or more).
  double value(const TableLine& line, std::size_t column, std::string_view what) const;
  std::int64_t size(const TableLine& line, std::size_t column) const;
  /// Throws InvalidInput where the line has another number of words.
  void require_width(const TableLine& line, std::size_t count) const;
  /// Appends a row. Throws InvalidInput where its size is not above the last one's.
  void add(MeasuredTable& table, const TableLine& line, std::int64_t size_B, double time_s) const;
  /// Throws InvalidInput with file and line.
  [[noreturn]] void fail(const TableLine& line, std::string_view why) const;

 private:
  const std::string* path_;
  topology::ImportLog* log_;  // null: no line is skipped
};

/// The number that follows `word` in the line, as in "#processes = 4" or "pairs: 2"; 0 where none
/// does.
std::int32_t number_after(const TableLine& line, std::string_view word);

/// Of one program each; `lines` are the whole file's. Lines of others are counted in `log`.
MeasuredTables read_osu_tables(const std::vector<TableLine>& lines, const std::string& path,
                               topology::ImportLog& log);
MeasuredTables read_imb_tables(const std::vector<TableLine>& lines, const std::string& path,
                               topology::ImportLog& log);
MeasuredTables read_nccl_tables(const std::vector<TableLine>& lines, const std::string& path,
                                topology::ImportLog& log);
MeasuredTables read_bench_tables(const std::vector<TableLine>& lines, const std::string& path);

/// Whether the text is what nccl-tests writes with -J FILE (or rccl-tests with -Z json), and its
/// tables.
bool is_nccl_json(std::string_view text);
MeasuredTables read_nccl_json(std::string_view text, const std::string& path,
                              topology::ImportLog& log);

}  // namespace weft::calibrate
