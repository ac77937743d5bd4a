// Results: the rows of an experiment with what was measured, in grid order, and the columns derived
// from them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/row.hpp"
#include "weft/experiment/store.hpp"

namespace weft::experiment {

struct ResultRow {
  Row row;
  Values results;        // measured and derived
  std::string error;     // why there are none
  bool missing = false;  // not computed yet
  /// A parameter, variable or result by name.
  Value get(std::string_view name) const;
};

struct Results {
  std::vector<ResultRow> rows;
  std::vector<std::string>
      parameters;                     // columns that differ between rows, in the order of the file
  std::vector<std::string> measures;  // columns of results, derived ones last
};

/// Joins the grid with the store and computes the derived columns; a derived value without its
/// reference row is empty.
Results load_results(const Experiment& experiment, Grid grid, const ResultsStore& store);

/// Whether the row has all that the match names.
bool matches(const ResultRow& row, const Match& match);

/// How a claim fared.
struct Verdict {
  enum class Outcome : std::uint8_t { met, explained, unmet, missing } outcome = Outcome::missing;
  std::string ours;    // our value, or where the statement fails
  std::string detail;  // the reason, or what is missing
};
Verdict judge(const Claim& claim, const Results& results);

}  // namespace weft::experiment
