// Experiment: a study stated in a TOML file (docs/how-to/write-a-study.md).
//
//   [experiment]                      what it is
//   [variables], [grid]               every combination of these is a row; "{n}" in a text is a
//   variable [quick], [full]                   replace entries of both, for a reduced grid and for
//                                     all that would take hours
//   [[pairs]]                         values of several axes that go together
//   [[exclude]]                       rows that match are left out
//   [[derive]]                        columns computed from others
//   [[chart]], [[claim]], [[claims]]  what is drawn, and what the paper says
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/rows/kind.hpp"

namespace weft::study {

/// One axis of the grid: a parameter of the commands (as its option is called, without dashes) or a
/// variable, and its values as the user wrote them; a size range is one value, expanded later.
struct Axis {
  std::string name;
  std::vector<std::string> values;
  bool variable = false;
  int line = 0;  // in the file, for messages
};

/// The lines of a table's keys in the file, for messages.
using KeyLines = std::map<std::string, int, std::less<>>;

/// Parameters (or variables) and the text they must have: `{algorithm = "bruck", size = "32KiB"}`.
/// Sizes compare as bytes, numbers as numbers, names without letter case.
struct Match {
  std::vector<std::pair<std::string, std::string>> equal;
  int line = 0;
  KeyLines lines = {};
};

/// Values of several axes that go together. Rows of the grid that agree with none are left out; a
/// row agrees with what it has no value for.
struct Pairing {
  std::vector<Match> together;
  int line = 0;
};

/// A column: the ratio between a row and the row that has `against`'s parameters and otherwise the
/// same.
struct Derived {
  std::string name;
  std::string of = "time";
  enum class Form : std::uint8_t {
    speedup,
    ratio
  } form = Form::ratio;  // against / row, or row / against
  Match against;
  int line = 0;
  KeyLines lines = {};
};

struct ChartSpec {
  std::string name;  // of the file
  std::string title;
  std::string x = "size", y = "time";
  std::string series = "algorithm";       // a line or bar for each of its values
  std::optional<std::string> panel = {};  // a panel for each of its values
  enum class Form : std::uint8_t { lines, points, bars } form = Form::lines;
  bool log_x = true, log_y = true;
  std::optional<std::string> spread =
      {};  // median with minimum and maximum over this parameter, as "seed"
  std::string x_label, y_label;
  Match where;
  int line = 0;
  KeyLines lines = {};
};

/// Which rows of a file: those of its axes, or with those of [quick] or [full] in their places.
enum class Grid : std::uint8_t { standard, quick, full };
std::string_view name_of(Grid grid);

/// A printed number or statement, and how ours is held against it.
struct Claim {
  std::string text;    // in our words
  std::string source;  // section, figure or table
  /// Who says it: a paper, or we (what theory expects, bounds and networks of our own).
  enum class Kind : std::uint8_t { printed, own } kind = Kind::printed;
  /// value: `column` of the rows `where` is `wanted`, within the tolerance.
  /// below: `column` of `where` is below that of `than` in every pair of rows that is otherwise the
  /// same.
  /// at_most, at_least: `column` is not above, not below `wanted`, which is all that is said.
  /// under, above: the same, where a number is printed and one side of it is held.
  /// interval: `wanted`, give or take the tolerance, lies between `column` and `column_to`.
  enum class Form : std::uint8_t {
    value,
    below,
    at_most,
    at_least,
    under,
    above,
    interval
  } form = Form::value;
  std::string column = "time", column_to = {};
  Match where, than;
  std::string wanted;                     // a number, a fraction, or a text to be equal
  double tolerance = 0.01;                // relative
  std::optional<double> within = {};      // absolute and inclusive, in the tolerance's place
  std::optional<std::string> rival = {};  // what another reading would give
  /// The column's mean, median, least or greatest value over the rows, in place of every one's; of
  /// `below` that of the rows of `where` against that of the rows that have `than` in its place.
  /// commonest: the values that most rows have, of a text as many as `wanted` names.
  enum class Over : std::uint8_t {
    each,
    mean,
    median,
    least,
    greatest,
    commonest
  } over = Over::each;
  std::optional<std::string> from = {}, to = {};  // of `below`: sizes that it speaks of

  /// Of a claim that is not met: the section of reproduction/notes/ on it, ...
  std::optional<std::string> reason = {};
  /// ... what we get in each grid (one for all rows, or one for each; of an interval both ends; the
  /// standard grid's where another says nothing), held with a relative tolerance, ...
  std::vector<std::string> ours = {}, ours_quick = {}, ours_full = {};
  double ours_tolerance = 0.005;
  /// ... of `below` the rows where the order does not hold, ...
  std::optional<std::vector<Match>> broken = {};
  /// ... and why the print differs: rows that have the cause in the model and give what is printed,
  /// or what proves the print wrong.
  std::optional<Match> cause = {};
  std::optional<std::string> proof = {};

  int line = 0;
  KeyLines lines = {};

  /// What the claim says that we get in this grid; nothing where it says nothing.
  const std::vector<std::string>& ours_in(Grid grid) const {
    const auto& own = grid == Grid::quick ? ours_quick : grid == Grid::full ? ours_full : ours;
    return own.empty() ? ours : own;
  }
  /// Whether `wanted` is a limit of the column.
  bool is_bound() const { return is_upper() || form == Form::at_least || form == Form::above; }
  bool is_upper() const { return form == Form::at_most || form == Form::under; }
};

struct Experiment {
  std::string path, name, title, source, description;
  std::vector<std::string> groups;  // `weft reproduce GROUP` runs it too
  const RowKind* kind = &rows::kind_of("simulate");
  std::vector<Axis> axes;
  std::vector<Axis> quick, full;  // replace axes of the same name
  std::vector<Match> excludes;
  std::vector<Pairing> pairings;
  std::vector<std::string> measures;  // columns to show; all when empty
  std::vector<Derived> derived;
  std::vector<ChartSpec> charts;
  std::vector<Claim> claims;
  KeyLines lines = {};  // of [experiment]

  /// What replaces axes in a grid.
  const std::vector<Axis>& replacements(Grid grid) const {
    static const std::vector<Axis> none;
    return grid == Grid::quick ? quick : grid == Grid::full ? full : none;
  }
};

/// Reads and checks the file: unknown keys and parameters (with the nearest), wrong types,
/// undefined variables, algorithms, collectives, models that do not exist. Throws InvalidInput,
/// "FILE:LINE: what is wrong; what is right".
Experiment load_experiment(const std::string& path);
Experiment parse_experiment(std::string_view content, const std::string& path);

}  // namespace weft::study

namespace weft {
using study::Axis;
using study::ChartSpec;
using study::Claim;
using study::Experiment;
using study::Grid;
using study::Match;
}  // namespace weft
