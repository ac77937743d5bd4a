#include "weft/question/plan/plan_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/text.hpp"
#include "weft/question/comparison/candidate.hpp"
#include "weft/topology/names.hpp"

namespace weft::question {

namespace {

constexpr double kTie = 1e-3;
// Crossovers are right to one part in so many. Between two numbers of segments of one algorithm the
// times differ by little, and take long to simulate.
constexpr std::int64_t kPrecision = 256, kPrecisionOfSegments = 8;

// Of a contender's name, that of its algorithm.
std::string algorithm_of(const Contender& contender) {
  return contender.algorithm.substr(0, contender.algorithm.find('('));
}

/// At a size that was compared an algorithm wins.
struct Winner {
  std::int64_t size_B = 0;
  std::string algorithm;
  double time_s = 0;
};

// A schedule, and its time at any size.
class Timed {
 public:
  Timed(schedule::Verified verified, const Candidate& candidate, const Network& network,
        const simulation::SimulationOptions& options)
      : verified_(std::move(verified)),
        copies_(candidate.copies_of(verified_)),
        network_(network),
        options_(options) {
    options_.recall = std::make_shared<simulation::Recall>(network);
  }

  const schedule::Verified& verified() const { return verified_; }
  double time_s(std::int64_t size_B) const {
    return simulation::simulate(lower(verified_, {.size_B = size_B, .copies = copies_}), network_,
                                options_)
        .time_s;
  }

 private:
  schedule::Verified verified_;
  std::shared_ptr<const program::CopyPlan> copies_;
  const Network& network_;
  simulation::SimulationOptions options_;
};

/// Neighbours among the sizes compared that are served by one schedule, made for the first.
struct Turn {
  Winner winner;  // at the first
  std::int64_t last_compared_B = 0;
  std::int64_t first_B = 0;  // where it takes over
  std::shared_ptr<const Timed> timed;
};

// The ranges of one collective and root.
class Ranges {
 public:
  Ranges(const Collective& collective, const Network& network, const PlanOptions& options,
         ChosenPlan& chosen, std::set<std::string>& told)
      : collective_(collective),
        network_(network),
        options_(options),
        chosen_(chosen),
        told_(told) {}

  void add() {
    const std::vector<std::string> algorithms = usable_algorithms();
    if (algorithms.empty()) {
      tell(fmt::format("{} runs natively: no algorithm that MPI processes can run serves it",
                       name_of(collective_.kind)));
      plan::PlannedRange range;
      range.kind = collective_.kind;
      range.last_B = plan::kNoEnd;
      return add_range(range);
    }
    std::vector<Turn> turns = turns_of(winners(algorithms));
    // Each on its own, so that results do not depend on the number of threads.
    parallel_for(std::ssize(turns) - 1, [&](std::int64_t i) {
      const auto after = static_cast<std::size_t>(i + 1);
      turns[after].first_B = crossover(turns[after - 1], turns[after]);
    });
    add_ranges(turns);
  }

 private:
  void tell(const std::string& remark) {
    if (told_.insert(remark).second) chosen_.remarks.push_back(remark);
  }

  void add_range(plan::PlannedRange range) {
    if (collective_.rooted()) range.root = collective_.root;
    chosen_.plan.ranges.push_back(range);
  }

  // That fit here and that a process can run. Whether it can does not depend on the size.
  std::vector<std::string> usable_algorithms() {
    std::vector<std::string> usable;
    const bool all = options_.algorithms.empty() ||
                     std::ranges::find(options_.algorithms, kAll) != options_.algorithms.end();
    std::vector<std::string> names;
    for (const std::string& name : options_.algorithms) {
      if (name == kAll) continue;
      const algorithm::Algorithm& known = algorithm::find_algorithm(name);
      if (!algorithm::misfit(known, {collective_, &network_, {}})) names.push_back(known.name);
    }
    if (all)
      for (const algorithm::Algorithm* each : algorithm::applicable(collective_, &network_))
        if (std::ranges::find(names, each->name) == names.end()) names.push_back(each->name);
    for (const std::string& name : names) {
      const std::string why =
          plan::unplannable(algorithm::build_schedule(name, collective_, &network_));
      if (why.empty())
        usable.push_back(name);
      else
        tell(fmt::format("{} of {} is left out: {}", name, name_of(collective_.kind), why));
    }
    return usable;
  }

  // The one of the size before stays where no other is faster by more than a tie.
  std::vector<Winner> winners(const std::vector<std::string>& algorithms) const {
    CompareOptions asked;
    asked.algorithms = algorithms;
    asked.sizes_B = options_.sizes_B;
    asked.simulation = options_.simulation;
    const Comparison comparison = compare(collective_, network_, asked);
    std::vector<Winner> winners;
    const std::size_t sizes = options_.sizes_B.size();
    for (std::size_t s = 0; s < sizes; ++s) {
      std::size_t best = 0;
      std::optional<std::size_t> last;
      const auto time_s = [&](std::size_t c) {
        return comparison.rows[c * sizes + s].result.time_s;
      };
      for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
        if (time_s(c) < time_s(best)) best = c;
        if (!winners.empty() && algorithm_of(comparison.contenders[c]) == winners.back().algorithm)
          last = c;
      }
      if (last && time_s(*last) <= time_s(best) * (1 + kTie)) best = *last;
      winners.push_back(
          {options_.sizes_B[s], algorithm_of(comparison.contenders[best]), time_s(best)});
    }
    return winners;
  }

