// The fluid simulator: a reading of the steps on top of the transport of messages.
#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/simulation/fluid/alike.hpp"
#include "weft/simulation/fluid/call_repeats.hpp"
#include "weft/simulation/fluid/fluid_transport.hpp"
#include "weft/simulation/fluid/one_step.hpp"
#include "weft/simulation/foresight.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/reading/readings.hpp"
#include "weft/simulation/shortcuts/uncontended.hpp"

namespace weft::simulation {

namespace {

// Of times, relatively. An instant may come 1e-12 early (flow_clock.hpp), which a thousand of them
// in a row can add up to.
constexpr double kRounding = 1e-9;
// Bounds that are this close are not worth the search for classes of messages.
constexpr double kClose = 1e-3;
// Whose steps are all loaded for a bound: half a kilobyte each.
constexpr std::int64_t kMostMessages = 400'000;
constexpr std::int64_t kMostEntries = 4'000'000;  // of steps by agents, eight bytes each

bool may_be_bounded(const Program& program, const StepWindow& window) {
  return program.calls() == 1 && window.places().agents_of_one == 1 &&
         program.message_count() <= kMostMessages &&
         program.steps() <= kMostEntries / std::max<std::int64_t>(1, window.places().count);
}

// A program on the links of a run, beside others.
class RunningJob {
 public:
  RunningJob(const Job& job, const SimulationOptions& options, StepWindow& window, FluidRun& run,
             const FluidRunOptions& asked, Driver* driver = nullptr)
      : job_(job), transport_(job.network, options, window, run) {
    result_.agent_times_s.resize(window.places().count, job.start_s);
    if (options.link_statistics) result_.link_bytes.resize(window.capacities().size());
    window.on_load([this, &run](const LoadedStep& step) {
      run.add_loading(step.work());
      count_link_bytes(step, result_);
      if (calls_) calls_->loaded(step.step);
    });
    const Features features = features_of(job.program, job.network, options);
    if (asked.use(Shortcut::call_repeats, features) && job.program.calls() > 1)
      calls_ = std::make_unique<CallRepeats>(job.program, window);
    if (asked.limit_s < FlowClock::kNever && asked.use(Shortcut::least_rest, features) &&
        may_be_bounded(job.program, window))
      rest_ = std::make_unique<LeastRest>(window, job.network, options);
    sparing_ = {calls_.get(), rest_.get(), asked.limit_s * (1 + kRounding), options.most_work};
    ReadingContext context{job.program, job.network, window, transport_, result_.agent_times_s};
    context.repeats =
        asked.use(Shortcut::step_repeats, features) ? Repeats::alike : Repeats::differ;
    context.driver = driver;
    context.ends = asked.ends;
    context.rest = rest_.get();
    context.call = options.call;
    reading_ = read(context, options.sync);
    transport_.read(*reading_, job.start_s);
    if (features.has(Feature::dataflow) && driver == nullptr) transport_.order_segments();
  }

  bool leaves_out_calls() const { return calls_ && calls_->calls_left_out() > 0; }
  /// What it takes at least, by what is known so far.
  double least_s() const { return rest_ ? rest_->least_s() : 0; }
  /// Of a run that has no other program.
  const Sparing& sparing() const { return sparing_; }

  SimulationResult result(const Orbits* orbits) {
    if (calls_) calls_->expand(result_);
    if (orbits != nullptr) orbits->expand(job_.network, result_);
    end(job_, result_);
    return std::move(result_);
  }

