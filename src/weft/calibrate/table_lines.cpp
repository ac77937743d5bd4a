#include "weft/calibrate/table_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/logs/log_text.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::calibrate {

namespace {

enum class Program : std::uint8_t { osu, imb, nccl, bench };

constexpr const char* name_of(Program program) {
  return program == Program::osu    ? "OSU"
         : program == Program::imb  ? "IMB"
         : program == Program::nccl ? "nccl-tests"
                                    : "weft-bench";
}

// The program that prints such a line; nothing where many do.
std::optional<Program> printed_by(const TableLine& line) {
  if (!line.remark) return std::nullopt;
  const auto has = [&](std::string_view part) {
    return line.text.find(part) != std::string_view::npos;
  };
  if (has("weft-bench")) return Program::bench;
  if (has("algbw") && has("busbw")) return Program::nccl;
  if (has("nccl-tests")) return Program::nccl;
  if (has("Benchmarking") || has("#bytes") || has("Intel(R) MPI Benchmarks")) return Program::imb;
  if (has("OSU MPI") || has("weft-probe") || (!line.words.empty() && line.words[0] == "Size"))
    return Program::osu;
  return std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlanks = " \t\r";
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

// Also one that is too large, and what C prints where there is none.
bool looks_like_number(std::string_view word) {
  if (number_in<double>(word)) return true;
  const std::string low = lower(word);
  if (low == "nan" || low == "-nan" || low == "inf") return true;
  return !word.empty() && word[0] >= '0' && word[0] <= '9' &&
         word.find_first_not_of("0123456789.eE") == std::string_view::npos;
}

// A last number that lost its end is a smaller one. Editors leave out the last newline too, so a
// row without one is refused where its number is less than half of a smaller size's alone: a time
// does not fall so far, nor a stream's rate.
void refuse_cut_off(const MeasuredTable& table, const TableLine& last) {
  WEFT_ASSERT(!table.rows.empty());
  constexpr double kHalf = 0.5;
  const MeasuredRow& row = table.rows.back();
  if (row.line != last.number) return;
  const auto number = [&](const MeasuredRow& of) {
    return table.stream() ? static_cast<double>(of.size_B) / of.time_s : of.time_s;
  };
  double most = 0;
  for (const MeasuredRow& each : table.rows) most = std::max(most, number(each));
  if (number(row) < kHalf * most)
    RowReader(table.path)
        .fail(last,
              fmt::format(
                  "the last line has no newline, and its {} is less than half of that of a smaller "
                  "size; the file may be truncated",
                  table.stream() ? "rate" : "time"));
}

}  // namespace

std::vector<TableLine> table_lines(std::string_view text, const std::string& path) {
  std::vector<TableLine> lines;
  const LineLabels labels(text, "#");
  std::int64_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    TableLine line{.number = ++number, .text = text.substr(from, end - from)};
    from = end + 1;
    require(line.text.find('\0') == std::string_view::npos,
            "{}:{}: the line has NUL bytes, so the file is not text; give a table as a benchmark "
            "prints it",
            path, number);
    line.text = labels.behind(line.text);
    line.words = words_of(line.text);
    if (line.words.empty()) continue;
    line.remark = line.text.front() == '#';
    if (line.remark) {
      line.words[0].remove_prefix(1);
      if (line.words[0].empty()) line.words.erase(line.words.begin());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

void RowReader::fail(const TableLine& line, std::string_view why) const {
  if (line.number == 0) reject("{}: {}", *path_, why);
  reject("{}:{}: {}", *path_, line.number, why);
}

double RowReader::value(const TableLine& line, std::size_t column, std::string_view what) const {
  WEFT_ASSERT(column < line.words.size());
  const auto number = number_in<double>(line.words[column]);
  if (!number || !std::isfinite(*number) || *number <= 0)
    fail(line, fmt::format("{} is '{}' (expected a number above 0)", what, line.words[column]));
  return *number;
}

std::int64_t RowReader::size(const TableLine& line, std::size_t column) const {
  WEFT_ASSERT(column < line.words.size());
  const auto size_B = number_in<std::int64_t>(line.words[column]);
  if (!size_B || *size_B < 0 || *size_B > std::int64_t{1} << 50)
    fail(line,
         fmt::format("the size is '{}' (expected a whole number of bytes)", line.words[column]));
  return *size_B;
}

void RowReader::require_width(const TableLine& line, std::size_t count) const {
  if (line.words.size() != count)
    fail(line, fmt::format("{} but the heading has {}; the line may be truncated",
                           counted(std::ssize(line.words), "column"), count));
}

void RowReader::add(MeasuredTable& table, const TableLine& line, std::int64_t size_B,
                    double time_s) const {
  if (!table.rows.empty() && table.rows.back().size_B >= size_B)
    fail(line, fmt::format("size {} follows size {}; sizes must increase from row to row", size_B,
                           table.rows.back().size_B));
  if (!(time_s >= kLeastSeconds && time_s <= kMostSeconds))
    fail(line, fmt::format("the time is {:g} seconds (expected {:g} to {:g} seconds)", time_s,
                           kLeastSeconds, kMostSeconds));
  table.rows.push_back({size_B, time_s, line.number});
}

std::int32_t number_after(const TableLine& line, std::string_view word) {
  for (std::size_t i = 0; i + 1 < line.words.size(); ++i) {
    std::string_view own = line.words[i];
    while (!own.empty() && (own.back() == ':' || own.back() == '=')) own.remove_suffix(1);
    if (lower(own) != word) continue;
    std::size_t next = i + 1;
    if ((line.words[next] == "=" || line.words[next] == ":") && next + 1 < line.words.size())
      ++next;
    const auto number = number_in<std::int32_t>(line.words[next]);
    if (number && *number > 0) return *number;
  }
  return 0;
}

bool RowReader::is_row(const TableLine& line) {
  return line.words.size() > 1 && std::ranges::all_of(line.words, looks_like_number);
}

void RowReader::skip(const TableLine& line) const {
  WEFT_ASSERT(log_ != nullptr);
  log_->skip("line of text", line.number);
}

namespace {

// Of which all lines are; nothing where no line says so.
std::optional<Program> program_of(const std::vector<TableLine>& lines, const std::string& path) {
  std::optional<Program> program;
  for (const TableLine& line : lines) {
    const auto own = printed_by(line);
    if (!own) continue;
    require(!program || *program == *own,
            "{}:{}: a table of {} in a file of {} tables; give each program its own file", path,
            line.number, name_of(*own), name_of(program.value_or(*own)));
    program = own;
  }
  return program;
}

// A last line of one number, more than the last size: a row that lost its end.
void refuse_half_row(const MeasuredTable& table, const TableLine& last) {
  WEFT_ASSERT(!table.rows.empty());
  if (last.remark || last.words.size() != 1 || last.number != table.rows.back().line + 1) return;
  const auto size_B = number_in<std::int64_t>(last.words[0]);
  if (size_B && *size_B > table.rows.back().size_B)
    reject("{}:{}: 1 column, but the heading has more; the file may be truncated", table.path,
           last.number);
}

MeasuredTables read_lines(const std::vector<TableLine>& lines, const std::string& path,
                          topology::ImportLog& log) {
  require(!lines.empty(),
          "{}: the file is empty; give a table as OSU's benchmarks, IMB or nccl-tests print it",
          path);
  const auto program = program_of(lines, path);
  require(program.has_value(),
          "{}:{}: the file has no heading of OSU's benchmarks, IMB, nccl-tests or weft-bench; "
          "keep the lines with # above the numbers",
          path, lines.front().number);
  switch (*program) {
    case Program::osu:
      return read_osu_tables(lines, path, log);
    case Program::imb:
      return read_imb_tables(lines, path, log);
    case Program::nccl:
      return read_nccl_tables(lines, path, log);
    case Program::bench:
      break;
  }
  return read_bench_tables(lines, path);
}

}  // namespace

MeasuredTables read_measured_tables(std::string_view text, const std::string& path, bool strict) {
  topology::ImportLog log(path, strict);
  const std::string plain = without_escapes(text);
  std::vector<TableLine> lines;
  MeasuredTables read;
  if (is_nccl_json(plain)) {
    read = read_nccl_json(plain, path, log);
  } else {
    lines = table_lines(plain, path);
    read = read_lines(lines, path, log);
  }
  std::erase_if(read.tables, [](const MeasuredTable& table) { return table.rows.empty(); });
  if (!read.tables.empty() && !lines.empty()) {
    refuse_half_row(read.tables.back(), lines.back());
    if (!text.ends_with('\n')) refuse_cut_off(read.tables.back(), lines.back());
  }
  require(!read.tables.empty(), "{}: the file has no rows of a supported benchmark{}{}", path,
          read.remarks.empty() ? "" : "; ", read.remarks.empty() ? "" : read.remarks.front());
  for (const topology::ImportNote& note : log.notes())
    read.remarks.push_back(fmt::format("{}: {}", path, note.text));
  return read;
}

}  // namespace weft::calibrate
