#include "weft/design/bisection_parts.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace weft::design {

using analysis::Bisection;
using answer::Unit;

namespace {

std::optional<std::string_view> text_or_none(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

answer::Parts<Bisection> bisection_parts() {
  constexpr answer::PartOf<Bisection> part;
  return {
      part("lower", "", Unit::none, "no halves have fewer cables between them", &Bisection::lower),
      part("upper", "", Unit::none, "cables between the best halves that were found",
           &Bisection::upper),
      part("exact", "", Unit::none, "the bisection, where both are equal",
           [](const Bisection& bisection) {
             return bisection.exact() ? std::optional(bisection.upper) : std::nullopt;
           }),
      part("formula", "", Unit::none, "formula of the exact value",
           [](const Bisection& bisection) { return text_or_none(bisection.formula); }),
      part("source", "", Unit::none, "source of the formula",
           [](const Bisection& bisection) { return text_or_none(bisection.source); })};
}

std::string bisection_text(const Bisection& bisection) {
  if (!bisection.exact()) return fmt::format("{} to {} cables", bisection.lower, bisection.upper);
  if (bisection.formula.empty()) return fmt::format("{} cables", bisection.upper);
  return fmt::format("{} cables (formula: {})", bisection.upper, bisection.source);
}

}  // namespace weft::design