 private:
  const Job& job_;
  SimulationResult result_;
  FluidTransport transport_;
  std::unique_ptr<Reading> reading_;
  std::unique_ptr<CallRepeats> calls_;
  std::unique_ptr<LeastRest> rest_;
  Sparing sparing_;
};

struct FluidResult {
  SimulationResult of_all;
  bool exact = true;  // no calls were left out
};

bool is_within(TimeRange range, double accuracy) {
  return range.most_s <= range.least_s * (1 + accuracy);
}

SimulationResult result_of(TimeRange range, double limit_s) {
  SimulationResult result;
  result.ended_early = range.least_s > limit_s;
  result.time_s = result.ended_early ? range.least_s : range.most_s;
  if (!result.ended_early) result.least_s = range.least_s;
  return result;
}

FluidResult run_fluid(const Program& program, const Network& network,
                      const SimulationOptions& options, const FluidRunOptions& asked) {
  const Features features = features_of(program, network, options);
  const auto orbits =
      asked.use(Shortcut::orbits, features) ? Orbits::of(program, network) : nullptr;
  // To go through the messages is work as well.
  const std::int64_t messages = program.message_count() / (orbits ? orbits->order() : 1);
  if (messages > options.most_work) {
    FluidResult none;
    none.of_all.ended_early = true;
    return none;
  }
  SunkWork sunk{messages, messages};
  const auto with_sunk = [&](SimulationResult result) {
    result.work += sunk.spent;
    return FluidResult{std::move(result)};
  };
  if (orbits == nullptr && asked.use(Shortcut::uncontended, features))
    if (auto result = simulate_uncontended(program, network, options, sunk))
      return with_sunk(*std::move(result));
  std::optional<TimeRange> range;
  if (orbits == nullptr && options.accuracy > 0 && asked.use(Shortcut::one_step, features))
    range = one_step_range(program, network, options, sunk);
  if (range && (is_within(*range, kClose) || range->least_s > asked.limit_s))
    return with_sunk(result_of(*range, asked.limit_s));
  const bool suffices = range && is_within(*range, options.accuracy);
  const auto is_bounded_by_range = [&](const SimulationResult& result) {
    return range && result.ended_early && result.time_s <= asked.limit_s;
  };
  SimulationOptions by_classes = options;
  if (!suffices) by_classes.accuracy = 0;
  if (orbits == nullptr && asked.use(Shortcut::alike, features))
    if (auto result = simulate_alike(program, network, by_classes, sunk))
      return with_sunk(is_bounded_by_range(*result) ? result_of(*range, asked.limit_s)
                                                    : *std::move(result));
  if (suffices) return with_sunk(result_of(*range, asked.limit_s));
  StepWindow window(program, network,
                    {.startups = startups_of(network.host()),
                     .call = options.call,
                     .factors = options.factors.get()});
  window.follow(orbits.get());
  FluidRun run(window.capacities());
  const Job job{program, network};
  SimulationOptions left = options;
  left.most_work = std::max<std::int64_t>(0, options.most_work - sunk.counted);
  RunningJob running(job, left, window, run, asked);
  FluidResult result;
  if (run.run(running.sparing())) {
    result = {running.result(orbits.get()), !running.leaves_out_calls()};
  } else {
    result.of_all.time_s = std::max(run.now_s(), running.least_s());
    result.of_all.ended_early = true;
  }
  if (is_bounded_by_range(result.of_all)) result.of_all = result_of(*range, asked.limit_s);
  result.of_all.work = run.work() + sunk.spent;
  return result;
}

}  // namespace

SimulationResult simulate_fluid(const Program& program, const Network& network,
                                const SimulationOptions& options, const FluidRunOptions& run) {
  return run_fluid(program, network, options, run).of_all;
}

std::vector<SimulationResult> simulate_fluid_together(std::span<const Job> jobs,
                                                      const SimulationOptions& options,
                                                      Driver* driver) {
  WEFT_ASSERT(!jobs.empty());
  std::vector<std::unique_ptr<StepWindow>> windows;
  for (const Job& job : jobs)
    windows.push_back(
        std::make_unique<StepWindow>(job.program, job.network,
                                     WindowOptions{.startups = startups_of(job.network.host()),
                                                   .call = options.call,
                                                   .factors = options.factors.get()}));
  FluidRun run(windows.front()->capacities());
  std::vector<std::unique_ptr<RunningJob>> running;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    running.push_back(std::make_unique<RunningJob>(jobs[j], options, *windows[j], run,
                                                   FluidRunOptions{.shortcuts = {}},
                                                   j == 0 ? driver : nullptr));
  run.run();
  std::vector<SimulationResult> results;
  for (const auto& job : running) results.push_back(job->result(nullptr));
  return results;
}

TimeRange foresee_time(const Program& program, const Network& network,
                       const SimulationOptions& options, double limit_s) {
  const bool by_steps = reading_of(program, options.sync) != Sync::dataflow;
  if (options.model != Model::fluid || !by_steps) {
    const double time_s = simulate(program, network, options).time_s;
    return {time_s, time_s};
  }
  check_options(options);
  const auto [result, exact] =
      run_fluid(program, network, options, {.shortcuts = kFluidShortcuts, .limit_s = limit_s});
  if (result.ended_early) return {limit_s * (1 + kRounding / 2), FlowClock::kNever};
  const double time_s = result.time_s;
  if (exact) return {time_s, time_s};
  return {time_s * (1 - kRounding), time_s * (1 + kRounding)};
}

}  // namespace weft::simulation
