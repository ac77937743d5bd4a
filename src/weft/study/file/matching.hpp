// Whether a row has what a match names.
#pragma once

#include <string_view>

#include "weft/rows/row.hpp"
#include "weft/study/results.hpp"

namespace weft::study {

/// Whether a parameter's or variable's value is what the text says: sizes as bytes, numbers as
/// numbers, names without letter case, topologies without blanks.
bool same_value(std::string_view name, const Value& value, std::string_view text);

/// A parameter or variable of the row; nothing where it has none of this name.
const Value* find_value(const Row& row, std::string_view name);

/// The same, or a result of the row.
const Value* find_value(const ResultRow& row, std::string_view name);

/// Whether the row has all that the match names; a parameter that it lacks is no match.
bool matches(const Row& row, const Match& match);

/// Whether no value that the row has is another than the match names.
bool agrees(const Row& row, const Match& match);

}  // namespace weft::study
