#include "weft/study/file/matching.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/rows/kind.hpp"
#include "weft/study/file/substitution.hpp"

namespace weft::study {

namespace {

std::string without_blanks(std::string_view text) {
  std::string result = lower(text);
  std::erase(result, ' ');
  return result;
}

bool same_canonical(std::string_view name, const Value& value, std::string_view text) {
  try {
    return rows::canonical_value(name, text) == value;
  } catch (const InvalidInput&) {
    return false;  // not a value of this parameter, so no row has it
  }
}

}  // namespace

bool same_value(std::string_view name, const Value& value, std::string_view text) {
  const std::string ours = fields::to_text(value);
  if (lower(ours) == lower(text)) return true;
  if (name == "topology") return without_blanks(ours) == without_blanks(text);
  if (rows::find_field(name) != nullptr) return same_canonical(name, value, text);
  const auto number = fields::to_number(value), other = fields::read_number(text);
  return number && other && *number == *other;
}

const Value* find_value(const Row& row, std::string_view name) {
  if (const auto found = row.parameters.find(name); found != row.parameters.end())
    return &found->second;
  if (const auto found = row.variables.find(name); found != row.variables.end())
    return &found->second;
  return name == "network" && !fields::is_nothing(row.written) ? &row.written : nullptr;
}

const Value* find_value(const ResultRow& row, std::string_view name) {
  if (const Value* value = find_value(row.row, name)) return value;
  const auto found = row.results.find(name);
  return found == row.results.end() ? nullptr : &found->second;
}

namespace {

// Named as rows have it, or as the file writes it, before or after variables are replaced.
bool same_topology(const Row& row, const Value& value, const std::string& text) {
  if (same_value("topology", value, text)) return true;
  const std::string written = fields::to_text(row.written);
  if (written.empty()) return false;
  if (without_blanks(written) == without_blanks(text)) return true;
  Texts variables;
  for (const auto& [name, variable] : row.variables) variables[name] = fields::to_text(variable);
  return without_blanks(substitute(written, variables)) == without_blanks(text);
}

const Row& row_of(const Row& row) {
  return row;
}

const Row& row_of(const ResultRow& row) {
  return row.row;
}

// A row is without what is "none" where nothing is said (background traffic).
bool is_none(std::string_view name, std::string_view text) {
  const fields::Field* parameter = rows::find_field(name);
  return parameter != nullptr && parameter->fallback == "none" && lower(text) == "none";
}

template <class AnyRow>
bool has_all(const AnyRow& row, const Match& match) {
  return std::ranges::all_of(match.equal, [&](const auto& wanted) {
    const Value* value = find_value(row, wanted.first);
    if (value == nullptr || fields::is_nothing(*value)) return is_none(wanted.first, wanted.second);
    return wanted.first == "topology" ? same_topology(row_of(row), *value, wanted.second)
                                      : same_value(wanted.first, *value, wanted.second);
  });
}

}  // namespace

bool matches(const Row& row, const Match& match) {
  return has_all(row, match);
}

bool agrees(const Row& row, const Match& match) {
  return std::ranges::all_of(match.equal, [&](const auto& wanted) {
    const Value* value = find_value(row, wanted.first);
    return value == nullptr || fields::is_nothing(*value) || matches(row, {.equal = {wanted}});
  });
}

bool matches(const ResultRow& row, const Match& match) {
  return has_all(row, match);
}

}  // namespace weft::study
