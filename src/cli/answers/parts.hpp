// Answers that have a table of parts (weft/answer/part.hpp), as commands print them.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/screen/streams.hpp"
#include "weft/answer/columns.hpp"
#include "weft/answer/json.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// The answer of a command as JSON.
template <class T>
void print_json(const char* command, const T& given, const answer::Parts<T>& parts,
                const OutputOptions& options, Streams& streams) {
  const answer::Frame frame{command, options.seed, streams.notes->texts()};
  streams.out << answer::to_json(frame, answer::members_of(given, parts)) << '\n';
}

/// The table of these rows and columns.
inline Table table_of(const answer::Cells& cells) {
  Table table(cells.heading);
  for (const std::vector<std::string>& row : cells.rows) table.add(row);
  return table;
}

/// Adds lines of its labelled parts that have a value.
template <class T>
void add_facts(const T& given, const answer::Parts<T>& parts, Facts& facts) {
  for (auto& [label, text] : answer::facts_of(given, parts))
    if (!text.empty()) facts.add(label, text);
}

/// Lines of its labelled parts.
template <class T>
Facts facts_from(const T& given, const answer::Parts<T>& parts) {
  Facts facts;
  for (auto& [label, text] : answer::facts_of(given, parts)) facts.add(label, text);
  return facts;
}

}  // namespace weft::cli
