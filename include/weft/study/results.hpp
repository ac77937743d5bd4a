// Results: the rows of an experiment with what was measured, in grid order, and the columns derived
// from them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/rows/row.hpp"
#include "weft/study/experiment.hpp"
#include "weft/study/store.hpp"

namespace weft::study {

struct ResultRow {
  Row row;
  Values results;        // measured and derived
  std::string error;     // why there are none
  bool missing = false;  // not computed yet
  double wall_s = 0;     // that computing it took
  /// A parameter, variable or result by name.
  Value get(std::string_view name) const;
};

struct Results {
  std::vector<ResultRow> rows;
  /// Columns that differ between rows, in the order of the file; all axes when there is one row.
  std::vector<std::string> parameters;
  std::vector<std::string> measures;  // columns of results, derived ones last
  /// An axis and a variable that its text names: both change together.
  struct Use {
    std::string axis, variable;
  };
  std::vector<Use> uses = {};
};

/// What `find` gives for rows that are in no store.
using FindRow = std::function<std::optional<StoredRow>(const std::string& key)>;
/// Joins rows in their order with what `find` knows of their keys, and derives. Throws InvalidInput
/// with the place of an `against` that fits several rows, naming the parameter that it leaves open.
Results join_results(const Experiment& experiment, std::vector<Row> rows, const FindRow& find);

/// Joins the grid with the store and computes the derived columns; a derived value without its
/// reference row is empty.
Results load_results(const Experiment& experiment, Grid grid, const ResultsStore& store);

/// Finds for a row those that have `against`'s parameters and are otherwise the same: in all
/// columns that do not depend on a named one, and where no row is, in those that both have. The
/// results must outlive it. O(rows * columns) to build; a search looks at the rows that are equal
/// in the columns that every row has.
class Counterparts {
 public:
  /// Keeps a reference to the results.
  Counterparts(const Results& results, const Match& against);
  /// In grid order; the row itself, too, where it has `against`'s parameters.
  std::vector<const ResultRow*> find(const ResultRow& row) const;

 private:
  std::string key_of(const ResultRow& row) const;

  std::vector<std::string> shared_, partial_;  // columns: of every row, of some
  std::unordered_map<std::string, std::vector<const ResultRow*>> by_key_;
};

/// Whether the row has all that the match names.
bool matches(const ResultRow& row, const Match& match);

/// What a claim is held against, as people read it: "2.7ms", "at most 15/16", "below".
std::string show_printed(const Claim& claim);

/// As experiment files write it.
std::string_view name_of(Claim::Over over);

/// Whether the column holds seconds.
bool is_time(std::string_view column);

/// A number of a claim, as people read it in the column.
std::string show_number(std::string_view column, const std::string& text);

/// As people read it: sizes as 1MiB, times as 12.3us, rates as 1.2GB/s, fractions as they are.
std::string show_value(std::string_view column, const Value& value);

}  // namespace weft::study

namespace weft {
using study::Counterparts;
using study::ResultRow;
using study::Results;
}  // namespace weft
