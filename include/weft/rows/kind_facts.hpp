// What kinds of experiments, their parameters and their columns mean, as text for `weft list` and
// the reference pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/rows/kind.hpp"

namespace weft::rows {

/// What one row of the kind is; empty for an unknown kind.
std::string_view summary_of_kind(std::string_view kind);

/// A column of the kind: meaning and unit; empty where there is none.
std::string_view meaning_of_column(std::string_view kind, std::string_view column);

/// What a parameter sets: the help of its option, or text of its own where no command has it.
std::string meaning_of_field(const Field& field);

/// A parameter as kinds have it: one entry for each default.
struct FieldUse {
  const Field* field = nullptr;
  std::vector<std::string_view> kinds;
  bool needed = false;  // kinds have no default for it
};

/// All parameters, each where the first kind has it.
std::vector<FieldUse> fields_of_kinds();

}  // namespace weft::rows
