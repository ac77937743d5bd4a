// How results are shown: a table on the terminal, JSON, CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/screen/screen.hpp"
#include "cli/screen/streams.hpp"
#include "weft/base/rational.hpp"

namespace weft::cli {

/// A table with a heading. Columns of numbers are aligned right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Shows a field of the row that was added last in colour, where there are colours.
  void emphasise(std::size_t column) { emphasised_.emplace_back(rows_.size() - 1, column); }
  /// Columns padded with blanks, as wide as the screen: what does not fit is wrapped at blanks, the
  /// widest column of text first. What is too wide even so runs over; on a terminal its columns
  /// stand in several tables, each of which begins with the first.
  std::string text(const Screen& screen = {}) const;
  /// Characters a line of text(), with everything wrapped that can be.
  std::size_t least_width() const;
  /// RFC 4180: fields with commas, quotes or line ends are quoted.
  std::string csv() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::pair<std::size_t, std::size_t>> emphasised_;  // row, column
};

/// "name  value" lines, the names aligned.
class Facts {
 public:
  void add(std::string name, std::string value) {
    facts_.emplace_back(std::move(name), std::move(value));
  }
  /// Values that the screen is too narrow for are wrapped.
  std::string text(const Screen& screen = kEndless) const;

 private:
  std::vector<std::pair<std::string, std::string>> facts_;
};

/// What every command takes.
struct OutputOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  int threads = 0;         // 0: all cores
  std::uint64_t seed = 1;  // of everything random
};

/// Sets threads and progress for this run.
void apply(const OutputOptions& options);

/// Prints the notes of a command that has answered: three, all with --verbose.
void print_notes(const OutputOptions& options, Streams& streams);

/// 15/16 = 0.9375
std::string show(const Rational& value);

}  // namespace weft::cli
