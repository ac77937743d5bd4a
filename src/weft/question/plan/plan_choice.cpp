#include "weft/question/plan/plan_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/question/sized_schedule.hpp"
#include "weft/topology/names.hpp"

namespace weft::question {

namespace {

constexpr double kTie = 1e-3;
constexpr std::int64_t kBetween = 16;  // a doubling is looked at in so many parts

// Of a contender's name, that of its algorithm.
std::string algorithm_of(const Contender& contender) {
  return contender.algorithm.substr(0, contender.algorithm.find('('));
}

/// From `first_B` on an algorithm wins; its schedule there is made for `size_B`.
struct Turn {
  std::int64_t first_B = 0, size_B = 0;
  std::string algorithm;
  double time_s = 0;
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
    std::vector<Turn> turns = winners(algorithms);
    for (std::size_t i = turns.size() - 1; i > 0; --i)
      if (turns[i].algorithm != turns[i - 1].algorithm)
        turns[i].first_B = crossover(turns[i - 1], turns[i]);
    turns.front().first_B = 0;
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

  Comparison compared(const std::vector<std::string>& algorithms,
                      const std::vector<std::int64_t>& sizes_B) const {
    CompareOptions asked;
    asked.algorithms = algorithms;
    asked.sizes_B = sizes_B;
    asked.simulation = options_.simulation;
    return compare(collective_, network_, asked);
  }

  // The one of the size before stays where no other is faster by more than a tie.
  std::vector<Turn> winners(const std::vector<std::string>& algorithms) const {
    const Comparison comparison = compared(algorithms, options_.sizes_B);
    std::vector<Turn> turns;
    const std::size_t sizes = options_.sizes_B.size();
    for (std::size_t s = 0; s < sizes; ++s) {
      std::size_t best = 0;
      std::optional<std::size_t> last;
      const auto time_s = [&](std::size_t c) {
        return comparison.rows[c * sizes + s].result.time_s;
      };
      for (std::size_t c = 0; c < comparison.contenders.size(); ++c) {
        if (time_s(c) < time_s(best)) best = c;
        if (!turns.empty() && algorithm_of(comparison.contenders[c]) == turns.back().algorithm)
          last = c;
      }
      if (last && time_s(*last) <= time_s(best) * (1 + kTie)) best = *last;
      const std::int64_t size_B = options_.sizes_B[s];
      turns.push_back({size_B, size_B, algorithm_of(comparison.contenders[best]), time_s(best)});
    }
    return turns;
  }

  // Between the two sizes: the least from which the later one wins at all that are looked at.
  std::int64_t crossover(const Turn& before, const Turn& after) const {
    std::vector<std::int64_t> sizes_B;
    for (std::int64_t k = 1; k < kBetween; ++k) {
      const std::int64_t size_B = before.size_B + (after.size_B - before.size_B) / kBetween * k;
      if (size_B > before.size_B && (sizes_B.empty() || size_B > sizes_B.back()))
        sizes_B.push_back(size_B);
    }
    if (sizes_B.empty()) return after.size_B;
    const Comparison comparison = compared({before.algorithm, after.algorithm}, sizes_B);
    if (comparison.contenders.size() != 2) return after.size_B;
    const std::size_t first =
        algorithm_of(comparison.contenders[0]) == before.algorithm ? 0 : sizes_B.size();
    const std::size_t second = sizes_B.size() - first;
    std::int64_t from_B = after.size_B;
    for (std::size_t s = sizes_B.size(); s-- > 0;) {
      if (comparison.rows[second + s].result.time_s > comparison.rows[first + s].result.time_s)
        break;
      from_B = sizes_B[s];
    }
    return from_B;
  }

  // Neighbours that share a schedule are one range.
  void add_ranges(const std::vector<Turn>& turns) {
    std::optional<schedule::Schedule> last;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const Turn& turn = turns[i];
      const schedule::Verified verified =
          schedule_for_size(turn.algorithm, collective_, network_, {}, turn.size_B);
      const std::int64_t last_B = i + 1 < turns.size() ? turns[i + 1].first_B - 1 : plan::kNoEnd;
      if (last && *last == verified.schedule()) {
        chosen_.plan.ranges.back().last_B = last_B;
        continue;
      }
      last = verified.schedule();
      add_range({.kind = collective_.kind,
                 .root = {},
                 .first_B = turn.first_B,
                 .last_B = last_B,
                 .schedule = index_of(verified),
                 .time_s = turn.time_s,
                 .timed_B = turn.size_B});
    }
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
