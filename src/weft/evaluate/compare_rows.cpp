#include "weft/evaluate/compare_rows.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/size_curve.hpp"
#include "weft/network/host_buffer.hpp"
#include "weft/program/block_sizes.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"

namespace weft::evaluate {

namespace {

constexpr std::int64_t kOnNoLine = -1;

/// The sizes of a candidate that may lie on a line have one kind: those of one schedule in as many
/// segments whose units are whole bytes, where all messages lie on one side of the sizes at which
/// hosts change their ways. `units` keeps those of a candidate's one schedule.
std::int64_t kind_of(const Candidate& candidate, std::int64_t size_B, const Network& network,
                     const simulation::SimulationOptions& options, std::int32_t ranks_on_a_host,
                     std::optional<schedule::MessageUnits>& units) {
  if (candidate.sized || !covers(simulation::Shortcut::size_curve, options, network))
    return kOnNoLine;
  const Candidate::Choice choice = candidate.choose(size_B);
  const std::int64_t segments = choice.segments;
  const schedule::Schedule& schedule = candidate.chosen(choice).schedule();
  const std::int64_t bytes = schedule.collective().total_bytes(size_B);
  // Units of unequal blocks are whole where the counts, taken as often, have whole units.
  const std::int64_t counts = candidate.blocks ? candidate.blocks->total() : 1;
  const std::int64_t parts = candidate.blocks ? schedule.units_per_block() : schedule.units();
  const std::int64_t times = bytes / counts;
  const bool whole = bytes % counts == 0 && times % parts == 0 && times / parts % segments == 0;
  const auto variants = std::max<std::int64_t>(1, std::ssize(candidate.variants));
  if (!whole || bytes <= 0) return kOnNoLine;
  std::int64_t kind = segments * variants + static_cast<std::int64_t>(choice.variant);
  const HostParameters& host = network.host();
  if (!host.has_steps_by_size()) return kind;
  if (!units || !candidate.has_one_schedule()) units = schedule::message_units(schedule);
  const schedule::MessageSizes sizes =
      candidate.messages_of(candidate.chosen(choice), *units, size_B);
  if (sizes.least_B < host.rendezvous.from_B && sizes.most_B >= host.rendezvous.from_B)
    return kOnNoLine;
  const auto is_copied = [&](std::int64_t message_B) {
    return host.eager_copies.bandwidth_Bps > 0 && message_B < host.eager_copies.below_B;
  };
  if (is_copied(sizes.least_B) && !is_copied(sizes.most_B)) return kOnNoLine;
  if (host.exchanges.holds(sizes.most_B) && !host.exchanges.holds(sizes.least_B)) return kOnNoLine;
  const std::int64_t buffer_B = schedule.collective().buffer_bytes(size_B);
  const std::int64_t on_host_B = network::host_buffer_B(buffer_B, ranks_on_a_host);
  for (const bool above :
       {sizes.least_B >= host.rendezvous.from_B, is_copied(sizes.least_B),
        host.large_copies.holds(on_host_B), host.large_reductions.holds(on_host_B),
        host.first_touch.holds(buffer_B), host.exchanges.holds(sizes.least_B)})
    kind = 2 * kind + (above ? 1 : 0);
  return kind;
}

SizeCurve curve_of(const Candidate& candidate, std::span<const std::int64_t> sizes_B,
                   const Network& network, const simulation::SimulationOptions& options) {
  std::vector<std::int64_t> kinds;
  std::optional<schedule::MessageUnits> units;
  const std::int32_t ranks_on_a_host = network.placement().most_on_a_host();
  for (const std::int64_t size_B : sizes_B)
    kinds.push_back(kind_of(candidate, size_B, network, options, ranks_on_a_host, units));
  return {sizes_B, kinds};
}

class Rows {
 public:
  Rows(std::span<const Candidate> candidates, std::span<Contender> contenders,
       std::span<const std::int64_t> sizes_B, const Network& network,
       const simulation::SimulationOptions& options, ComparisonProgress* progress, Work* work)
      : candidates_(candidates),
        contenders_(contenders),
        sizes_B_(sizes_B.begin(), sizes_B.end()),
        network_(network),
        options_(options),
        progress_(progress),
        work_(work) {
    WEFT_ASSERT(candidates.size() == contenders.size());
    std::ranges::sort(sizes_B_);
    sizes_B_.erase(std::unique(sizes_B_.begin(), sizes_B_.end()), sizes_B_.end());
    for (const Candidate& candidate : candidates) {
      curves_.push_back(curve_of(candidate, sizes_B_, network, options));
      units_.push_back(schedule::message_units(candidate.verified.schedule()));
      recalls_.push_back(options.recall ? options.recall
                                        : std::make_shared<simulation::Recall>(network));
    }
    steps_.resize(candidates.size() * sizes_B_.size());
  }

  void simulate() {
    for (auto tasks = next(); !tasks.empty(); tasks = next()) {
      if (work_ != nullptr && !may_afford(std::ssize(tasks))) break;
      try {
        parallel_for(std::ssize(tasks), [&](std::int64_t i) { run(tasks[i]); });
      } catch (const OutOfTime&) {
        if (work_ == nullptr) throw;
        work_->out_of_time = true;
        return;
      }
    }
  }

