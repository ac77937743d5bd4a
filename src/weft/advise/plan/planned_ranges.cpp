#include "planned_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "plan_times.hpp"
#include "schedule_spans.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/flow_factor.hpp"
#include "weft/evaluate/forwarding_hosts.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::advise {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// From which factor of the time on it is worth saying what paths would bring.
constexpr double kPathsMatter = 1.05;

// An algorithm as processes run it.
struct ToRun {
  Candidate candidate;
  std::optional<Candidate> with_paths = {};  // over the paths that were dropped
};

// Nothing where it has no paths, or no exact price over them.
std::optional<Candidate> candidate_with_paths(const evaluate::BuiltSchedules& built,
                                              const evaluate::ProvedSchedules& proved,
                                              const Network& network) try {
  const auto has_paths = [](const schedule::Verified& each) {
    return schedule::has_own_paths(each.schedule());
  };
  evaluate::ProvedSchedules own = proved;
  own.variants.resize(built.variants.size(), proved.variants.front());
  if (std::ranges::none_of(own.variants, has_paths)) return std::nullopt;
  return evaluate::candidate_of(built, own, network);
} catch (const std::overflow_error&) {
  return std::nullopt;
}

// MPI chooses no paths: what runs goes as the network routes it.
ToRun candidate_to_run(const algorithm::Algorithm& algorithm, const Collective& collective,
                       const Network& network, const algorithm::AlgorithmOptions& options) {
  evaluate::BuiltSchedules built =
      evaluate::build_schedules(algorithm, collective, network, options);
  const evaluate::ProvedSchedules proved = evaluate::prove(built, network);
  std::optional<Candidate> with_paths = candidate_with_paths(built, proved, network);
  // Each size has a schedule of its own, with the options.
  if (algorithm.sized && algorithm.takes(algorithm::kRoutes)) {
    algorithm::AlgorithmOptions over_network = options;
    over_network.values[std::string(algorithm::kRoutes.name)] =
        std::string(algorithm::kNetworkRoutes);
    return {evaluate::make_candidate(algorithm, collective, network, over_network),
            std::move(with_paths)};
  }
  const evaluate::ProvedSchedules to_run = evaluate::over_network_routes(built, proved, network);
  return {evaluate::candidate_of(built, to_run, network), std::move(with_paths)};
}

class Ranges {
 public:
  Ranges(const Collective& collective, const Network& network, const PlanOptions& options,
         const UnequalCalls* unequal)
      : collective_(collective),
        network_(network),
        options_(options),
        unequal_(unequal),
        name_(unequal == nullptr ? std::string(name_of(collective.kind))
                                 : unequal_name(collective.kind)),
        sizes_B_(unequal == nullptr ? options.sizes_B : unequal->sizes_B),
        algorithms_(unequal == nullptr
                        ? options.algorithms
                        : evaluate::names_for_unequal(options.algorithms, collective.kind)) {
    if (unequal != nullptr) return;
    for (const MeasuredTable& table : options.native)
      if (table.collective == collective.kind) native_ = &table;
  }

  PlannedRanges make() && {
    for (Dropped& each : evaluate::too_long(collective_, network_, algorithms_, options_.algorithm))
      made_.left_out.push_back({name_, std::move(each)});
    std::vector<Candidate> candidates = built();
    if (candidates.empty()) {
      tell(fmt::format("{} runs natively, because no algorithm for MPI processes supports it",
                       name_));
      if (unequal_ == nullptr) add_native();
      return std::move(made_);
    }
    const std::vector<Winner> won = winners(candidates);
    if (unequal_ != nullptr)
      add_unequal(won);
    else
      add_ranges(spans_of(won, native_, network_, options_.simulation));
    tell_paths(won.back());
    if (unequal_ == nullptr) tell_flow(won.back());
    return std::move(made_);
  }

 private:
  void tell(std::string remark) { made_.remarks.push_back(std::move(remark)); }

  void tell_left_out(const algorithm::Algorithm& algorithm, std::string_view why) {
    tell(fmt::format("{} of {} is left out: {}", algorithm.name, name_, why));
  }

  // The fastest at the largest size over the paths that no process can choose, as a comparison
  // finds it, where it is worth saying.
  void tell_paths(const Winner& largest) {
    if (with_paths_.empty()) return;
    std::vector<Contender> unpriced(with_paths_.size());
    const evaluate::ContestResult found = evaluate::contest(
        with_paths_, unpriced, std::array{largest.size_B}, network_, options_.simulation, rules());
    if (found.winners.front() == with_paths_.size()) return;
    const ComparisonRow& row = found.rows[found.winners.front()].front();
    if (row.result.time_s * kPathsMatter >= largest.time_s) return;
    tell(
        fmt::format("{} of {} uses the network's routes, because MPI processes cannot choose "
                    "paths; along its own paths {} would take {} instead of {}",
                    row.schedule, name_, format_size(largest.size_B),
                    format_seconds(row.result.time_s), format_seconds(largest.time_s)));
  }

