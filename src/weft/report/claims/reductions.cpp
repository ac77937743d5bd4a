#include "weft/report/claims/reductions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "weft/base/error.hpp"

namespace weft::report {

double number_of(const Finding& found) {
  WEFT_ASSERT(fields::to_number(found.value).has_value());
  return *fields::to_number(found.value);
}

namespace {

// Of an even number of rows the mean of the two in the middle.
Finding median(std::vector<Finding> findings) {
  std::ranges::sort(findings, {}, number_of);
  const std::size_t middle = findings.size() / 2;
  if (findings.size() % 2 == 1) return findings[middle];
  return {.value = (number_of(findings[middle - 1]) + number_of(findings[middle])) / 2};
}

}  // namespace

Finding combined(Claim::Over over, const std::vector<Finding>& findings) {
  WEFT_ASSERT(!findings.empty());
  if (over == Claim::Over::median) return median(findings);
  if (over == Claim::Over::least) return *std::ranges::min_element(findings, {}, number_of);
  if (over == Claim::Over::greatest) return *std::ranges::max_element(findings, {}, number_of);
  double sum = 0;
  for (const Finding& found : findings) sum += number_of(found);
  return {.value = sum / static_cast<double>(findings.size())};
}

Finding commonest(const Claim& claim, const std::vector<Finding>& findings) {
  WEFT_ASSERT(!findings.empty());
  std::map<std::string, int> rows_of;
  for (const Finding& found : findings) ++rows_of[fields::to_text(found.value)];
  std::vector<std::pair<std::string, int>> values(rows_of.begin(), rows_of.end());
  std::ranges::stable_sort(values, std::greater{}, &std::pair<std::string, int>::second);
  std::size_t wanted = 1;  // names have commas, and no blanks
  for (auto at = claim.wanted.find(", "); at != std::string::npos;
       at = claim.wanted.find(", ", at + 1))
    ++wanted;
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_tie = i > 0 && values[i].second == values[i - 1].second;
    if (i >= wanted && !is_tie) break;
    text += fmt::format("{}{}", i == 0 ? "" : is_tie ? " = " : ", ", values[i].first);
  }
  return {.value = text};
}

Finding worst(const Claim& claim, const std::vector<Finding>& findings) {
  WEFT_ASSERT(!findings.empty());
  return claim.is_upper() ? *std::ranges::max_element(findings, {}, number_of)
                          : *std::ranges::min_element(findings, {}, number_of);
}

}  // namespace weft::report
