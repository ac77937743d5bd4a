// For each number of steps, the fewest rounds per chunk.
//
// A case (steps, chunks, rounds) is of interest while rounds / chunks is below the best ratio so
// far in at most so many steps, and not below the bound. "At most" is decided without a look at
// fewer steps: a step of several rounds can be done as several steps, so that a plan of R rounds in
// at most T steps exists if and only if one of exactly min(T, R) steps does. First pass, cheap:
// annealing where the cut bound is a whole number of rounds, steps from the least up, until it is
// met: more steps than that cannot help. Second pass, for each number of steps before: the linear
// relaxation sharpens the bound; cases are annealed from the bound up, quickly, then longer; what
// is still open is decided by the integer program. The time that is left is shared out evenly over
// what is left to do.
#include "sweep.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/search/synthesis/exact.hpp"

namespace weft::search {

namespace {

int ceiling(const Rational& value) {  // value >= 0
  WEFT_ASSERT(value >= 0);
  return static_cast<int>((value.numerator() + value.denominator() - 1) / value.denominator());
}

// The rounds that the plan's steps need; it may have been found with more.
std::vector<int> needed_rounds(const Instance& instance, const Plan& plan) {
  const std::size_t steps = plan.rounds.size();
  std::vector<std::int64_t> loads(static_cast<std::size_t>(instance.arc_count()) * steps, 0);
  for (const Landing& landing : plan.landings)
    if (landing.arc >= 0)
      ++loads[static_cast<std::size_t>(landing.arc) * steps +
              static_cast<std::size_t>(landing.step - 1)];
  std::vector<int> rounds(steps, 0);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const std::int64_t weight = instance.arc(static_cast<int>(i / steps)).weight;
    const auto needed = static_cast<int>((loads[i] + weight - 1) / weight);
    rounds[i % steps] = std::max(rounds[i % steps], needed);
  }
  return rounds;
}

/// Steps without a round do nothing, and are left out.
Plan without_idle_steps(Plan plan) {
  WEFT_ASSERT(std::ranges::all_of(plan.landings, [&](const Landing& landing) {
    return landing.step >= 0 && landing.step <= std::ssize(plan.rounds);
  }));
  std::vector<int> number(plan.rounds.size() + 1, 0);  // of each step; 0 is the start's
  std::vector<int> kept;
  for (std::size_t t = 1; t < number.size(); ++t) {
    if (plan.rounds[t - 1] > 0) kept.push_back(plan.rounds[t - 1]);
    number[t] = static_cast<int>(kept.size());
  }
  plan.rounds = std::move(kept);
  for (Landing& landing : plan.landings) landing.step = number[landing.step];
  return plan;
}

class Sweep {
 public:
  Sweep(const Instance& instance, const SynthesisOptions& options, Clock::time_point deadline)
      : instance_(instance),
        options_(options),
        first_(options.min_steps.value_or(instance.diameter)),
        last_(last_steps(options, first_)),
        deadline_(deadline),
        rng_(options.seed) {}

  Swept run() {
    const Rational cut = cut_bound(instance_);
    for (int steps = first_; steps <= last_; ++steps) {
      anneal_exact_fits({steps, cut, share_of_time(2 * (last_ + 1 - steps))});
      if (meets(steps, cut)) last_ = steps;
    }
    bool complete = true;
    for (int steps = first_; steps <= last_; ++steps) complete = refine(steps, cut) && complete;
    return result(cut, complete);
  }

 private:
  struct Case {
    int steps, chunks, rounds;  // at most so many steps
    Rational ratio() const { return {rounds, chunks}; }
    AnnealingTask task() const { return {std::min(steps, rounds), chunks, rounds}; }
  };
  /// What is known of at most so many steps.
  struct Settled {
    Rational bound;
    bool decided = false;
  };
  /// A number of steps, the bound on rounds per chunk there, and the time until which to work on
  /// it.
  struct Task {
    int steps;
    Rational bound;
    Clock::time_point deadline;
  };
  enum class Effort { quick, thorough };

  /// The least ratio in at most so many steps.
  std::optional<Rational> best(int steps) const {
    std::optional<Rational> least;
    for (const auto& [s, point] : found_)
      if (s <= steps && (!least || point.ratio < *least)) least = point.ratio;
    return least;
  }
  bool meets(int steps, const Rational& bound) const {
    const auto least = best(steps);
    return least && *least <= bound;
  }
  bool is_of_interest(const Case& c) const {
    const auto least = best(c.steps);
    return !least || c.ratio() < *least;
  }

  /// Second pass; whether all is decided for so many steps.
  bool refine(int steps, const Rational& cut) {
    Task task{steps, cut, share_of_time(last_ + 1 - steps)};
    if (!meets(steps, cut)) {
      // Plans before bounds: on large networks the relaxation may take all the time.
      if (!best(steps)) anneal_least({steps, cut, third_of(task)});
      task.bound = std::max(cut, step_bound(instance_, steps, third_of(task)).rounds);
      if (task.bound != cut) anneal_exact_fits(task);
      anneal_all(task, Effort::quick);
      anneal_all(task, Effort::thorough);
    }
    const bool decided = meets(steps, task.bound) || decide_all(task) || meets(steps, task.bound);
    settled_.insert_or_assign(steps, Settled{task.bound, decided});
    return decided;
  }