  // Parts of segments are timed for blocks of one size.
  evaluate::ContestRules rules() const {
    return unequal_ != nullptr ? evaluate::ContestRules{} : plan_rules(network_);
  }

  // That flow is not among what was compared, and what that costs at the largest size.
  void tell_flow(const Winner& largest) {
    const algorithm::Algorithm& flow = algorithm::made_by(algorithm::Making::optimal_paths);
    if (!evaluate::are_all(algorithms_) || !flow.supports(collective_.kind) ||
        std::ranges::find(algorithms_, flow.name) != algorithms_.end() ||
        algorithm::misfit(flow, {collective_, &network_, {}}))
      return;
    std::string cost;
    if (const auto factor = evaluate::least_flow_factor(collective_, network_)) {
      const double least_s = evaluate::least_flow_s(*factor, collective_, network_, largest.size_B);
      if (largest.time_s <= kPathsMatter * least_s) return;
      cost = fmt::format("; along them {} takes at least {}, and in the plan {}",
                         format_size(largest.size_B), format_seconds(least_s),
                         format_seconds(largest.time_s));
    }
    made_.left_out.push_back(
        {name_,
         {flow.name, "MPI processes use the network's routes and cannot choose its paths" + cost,
          fmt::format("weft compare {} --algorithms all,flow times it", name_)}});
  }

  void add_native() {
    plan::PlannedRange range;
    range.kind = collective_.kind;
    range.last_B = plan::kNoEnd;
    add_range(range);
  }

  void add_range(plan::PlannedRange range) {
    if (collective_.rooted()) range.root = collective_.root;
    made_.ranges.push_back(range);
  }

  // Those named that fit here, and of "all" what applies.
  std::vector<const algorithm::Algorithm*> fitting() {
    std::vector<const algorithm::Algorithm*> fit;
    for (const std::string& name : algorithms_) {
      if (name == kAll) continue;
      const algorithm::Algorithm& known = algorithm::find_algorithm(name);
      if (const auto why = algorithm::misfit(
              known, {collective_, &network_, algorithm::taken_by(known, options_.algorithm)}))
        tell_left_out(known, *why);
      else
        fit.push_back(&known);
    }
    if (evaluate::are_all(algorithms_))
      for (const algorithm::Algorithm* each :
           algorithm::applicable(collective_, &network_, options_.algorithm))
        if (std::ranges::find(fit, each) == fit.end()) fit.push_back(each);
    return fit;
  }

