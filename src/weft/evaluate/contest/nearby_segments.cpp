#include "weft/evaluate/contest/nearby_segments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/winner.hpp"
#include "weft/network/host_costs.hpp"

namespace weft::evaluate {

namespace {

constexpr double kWrong = 0.1;  // of the simulated time
constexpr int kMostSteps = 6;   // one way: 64 times as many segments, or as few
constexpr std::int64_t kMostSegments = 4096;
// From as many on fewer are tried first: they take less work, and the estimate errs for many.
constexpr std::int64_t kManySegments = 16;
// Of a size: some runs as long as the leader's. What is found at one depends on no other.
constexpr std::int64_t kRuns = 4, kLeastWork = kUsualWork / 800, kMostWorkOfSize = kUsualWork / 100;

bool is_estimate_wrong(const Candidate& candidate, std::int64_t size_B, double time_s) {
  const std::size_t variant = candidate.choose(size_B).variant;
  WEFT_ASSERT(variant < candidate.variants.size());
  const double estimate_s = candidate.variants[variant].chooser.choose(size_B).time_s;
  return std::abs(estimate_s - time_s) > kWrong * time_s;
}

// Simulates the runner's schedule of the size in this number of segments and puts it into the row
// if it is faster by more than a tie. Returns whether it is.
bool improves(Runner& runner, std::size_t size, std::int64_t segments, const Network& network,
              const simulation::SimulationOptions& options, const ContestRules& rules,
              std::int64_t& spent) {
  WEFT_ASSERT(segments >= 1 && size < runner.rows.size());
  TimeLimit::check();
  const Stopwatch watch;
  const Candidate& candidate = runner.candidate;
  ComparisonRow& row = runner.rows[size];
  ContestRun run = runner.run_at(size);
  run.verified = run.verified.with_segments(segments);
  run.copies = candidate.copies_of(run.verified);
  simulation::SimulationOptions limited = options;
  limited.limit_s = row.result.time_s;
  limited.most_work = options.most_work - spent;
  simulation::SimulationResult result;
  if (rules.time_of_segments && segments > 1)
    result.time_s = rules.time_of_segments(run, row.result.time_s);
  else
    result = simulation::simulate(candidate.program_of(run.verified, run.size_B, run.copies),
                                  network, limited);
  spent += result.work;
  runner.spend(result.work, watch.seconds());
  if (result.ended_early || ties(row.result.time_s, result.time_s)) return false;
  const schedule::Schedule& schedule = run.verified.schedule();
  row.segments = segments;
  row.steps = schedule.steps();
  row.messages = candidate.messages_of(run.verified, schedule::message_units(schedule), run.size_B);
  if (result.least_s == 0) result.least_s = candidate.least_s(schedule, run.size_B, result.time_s);
  runner.know(size, std::move(result));
  return true;
}

// Spends no more than SimulationOptions::most_work; returns what it spent.
std::int64_t search(Runner& runner, std::size_t size, const Network& network,
                    simulation::SimulationOptions options, const ContestRules& rules) {
  const Candidate& candidate = runner.candidate;
  const ComparisonRow& row = runner.rows[size];
  if (!candidate.pipelined || candidate.sized || candidate.variants.empty() || row.is_bound ||
      row.result.least_s > 0 || !is_estimate_wrong(candidate, row.size_B, row.result.time_s))
    return 0;
  options.recall = runner.recall;
  std::int64_t spent = 0;
  const auto improves_in = [&](std::int64_t segments) {
    return segments >= 1 && segments <= std::min(row.size_B, kMostSegments) &&
           spent < options.most_work &&
           improves(runner, size, segments, network, options, rules, spent);
  };
  options.most_work =
      std::min(options.most_work, std::clamp(kRuns * row.result.work, kLeastWork, kMostWorkOfSize));
  const bool fewer_first = row.segments >= kManySegments;
  for (const bool fewer : {fewer_first, !fewer_first}) {
    int steps = 0;
    while (steps < kMostSteps && improves_in(fewer ? row.segments / 2 : row.segments * 2)) ++steps;
    if (steps > 0) break;
  }
  return spent;
}

}  // namespace

bool may_misjudge_segments(const HostParameters& host) {
  return network::may_pay_for_messages(host);
}

void try_nearby_segments(std::span<Runner> runners, std::span<const std::size_t> leaders,
                         const Network& network, const simulation::SimulationOptions& options,
                         const ContestRules& rules, Budget& budget) {
  if (options.model != simulation::Model::fluid || !may_misjudge_segments(network.host())) return;
  for (std::size_t s = 0; s < leaders.size(); ++s) {
    WEFT_ASSERT(leaders[s] <= runners.size());
    if (leaders[s] == runners.size()) continue;
    simulation::SimulationOptions limited = options;
    if (!rules.each_size_alone) limited.most_work = budget.left();
    budget.spend(search(runners[leaders[s]], s, network, limited, rules));
  }
}

}  // namespace weft::evaluate
