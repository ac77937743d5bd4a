// What is said of failures, as options.
#include "weft/advise/degradation.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::advise {

namespace {

constexpr Names<ScheduleRepair, 2> kUpkeeps{"value of --schedules", {"kept", "rebuilt"}};
constexpr Names<FailureOutcome, 3> kFates{"fate", {"kept", "rebuilt", "impossible"}};

constexpr std::int64_t kMostTrials = 1'000'000;

Trials read_trials(std::string_view name, std::string_view text) {
  const std::string word = lower(text);
  if (word == "auto") return {};
  if (word == "none") return {.kind = Trials::Kind::none};
  if (word == "all") return {.kind = Trials::Kind::all};
  const auto number = number_in<std::int64_t>(text);
  require(number && *number >= 1 && *number <= kMostTrials,
          "invalid number of {1} that fail: '{0}' (expected all, none, or 1 to {2} random "
          "ones)",
          text, name, kMostTrials);
  return {.kind = Trials::Kind::some, .count = *number};
}

Value show_trials(const Trials& trials) {
  switch (trials.kind) {
    case Trials::Kind::automatic:
      return std::string("auto");
    case Trials::Kind::none:
      return std::string("none");
    case Trials::Kind::all:
      return std::string("all");
    case Trials::Kind::some:
      break;
  }
  return trials.count;
}

constexpr auto kFailingCables =
    fields::field<read_trials, show_trials>("cables", "auto")
        .helped(
            "Cables that fail: all (one after another), a number of random ones, or none [all, or "
            "as many as take a few seconds; none with --nodes]");
constexpr auto kNodes =
    fields::field<read_trials, show_trials>("nodes", "none")
        .helped("Switches that fail (nodes, if there are none): all, or a number");
constexpr auto kFailures = fields::count<1, 64>("failures", "1")
                               .helped("Number of cables or switches that fail at once, 1 to 64");
constexpr auto kSchedules = fields::choice<parse_repair>("schedules", "kept")
                                .helped(
                                    "Schedules after a failure: kept (rebuilt only if they no "
                                    "longer fit) or rebuilt (always)");

}  // namespace

ScheduleRepair parse_repair(std::string_view name) {
  return kUpkeeps.value(name);
}

std::string_view name_of(ScheduleRepair upkeep) {
  return kUpkeeps[upkeep];
}

std::string_view name_of(FailureOutcome fate) {
  return kFates[fate];
}

std::span<const Member<FailureOptions>> failure_members() {
  using Options = FailureOptions;
  static constexpr std::array kMembers = {fields::kMember<kFailingCables, &Options::cables>,
                                          fields::kMember<kNodes, &Options::nodes>,
                                          fields::kMember<kFailures, &Options::at_once>,
                                          fields::kMember<kSchedules, &Options::schedules>};
  return kMembers;
}

}  // namespace weft::advise
