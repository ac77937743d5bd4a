// Hand-made experiments and results.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/experiment/results.hpp"

namespace weft::test {

/// A row of parameters with what was measured there; its key is made of the parameters.
struct MadeRow {
  experiment::Values parameters;
  experiment::Values results;
  std::string error = {};
  experiment::Values variables = {};
  std::string written = {};  // the topology as the file has it
};

inline std::string key_of(const MadeRow& row) {
  return experiment::to_json(row.parameters) + experiment::to_json(row.variables);
}

/// The rows as load_results would give them; a row with neither results nor error is missing.
inline experiment::Results joined(const experiment::Experiment& experiment,
                                  const std::vector<MadeRow>& made) {
  std::vector<experiment::Row> rows;
  std::map<std::string, MadeRow> known;
  for (const MadeRow& row : made) {
    rows.push_back(
        {.parameters = row.parameters,
         .variables = row.variables,
         .key = key_of(row),
         .written = row.written.empty() ? experiment::Value() : experiment::Value(row.written)});
    if (!row.results.empty() || !row.error.empty()) known[key_of(row)] = row;
  }
  const auto find = [&](const std::string& key) -> std::optional<experiment::StoredRow> {
    const auto found = known.find(key);
    if (found == known.end()) return std::nullopt;
    experiment::StoredRow stored;
    stored.key = key;
    stored.results = found->second.results;
    stored.error = found->second.error;
    return stored;
  };
  return experiment::join_results(experiment, rows, find);
}

}  // namespace weft::test
