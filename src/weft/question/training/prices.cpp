// What a collective costs: the best schedule for each size on one group, then, where groups share
// links, the best of a few with all groups at once.
#include "weft/question/training/prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/program/program.hpp"
#include "weft/question/comparison.hpp"
#include "weft/question/comparison/candidate.hpp"
#include "weft/question/evaluation.hpp"
#include "weft/question/optimum.hpp"

namespace weft::question {

namespace {

using workload::GroupCall;
using workload::GroupKind;

constexpr std::size_t kMostTogether = 3;  // algorithms that are tried with all groups at once

// A time, and what it was reached with.
struct Timed {
  double time_s = INFINITY;
  std::string schedule;
  std::vector<double> link_bytes;
};

Collective collective_of(const GroupCall& call, std::int32_t ranks) {
  return call.kind == CollectiveKind::point_to_point
             ? schedule::point_to_point(2, Rank(0), Rank(1))
             : Collective{.kind = call.kind, .ranks = ranks};
}

// Of a group alone.
Comparison compared(const Collective& collective, const Network& group,
                    const std::vector<std::int64_t>& sizes_B, const TrainingAsked& asked) {
  simulation::SimulationOptions simulation = asked.simulation;
  simulation.link_statistics = true;
  const bool is_collective = collective.kind != CollectiveKind::point_to_point;
  CompareOptions options{
      .algorithms = is_collective ? asked.algorithms : std::vector<std::string>{},
      .sizes_B = sizes_B,
      .algorithm = is_collective ? asked.algorithm : algorithm::AlgorithmOptions{},
      .simulation = simulation};
  // All by the formula, the best by the model: where it takes long and most are far behind.
  constexpr std::int32_t kMostSimulated = 64;
  if (options.algorithms.empty() && collective.ranks > kMostSimulated &&
      simulation.model != simulation::Model::alpha_beta) {
    CompareOptions by_formula = options;
    by_formula.simulation = {.model = simulation::Model::alpha_beta};
    if (collective.kind == CollectiveKind::alltoall)  // those of N messages a rank are far quicker
      for (const char* name : {"spread", "hierarchical"})
        if (!algorithm::misfit(algorithm::find_algorithm(name), {collective, &group, {}}))
          by_formula.algorithms.emplace_back(name);
    const Comparison first = compare(collective, group, by_formula);
    for (const std::size_t index : first.ranking()) {
      if (options.algorithms.size() == kMostTogether) break;
      options.algorithms.push_back(first.contenders[index].algorithm);
    }
  }
  return compare(collective, group, options);
}

std::vector<Timed> best_alone(const Comparison& comparison) {
  std::vector<Timed> best;
  for (const ComparisonRow* row : comparison.winners())
    best.push_back({row->result.time_s, comparison.contenders[row->contender].schedule,
                    row->result.link_bytes});
  return best;
}

// The names that are worth a run with all groups at once.
std::vector<std::string> leaders_of(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::size_t index : comparison.ranking())
    if (names.size() < kMostTogether) names.push_back(comparison.contenders[index].algorithm);
  return names;
}

// A schedule of each group, of one algorithm.
class Together {
 public:
  Together(const std::string& name, const Collective& collective,
           const std::vector<Network>& groups, const TrainingAsked& asked)
      : groups_(groups), simulation_(asked.simulation) {
    simulation_.link_statistics = true;
    const auto& algorithm = algorithm::find_algorithm(name);
    const auto options = algorithm::taken_by(algorithm, asked.algorithm);
    for (const Network& group : groups)
      candidates_.push_back(make_candidate(algorithm, collective, group, options));
  }

  Timed run(std::int64_t size_B) const {
    std::vector<program::Program> programs;
    std::string schedule;
    for (const Candidate& candidate : candidates_) {
      const schedule::Verified verified = candidate.for_size(size_B);
      if (schedule.empty()) schedule = verified.schedule().algorithm();
      programs.push_back(
          program::lower(verified, {.size_B = size_B, .copies = candidate.copies_of(verified)}));
    }
    std::vector<simulation::Job> jobs;
    for (std::size_t i = 0; i < programs.size(); ++i) jobs.push_back({programs[i], groups_[i]});
    const auto results = simulation::simulate_together(jobs, simulation_);
    return {results.front().run_s, std::move(schedule), results.front().link_bytes};
  }

