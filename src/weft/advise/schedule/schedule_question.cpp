#include "weft/advise/schedule/schedule_question.hpp"

#include <set>
#include <vector>

#include "weft/algorithm/packing.hpp"
#include "weft/base/error.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/flow/rank_trees.hpp"
#include "weft/flow/shallow_trees.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::advise {

using schedule::Verified;

namespace {

bool says(const ScheduleQuestion& asked, std::string_view option) {
  return asked.options.values.contains(option);
}

// With the size, where the algorithm makes a schedule, or its pipeline has segments, for each.
algorithm::AlgorithmOptions sized_options(const ScheduleQuestion& asked) {
  algorithm::AlgorithmOptions options = asked.options;
  options.size_B = asked.size_B;
  return options;
}

algorithm::AlgorithmOptions with_segments(const ScheduleQuestion& asked, std::int64_t segments) {
  algorithm::AlgorithmOptions options = sized_options(asked);
  options.values[std::string(algorithm::kSegments.name)] = segments;
  return options;
}

// As it is made where somebody asks for so many segments: among few ranks trees may be others then.
Verified in_segments(std::int64_t segments, const ScheduleQuestion& asked, const Verified& verified,
                     const Network& network) {
  // Above, an allreduce has no shares that depend on its segments.
  const Collective& collective = verified.schedule().collective();
  if (collective.ranks > algorithm::kMostRanksOfShares) return verified.with_segments(segments);
  return schedule::verify_own(algorithm::build_schedule(asked.algorithm, collective, &network,
                                                        with_segments(asked, segments)),
                              &network.topology());
}

bool takes_segments(std::int64_t segments, const ScheduleQuestion& asked,
                    const Collective& collective, const Network& network) {
  const auto& known = algorithm::find_algorithm(asked.algorithm);
  return known.segments_by_size(collective.kind, sized_options(asked)) &&
         !algorithm::misfit(known, {collective, &network, with_segments(asked, segments)});
}

// Where a search finds trees for one segment that are better as a rule: of all ranks, without
// switches, as many as help.
std::optional<int> depth_to_try(const ScheduleQuestion& asked, const Collective& collective,
                                const Network& network) {
  if (algorithm::find_algorithm(asked.algorithm).option("depth") == nullptr ||
      says(asked, "trees") || collective.rooted() || network.topology().has_switches())
    return std::nullopt;
  const Collective part = schedule::traits_of(collective.kind).reduces_to_all()
                              ? schedule::allgather(collective.ranks)
                              : collective;
  return flow::least_depth(network.fabric(), algorithm::trees_of(part, network)).links + 1;
}

TreeDepth depth_of(const Verified& verified, const Network& network) {
  const Schedule& schedule = verified.schedule();
  const auto bounds = lower_bounds(schedule.collective(), network, Cuts::and_optimum);
  TreeDepth depth{schedule.stored_steps()};
  if (bounds.optimum) depth.optimum = bounds.optimum->bandwidth_factor;
  return depth;
}

bool all_have_ranks(const Network& network) {
  const std::vector<NodeId>& nodes = network.placement().nodes;
  return std::set(nodes.begin(), nodes.end()).size() ==
         static_cast<std::size_t>(network.topology().node_count());
}

bool is_as_fast_both_ways(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links()) {
    const auto back = fabric.topology().reverse(link);
    if (!back || fabric.bandwidth_Bps(*back) != fabric.bandwidth_Bps(link)) return false;
  }
  return true;
}

// Whether no so few trees of each rank have a lower T_B: by cuts, which trees meet where nothing
// is lost at nodes that pass on as much as enters them. Of more than 64 not all numbers are tried.
bool is_least_of(std::int64_t most_trees, const Rational& limit, const Collective& collective,
                 const Network& network) {
  constexpr std::int64_t kMostTried = 64;
  if (!algorithm::packs(collective.kind) || most_trees > kMostTried ||
      !(all_have_ranks(network) || is_as_fast_both_ways(network.fabric())))
    return false;
  flow::RankTreesQuestion question = algorithm::trees_of(collective, network);
  question.most_trees = most_trees;
  const Rational each_Bps = flow::rank_trees(network.fabric(), question).reached_Bps();
  const std::int64_t parts = collective.rooted() ? 1 : collective.ranks;
  return limit * each_Bps * Rational(parts) == Rational(network.fabric().node_egress_Bps());
}

