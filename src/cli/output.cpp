#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/options.hpp"
#include "weft/answer/show.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/text.hpp"
#include "weft/base/version.hpp"

namespace weft::cli {

namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i)
    line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + '\n';
}

}  // namespace

std::string Table::csv() const {
  std::string out = csv_line(heading_);
  for (const auto& row : rows_) out += csv_line(row);
  return out;
}

std::string Facts::text(const Screen& screen) const {
  std::size_t width = 0;
  for (const auto& [name, value] : facts_) width = std::max(width, width_of(name));
  width += 2;
  const auto columns = static_cast<std::size_t>(screen.columns);
  std::string out;
  for (const auto& [name, value] : facts_) {
    std::string begin = name;
    for (const std::string& line : wrapped(value, columns - std::min(columns, width))) {
      out += fmt::format("{}{:{}}{}\n", begin, "", width - width_of(begin), line);
      begin.clear();
    }
  }
  return out;
}

void apply(const OutputOptions& options) {
  set_threads(options.threads);
  Progress::enable(!options.quiet);
  Progress::enable_tables(!options.json);
}

void print_notes(const OutputOptions& options, Streams& streams) {
  streams.out.flush();  // on a terminal the answer comes first
  streams.notes->print(streams.err, options.verbose ? NotesShown::all
                                    : options.quiet ? NotesShown::incomplete_only
                                                    : NotesShown::first_three);
}

std::string show(const Rational& value) {
  return answer::show(value);
}

namespace {

// strtoull, which CLI11 uses, takes "-1" and what is too large.
std::string check_seed(const std::string& text) {
  return number_in<std::uint64_t>(text)
             ? ""
             : "invalid value '" + text + "' (expected an integer from 0 to 2^64 - 1)";
}

}  // namespace

void add_output_options(Command command, OutputOptions& options) {
  const OptionAdder add(command, headings::kGeneral);
  OptionAdder(command).flag("--json", options.json, "Print the answer as JSON");
  add.flag("-q,--quiet", options.quiet,
           "Print errors only, and the output of --json, --csv, --dump, --text or -o -");
  add.flag("--verbose", options.verbose, "Print all notes on the answer, not only the first three");
  command
      .add_option(
          "--threads", options.threads,
          "Number of threads, 0 to 4096; 0 uses all cores, and results do not depend on it [0]")
      .group(headings::kGeneral)
      .range(0, 4096);
  add("--seed", options.seed, "Seed of all random choices").check(check_seed);
}

}  // namespace weft::cli