  ComparisonRow row(std::size_t contender, std::int64_t size_B) const {
    const auto size =
        static_cast<std::size_t>(std::ranges::lower_bound(sizes_B_, size_B) - sizes_B_.begin());
    // What lies on a line has the segments of the sizes beside it.
    WEFT_ASSERT(contender < candidates_.size());
    WEFT_ASSERT(size < sizes_B_.size() && sizes_B_[size] == size_B);
    const Candidate& candidate = candidates_[contender];
    if (!curves_[contender].known(size))
      return {.contender = contender, .size_B = size_B, .is_bound = true};
    Ran ran = steps_[contender * sizes_B_.size() + size];
    if (curves_[contender].interpolated(size)) {
      const Verified verified = candidate.for_size(size_B);
      ran = ran_of(contender, verified, size_B);
    }
    return {.contender = contender,
            .size_B = size_B,
            .schedule = ran.schedule,
            .segments = ran.segments,
            .steps = ran.steps,
            .messages = ran.messages,
            .result = curves_[contender].result(size)};
  }

 private:
  // Whether the work left is enough for `count` more simulations of the mean work.
  bool may_afford(std::int64_t count) const {
    const auto next = runs_ == 0 ? 0 : work_->spent / runs_ * count;
    return !work_->cut_short && work_->spent <= work_->most - next;
  }

  struct Task {
    std::size_t contender = 0, size = 0;
  };
  struct Ran {
    std::string schedule = {};
    std::int64_t segments = 1, steps = 0;
    schedule::MessageSizes messages = {};
  };

  Ran ran_of(std::size_t contender, const Verified& verified, std::int64_t size_B) const {
    const schedule::Schedule& schedule = verified.schedule();
    const schedule::MessageUnits units = candidates_[contender].has_one_schedule()
                                             ? units_[contender]
                                             : schedule::message_units(schedule);
    return {schedule.algorithm(), schedule.segments().count, schedule.steps(),
            candidates_[contender].messages_of(verified, units, size_B)};
  }

  /// What is to be simulated now, the longest first: most messages, and the most bytes of these.
  std::vector<Task> next() const {
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t c) { return contenders_[c].cost.messages; });
    std::vector<Task> tasks;
    for (const std::size_t contender : order) {
      const auto wanted = curves_[contender].wanted();
      for (auto size = wanted.rbegin(); size != wanted.rend(); ++size)
        tasks.push_back({contender, *size});
    }
    return tasks;
  }

  void run(const Task& task) {
    TimeLimit::check();
    const Stopwatch watch;
    const Candidate& candidate = candidates_[task.contender];
    const std::int64_t size_B = sizes_B_[task.size];
    const std::string& algorithm = contenders_[task.contender].algorithm;
    const auto shown = doing(progress_, "simulating", algorithm, size_B);
    const Verified verified = candidate.for_size(size_B);
    simulation::SimulationOptions options = options_;
    options.recall = recalls_[task.contender];
    simulation::SimulationResult result =
        simulation::simulate(candidate.program_of(verified, size_B), network_, options);
    if (result.least_s == 0 && !result.ended_early)
      result.least_s = candidate.least_s(verified.schedule(), size_B, result.time_s);
    const double spent_s = watch.seconds();
    const Ran ran = ran_of(task.contender, verified, size_B);
    const std::scoped_lock lock(mutex_);
    contenders_[task.contender].spent.work += result.work;
    if (work_ != nullptr) {
      work_->spent += result.work;
      ++runs_;
      work_->cut_short = work_->cut_short || result.ended_early;
      if (result.ended_early) return;
    }
    WEFT_ASSERT(result.time_s >= 0);
    steps_[task.contender * sizes_B_.size() + task.size] = ran;
    if (progress_ != nullptr) progress_->found(algorithm, size_B, result.time_s);
    curves_[task.contender].set(task.size, std::move(result));
    contenders_[task.contender].spent.simulate_s += spent_s;
    ++contenders_[task.contender].spent.simulations;
  }

  std::span<const Candidate> candidates_;
  std::span<Contender> contenders_;
  std::vector<std::int64_t> sizes_B_;  // increasing
  const Network& network_;
  const simulation::SimulationOptions& options_;
  ComparisonProgress* progress_;  // null: none
  Work* work_;                    // likewise
  std::int64_t runs_ = 0;
  std::vector<SizeCurve> curves_;                             // by contender
  std::vector<schedule::MessageUnits> units_;                 // likewise
  std::vector<std::shared_ptr<simulation::Recall>> recalls_;  // likewise
  std::vector<Ran> steps_;  // by contender and size, of what was simulated
  std::mutex mutex_;
};

}  // namespace

std::int64_t first_simulations(const Candidate& candidate, std::span<const std::int64_t> sizes_B,
                               const Network& network,
                               const simulation::SimulationOptions& options) {
  return std::ssize(curve_of(candidate, sizes_B, network, options).wanted());
}

std::vector<ComparisonRow> simulate_rows(std::span<const Candidate> candidates,
                                         std::span<Contender> contenders,
                                         std::span<const std::int64_t> sizes_B,
                                         const Network& network,
                                         const simulation::SimulationOptions& options,
                                         ComparisonProgress* progress, Work* work) {
  Rows rows(candidates, contenders, sizes_B, network, options, progress, work);
  rows.simulate();
  std::vector<ComparisonRow> result;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const std::int64_t size_B : sizes_B) result.push_back(rows.row(c, size_B));
  WEFT_ASSERT(result.size() == candidates.size() * sizes_B.size());
  return result;
}

}  // namespace weft::evaluate