  std::vector<Turn> turns_of(const std::vector<Winner>& winners) const {
    std::map<std::string, Candidate> candidates;  // built once each
    std::vector<Turn> turns;
    for (const Winner& winner : winners) {
      auto found = candidates.find(winner.algorithm);
      if (found == candidates.end())
        found = candidates
                    .emplace(winner.algorithm,
                             make_candidate(algorithm::find_algorithm(winner.algorithm),
                                            collective_, network_, {}))
                    .first;
      schedule::Verified verified = found->second.for_size(winner.size_B);
      if (turns.empty() || turns.back().timed->verified().schedule() != verified.schedule())
        turns.push_back({winner, winner.size_B, 0,
                         std::make_shared<Timed>(std::move(verified), found->second, network_,
                                                 options_.simulation)});
      turns.back().last_compared_B = winner.size_B;
    }
    return turns;
  }

  // By halves between the last size that the one wins and the first that the other does.
  static std::int64_t crossover(const Turn& before, const Turn& after) {
    std::int64_t low_B = before.last_compared_B, high_B = after.winner.size_B;
    const std::int64_t precision =
        before.winner.algorithm == after.winner.algorithm ? kPrecisionOfSegments : kPrecision;
    while (high_B - low_B > std::max<std::int64_t>(1, low_B / precision)) {
      const std::int64_t middle_B = low_B + (high_B - low_B) / 2;
      if (after.timed->time_s(middle_B) <= before.timed->time_s(middle_B))
        high_B = middle_B;
      else
        low_B = middle_B;
    }
    return high_B;
  }

  void add_ranges(const std::vector<Turn>& turns) {
    for (std::size_t i = 0; i < turns.size(); ++i)
      add_range({.kind = collective_.kind,
                 .root = {},
                 .first_B = turns[i].first_B,
                 .last_B = i + 1 < turns.size() ? turns[i + 1].first_B - 1 : plan::kNoEnd,
                 .schedule = index_of(turns[i].timed->verified()),
                 .time_s = turns[i].winner.time_s,
                 .timed_B = turns[i].winner.size_B});
  }

  std::size_t index_of(const schedule::Verified& verified) {
    plan::PlannedSchedule planned = plan::planned(verified);
    const std::string what = fmt::format("{} of {}", planned.algorithm, name_of(collective_.kind));
    if (planned.has_routes)
      tell(
          fmt::format("{} was made for paths of its own, which MPI cannot choose; its times hold "
                      "where the network routes so",
                      what));
    if (!planned.one_association && !options_.allows_different_bits)
      tell(
          fmt::format("{} gives ranks other roundings, so floating point runs natively there; "
                      "--allow-different-bits runs it all the same",
                      what));
    chosen_.plan.schedules.push_back(std::move(planned));
    return chosen_.plan.schedules.size() - 1;
  }

  Collective collective_;
  const Network& network_;
  const PlanOptions& options_;
  ChosenPlan& chosen_;
  std::set<std::string>& told_;
};

// Of the nodes that ranks are on, where all have names.
std::vector<std::string> hosts_of(const Network& network) {
  std::vector<std::string> hosts;
  for (std::int32_t rank = 0; rank < network.ranks(); ++rank) {
    const NodeId node = network.placement().nodes[static_cast<std::size_t>(rank)];
    const std::string& name = topology::name_of(network.topology(), node);
    if (name.empty()) return {};
    hosts.push_back(name);
  }
  return hosts;
}

}  // namespace

std::vector<CollectiveKind> planned_collectives(const std::string& list) {
  std::vector<CollectiveKind> kinds;
  if (list == "all") {
    for (const CollectiveKind kind : schedule::kCollectiveKinds)
      if (kind != CollectiveKind::point_to_point) kinds.push_back(kind);
    return kinds;
  }
  for (const std::string_view name : split(list, ',')) {
    const CollectiveKind kind = schedule::parse_collective(name);
    require(kind != CollectiveKind::point_to_point,
            "point-to-point is no collective of MPI; leave it out of --collectives");
    require(std::ranges::find(kinds, kind) == kinds.end(), "{} stands twice in --collectives",
            name_of(kind));
    kinds.push_back(kind);
  }
  return kinds;
}

ChosenPlan choose_plan(const Network& network, const PlanOptions& options) {
  require(network.ranks() >= 2, "a plan is for 2 ranks or more; this network has {}",
          network.ranks());
  require(!options.sizes_B.empty() && options.sizes_B.front() > 0,
          "a plan needs sizes above 0; write --sizes 64B:64MiB");
  ChosenPlan chosen;
  chosen.plan.ranks = network.ranks();
  chosen.plan.hosts = hosts_of(network);
  chosen.plan.allows_different_bits = options.allows_different_bits;
  std::set<std::string> told;
  for (const CollectiveKind kind : options.collectives) {
    const Collective first{kind, network.ranks()};
    const std::int32_t roots = first.rooted() && options.all_roots ? network.ranks() : 1;
    for (std::int32_t root = 0; root < roots; ++root)
      Ranges({kind, network.ranks(), schedule::Rank(root)}, network, options, chosen, told).add();
  }
  return chosen;
}

}  // namespace weft::question