  // That a process can run, too. Whether it can does not depend on the size.
  std::vector<Candidate> built() {
    const auto fit = fitting();
    std::vector<std::optional<ToRun>> made(fit.size());
    std::vector<std::string> reasons(fit.size());  // of those that are none
    parallel_for(std::ssize(fit), [&](std::int64_t i) {
      isolated([&] {
        try {
          ToRun found = candidate_to_run(*fit[i], collective_, network_, options_.algorithm);
          reasons[i] = plan::unplannable(found.candidate.verified.schedule());
          if (unequal_ != nullptr) {
            found.candidate.blocks = unequal_->counts.blocks;
            if (found.with_paths) found.with_paths->blocks = unequal_->counts.blocks;
          }
          if (reasons[i].empty()) made[i] = std::move(found);
        } catch (const std::overflow_error& error) {
          reasons[i] = error.what();
        }
      });
    });
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < fit.size(); ++i) {
      if (made[i]) {
        candidates.push_back(std::move(made[i]->candidate));
        if (made[i]->with_paths) with_paths_.push_back(*std::move(made[i]->with_paths));
      } else {
        tell_left_out(*fit[i], reasons[i]);
      }
    }
    made_.has_candidates = !candidates.empty();
    return candidates;
  }

  evaluate::ContestResult contest_of(std::vector<Candidate>& candidates) const {
    std::vector<Contender> unpriced(candidates.size());
    evaluate::ContestResult found =
        evaluate::contest(candidates, unpriced, sizes_B_, network_, options_.simulation, rules());
    if (found.out_of_time) throw OutOfTime();
    evaluate::settle(candidates, found);
    return found;
  }

  // The one of the size before stays where no other is faster by more than a tie.
  std::vector<Winner> winners(std::vector<Candidate>& candidates) const {
    const evaluate::ContestResult found = contest_of(candidates);
    const auto time_s = [&](std::size_t c, std::size_t s) {
      const ComparisonRow& row = found.rows[c][s];
      return row.is_bound ? kNever : row.result.time_s;
    };
    std::vector<Winner> winners;
    for (std::size_t s = 0; s < sizes_B_.size(); ++s) {
      std::size_t best = found.winners[s];
      WEFT_ASSERT(best < candidates.size());  // no budget ends the contest before one is simulated
      double least_s = kNever;
      for (std::size_t c = 0; c < candidates.size(); ++c) least_s = std::min(least_s, time_s(c, s));
      if (!winners.empty() && winners.back().candidate != nullptr) {
        const auto last = static_cast<std::size_t>(winners.back().candidate - candidates.data());
        if (evaluate::ties(time_s(last, s), least_s)) best = last;
      }
      winners.push_back(or_native({sizes_B_[s], &candidates[best], time_s(best, s)},
                                  !winners.empty() && winners.back().candidate == nullptr));
    }
    return winners;
  }

  // The MPI's own where it was measured to be faster, or, where it is so at the size before, as
  // fast.
  Winner or_native(Winner winner, bool is_native_before) const {
    if (native_ == nullptr) return winner;
    const double native_s = measured_s(*native_, winner.size_B);
    if (is_native_before ? evaluate::ties(native_s, winner.time_s)
                         : !evaluate::ties(winner.time_s, native_s))
      return {winner.size_B, nullptr, native_s};
    return winner;
  }

  // Each size has blocks of its own.
  void add_unequal(const std::vector<Winner>& won) {
    for (const Winner& winner : won) {
      plan::PlannedRange range;
      range.kind = collective_.kind;
      range.first_B = range.last_B = range.timed_B = winner.size_B;
      range.schedule = index_of(winner.candidate->for_size(winner.size_B));
      range.time_s = winner.time_s;
      range.blocks = unequal_->counts.blocks->at(collective_, winner.size_B);
      range.counts = unequal_->counts.text;
      add_range(range);
    }
  }

  void add_ranges(const std::vector<ScheduleSpan>& turns) {
    bool has_native = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      plan::PlannedRange range;
      range.kind = collective_.kind;
      range.first_B = turns[i].first_B;
      range.last_B = i + 1 < turns.size() ? turns[i + 1].first_B - 1 : plan::kNoEnd;
      if (turns[i].timed != nullptr) {
        range.schedule = index_of(turns[i].timed->verified());
        range.time_s = turns[i].winner.time_s;
        range.timed_B = turns[i].winner.size_B;
        const std::optional<std::int64_t> asked_B = options_.timed_B;
        if (asked_B && range.first_B <= *asked_B && *asked_B <= range.last_B) {
          range.time_s = whole_time_s(turns[i], *asked_B);
          range.timed_B = *asked_B;
        }
      } else {
        has_native = true;
      }
      add_range(range);
    }
    if (has_native)
      tell(fmt::format(
          "{} runs natively at the sizes where {} has a shorter measured time than any schedule",
          name_, native_->path));
  }

  // Of all segments.
  double whole_time_s(const ScheduleSpan& turn, std::int64_t size_B) const {
    const program::Program program =
        turn.winner.candidate->program_of(turn.timed->verified(), size_B);
    return simulation::simulate(program, network_, options_.simulation).time_s;
  }

  std::size_t index_of(const schedule::Verified& verified) {
    plan::PlannedSchedule planned = planned_of(verified);
    if (unequal_ != nullptr && !made_.schedules.empty() && is_same(planned, made_.schedules.back()))
      return made_.schedules.size() - 1;
    const std::string what = fmt::format("{} of {}", planned.algorithm, name_);
    if (!planned.one_association && !options_.allows_different_bits)
      tell(fmt::format(
          "{} may round differently on each rank, so floating-point data runs natively; "
          "--allow-different-bits permits the schedule",
          what));
    made_.schedules.push_back(std::move(planned));
    made_.forwarding_hosts.push_back(evaluate::forwarding_hosts(verified, network_));
    return made_.schedules.size() - 1;
  }

  static bool is_same(const plan::PlannedSchedule& one, const plan::PlannedSchedule& other) {
    return one.algorithm == other.algorithm && one.segments == other.segments &&
           one.programs == other.programs;
  }

  // Its programs are those of the schedule before where only the number of segments differs.
  plan::PlannedSchedule planned_of(const schedule::Verified& verified) {
    const schedule::Schedule& schedule = verified.schedule();
    if (before_ && schedule.with_segments(before_->segments()) == *before_) {
      plan::PlannedSchedule planned = made_.schedules.back();
      planned.segments = schedule.segments();
      return planned;
    }
    before_ = schedule;
    return plan::planned(verified);
  }

  Collective collective_;
  const Network& network_;
  const PlanOptions& options_;
  const UnequalCalls* unequal_;  // null: blocks have one size
  std::string name_;             // of the collective
  std::vector<std::int64_t> sizes_B_;
  std::vector<std::string> algorithms_;
  PlannedRanges made_;
  std::vector<Candidate> with_paths_;         // see ToRun
  std::optional<schedule::Schedule> before_;  // of which the last of `made_` is
  const MeasuredTable* native_ = nullptr;     // null: not measured
};

}  // namespace

PlannedRanges planned_ranges(const Collective& collective, const Network& network,
                             const PlanOptions& options, const UnequalCalls* unequal) {
  return Ranges(collective, network, options, unequal).make();
}

}  // namespace weft::advise
