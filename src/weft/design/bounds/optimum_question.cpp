#include "weft/design/bounds/optimum_question.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/design/bounds/curve_steps.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/flow/throughput.hpp"

namespace weft::design {

namespace {

std::string names_or_none(std::string_view, std::string_view text) {
  std::string names(text);
  if (lower(names) == kNoAlgorithms) return names;
  for (const std::string_view name : split(text, ','))
    require(lower(name) != kNoAlgorithms,
            "-a {} combines none with algorithms; use none by itself, or remove it", text);
  evaluate::algorithms_in(names);  // refused before any work
  return names;
}

std::int64_t read_call_size(std::string_view name, std::string_view text) {
  const std::int64_t size_B = fields::read_size(name, text);
  require(size_B > 0, "--size {} moves no data; give a larger size, such as 1MiB", text);
  return size_B;
}

double read_seconds(std::string_view, std::string_view text) {
  return parse_seconds(text);
}

constexpr double kUsualTimeLimit_s = 60;

constexpr auto kCallSize =
    fields::field<read_call_size, fields::show_size>("size", "")
        .helped("Size of a call, such as 64MiB; adds the time of this call [none]");
constexpr auto kHeldAgainst = fields::text<names_or_none>("algorithms", "")
                                  .helped(
                                      "Algorithms to compare with the bound, comma-separated, or "
                                      "none [packing and the best others, up to 128 ranks]");
constexpr auto kSegmentsBesideOne =
    fields::count<1, schedule::kMaxSegments>("segments", "64")
        .helped("Number of segments of pipelined schedules, tried in addition to one segment");
constexpr auto kStepsHeld = kCurveSteps.helped(
    "Numbers of steps, such as 3..8 or 3.. (and three more); prints the bound on T_B and the best "
    "known schedule for each [none]");
constexpr auto kProofTime = fields::field<read_seconds, fields::as_is<double>>("time-limit", "60s")
                                .helped(
                                    "Time limit of the proofs for allreduce, alltoall and --steps; "
                                    "if given, building schedules must fit into it, too");

bool are_left_out(const OptimumQuestion& asked, const Network& network) {
  return asked.algorithms.empty() && network.ranks() > evaluate::kMostMadeUnasked;
}

// The usual algorithms of an all-to-all begin with those of a message at once, which are neither
// near the optimum nor quick to price.
std::vector<std::string> worth_naming(const Collective& collective, const Network& network) {
  std::vector<std::string> names;
  if (collective.kind == CollectiveKind::alltoall)
    for (const algorithm::Algorithm& each : algorithm::algorithms())
      if (each.tried_early >= algorithm::TriedEarly::near_bound &&
          !algorithm::misfit(each, {collective, &network, {}}))
        names.push_back(each.name);
  if (names.empty()) names.push_back(evaluate::usual_algorithms(collective, network).front());
  return names;
}

// Where nobody names any, the best of all others, too, if it is better than the usual ones.
PricedSchedules priced(const OptimumQuestion& asked, const Collective& collective,
                       const Network& network) {
  if (asked.wants_no_schedules() || are_left_out(asked, network)) return {};
  const bool named = !asked.algorithms.empty();
  const std::vector<std::string> algorithms =
      named ? evaluate::algorithms_named(asked.algorithms, collective, network)
            : evaluate::usual_algorithms(collective, network);
  std::vector<const algorithm::Algorithm*> run;
  for (const std::string& name : algorithms) run.push_back(&algorithm::find_algorithm(name));
  algorithm::require_taken(run, {collective, &network, asked.parameters});
  PricedSchedules found =
      evaluate::priced_schedules(algorithms, collective, network, asked.segments, asked.parameters);
  if (named) return found;
  return evaluate::with_better(std::move(found), collective, network, asked.segments);
}

// Where the time limit came before any flow, nothing is reached: a T_B of infinity is no answer.
void drop_missing_flow(Optimum& best) {
  const auto* throughput = std::get_if<flow::Throughput>(&best.certificate);
  if (throughput != nullptr && !throughput->has_flow()) best.reached.reset();
}

// What a schedule has reached is reached.
void take_reached(Optimum& best, const std::vector<PricedSchedule>& rows) {
  if (best.bandwidth_factor) return;
  for (const PricedSchedule& row : rows)
    if (row.combining == Combining::at_ranks)
      best.reached = std::min(best.reached.value_or(row.bandwidth_factor.to_double()),
                              row.bandwidth_factor.to_double());
}

}  // namespace

bool OptimumQuestion::wants_no_schedules() const {
  return lower(algorithms) == kNoAlgorithms;
}

std::span<const Member<OptimumQuestion>> optimum_members() {
  static constexpr std::array kMembers = {
      fields::kMember<kCallSize, &OptimumQuestion::size_B>,
      fields::kMember<kHeldAgainst, &OptimumQuestion::algorithms>,
      fields::kMember<kSegmentsBesideOne, &OptimumQuestion::segments>,
      fields::kMember<kStepsHeld, &OptimumQuestion::steps>,
      fields::kMember<kProofTime, &OptimumQuestion::time_limit_s>};
  return kMembers;
}

namespace {

// The search of a cut has no answer before its end. What is solved in time takes the limit into
// account itself.
evaluate::Optimum optimum_until(const TimeLimit::End& end, double time_limit_s,
                                const Collective& collective, const Network& network) {
  std::optional<TimeLimit> limit;
  constexpr std::chrono::milliseconds kLeast(500);  // small networks have their answer
  if (end && !evaluate::is_solved_in_time(collective.kind))
    limit.emplace(std::max(end, TimeLimit::End(TimeLimit::Clock::now() + kLeast)));
  return evaluate::optimum(collective, network, {.time_limit_s = time_limit_s});
}

}  // namespace

OptimumAnswer answer(const OptimumQuestion& asked, const Collective& collective,
                     const Network& network) {
  const double time_limit_s = asked.time_limit_s.value_or(kUsualTimeLimit_s);
  const TimeLimit::End end =
      TimeLimit::end_after(asked.time_limit_s.value_or(std::numeric_limits<double>::infinity()));
  OptimumAnswer found{.best = optimum_until(end, time_limit_s, collective, network)};
  drop_missing_flow(found.best);
  if (asked.steps) {
    const TimeLimit limit(end);
    found.curve = step_curve(collective, network, found.best, *asked.steps,
                             asked.wants_no_schedules() ? "" : asked.algorithms, time_limit_s);
  } else {
    {
      const TimeLimit limit(end);
      found.schedules = priced(asked, collective, network);
    }
    take_reached(found.best, found.schedules.rows);
    if (are_left_out(asked, network)) found.worth_naming = worth_naming(collective, network);
  }
  if (asked.size_B) found.time_s = found.best.time_s(collective, network, *asked.size_B);
  return found;
}

}  // namespace weft::design