 private:
  const std::vector<Network>& groups_;
  simulation::SimulationOptions simulation_;
  std::vector<Candidate> candidates_;
};

std::vector<Timed> best_together(const Collective& collective, const std::vector<Network>& groups,
                                 const std::vector<std::int64_t>& sizes_B,
                                 const TrainingAsked& asked) {
  std::vector<Timed> best(sizes_B.size());
  for (const std::string& name : leaders_of(compared(collective, groups.front(), sizes_B, asked))) {
    const Together together(name, collective, groups, asked);
    for (std::size_t i = 0; i < sizes_B.size(); ++i) {
      Timed timed = together.run(sizes_B[i]);
      if (timed.time_s < best[i].time_s) best[i] = std::move(timed);
    }
  }
  return best;
}

void add_bytes(std::map<std::string, double>& bytes, const std::vector<double>& link_bytes,
               double times, const Topology& topology) {
  for (const LinkId link : topology.links())
    if (const double each = link_bytes[link.index()]; each > 0)
      bytes[topology.class_names()[topology.link_class(link).index()]] += times * each;
}

}  // namespace

CallPrices::CallPrices(const Network& network, const TrainingAsked& asked)
    : network_(network), asked_(asked) {}

void CallPrices::price(const std::set<GroupCall>& calls) {
  std::map<GroupCall, std::vector<std::int64_t>> sizes_B;  // by calls without their sizes
  for (const GroupCall& call : calls) {
    if (known_.contains(call)) continue;
    GroupCall kind = call;
    kind.size_B = 0;
    sizes_B[kind].push_back(call.size_B);
  }
  for (const auto& [kind, of_kind] : sizes_B) price_kind(kind, of_kind);
}

void CallPrices::price_kind(const GroupCall& kind, const std::vector<std::int64_t>& sizes_B) {
  const auto groups = groups_of(kind, asked_.step.parallel, asked_.order);
  const bool is_message = kind.kind == CollectiveKind::point_to_point;
  const auto parties =
      parties_of(network_, groups, is_message ? Pairs::first_to_second : Pairs::all,
                 asked_.isolated || asked_.simulation.model == simulation::Model::alpha_beta);
  std::vector<TrainingCall> calls;
  for (const std::int64_t size_B : sizes_B) {
    GroupCall call = kind;
    call.size_B = size_B;
    calls.push_back({.call = call,
                     .ranks = static_cast<std::int32_t>(groups.front().size()),
                     .groups = std::ssize(groups),
                     .class_bytes = std::map<std::string, double>()});
  }
  for (const Party& party : parties) {
    std::vector<Network> networks;
    for (const std::size_t i : party.groups) networks.push_back(network_of(network_, groups[i]));
    const Collective collective = collective_of(kind, calls.front().ranks);
    const LowerBounds bounds = lower_bounds(collective, networks.front(), Cuts::and_optimum);
    for (TrainingCall& call : calls) {
      call.together = std::max(call.together, std::ssize(party.groups));
      double least_s = least_time_s(bounds, collective, networks.front(), call.call.size_B);
      if (bounds.optimum)
        least_s =
            std::max(least_s, time_of_factor_s(bounds.optimum->bandwidth_factor.to_double(),
                                               collective, networks.front(), call.call.size_B));
      call.least_s = std::max(call.least_s, least_s);
    }
    if (asked_.flow_alltoall && kind.kind == CollectiveKind::alltoall) {
      require(networks.size() == 1,
              "the throughput of all-to-alls is that of a group alone, and {} share links here; "
              "leave out --alltoall flow, or write --isolated",
              networks.size());
      price_flow(calls, networks.front());
      continue;
    }
    const auto best = networks.size() == 1
                          ? best_alone(compared(collective, networks.front(), sizes_B, asked_))
                          : best_together(collective, networks, sizes_B, asked_);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (best[i].time_s > calls[i].time_s || calls[i].schedule.empty()) {
        calls[i].time_s = best[i].time_s;
        calls[i].schedule = best[i].schedule;
      }
      if (best[i].link_bytes.empty())
        calls[i].class_bytes.reset();
      else if (calls[i].class_bytes)
        add_bytes(*calls[i].class_bytes, best[i].link_bytes, static_cast<double>(party.images),
                  network_.topology());
    }
  }
  for (TrainingCall& call : calls) {
    call.least_s = std::min(call.least_s, call.time_s);  // to rounding
    known_.emplace(call.call, std::move(call));
  }
}

void CallPrices::price_flow(std::vector<TrainingCall>& calls, const Network& group) const {
  const Collective collective = schedule::alltoall(calls.front().ranks);
  const Optimum best = optimum(collective, group);
  const double factor = best.bandwidth_factor ? best.bandwidth_factor->to_double()
                                              : best.reached.value_or(best.least);
  for (TrainingCall& call : calls) {
    call.time_s =
        std::max(call.time_s, time_of_factor_s(factor, collective, group, call.call.size_B));
    call.least_s =
        std::max(call.least_s, time_of_factor_s(best.least, collective, group, call.call.size_B));
    call.schedule = "flow";
    call.class_bytes.reset();
  }
}

}  // namespace weft::question