// Trees bring less than the network could carry where few were asked for, and where switches,
// which copy nothing, get more over some links than others take.
std::optional<TreeLimit> limit_of(const ScheduleQuestion& asked, const Verified& built,
                                  const Network& network) {
  constexpr std::int64_t kMany = 4'096;
  const Collective& collective = built.schedule().collective();
  const auto bounds = lower_bounds(collective, network, Cuts::and_optimum);
  const bool is_open = !asked.size_B && !says(asked, algorithm::kSegments.name);
  // A time limit is for one schedule.
  if (!bounds.optimum || (is_open && asked.time_limit_s)) return std::nullopt;
  const Verified verified = is_open ? in_segments(kMany, asked, built, network) : built;
  const std::int64_t full = verified.schedule().stored_steps() + 1;  // segments, each alike
  const auto all = [&](std::int64_t segments) {
    return schedule::cost(verified.with_segments(segments), network).bandwidth_factor *
           Rational(segments);
  };
  TreeLimit limit{all(full + 1) - all(full), bounds.optimum->bandwidth_factor};
  if (limit.bandwidth_factor <= limit.optimum) return std::nullopt;
  const auto most_trees = algorithm::kTrees.given(sized_options(asked));
  if (most_trees && is_least_of(*most_trees, limit.bandwidth_factor, collective, network))
    limit.least_of = *most_trees;
  return limit;
}

ScheduleAnswer build(const ScheduleQuestion& asked, const Collective& collective,
                     const Network& network) {
  if (asked.size_B && !algorithm::find_algorithm(asked.algorithm).sized)
    return {evaluate::schedule_for_size(asked.algorithm, collective, network, sized_options(asked),
                                        *asked.size_B)};
  const algorithm::Built built =
      algorithm::build_and_tell(asked.algorithm, collective, &network, sized_options(asked));
  return {schedule::verify_own(built.schedule, &network.topology()), built.exact_bandwidth_factor};
}

}  // namespace

bool depends_on_size(const ScheduleQuestion& asked) {
  const auto& algorithm = algorithm::find_algorithm(asked.algorithm);
  const bool has_both_routes =
      algorithm.takes(algorithm::kRoutes) && !algorithm::kRoutes.given(asked.options);
  return algorithm.sized || has_both_routes || algorithm.build_variants != nullptr ||
         algorithm.leaves_segments_free(asked.options);
}

std::optional<ScheduleAnswer> answer(const ScheduleQuestion& asked, const Collective& collective,
                                     const Network& network) {
  if (!asked.time_limit_s) return build(asked, collective, network);
  const TimeLimit limit(*asked.time_limit_s);
  try {
    return build(asked, collective, network);
  } catch (const OutOfTime&) {
    return std::nullopt;
  }
}

TreeFacts tree_facts(const ScheduleQuestion& asked, const Verified& verified,
                     const Network& network) {
  const Schedule& schedule = verified.schedule();
  const bool packs =
      algorithm::find_algorithm(asked.algorithm).making == algorithm::Making::optimal_trees;
  TreeFacts facts;
  if (packs && schedule.collective().kind == CollectiveKind::allreduce)
    facts.halves_joined = algorithm::joins_halves(schedule);
  if (says(asked, "depth"))
    facts.depth = depth_of(verified, network);
  else if (packs)
    facts.limit = limit_of(asked, verified, network);
  return facts;
}

std::optional<PipelineAdvice> pipeline_advice(const ScheduleQuestion& asked,
                                              const Verified& verified, const Network& network) {
  constexpr std::int64_t kTried = 64;
  // Trees of a depth that was asked for are others in many segments.
  if (asked.size_B || says(asked, "depth") || asked.time_limit_s) return std::nullopt;
  const Collective& collective = verified.schedule().collective();
  if (!takes_segments(kTried, asked, collective, network)) return std::nullopt;
  const Rational now = schedule::cost(verified, network).bandwidth_factor;
  const schedule::Cost cost =
      schedule::cost(in_segments(kTried, asked, verified, network), network);
  if (cost.bandwidth_factor >= now) return std::nullopt;
  return PipelineAdvice{kTried, cost, depth_to_try(asked, collective, network)};
}

}  // namespace weft::advise
