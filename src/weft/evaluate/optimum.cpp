#include "weft/evaluate/optimum.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/base/memory.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/flow/idle_relays.hpp"

namespace weft::evaluate {

double Optimum::time_s(const Collective& collective, const Network& network,
                       std::int64_t size_B) const {
  return time_of_factor_s(least, collective, network, size_B);
}

namespace {

bool is_known(CollectiveKind kind) {
  return algorithm::packs(kind) || kind == CollectiveKind::scatter ||
         kind == CollectiveKind::gather || is_solved_in_time(kind);
}

flow::RankTreesQuestion trees_of_all(const Network& network) {
  return algorithm::trees_of(schedule::allgather(network.ranks()), network);
}

// What must cross: blocks of all ranks go to the root or, in a scatter, come from it the other way.
flow::RankTreesQuestion crossing(const Collective& collective, const Network& network) {
  if (algorithm::packs(collective.kind)) return algorithm::trees_of(collective, network);
  return {.places = network.placement().nodes,
          .goal = collective.root.value(),
          .sense = collective.kind == CollectiveKind::gather ? graph::Sense::along
                                                             : graph::Sense::against};
}

// T_B at this rate of each root: M / N of it crosses, or all of M.
Rational factor_at(const Rational& rate_Bps, const Collective& collective, const Network& network) {
  WEFT_ASSERT(rate_Bps > Rational(0) && collective.ranks >= 1);
  const bool whole =
      collective.kind == CollectiveKind::broadcast || collective.kind == CollectiveKind::reduce;
  const std::int64_t parts = whole ? 1 : collective.ranks;
  return Rational(network.fabric().node_egress_Bps()) / rate_Bps / Rational(parts);
}

Optimum by_cut(const Collective& collective, const Network& network, bool with_trees) {
  flow::RankTreesQuestion question = crossing(collective, network);
  if (!with_trees) question.most_trees = 0;
  const flow::RankCut cut = flow::rank_cut(network.fabric(), question);
  WEFT_ASSERT(cut.bandwidth_Bps > 0 && cut.lacking > 0);
  const Rational factor = factor_at(Rational(cut.bandwidth_Bps, cut.lacking), collective, network);
  const double value = factor.to_double();
  return {.bandwidth_factor = factor,
          .least = value,
          .certified = value,
          .reached = value,
          .certificate = cut};
}

// Nothing where a term does not fit.
std::optional<Rational> rational(const graph::Fraction& value) {
  const auto common = graph::common_fractions(std::span(&value, 1));
  if (!common) return std::nullopt;
  return Rational(common->numerators[0], common->denominator);
}

// With the greatest bound on all schedules.
Optimum of_allreduce(const Network& network, const Rational& bound, const OptimumOptions& options) {
  flow::AllreduceTrees trees = flow::allreduce_trees(
      network.fabric(),
      {.places = network.placement().nodes, .time_limit_s = options.time_limit_s});
  const graph::Fraction egress(network.fabric().node_egress_Bps());
  const graph::Fraction least = trees.least_s_per_B * egress;
  const double certified = least.convert_to<double>();
  Optimum best{.least = certified, .certified = certified, .among = Among::reduce_then_broadcast};
  if (trees.reached_s_per_B)
    best.reached = graph::Fraction(*trees.reached_s_per_B * egress).convert_to<double>();
  if (trees.is_exact()) best.bandwidth_factor = rational(least);
  best.in_time = trees.is_exact();
  if (best.bandwidth_factor == bound) best.among = Among::all_schedules;
  best.certificate = std::move(trees);
  return best;
}

// Of a reduce-scatter and an allgather after it, by the tightest cut of each; nothing if switches
// pass on less than they get, where trees may not reach a cut.
std::optional<Rational> of_equal_halves(const Network& network) {
  if (!flow::pass_evenly(network.fabric(), trees_of_all(network))) return std::nullopt;
  const auto factor = [&](const Collective& half) {
    return *by_cut(half, network, false).bandwidth_factor;
  };
  return factor(schedule::reduce_scatter(network.ranks())) +
         factor(schedule::allgather(network.ranks()));
}

// Hosts up to which the proof by linear programs takes a second or two. Above, most networks are
// even enough that halves of equal shares meet a bound, which is known at once.
constexpr std::size_t kFewHosts = 512;

std::size_t hosts_with_ranks(const Network& network) {
  const std::vector<NodeId>& places = network.placement().nodes;
  return std::set(places.begin(), places.end()).size();
}

Optimum of_bounds(const LowerBounds& bounds, const std::optional<Rational>& reached) {
  const Rational bound = bounds.greatest();
  Optimum best{.least = bound.to_double(), .certified = bound.to_double(), .certificate = bounds};
  if (reached) best.reached = reached->to_double();
  if (reached == bound) best.bandwidth_factor = bound;
  return best;
}

Optimum of_allreduce_by_size(const Network& network, const LowerBounds& bounds,
                             const OptimumOptions& options) {
  if (hosts_with_ranks(network) <= kFewHosts)
    return of_allreduce(network, bounds.greatest(), options);
  if (const auto why = flow::rank_trees_misfit(network.fabric(), trees_of_all(network)))
    reject("{}", *why);
  Optimum best = of_bounds(bounds, of_equal_halves(network));
  if (best.bandwidth_factor) return best;
  const double needed_B =
      flow::allreduce_trees_memory_B(network.fabric(), network.placement().nodes);
  if (needed_B <= options.memory_B.value_or(available_memory_B() / 2))
    return of_allreduce(network, bounds.greatest(), options);
  best.proof_memory_B = needed_B;
  return best;
}

bool has_idle_hosts(const Network& network) {
  const std::vector<NodeId>& places = network.placement().nodes;
  return std::set(places.begin(), places.end()).size() != network.topology().hosts().size();
}

// f of the fastest link is what each pair of ranks ships at once, M / N.
Optimum of_alltoall(const Network& network, const OptimumOptions& options) {
  const Fabric& fabric = network.fabric();
  std::vector<std::int64_t> capacity;
  for (const LinkId link : fabric.topology().links())
    capacity.push_back(fabric.bandwidth_Bps(link));
  flow::ThroughputOptions limits;
  limits.time_limit_s = options.time_limit_s;
  limits.places = network.placement().nodes;
  flow::Throughput found = flow::all_to_all_throughput(fabric.topology(), capacity, limits);
  const Rational at_one = flow::factor_at_one(fabric, network.ranks());
  WEFT_ASSERT(found.upper_bound > 0);
  const double certified = at_one.to_double() / found.upper_bound;
  Optimum best{.least = certified,
               .certified = certified,
               .reached = at_one.to_double() / found.throughput,
               .in_time = found.is_within(limits.gap)};
  if (found.exact) {
    best.bandwidth_factor = at_one / *found.exact;
    best.least = best.certified = best.bandwidth_factor->to_double();
    best.reached = best.least;
  }
  best.certificate = std::move(found);
  return best;
}

}  // namespace

bool is_solved_in_time(CollectiveKind kind) {
  return kind == CollectiveKind::allreduce || kind == CollectiveKind::alltoall;
}

void require_known_optimum(CollectiveKind kind) {
  require(is_known(kind),
          "the optimum of {} is not known; use allgather, reduce-scatter, allreduce, "
          "broadcast, reduce, scatter, gather or alltoall (weft compare prints bounds for "
          "every collective)",
          schedule::name_of(kind));
}

bool have_idle_relays(const Network& network) {
  return flow::idle_relays(network.topology(), network.placement().nodes) > 0;
}

namespace {

// Those of all schedules hold for fewer where routes may lead through idle hosts, unless a bound
// that lets these pass data on says the same.
std::optional<KnownOptimum> known(const std::optional<Rational>& factor, Among among,
                                  const Rational& bound, const Network& network) {
  if (!factor) return std::nullopt;
  const bool fewer = among == Among::all_schedules && *factor != bound && have_idle_relays(network);
  return KnownOptimum{*factor, fewer ? Among::without_idle_relays : among};
}

// Ranks times links that take a second at most: of one cut, of an allreduce or trees without
// copies, of an all-to-all.
constexpr std::int64_t kMostCuts = 2'000'000'000, kMostTrees = 300'000, kMostFlows = 70'000;

bool is_small(const Network& network, std::int64_t most) {
  return network.ranks() <= most / std::max<std::int64_t>(network.topology().link_count(), 1);
}

// Of a cut that trees do not reach, or might not.
struct Copies {
  std::optional<Rational> without = {};  // T_B of the best trees
};
std::optional<Copies> copies_for(const Rational& factor, const Collective& collective,
                                 const Network& network) {
  if (!algorithm::packs(collective.kind) || !network.topology().has_switches()) return std::nullopt;
  const flow::RankTreesQuestion question = algorithm::trees_of(collective, network);
  if (flow::pass_evenly(network.fabric(), question)) return std::nullopt;
  Copies copies;
  if (is_small(network, kMostTrees))
    if (const auto rate = flow::rate_without_copies_Bps(network.fabric(), question))
      copies.without = factor_at(*rate, collective, network);
  return copies.without == factor ? std::nullopt : std::optional(copies);
}

void say_copies(Optimum& best, const Collective& collective, const Network& network) {
  WEFT_ASSERT(best.bandwidth_factor.has_value());
  const auto copies = copies_for(*best.bandwidth_factor, collective, network);
  if (!copies) return;
  best.among = Among::also_copying_switches;
  best.without_copies = copies->without;
  best.reached.reset();
  if (copies->without) best.reached = copies->without->to_double();
}

}  // namespace

Optimum optimum(const Collective& collective, const Network& network,
                const OptimumOptions& options) {
  require_known_optimum(collective.kind);
  const bool by_cuts = !is_solved_in_time(collective.kind);
  if (by_cuts && !have_idle_relays(network)) {
    Optimum best = by_cut(collective, network, true);
    say_copies(best, collective, network);
    return best;
  }
  const LowerBounds bounds = lower_bounds(collective, network, Cuts::taken);
  const Rational bound = bounds.greatest();
  Optimum best = by_cuts ? by_cut(collective, network, true)
                 : collective.kind == CollectiveKind::allreduce
                     ? of_allreduce_by_size(network, bounds, options)
                     : of_alltoall(network, options);
  if (const auto exact = known(best.bandwidth_factor, best.among, bound, network))
    best.among = exact->among;
  else
    best.least = std::max(best.least, bound.to_double());
  if (by_cuts && best.among == Among::all_schedules) say_copies(best, collective, network);
  // No schedule is below the bound, to rounding.
  WEFT_ASSERT(!best.reached || best.least <= *best.reached * (1 + 1e-6));
  return best;
}

bool all_hosts_pass(const Network& network) {
  return !network.topology().has_switches() || !has_idle_hosts(network);
}

namespace {

// What the cuts of both halves say together, where each is the tightest and trees reach it.
std::optional<Rational> of_halves(const Collective& collective, const Network& network) {
  if (!flow::pass_evenly(network.fabric(), trees_of_all(network))) return std::nullopt;
  const auto gathered = cut_bound(schedule::allgather(collective.ranks), network),
             reduced = cut_bound(schedule::reduce_scatter(collective.ranks), network);
  if (!gathered || !reduced || !gathered->searched || !reduced->searched) return std::nullopt;
  return gathered->bandwidth_factor + reduced->bandwidth_factor;
}

std::optional<KnownOptimum> quick_allreduce(const Collective& collective, const Network& network,
                                            const LowerBounds& bounds, bool as_cuts) {
  if (as_cuts && of_halves(collective, network) == bounds.greatest())
    return KnownOptimum{bounds.greatest(), Among::all_schedules};
  if (!is_small(network, kMostTrees)) return std::nullopt;
  const Optimum best = of_allreduce(network, bounds.greatest(), {});
  return known(best.bandwidth_factor, best.among, bounds.greatest(), network);
}

std::optional<KnownOptimum> quick_all_to_all(const Network& network, const Rational& bound) {
  const std::vector<NodeId>& places = network.placement().nodes;
  const bool on_one_node =
      std::ranges::all_of(places, [&](NodeId place) { return place == places.front(); });
  if (on_one_node || !is_small(network, kMostFlows)) return std::nullopt;
  const Optimum best = of_alltoall(network, {});
  return known(best.bandwidth_factor, best.among, bound, network);
}

}  // namespace

std::optional<Rational> optimum_by_cut(const Collective& collective, const Network& network) {
  if (!is_known(collective.kind) || is_solved_in_time(collective.kind) ||
      !is_small(network, kMostCuts) ||
      flow::rank_trees_misfit(network.fabric(), crossing(collective, network)))
    return std::nullopt;
  return by_cut(collective, network, false).bandwidth_factor;
}

std::optional<KnownOptimum> quick_optimum(const Collective& collective, const Network& network,
                                          const LowerBounds& bounds) {
  if (!bounds.cut || !is_known(collective.kind)) return std::nullopt;
  if (collective.kind == CollectiveKind::alltoall)
    return quick_all_to_all(network, bounds.greatest());
  const bool as_cuts = all_hosts_pass(network);  // which let them
  if (collective.kind == CollectiveKind::allreduce) {
    if (!as_cuts && rank_trees_misfit(network.fabric(), trees_of_all(network))) return std::nullopt;
    return quick_allreduce(collective, network, bounds, as_cuts);
  }
  const auto least = as_cuts && bounds.cut->searched ? std::optional(bounds.cut->bandwidth_factor)
                                                     : optimum_by_cut(collective, network);
  auto found = known(least, Among::all_schedules, bounds.greatest(), network);
  if (found && found->among == Among::all_schedules &&
      copies_for(found->bandwidth_factor, collective, network))
    found->among = Among::also_copying_switches;
  return found;
}

}  // namespace weft::evaluate
