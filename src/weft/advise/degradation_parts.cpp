// The tables of parts of what weft degrade answers.
#include "weft/advise/degradation_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/answer/keys.hpp"

namespace weft::advise {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

// The same without "cable=", where one of a kind fails.
std::string short_worst_text(const AnsweredEndurance& answered) {
  const std::string text = worst_text(answered);
  const Failure& first = answered.of.failures.front();
  const bool one_key = first.cables.size() + first.nodes.size() == 1 && !fails_both(answered.of);
  return one_key ? text.substr(text.find('=') + 1) : text;
}

// Null if the algorithm never runs.
auto slowdown(double Endurance::*member) {
  return [member](const AnsweredEndurance& answered) {
    return answered.each.worst.empty() ? std::nullopt : std::optional(answered.each.*member);
  };
}

std::vector<std::string> worst_names(const AnsweredEndurance& answered) {
  std::vector<std::string> names;
  for (const std::size_t failure : answered.each.worst)
    names.push_back(answered.of.failures[failure].name);
  return names;
}

}  // namespace

bool fails_both(const Degradation& found) {
  return found.failures.front().nodes.empty() != found.failures.back().nodes.empty();
}

std::string worst_text(const AnsweredEndurance& answered) {
  const Endurance& each = answered.each;
  if (each.worst.empty()) return "";
  const std::size_t equal = each.worst.size();
  if (equal > 1 && std::cmp_equal(equal, each.kept + each.rebuilt)) return "any";
  const std::string& first = answered.of.failures[each.worst.front()].name;
  return equal == 1 ? first : fmt::format("{} (of {} equal)", first, equal);
}

Parts<AnsweredEndurance> endurance_parts() {
  constexpr PartOf<AnsweredEndurance> part;
  const auto of_each = [](auto member) {
    return [member](const AnsweredEndurance& answered) { return answered.each.*member; };
  };
  return {
      part("time", "intact", Unit::seconds, "time without failures", of_each(&Endurance::time_s)),
      part("kept", "kept", Unit::none, "failures after which the schedule still works",
           of_each(&Endurance::kept)),
      part("rebuilt", "rebuilt", Unit::none, "failures after which a new schedule is built",
           of_each(&Endurance::rebuilt)),
      part("impossible", "impossible", Unit::none, "failures after which no schedule fits",
           of_each(&Endurance::impossible)),
      part("mean_slowdown", "mean slowdown", Unit::none,
           "mean time after a failure, relative to the time without, or null if nothing runs",
           slowdown(&Endurance::mean_slowdown))
          .decimals(3),
      part("worst_slowdown", "worst slowdown", Unit::none,
           "longest time after a failure, relative to the time without, or null",
           slowdown(&Endurance::worst_slowdown))
          .decimals(3),
      part("worst", "worst failure", Unit::none, "failures with the longest time", worst_names)
          .shown_as(short_worst_text),
      part("worst_failure", "", Unit::none, "first of the failures with the longest time, or null",
           [](const AnsweredEndurance& answered) {
             const auto names = worst_names(answered);
             return names.empty() ? std::nullopt : std::optional(names.front());
           })};
}

Parts<Degradation> trial_parts() {
  constexpr PartOf<Degradation> part;
  return {part(keys::kPossible, &Degradation::possible),
          part(keys::kTriedFailures,
               [](const Degradation& found) { return std::ssize(found.failures); }),
          part("cut", "", Unit::none, "failures after which the collective cannot go on",
               [](const Degradation& found) {
                 return std::ssize(found.failures) -
                        std::ranges::count_if(found.failures, &Failure::serves);
               })};
}

std::vector<Column> endurance_row_columns() {
  return {{"time"}, {"mean_slowdown"}, {"worst_slowdown"}, {"worst_failure"},
          {"kept"}, {"rebuilt"},       {"impossible"}};
}

std::vector<Column> trial_row_columns() {
  return {{"possible"}, {"tried"}, {"cut"}};
}

}  // namespace weft::advise
