#include "cli/answers/bisection.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

Json text_or_null(std::string_view text) {
  return text.empty() ? Json() : Json(std::string(text));
}

}  // namespace

Json json_of(const analysis::Bisection& bisection) {
  return {{"lower", bisection.lower},
          {"upper", bisection.upper},
          {"exact", bisection.exact() ? Json(bisection.upper) : Json()},
          {"formula", text_or_null(bisection.formula)},
          {"source", text_or_null(bisection.source)}};
}

std::string show(const analysis::Bisection& bisection) {
  if (!bisection.exact()) return fmt::format("{} to {} cables", bisection.lower, bisection.upper);
  if (bisection.formula.empty()) return fmt::format("{} cables", bisection.upper);
  return fmt::format("{} cables (formula: {})", bisection.upper, bisection.source);
}

}  // namespace weft::cli
