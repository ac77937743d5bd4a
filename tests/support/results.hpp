// Hand-made experiments and results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/study/results.hpp"

namespace weft::test {

/// A row of parameters with what was measured there; its key is made of the parameters.
struct MadeRow {
  fields::Values parameters;
  fields::Values results;
  std::string error = {};
  fields::Values variables = {};
  std::string written = {};  // the topology as the file has it
};

inline std::string key_of(const MadeRow& row) {
  return fields::to_json(row.parameters) + fields::to_json(row.variables);
}

/// The rows as load_results would give them; a row with neither results nor error is missing.
inline study::Results joined(const study::Experiment& experiment,
                             const std::vector<MadeRow>& made) {
  std::vector<rows::Row> rows;
  std::map<std::string, MadeRow> known;
  for (const MadeRow& row : made) {
    rows.push_back({.parameters = row.parameters,
                    .variables = row.variables,
                    .key = key_of(row),
                    .written = row.written.empty() ? fields::Value() : fields::Value(row.written)});
    if (!row.results.empty() || !row.error.empty()) known[key_of(row)] = row;
  }
  const auto find = [&](const std::string& key) -> std::optional<study::StoredRow> {
    const auto found = known.find(key);
    if (found == known.end()) return std::nullopt;
    study::StoredRow stored;
    stored.key = key;
    stored.results = found->second.results;
    stored.error = found->second.error;
    return stored;
  };
  return study::join_results(experiment, rows, find);
}

}  // namespace weft::test
