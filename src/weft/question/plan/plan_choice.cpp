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

constexpr const char* kNative = "native";  // in place of an algorithm

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
  std::int64_t first_B = 0;            // where it takes over
  std::shared_ptr<const Timed> timed;  // null: the MPI's own
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
        told_(told) {
    for (const MeasuredTable& table : options.native)
      if (table.collective == collective.kind) native_ = &table;
  }

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
          or_native({options_.sizes_B[s], algorithm_of(comparison.contenders[best]), time_s(best)},
                    !winners.empty() && winners.back().algorithm == kNative));
    }
    return winners;
  }

  // The MPI's own where it was measured to be faster, or, where it is so at the size before, as
  // fast.
  Winner or_native(Winner winner, bool is_native_before) const {
    if (native_ == nullptr) return winner;
    const double native_s = measured_s(*native_, winner.size_B);
    if (native_s < winner.time_s * (is_native_before ? 1 + kTie : 1 - kTie))
      return {winner.size_B, kNative, native_s};
    return winner;
  }

  std::vector<Turn> turns_of(const std::vector<Winner>& winners) const {
    std::map<std::string, Candidate> candidates;  // built once each
    std::vector<Turn> turns;
    for (const Winner& winner : winners) {
      if (winner.algorithm == kNative) {
        if (turns.empty() || turns.back().timed != nullptr)
          turns.push_back({winner, winner.size_B, 0, nullptr});
        turns.back().last_compared_B = winner.size_B;
        continue;
      }
      auto found = candidates.find(winner.algorithm);
      if (found == candidates.end())
        found = candidates
                    .emplace(winner.algorithm,
                             make_candidate(algorithm::find_algorithm(winner.algorithm),
                                            collective_, network_, {}))
                    .first;
      schedule::Verified verified = found->second.for_size(winner.size_B);
      if (turns.empty() || turns.back().timed == nullptr ||
          turns.back().timed->verified().schedule() != verified.schedule())
        turns.push_back({winner, winner.size_B, 0,
                         std::make_shared<Timed>(std::move(verified), found->second, network_,
                                                 options_.simulation)});
      turns.back().last_compared_B = winner.size_B;
    }
    return turns;
  }

  // By halves between the last size that the one wins and the first that the other does.
  std::int64_t crossover(const Turn& before, const Turn& after) const {
    std::int64_t low_B = before.last_compared_B, high_B = after.winner.size_B;
    const std::int64_t precision =
        before.winner.algorithm == after.winner.algorithm ? kPrecisionOfSegments : kPrecision;
    while (high_B - low_B > std::max<std::int64_t>(1, low_B / precision)) {
      const std::int64_t middle_B = low_B + (high_B - low_B) / 2;
      if (time_s(after, middle_B) <= time_s(before, middle_B))
        high_B = middle_B;
      else
        low_B = middle_B;
    }
    return high_B;
  }

  double time_s(const Turn& turn, std::int64_t size_B) const {
    return turn.timed != nullptr ? turn.timed->time_s(size_B) : measured_s(*native_, size_B);
  }

  void add_ranges(const std::vector<Turn>& turns) {
    for (std::size_t i = 0; i < turns.size(); ++i) {
      plan::PlannedRange range;
      range.kind = collective_.kind;
      range.first_B = turns[i].first_B;
      range.last_B = i + 1 < turns.size() ? turns[i + 1].first_B - 1 : plan::kNoEnd;
      if (turns[i].timed != nullptr) {
        range.schedule = index_of(turns[i].timed->verified());
        range.time_s = turns[i].winner.time_s;
        range.timed_B = turns[i].winner.size_B;
      } else {
        tell(fmt::format("{} runs natively where less was measured in {} than any schedule takes",
                         name_of(collective_.kind), native_->path));
      }
      add_range(range);
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
  const MeasuredTable* native_ = nullptr;  // null: not measured
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

std::vector<MeasuredTable> measured_collectives(MeasuredTables measured, std::int32_t ranks) {
  std::vector<MeasuredTable> kept;
  require(!measured.tables.empty(), "there are no times in it; weft-bench allreduce measures some");
  const std::string path = measured.tables.front().path;
  for (MeasuredTable& table : measured.tables) {
    if (!table.collective) continue;
    require(table.ranks == 0 || table.ranks == ranks,
            "{} was measured on {} ranks and the plan is for {}; measure with as many", table.path,
            table.ranks, ranks);
    require(std::ranges::find(kept, table.collective, &MeasuredTable::collective) == kept.end(),
            "{} has one more table of {}; leave one", table.path, name_of(*table.collective));
    kept.push_back(std::move(table));
  }
  require(!kept.empty(),
          "{} has no times of collectives; weft-bench allreduce -o FILE measures some", path);
  return kept;
}

double measured_s(const MeasuredTable& table, std::int64_t size_B) {
  const auto& rows = table.rows;
  const auto above = std::ranges::lower_bound(rows, size_B, {}, &MeasuredRow::size_B);
  if (above == rows.begin()) return above->time_s;
  const MeasuredRow& low = *(above - 1);
  const auto size = static_cast<double>(size_B), low_B = static_cast<double>(low.size_B);
  if (above == rows.end()) return low.time_s * size / low_B;
  const double share = (size - low_B) / (static_cast<double>(above->size_B) - low_B);
  return low.time_s + share * (above->time_s - low.time_s);
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
