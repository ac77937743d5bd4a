#include "weft/study/file/substitution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "weft/base/checked.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/range.hpp"
#include "weft/base/text.hpp"

namespace weft::study {

namespace {

constexpr std::size_t kMostSubstitutions = 1'000'000;

// A factor and the operator before it; '+' of the first one.
struct Operand {
  char before = '+';
  std::string_view name;
};

std::vector<Operand> operands_of(std::string_view braces) {
  std::vector<Operand> operands;
  char before = '+';
  for (;;) {
    const std::size_t end = braces.find_first_of("+-*/%");
    operands.push_back({before, trim(braces.substr(0, end))});
    if (end == std::string_view::npos) return operands;
    before = braces[end];
    braces.remove_prefix(end + 1);
  }
}

bool has_operator(std::string_view name) {
  return name.find_first_of("^() ") != std::string_view::npos;
}

// A number needs no braces.
void require_variable(std::string_view braces) {
  const auto is_number = [](const Operand& operand) {
    return number_in<std::int64_t>(operand.name).has_value();
  };
  require(!std::ranges::all_of(operands_of(braces), is_number),
          "{{{}}} has no variable; write the number itself", braces);
}

// Copies the text, with what `replace` makes of each pair of braces.
std::string replace_braces(std::string_view text,
                           const std::function<std::string(std::string_view)>& replace) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find_first_of("{}", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    require(text[open] == '{' && close != std::string_view::npos,
            "'{}' has a single brace; write {{n}} for the variable n", text);
    require(close > open + 1, "'{}' has empty braces; write {{n}} for the variable n", text);
    require_variable(text.substr(open + 1, close - open - 1));
    result += replace(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return result;
}

const std::string& value_of(std::string_view name, const Texts& variables) {
  const auto found = variables.find(name);
  if (found != variables.end()) return found->second;
  require(!has_operator(name),
          "invalid {{{}}} (expected products, quotients and sums such as {{2*n}} or "
          "{{n*n+1}}); make a variable of its values",
          name);
  std::vector<std::string> known;
  for (const auto& [variable, text] : variables) known.push_back(variable);
  if (known.empty())
    reject("unknown variable '{}'; write {} = [...] under [variables]", name, name);
  reject_unknown({"variable", name}, known);
}

std::int64_t factor_value(std::string_view factor, const Texts& variables) {
  if (const auto literal = number_in<std::int64_t>(factor)) return *literal;
  const std::string& text = value_of(factor, variables);
  const auto number = number_in<std::int64_t>(text);
  require(number.has_value(), "'{}' ({}) is not an integer, so it cannot be calculated with",
          factor, text);
  return *number;
}

// The terms so far, and the one under way. Quotients and remainders are those of integers, towards
// zero, from left to right.
std::int64_t result_of(std::span<const Operand> operands, const Texts& variables) {
  WEFT_ASSERT(!operands.empty() && operands.front().before == '+');
  std::int64_t sum = 0, term = 0;
  for (const auto& [before, name] : operands) {
    const std::int64_t value = factor_value(name, variables);
    require(value != 0 || (before != '/' && before != '%'), "the divisor {} is 0", name);
    switch (before) {
      case '*':
        term = checked_mul(term, value);
        break;
      case '/':  // the least integer has no quotient by -1
        term = value == -1 ? checked_mul(term, -1) : term / value;
        break;
      case '%':
        term = value == -1 ? 0 : term % value;
        break;
      default:
        sum = checked_add(sum, term);
        term = before == '-' ? checked_mul(-1, value) : value;
    }
  }
  return checked_add(sum, term);
}

const Axis* find_variable(const std::vector<Axis>& axes, std::string_view name) {
  const auto found = std::ranges::find_if(
      axes, [&](const Axis& axis) { return axis.variable && axis.name == name; });
  return found == axes.end() ? nullptr : &*found;
}

// Before any is made.
void check_substitutions(std::string_view text, const std::vector<Axis>& axes) {
  std::size_t count = 1;
  for (const std::string& name : variables_in(text)) {
    const Axis* axis = find_variable(axes, name);
    if (axis == nullptr) continue;
    require(axis->values.size() <= kMostSubstitutions / count,
            "'{}' has more than {} substitutions; split it into several files", text,
            kMostSubstitutions);
    count *= axis->values.size();
  }
}

}  // namespace

std::vector<std::string> variables_in(std::string_view text) {
  std::vector<std::string> names;
  replace_braces(text, [&](std::string_view braces) {
    for (const auto& [before, name] : operands_of(braces))
      if (!number_in<std::int64_t>(name) && std::ranges::find(names, name) == names.end())
        names.emplace_back(name);
    return std::string();
  });
  return names;
}

std::string substitute(std::string_view text, const Texts& variables) {
  if (text.find_first_of("{}") == std::string_view::npos) return std::string(text);
  return replace_braces(text, [&](std::string_view braces) {
    const auto operands = operands_of(braces);
    if (operands.size() == 1) return value_of(operands.front().name, variables);
    return fmt::format("{}", result_of(operands, variables));
  });
}

std::vector<std::string> all_substitutions(std::string_view text, const std::vector<Axis>& axes) {
  check_substitutions(text, axes);
  std::vector<Texts> combinations(1);
  for (const Axis& axis : axes) {  // all of them known, so that messages can name the nearest
    WEFT_ASSERT(!axis.variable || !axis.values.empty());
    if (axis.variable) combinations.front()[axis.name] = axis.values.front();
  }
  for (const std::string& name : variables_in(text)) {
    const Axis* axis = find_variable(axes, name);
    if (axis == nullptr) continue;  // substitute() says so
    std::vector<Texts> longer;
    for (const Texts& combination : combinations)
      for (const std::string& value : axis->values) {
        longer.push_back(combination);
        longer.back()[name] = value;
      }
    combinations = std::move(longer);
  }
  WEFT_ASSERT(!combinations.empty() && combinations.size() <= kMostSubstitutions);
  std::vector<std::string> results;
  for (const Texts& combination : combinations) results.push_back(substitute(text, combination));
  return results;
}

namespace {

// "1:64" and "10:50:10", as on the command line.
std::vector<std::string> counted_values(const std::string& text) {
  const auto counts = parse_counts(text, "values");
  std::vector<std::string> values;
  for (const std::int64_t count : counts) values.push_back(fmt::format("{}", count));
  return values;
}

}  // namespace

std::vector<std::string> range_values(const std::string& text) {
  if (text.find(':') != std::string::npos &&
      text.find_first_not_of("0123456789:") == std::string::npos)
    return counted_values(text);
  const std::size_t dots = text.find(".."), colon = std::min(text.find(':', dots), text.size());
  if (dots == std::string::npos) return {text};
  const std::string_view all = text;
  const auto first = number_in<std::int64_t>(all.substr(0, dots));
  const auto last = number_in<std::int64_t>(all.substr(dots + 2, colon - dots - 2));
  const auto stride = colon == text.size() ? std::optional<std::int64_t>(1)
                                           : number_in<std::int64_t>(all.substr(colon + 1));
  if (!first || !last || !stride) return {text};
  require(*first <= *last, "the range {} is descending; write {}..{}", text, *last, *first);
  require(*stride >= 1, "the stride of {} is below 1; write {}..{}:1", text, *first, *last);
  const auto span = static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first);
  const std::uint64_t more = span / static_cast<std::uint64_t>(*stride);
  require(more < kMostSubstitutions, "the range {} has more than {} values; split it", text,
          kMostSubstitutions);
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i <= more; ++i)
    values.push_back(fmt::format("{}", *first + static_cast<std::int64_t>(i) * *stride));
  return values;
}

Value variable_value(const std::string& text) {
  if (const auto number = number_in<std::int64_t>(text)) return *number;
  if (const auto number = number_in<double>(text)) return *number;
  return text;
}

}  // namespace weft::study
