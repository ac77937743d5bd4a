// How results are shown: a table on the terminal, JSON, CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/streams.hpp"
#include "weft/base/rational.hpp"

namespace weft::cli {

using Json = nlohmann::ordered_json;

/// A table with a heading. Columns of numbers are aligned right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Columns padded with blanks.
  std::string text() const;
  /// RFC 4180: fields with commas, quotes or line ends are quoted.
  std::string csv() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

/// "name  value" lines, the names aligned.
class Facts {
 public:
  void add(std::string name, std::string value) {
    facts_.emplace_back(std::move(name), std::move(value));
  }
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> facts_;
};

/// What every command takes.
struct OutputOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;         // 0: all cores
  std::uint64_t seed = 1;  // of everything random
};

/// Sets threads and progress for this run.
void apply(const OutputOptions& options);

/// Begins an answer: the command's name, the version and the seed.
Json answer(const char* command, const OutputOptions& options);
/// Writes JSON, two blanks deep.
void print(const Json& json, Streams& streams);

/// The name of an option's value as weft itself writes it: lower case, '-' for '_'.
std::string lower_name(std::string text);

/// 15/16 = 0.9375
std::string show(const Rational& value);

}  // namespace weft::cli
