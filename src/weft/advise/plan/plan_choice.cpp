#include "weft/advise/plan/plan_choice.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "planned_ranges.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/text.hpp"
#include "weft/evaluate/algorithm_names.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/topology/names.hpp"

namespace weft::advise {

namespace {

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

// Each collective, of rooted ones each root that is asked for; those with counts last.
std::vector<Collective> asked_in(const PlanOptions& options, std::int32_t ranks) {
  std::vector<Collective> asked;
  for (const CollectiveKind kind : options.collectives) {
    const bool for_each_root = Collective{kind, ranks}.rooted() && options.all_roots;
    for (std::int32_t root = 0; root < (for_each_root ? ranks : 1); ++root)
      asked.push_back({kind, ranks, schedule::Rank(root)});
  }
  for (const UnequalCalls& calls : options.unequal) asked.push_back({calls.kind, ranks});
  return asked;
}

// Each algorithm that is named serves one of the collectives at least.
void require_served(const Network& network, const PlanOptions& options,
                    const std::vector<Collective>& asked) {
  for (const std::string& name : options.algorithms) {
    if (name == kAll) continue;
    const algorithm::Algorithm& named = algorithm::find_algorithm(name);
    const algorithm::AlgorithmOptions own = algorithm::taken_by(named, options.algorithm);
    // Of what it serves elsewhere the first: there the network is the obstacle.
    const auto served = std::ranges::find_if(
        asked, [&](const Collective& collective) { return named.supports(collective.kind); });
    const Collective& first = served == asked.end() ? asked.front() : *served;
    const bool serves = std::ranges::any_of(asked, [&](const Collective& collective) {
      return !algorithm::misfit(named, {collective, &network, own});
    });
    require(serves,
            "{} cannot run {}{} on {} ({}); weft list algorithms shows what each algorithm "
            "supports",
            named.name, name_of(first.kind),
            options.collectives.size() + options.unequal.size() > 1
                ? ", and neither can the other algorithms,"
                : "",
            network.topology().name(),
            algorithm::misfit(named, {first, &network, own}).value_or(""));
  }
}

// Some algorithm takes each option.
void require_options_taken(const Network& network, const PlanOptions& options,
                           const std::vector<Collective>& asked) {
  if (options.algorithm.values.empty()) return;
  std::vector<const algorithm::Algorithm*> run;
  for (const std::string& name : options.algorithms)
    if (name != kAll) run.push_back(&algorithm::find_algorithm(name));
  if (evaluate::are_all(options.algorithms))
    for (const Collective& collective : asked)
      for (const auto* each : algorithm::applicable(collective, &network, options.algorithm))
        run.push_back(each);
  algorithm::require_taken(run, {asked.front(), &network, options.algorithm});
}

// MPI processes cannot choose paths.
void require_network_routes(const algorithm::AlgorithmOptions& options) {
  require(algorithm::kRoutes.given(options) != algorithm::kOwnRoutes,
          "plans cannot have --routes own, because MPI processes cannot choose paths; leave it "
          "out, or compare schedules with weft compare");
}

// Something else may run than the MPI's own; the first remark says why nothing may.
void require_candidates(const std::vector<PlannedRanges>& found) {
  if (std::ranges::any_of(found, &PlannedRanges::has_candidates)) return;
  std::string why;
  for (const PlannedRanges& each : found)
    if (why.empty() && !each.remarks.empty()) why = each.remarks.front();
  reject("the plan would be empty ({}); use other collectives or algorithms", why);
}

// Puts what was found of a collective to the rest; what was said of one root is not said again.
class Joined {
 public:
  void add(PlannedRanges found) {
    const std::size_t first = chosen.plan.schedules.size();
    for (plan::PlannedRange& range : found.ranges) {
      if (range.schedule) *range.schedule += first;
      chosen.plan.ranges.push_back(range);
    }
    std::ranges::move(found.schedules, std::back_inserter(chosen.plan.schedules));
    std::ranges::move(found.forwarding_hosts, std::back_inserter(chosen.forwarding_hosts));
    for (std::string& remark : found.remarks)
      if (told_.insert(remark).second) chosen.remarks.push_back(std::move(remark));
    for (LeftOut& each : found.left_out)
      if (left_.emplace(each.collective, each.what.algorithm).second)
        chosen.left_out.push_back(std::move(each));
  }

  ChosenPlan chosen;

 private:
  std::set<std::string> told_;
  std::set<std::pair<std::string, std::string>> left_;
};

}  // namespace

PlannedNames planned_names(const std::string& list) {
  PlannedNames names;
  const auto add = [](std::vector<CollectiveKind>& kinds, CollectiveKind kind,
                      std::string_view name) {
    require(std::ranges::find(kinds, kind) == kinds.end(), "{} is repeated in --collectives", name);
    kinds.push_back(kind);
  };
  bool are_all = false;
  for (const std::string_view name : split(list, ',')) {
    if (name == kAll) {
      are_all = true;
    } else if (const auto unequal = unequal_kind(name)) {
      add(names.unequal, *unequal, unequal_name(*unequal));
    } else {
      const CollectiveKind kind = kind_scheduled_for(name);
      require(plan::has_collective(kind), "plans do not have {}; remove it from --collectives",
              name_of(kind));
      add(names.equal, kind, name_of(kind));
    }
  }
  if (are_all)
    for (const CollectiveKind kind : schedule::kCollectiveKinds)
      if (plan::has_collective(kind) && std::ranges::find(names.equal, kind) == names.equal.end())
        names.equal.push_back(kind);
  return names;
}

ChosenPlan choose_plan(const Network& network, const PlanOptions& options) {
  require(network.ranks() >= 2, "a plan needs at least 2 ranks; this network has {}",
          network.ranks());
  const auto has_sizes = [](const std::vector<std::int64_t>& sizes_B) {
    return !sizes_B.empty() && sizes_B.front() > 0;
  };
  require((options.collectives.empty() || has_sizes(options.sizes_B)) &&
              std::ranges::all_of(options.unequal, has_sizes, &UnequalCalls::sizes_B),
          "a plan needs sizes above 0, such as --sizes 64B:64MiB");
  for (const UnequalCalls& calls : options.unequal)
    plan::require_few_counts(calls.kind, std::ssize(calls.sizes_B));
  const std::vector<Collective> asked = asked_in(options, network.ranks());
  require_network_routes(options.algorithm);
  require_served(network, options, asked);
  require_options_taken(network, options, asked);
  std::vector<PlannedRanges> found(asked.size());
  Progress progress("plan", std::ssize(asked));
  parallel_for(std::ssize(asked), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const std::size_t equal = asked.size() - options.unequal.size();
    const UnequalCalls* unequal = at < equal ? nullptr : &options.unequal[at - equal];
    isolated([&] { found[at] = planned_ranges(asked[at], network, options, unequal); });
    progress.advance();
  });
  require_candidates(found);
  Joined joined;
  joined.chosen.plan.ranks = network.ranks();
  joined.chosen.plan.hosts = hosts_of(network);
  joined.chosen.plan.allows_different_bits = options.allows_different_bits;
  for (PlannedRanges& each : found) joined.add(std::move(each));
  return std::move(joined.chosen);
}

}  // namespace weft::advise