  Case least_case(const Task& task, int chunks) const {
    return {task.steps, chunks, std::max(instance_.diameter, ceiling(task.bound * chunks))};
  }

  /// The numbers of chunks at which the bound itself is a whole number of rounds.
  void anneal_exact_fits(const Task& task) {
    for (int chunks = options_.min_chunks; chunks <= options_.max_chunks; ++chunks) {
      const Case c = least_case(task, chunks);
      if (c.ratio() == task.bound && is_of_interest(c))
        try_annealing(c, Effort::quick, task.deadline);
    }
  }

  /// The least rounds that the bound allows, for each number of chunks.
  void anneal_least(const Task& task) {
    for (int chunks = options_.min_chunks; chunks <= options_.max_chunks; ++chunks)
      if (const Case c = least_case(task, chunks); is_of_interest(c))
        try_annealing(c, Effort::quick, task.deadline);
  }

  void anneal_all(const Task& task, Effort effort) {
    for (int chunks = options_.min_chunks; chunks <= options_.max_chunks; ++chunks) {
      Case c = least_case(task, chunks);
      while (is_of_interest(c) && !try_annealing(c, effort, stretched(task)) && may_go_on(task))
        c.rounds = Clock::now() < task.deadline ? c.rounds + 1 : 2 * c.rounds;
    }
  }

  bool try_annealing(const Case& c, Effort effort, Clock::time_point deadline) {
    const std::int64_t items = std::int64_t{instance_.nodes} * instance_.nodes * c.chunks;
    const bool quick = effort == Effort::quick;
    const auto plan = anneal(instance_, c.task(), rng_.split(++tries_),
                             {.moves = items * (quick ? 10'000 : 50'000),
                              .starts = quick ? 2 : 4,
                              .deadline = deadline});
    if (plan) keep(*plan);
    return plan.has_value();
  }

  /// Whether the integer program decided all that is open; it may find better plans on the way.
  bool decide_all(const Task& task) {
    bool decided = true;
    for (int chunks = options_.min_chunks; chunks <= options_.max_chunks; ++chunks) {
      const Case least = least_case(task, chunks);
      const int most = ceiling(*best(task.steps) * chunks) - 1;
      if (least.rounds > most) continue;
      const auto part = (task.deadline - Clock::now()) / (options_.max_chunks + 1 - chunks);
      const ExactResult exact = solve_exactly(instance_, Case{task.steps, chunks, most}.task(),
                                              least.rounds, Clock::now() + part);
      if (exact.plan) keep(*exact.plan);
      decided = decided && exact.decided;
    }
    return decided;
  }

  void keep(Plan plan) {
    plan.rounds = needed_rounds(instance_, plan);
    plan = without_idle_steps(std::move(plan));
    const Rational ratio(plan.total_rounds(), plan.chunks);
    found_.insert_or_assign(plan.steps(), SweptPoint{plan, ratio, Rational(0), Proof::none});
  }

  Swept result(const Rational& cut, bool complete) const {
    Swept swept{{}, cut, complete};
    for (const auto& [steps, point] : found_) {
      if (!swept.pareto.empty() && point.ratio >= swept.pareto.back().ratio) continue;
      if (steps <= first_) swept.pareto.clear();  // fewer steps were not asked for
      swept.pareto.push_back(point);
      judge(swept.pareto.back());
    }
    return swept;
  }

  /// What was proven of the steps that a point answers for.
  void judge(SweptPoint& point) const {
    const Settled& settled = settled_.at(std::max(first_, point.plan.steps()));
    point.bound = settled.bound;
    point.proof = point.ratio <= settled.bound ? Proof::any_chunks
                  : settled.decided            ? Proof::tried_chunks
                                               : Proof::none;
  }

  /// The answer is never empty: as long as there is no plan, the time limit is stretched, by ever
  /// more rounds, with enough of which the first state of the annealing is a plan.
  Clock::time_point stretched(const Task& task) const {
    if (!found_.empty()) return task.deadline;
    return std::max(task.deadline, Clock::now() + std::chrono::milliseconds(200));
  }
  static Clock::time_point third_of(const Task& task) {
    const auto now = Clock::now();
    return now + (task.deadline - now) / 3;
  }
  bool may_go_on(const Task& task) const {
    return best(task.steps) ? Clock::now() < task.deadline : true;
  }
  /// The deadline of a part of the work: one of `parts` of the time that is left.
  Clock::time_point share_of_time(int parts) const {
    const auto now = Clock::now();
    return now + std::max(Clock::duration::zero(), (deadline_ - now) / parts);
  }

  const Instance& instance_;
  const SynthesisOptions& options_;
  int first_, last_;
  Clock::time_point deadline_;
  Rng rng_;
  std::uint64_t tries_ = 0;
  std::map<int, SweptPoint> found_;  // by the plan's steps
  std::map<int, Settled> settled_;   // by the most steps
};

}  // namespace

int last_steps(const SynthesisOptions& options, int first) {
  return options.max_steps.value_or(first + 3);
}

Swept sweep(const Instance& instance, const SynthesisOptions& options, Clock::time_point deadline) {
  return Sweep(instance, options, deadline).run();
}

}  // namespace weft::search
