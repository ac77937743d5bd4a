// Rows of a grid: every combination of the axes' values, made canonical, once.
//
// Two ways to write one thing are one row: aliases, units and defaults are resolved, and a
// parameter without influence is dropped (the root of an allreduce, the radix of a ring, the
// readings of steps under alpha-beta, the seed where nothing is drawn). What is dropped can't
// change the key, so the row is not computed again for it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/toml_document.hpp"
#include "weft/base/units.hpp"
#include "weft/rows/canonical_row.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/study/file/experiment_checks.hpp"
#include "weft/study/file/matching.hpp"
#include "weft/study/file/substitution.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {

namespace {

constexpr std::size_t kCombinationsPerRow = 10;  // of which all but one may be left out

struct AxisValue {
  std::string text;
  bool if_applicable = false;  // came from "all": left out where it does not fit
};

struct ExpandedAxis {
  const Axis* axis;
  std::vector<AxisValue> values;
};

std::vector<AxisValue> values_without_all(const Axis& axis) {
  std::vector<AxisValue> values;
  for (const std::string& text : axis.values) {
    if (axis.name == "algorithm" && lower(text) == "all")
      for (const auto& algorithm : algorithm::algorithms()) {
        if (!algorithm.named_only) values.push_back({algorithm.name, true});
      }
    else
      values.push_back({text});
  }
  return values;
}

std::vector<ExpandedAxis> expanded(const std::vector<Axis>& axes) {
  std::vector<ExpandedAxis> result;
  for (const Axis& axis : axes) {
    const bool constant = !axis.variable && std::ranges::all_of(axis.values, [](const auto& text) {
      return variables_in(text).empty();
    });
    ExpandedAxis entry{&axis, values_without_all(axis)};
    if (axis.name == "size" && constant) {
      entry.values.clear();
      for (std::string& text : values_of(axis, axes)) entry.values.push_back({std::move(text)});
    }
    result.push_back(std::move(entry));
  }
  return result;
}

class Expander {
 public:
  Expander(const Experiment& experiment, Grid grid, std::size_t most_rows)
      : experiment_(experiment),
        axes_(axes_of(experiment, grid)),
        most_rows_(most_rows),
        canonical_(*experiment.kind) {}

  std::vector<Row> rows() {
    const auto axes = expanded(axes_);
    WEFT_ASSERT(!axes.empty());
    check_combinations(axes);
    std::vector<std::size_t> at(axes.size(), 0);
    for (;;) {
      add_combination(axes, at);
      std::size_t axis = axes.size();
      while (axis > 0 && ++at[axis - 1] == axes[axis - 1].values.size()) at[--axis] = 0;
      if (axis == 0) break;
    }
    return std::move(rows_);
  }

 private:
  // Before any row is made.
  void check_combinations(const std::vector<ExpandedAxis>& axes) const {
    const std::size_t most = kCombinationsPerRow * most_rows_;
    std::size_t combinations = 1;
    for (const ExpandedAxis& axis : axes) {
      require_at(axis.values.size() <= most / combinations, experiment_, axis.axis->line,
                 "the grid has more than {} combinations; split it into several files", most);
      combinations *= axis.values.size();
    }
  }

  int line_of(std::string_view name) const {
    const Axis* axis = find_axis(axes_, name);
    return (axis == nullptr ? axes_.front() : *axis).line;
  }

  // Speeds that the file does not write itself are those of its machine.
  int line_of(std::string_view blamed, std::string_view otherwise) const {
    const bool written = find_axis(axes_, blamed) != nullptr;
    if (!written && blamed == "link" && find_axis(axes_, "machine") != nullptr)
      return line_of("machine");
    return line_of(written ? blamed : otherwise);
  }

  // What it throws is told with the place of what is to blame, else of the axis.
  template <class Body>
  auto located(std::string_view axis, Body body) const {
    try {
      return body();
    } catch (const InvalidField& error) {
      reject_at(experiment_.path, line_of(error.field(), axis), error.what());
    } catch (const InvalidInput& error) {
      reject_at(experiment_.path, line_of(axis), error.what());
    }
  }

