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

// Of those named what serves the collective: steps have several kinds of them. Empty: all.
std::vector<std::string> serving(const Collective& collective, const Network& group,
                                 const TrainingAsked& asked) {
  if (collective.kind == CollectiveKind::point_to_point) return {};
  std::vector<std::string> names;
  std::string reason;
  for (const std::string& name : asked.algorithms) {
    if (name == kAll) return asked.algorithms;
    const auto& algorithm = algorithm::find_algorithm(name);
    const auto options = algorithm::taken_by(algorithm, asked.algorithm);
    const auto misfit = algorithm::misfit(algorithm, {collective, &group, options});
    if (!misfit)
      names.push_back(name);
    else if (reason.empty())
      reason = fmt::format("{}: {}", name, *misfit);
  }
  require(asked.algorithms.empty() || !names.empty(),
          "no algorithm named serves the {} of {} ranks ({}); add one that does, or leave out "
          "--algorithms",
          name_of(collective.kind), collective.ranks, reason);
  return names;
}

// Of a group alone.
Comparison compared(const Collective& collective, const Network& group,
                    const std::vector<std::int64_t>& sizes_B, const TrainingAsked& asked) {
  simulation::SimulationOptions simulation = asked.simulation;
  simulation.link_statistics = true;
  const bool is_collective = collective.kind != CollectiveKind::point_to_point;
  CompareOptions options{
      .algorithms = serving(collective, group, asked),
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

// Links that a party has for its own: those on its routes. A schedule with routes of its own may
// lead over others, where the simulation of this party does not see who else is there.
struct OwnLinks {
  std::vector<bool> own;  // empty: all are

  bool hold(const std::vector<double>& link_bytes) const {
    for (std::size_t i = 0; i < own.size() && i < link_bytes.size(); ++i)
      if (link_bytes[i] > 0 && !own[i]) return false;
    return true;
  }
};

// None, of infinite time, where no schedule stays on the party's own links.
std::vector<Timed> best_alone(const Comparison& comparison,
                              const std::vector<std::int64_t>& sizes_B, const OwnLinks& links) {
  std::vector<Timed> best;
  for (const ComparisonRow* row : comparison.winners()) {
    const std::int64_t size_B = sizes_B[best.size()];
    const bool holds = links.hold(row->result.link_bytes);
    const ComparisonRow* taken = holds ? row : nullptr;
    for (const ComparisonRow& other : comparison.rows)
      if (!holds && other.size_B == size_B && links.hold(other.result.link_bytes) &&
          (taken == nullptr || other.result.time_s < taken->result.time_s))
        taken = &other;
    best.push_back(taken == nullptr ? Timed{}
                                    : Timed{taken->result.time_s,
                                            comparison.contenders[taken->contender].schedule,
                                            taken->result.link_bytes});
  }
  return best;
}

// The names that are worth a run with all groups at once.
std::vector<std::string> leaders_of(const Comparison& comparison, const OwnLinks& links) {
  std::vector<bool> strays(comparison.contenders.size(), false);
  for (const ComparisonRow& row : comparison.rows)
    if (!links.hold(row.result.link_bytes)) strays[row.contender] = true;
  std::vector<std::string> names;
  for (const std::size_t index : comparison.ranking())
    if (!strays[index] && names.size() < kMostTogether)
      names.push_back(comparison.contenders[index].algorithm);
  return names;
}

bool is_whole(const std::vector<Timed>& timed) {
  return std::ranges::all_of(timed, [](const Timed& one) { return one.time_s < INFINITY; });
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
                                 const std::vector<std::int64_t>& sizes_B, const OwnLinks& links,
                                 const TrainingAsked& asked) {
  std::vector<Timed> best(sizes_B.size());
  const Comparison first = compared(collective, groups.front(), sizes_B, asked);
  for (const std::string& name : leaders_of(first, links)) {
    const Together together(name, collective, groups, asked);
    for (std::size_t i = 0; i < sizes_B.size(); ++i) {
      Timed timed = together.run(sizes_B[i]);
      if (timed.time_s < best[i].time_s && links.hold(timed.link_bytes)) best[i] = std::move(timed);
    }
  }
  return best;
}

void add_bytes(std::map<std::string, double>& bytes, const std::vector<double>& link_bytes,
               double times, const Topology& topology) {
  for (const LinkId link : topology.links())
    if (const double each = link_bytes[link.index()]; each > 0)
      bytes[topology.class_names()[topology.link_class(link)]] += times * each;
}

// Raises what calls take at least to this group's.
void bound(std::vector<TrainingCall>& calls, const Collective& collective, const Network& group) {
  const LowerBounds bounds = lower_bounds(collective, group, Cuts::and_optimum);
  for (TrainingCall& call : calls) {
    call.least_s =
        std::max(call.least_s, least_time_s(bounds, collective, group, call.call.size_B));
    if (bounds.optimum)
      call.least_s =
          std::max(call.least_s, time_of_factor_s(bounds.optimum->bandwidth_factor.to_double(),
                                                  collective, group, call.call.size_B));
  }
}

// The slowest party's time, and the bytes of all.
void take(TrainingCall& call, const Timed& of_party, std::int64_t images,
          const Topology& topology) {
  if (of_party.time_s > call.time_s || call.schedule.empty()) {
    call.time_s = of_party.time_s;
    call.schedule = of_party.schedule;
  }
  if (of_party.link_bytes.empty())
    call.class_bytes.reset();
  else if (call.class_bytes)
    add_bytes(*call.class_bytes, of_party.link_bytes, static_cast<double>(images), topology);
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
  const Pairs pairs =
      kind.kind == CollectiveKind::point_to_point ? Pairs::first_to_second : Pairs::all;
  const bool apart = asked_.isolated || asked_.simulation.model == simulation::Model::alpha_beta;
  auto calls = priced(kind, sizes_B, groups, parties_of(network_, groups, pairs, apart));
  if (!calls) {  // every schedule leads over links of other groups: all groups at once, then
    Party all;
    for (std::size_t i = 0; i < groups.size(); ++i) all.groups.push_back(i);
    calls = priced(kind, sizes_B, groups, {all});
  }
  for (TrainingCall& call : *calls) {
    call.least_s = std::min(call.least_s, call.time_s);  // to rounding
    known_.emplace(call.call, std::move(call));
  }
}

std::optional<std::vector<TrainingCall>> CallPrices::priced(
    const GroupCall& kind, const std::vector<std::int64_t>& sizes_B,
    const std::vector<RankGroup>& groups, const std::vector<Party>& parties) const {
  std::vector<TrainingCall> calls;
  for (const std::int64_t size_B : sizes_B) {
    GroupCall call = kind;
    call.size_B = size_B;
    calls.push_back({.call = call,
                     .ranks = static_cast<std::int32_t>(groups.front().size()),
                     .groups = std::ssize(groups),
                     .class_bytes = std::map<std::string, double>()});
  }
  const Collective collective = collective_of(kind, calls.front().ranks);
  const bool has_others = parties.size() > 1 || parties.front().images > 1;
  for (const Party& party : parties) {
    std::vector<RankGroup> members;
    std::vector<Network> networks;
    for (const std::size_t i : party.groups) {
      members.push_back(groups[i]);
      networks.push_back(network_of(network_, groups[i]));
    }
    for (TrainingCall& call : calls)
      call.together = std::max(call.together, std::ssize(party.groups));
    bound(calls, collective, networks.front());
    if (asked_.flow_alltoall && kind.kind == CollectiveKind::alltoall) {
      require(networks.size() == 1,
              "the throughput of all-to-alls is that of a group alone, and {} share links here; "
              "leave out --alltoall flow, or write --isolated",
              networks.size());
      price_flow(calls, networks.front());
      continue;
    }
    OwnLinks links;
    if (has_others && !asked_.isolated)
      links.own = links_of(
          network_, members,
          kind.kind == CollectiveKind::point_to_point ? Pairs::first_to_second : Pairs::all);
    const auto best =
        networks.size() == 1
            ? best_alone(compared(collective, networks.front(), sizes_B, asked_), sizes_B, links)
            : best_together(collective, networks, sizes_B, links, asked_);
    if (!is_whole(best)) return std::nullopt;
    for (std::size_t i = 0; i < calls.size(); ++i)
      take(calls[i], best[i], party.images, network_.topology());
  }
  return calls;
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
