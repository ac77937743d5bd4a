// The parameters that a grid may name: those of the commands, as their options are called.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/question/row_kind.hpp"
#include "weft/question/value.hpp"

namespace weft::question {

struct Parameter {
  std::string name;
  std::vector<RowKind> kinds;  // of experiments that it belongs to
  std::string fallback;  // the text that stands for it where a file says nothing; may be empty
};

/// All, in the order of docs/experiments.md.
std::span<const Parameter> parameters();
/// The parameter of this name, or null.
const Parameter* find_parameter(std::string_view name);
bool belongs_to(const Parameter& parameter, RowKind kind);
/// The names of those that belong to experiments of this kind.
std::vector<std::string> parameter_names(RowKind kind);

/// The canonical form of what a user wrote: sizes and counts as numbers, names in lower case and
/// without aliases, speeds in their largest exact unit. Throws InvalidInput, without a place.
Value canonical_value(std::string_view parameter, std::string_view text);

/// What `measure` gives for rows of this kind, in the order in which tables show it.
std::span<const std::string> measures_of(RowKind kind);

/// Whether a measure is true or false; all others are numbers.
bool is_truth(std::string_view measure);

std::string_view name_of(RowKind kind);
/// What a row of the kind is of: "topology", "nodes", "design" or "part".
std::string_view first_parameter(RowKind kind);
/// Nothing where there is no such kind.
std::optional<RowKind> find_row_kind(std::string_view name);
/// Throws InvalidInput, without a place.
RowKind parse_row_kind(std::string_view name);

}  // namespace weft::question