  void add_combination(const std::vector<ExpandedAxis>& axes, const std::vector<std::size_t>& at) {
    WEFT_ASSERT(at.size() == axes.size());
    Texts variables, texts;
    written_.clear();
    bool if_applicable = false;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i].axis->variable) variables[axes[i].axis->name] = axes[i].values[at[i]].text;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].axis->variable) continue;
      WEFT_ASSERT(at[i] < axes[i].values.size());
      const AxisValue& value = axes[i].values[at[i]];
      if (axes[i].axis->name == "topology") written_ = value.text;
      texts[axes[i].axis->name] = substitute(value.text, variables);
      if_applicable |= value.if_applicable;
    }
    add_sizes(variables, texts, if_applicable);
  }

  // A size with a variable in it may still be a range.
  void add_sizes(const Texts& variables, Texts& texts, bool if_applicable) {
    const auto size = texts.find("size");
    if (size == texts.end() || size->second.find_first_of(":,") == std::string::npos)
      return add(variables, texts, if_applicable);
    for (const std::int64_t size_B : parse_sizes(std::string(size->second))) {
      texts["size"] = fmt::format("{}", size_B);
      add(variables, texts, if_applicable);
    }
  }

  // By what the file itself says of it, before any network is built.
  bool is_left_out(const Texts& variables, const Texts& texts) const {
    const auto topology = texts.find("topology");
    if (topology == texts.end()) return false;
    Row said;
    said.parameters.emplace("topology", topology->second);
    said.written = written_;
    for (const auto& [name, text] : variables) said.variables[name] = variable_value(text);
    const bool excluded = std::ranges::any_of(experiment_.excludes, [&](const Match& exclude) {
      const bool is_said = std::ranges::all_of(exclude.equal, [&](const auto& wanted) {
        return wanted.first == "topology" || said.variables.contains(wanted.first);
      });
      return is_said && matches(said, exclude);
    });
    return excluded || !is_paired(said);
  }

  // Whether every [[pairs]] has values that the row agrees with.
  bool is_paired(const Row& row) const {
    return std::ranges::all_of(experiment_.pairings, [&](const Pairing& pairing) {
      return std::ranges::any_of(pairing.together,
                                 [&](const Match& match) { return agrees(row, match); });
    });
  }

  void add(const Texts& variables, const Texts& texts, bool if_applicable) {
    if (is_left_out(variables, texts)) return;
    Row row = located(experiment_.kind->first_field(), [&] { return canonical_.row(texts); });
    WEFT_ASSERT(row.kind == experiment_.kind && !row.key.empty());
    row.written = written_;
    for (const auto& [name, text] : variables) row.variables[name] = variable_value(text);
    // Excludes first: they may name variables, which the key does not have.
    for (const Match& exclude : experiment_.excludes)
      if (matches(row, exclude)) return;
    if (!is_paired(row)) return;
    if (!known_.insert(row.key).second) return;
    if (experiment_.kind->runs_schedule()) {
      if (!serves(row)) return;
      const auto reason = located("topology", [&] { return canonical_.misfit(row); });
      if (if_applicable && (reason || !canonical_.is_taken_with_all(row))) return;
      if (reason) reject_at(experiment_.path, line_of("algorithm"), *reason);
    }
    require_at(rows_.size() < most_rows_, experiment_, axes_.front().line,
               "the grid has more than {} rows; split it into several files", most_rows_);
    rows_.push_back(std::move(row));
  }

  // A list of algorithms beside a list of collectives: each serves some of them (checked when the
  // file was read), and the other combinations are no rows.
  static bool serves(const Row& row) {
    const CollectiveKind kind = rows::kind_in(row.parameters);
    return fields::asks_for_best(row.parameters) ||
           algorithm::find_algorithm(fields::text_in(row.parameters, "algorithm")).supports(kind);
  }

  const Experiment& experiment_;
  std::vector<Axis> axes_;
  std::size_t most_rows_;
  rows::CanonicalRows canonical_;
  std::string written_;  // the topology of the combination, as the file has it
  std::set<std::string> known_;
  std::vector<Row> rows_;
};

void require_row(const Experiment& experiment, const std::vector<Row>& rows, const Match& match,
                 int line, std::string_view what) {
  if (match.equal.empty()) return;
  for (const Row& row : rows)
    if (matches(row, match)) return;
  std::string wanted;
  for (const auto& [name, text] : match.equal)
    wanted += fmt::format("{}{} = {}", wanted.empty() ? "" : ", ", name, text);
  reject_at(
      experiment.path, line,
      fmt::format("no row of the grid has {}, which {} names; add it to [grid], or name another",
                  wanted, what));
}

// Each value of a match may be there, and yet no row have all of them.
void require_rows_of_references(const Experiment& experiment, const std::vector<Row>& rows) {
  for (const Derived& derived : experiment.derived)
    require_row(experiment, rows, derived.against, derived.against.line, "against of [[derive]]");
  for (const ChartSpec& chart : experiment.charts)
    require_row(experiment, rows, chart.where, chart.where.line, "where of [[chart]]");
  for (const Claim& claim : experiment.claims) {
    require_row(experiment, rows, claim.where, claim.where.line, "where of [[claim]]");
    require_row(experiment, rows, claim.than, claim.than.line, "than of [[claim]]");
  }
}

}  // namespace

std::vector<Row> expand(const Experiment& experiment, Grid grid, std::size_t most_rows) {
  const auto rows_of = [&](Grid which) {
    std::vector<Row> rows = Expander(experiment, which, most_rows).rows();
    if (rows.empty())
      reject_at(experiment.path, experiment.axes.front().line,
                "the grid has no row (excluded, or no algorithm applies); widen it");
    return rows;
  };
  // What is wrong in one grid is told whichever is run.
  if (grid == Grid::standard && !experiment.quick.empty()) rows_of(Grid::quick);
  std::vector<Row> rows = rows_of(grid);
  if (grid == Grid::quick) return rows;
  if (grid == Grid::full || experiment.full.empty())
    require_rows_of_references(experiment, rows);
  else
    require_rows_of_references(experiment, rows_of(Grid::full));
  return rows;
}

}  // namespace weft::study
