// Calls whose starts are known run in one simulation. The first end among them that lets others
// start is exact: what starts later cannot change what was before. So each round adds the calls
// that start at the earliest such time, and simulates again. Where nothing runs any more at that
// time, what was before is over, and the next rounds simulate what starts from then on alone.
#include "weft/advise/together/together.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/base/toml_document.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/program/copies.hpp"
#include "weft/training/groups.hpp"

namespace weft::advise {

namespace {

// Groups whose routes are alike have one winner.
class Winners {
 public:
  Winners(const Network& network, const simulation::SimulationOptions& simulation)
      : network_(network), simulation_(simulation) {}

  // As weft compare finds it.
  const std::string& of(const TogetherCall& call, const Network& group) {
    const training::RankGroup* const ranks = &call.ranks;
    std::string& name = known_[{call.collective.kind, call.collective.root.value(), call.size_B,
                                training::routes_mark(network_, std::span(ranks, 1))}];
    if (name.empty()) {
      CompareOptions options;
      options.sizes_B = {call.size_B};
      options.simulation = simulation_;
      options.cuts = Cuts::left_out;
      options.advice = Advice::left_out;
      const Comparison found = compare(call.collective, group, options);
      const auto winners = found.winners();
      require(!winners.empty(), "the search for the fastest algorithm takes too long; name one");
      name = found.contenders[winners.front()->contender].algorithm;
    }
    return name;
  }

 private:
  using Key = std::tuple<CollectiveKind, std::int32_t, std::int64_t, std::vector<std::int64_t>>;
  const Network& network_;
  const simulation::SimulationOptions& simulation_;
  std::map<Key, std::string> known_;
};

PreparedCall prepared(const TogetherCall& call, Network group, Winners& winners,
                      const simulation::SimulationOptions& simulation) {
  const std::string& name = call.algorithm.empty() ? winners.of(call, group) : call.algorithm;
  schedule::Verified verified = evaluate::schedule_for_size(name, call.collective, group,
                                                            call.options, call.size_B, simulation);
  Program program = lower(
      verified, {.size_B = call.size_B, .copies = program::plan_copies(verified, group.host())});
  return {std::move(group), std::move(verified), std::move(program)};
}

class TogetherRun {
 public:
  TogetherRun(std::span<const TogetherCall> calls, std::span<const PreparedCall> prepared,
              const simulation::SimulationOptions& simulation)
      : calls_(calls),
        prepared_(prepared),
        simulation_(simulation),
        starts_(calls.size()),
        is_over_(calls.size(), false),
        bytes_before_(static_cast<std::size_t>(prepared.front().network.topology().link_count())) {
    simulation_.link_statistics = true;
    found_.calls.resize(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (calls[i].after.empty()) starts_[i] = calls[i].start_s;
  }

  // All but the times of calls alone.
  Together run() && {
    do {
      simulate();
    } while (start_next());
    for (const CallTimes& times : found_.calls)
      found_.makespan_s = std::max(found_.makespan_s, times.end_s);
    return std::move(found_);
  }

 private:
  void simulate() {
    std::vector<simulation::Job> jobs;
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (!starts_[i] || is_over_[i]) continue;
      const PreparedCall& call = prepared_[i];
      running.push_back(i);
      jobs.push_back({call.program, call.network, *starts_[i]});
    }
    auto results = simulation::simulate_together(jobs, simulation_);
    found_.messages = messages_before_;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      CallTimes& times = found_.calls[running[j]];
      times.start_s = *starts_[running[j]];
      times.end_s = jobs[j].start_s + results[j].time_s;
      found_.messages += results[j].messages;
    }
    found_.all = std::move(results.front());
    std::ranges::transform(found_.all.link_bytes, bytes_before_, found_.all.link_bytes.begin(),
                           std::plus{});
  }

  // What has started is over by this time: it shares nothing with what starts from now on.
  void end_before(double time_s) {
    for (std::size_t i = 0; i < calls_.size(); ++i)
      if (starts_[i] && found_.calls[i].end_s > time_s) return;
    for (std::size_t i = 0; i < calls_.size(); ++i) is_over_[i] = starts_[i].has_value();
    messages_before_ = found_.messages;
    bytes_before_ = found_.all.link_bytes;
  }

  // When a call that waits starts; nothing while a call before it has not run.
  std::optional<double> start_of(const TogetherCall& call) const {
    double start_s = 0;
    for (const std::size_t other : call.after) {
      if (!starts_[other]) return std::nullopt;
      start_s = std::max(start_s, found_.calls[other].end_s);
    }
    return start_s + call.start_s;
  }

  bool start_next() {
    std::vector<std::size_t> next;
    double earliest_s = INFINITY;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (starts_[i]) continue;
      const auto start_s = start_of(calls_[i]);
      if (!start_s || *start_s > earliest_s) continue;
      if (*start_s < earliest_s) next.clear();
      earliest_s = *start_s;
      next.push_back(i);
    }
    if (!next.empty()) end_before(earliest_s);
    for (const std::size_t i : next) starts_[i] = earliest_s;
    return !next.empty();
  }

  std::span<const TogetherCall> calls_;
  std::span<const PreparedCall> prepared_;
  simulation::SimulationOptions simulation_;
  std::vector<std::optional<double>> starts_;
  std::vector<bool> is_over_;
  std::int64_t messages_before_ = 0;  // of calls that are over
  std::vector<double> bytes_before_;  // and what they put on each link
  Together found_;
};

void check(const simulation::SimulationOptions& simulation) {
  require(simulation.model == simulation::Model::fluid,
          "only the fluid model supports several calls at once; remove --model {}",
          name_of(simulation.model));
}

}  // namespace

std::vector<PreparedCall> prepare(std::span<const TogetherCall> calls, const Network& network,
                                  const simulation::SimulationOptions& simulation) {
  Winners winners(network, simulation);
  std::vector<PreparedCall> all;
  for (const TogetherCall& call : calls)
    all.push_back(located(call.path, call.line, [&] {
      return prepared(call, training::network_of(network, call.ranks), winners, simulation);
    }));
  return all;
}

Together run_together(std::span<const TogetherCall> calls, std::span<const PreparedCall> prepared,
                      const simulation::SimulationOptions& simulation) {
  WEFT_ASSERT(!calls.empty() && calls.size() == prepared.size());
  check(simulation);
  Together found = TogetherRun(calls, prepared, simulation).run();
  simulation::SimulationOptions alone = simulation;
  alone.link_statistics = true;  // as together, so that both take the same way
  for (std::size_t i = 0; i < calls.size(); ++i)
    found.calls[i].alone_s =
        simulation::simulate(prepared[i].program, prepared[i].network, alone).time_s;
  return found;
}

double makespan_s(std::span<const TogetherCall> calls, std::span<const PreparedCall> prepared,
                  const simulation::SimulationOptions& simulation) {
  WEFT_ASSERT(!calls.empty() && calls.size() == prepared.size());
  check(simulation);
  return TogetherRun(calls, prepared, simulation).run().makespan_s;
}

}  // namespace weft::advise
