// What an experiment file says, checked before anything is run. What is wrong is thrown as
// InvalidInput, "FILE:LINE: what is wrong; what is right".
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/toml_document.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {

/// Names and values of the axes; tells those of [quick] and [full] whether they are variables.
void check_axes(Experiment& experiment);

/// What excludes, derived columns, charts and claims name; writes names in them without aliases.
void check_references(Experiment& experiment);

/// The axes of a grid: those of the file, or with others in their places.
std::vector<Axis> axes_of(const Experiment& experiment, Grid grid);

/// The values of an axis as single ones: variables replaced, ranges of sizes expanded.
std::vector<std::string> values_of(const Axis& axis, const std::vector<Axis>& axes);

/// Those of all grids, in canonical form; the default where the file says none.
std::set<std::string> values_in_grids(const Experiment& experiment, const std::string& name);

/// Rejects values of the models' fields that ask for what no row has, of other fields.
void check_demands(const Experiment& experiment);

/// The axis of this name, or null.
const Axis* find_axis(const std::vector<Axis>& axes, std::string_view name);

/// The key's line; `line` where it has none.
inline int line_of(const KeyLines& lines, std::string_view key, int line) {
  const auto found = lines.find(key);
  return found == lines.end() ? line : found->second;
}

template <class... Args>
void require_at(bool condition, const Experiment& experiment, int line,
                fmt::format_string<Args...> format, Args&&... args) {
  if (!condition)
    reject_at(experiment.path, line, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace weft::study
