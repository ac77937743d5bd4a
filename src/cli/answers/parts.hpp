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

/// Lines of its labelled parts.
template <class T>
Facts facts_from(const T& given, const answer::Parts<T>& parts) {
  Facts facts;
  for (auto& [label, text] : answer::facts_of(given, parts)) facts.add(label, text);
  return facts;
}

/// For a part that has no table yet: a path may hold bytes that are no UTF-8.
inline answer::WrittenJson written(const Json& json) {
  return {json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// For commands that put their JSON together themselves.
inline Json json_of(const answer::Node& node) {
  return Json::parse(answer::to_json(node));
}
template <class T>
Json json_of(const T& given, const answer::Parts<T>& parts) {
  return json_of(answer::Node{answer::members_of(given, parts)});
}

}  // namespace weft::cli
