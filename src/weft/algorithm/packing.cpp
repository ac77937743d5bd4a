// Packing: trees of all ranks at once, as many as fill the cut that bounds the collective.
//
// Each block is cut into as many units as its rank has trees, a unit for each. A tree whose
// multiplicity is m carries m of them. All that goes one way through the network in a step is one
// message, and segments run one step apart: every arc then has each tree's data once a segment,
// which in full flow is what the cut lets through. On Cayley networks one rank's trees do for all.
//
// With a depth the trees are searched for (shallow_trees.hpp), and so are good in one segment. A
// few such trees stand beside the optimum's where these are deep for the segments and there are no
// switches: all sizes of messages have those of the middle among them, which too few segments are
// for to fill deep trees.
//
// An allreduce is a reduce-scatter and an allgather, or, where these wait for different links, has
// trees to and from roots of unlike shares that fill all links together.
//
// Source: Edmonds, "Edge-disjoint branchings", 1973; Bang-Jensen, Frank, Jackson, 1995 (switches);
// Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications", 2022 (T_B).
#include "weft/algorithm/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weft/algorithm/entries.hpp"
#include "weft/algorithm/trees/packing/deep_trees.hpp"
#include "weft/algorithm/trees/packing/translated_packing.hpp"
#include "weft/algorithm/trees/packing/tree_messages.hpp"
#include "weft/algorithm/trees/tree_graph.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/shallow_trees.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {

namespace {

using graph::Sense;
using trees::along_trees, trees::over_deep_trees;

constexpr CountOption kDepth{{.name = "depth",
                              .what = "Maximum number of links from the root to a rank in a tree",
                              .least = 1,
                              .most = 1 << 20,
                              .otherwise = "as many as the optimum needs"}};

constexpr CountOption kTreeSet{{.name = "tree-set",
                                .what = "Number of the tree set of packing, as answers list them",
                                .least = 1,
                                .most = 1 << 20,
                                .otherwise = "the fastest for the size or the segments"}};

Rational factor_in(std::int64_t segments, const Schedule& schedule, const Network& network) {
  const Schedule run =
      schedule.with_binding(schedule::binding_to(network)).with_segments({.count = segments});
  return schedule::cost(schedule::verify_own(run, &network.topology()), network).bandwidth_factor;
}

// The first of those with the least T_B in so many segments.
const Schedule& best_in(std::int64_t segments, const std::vector<Schedule>& schedules,
                        const Network& network) {
  if (schedules.size() == 1) return schedules.front();
  std::vector<Rational> factors;
  for (const Schedule& each : schedules) factors.push_back(factor_in(segments, each, network));
  return schedules[static_cast<std::size_t>(std::ranges::min_element(factors) - factors.begin())];
}

std::int64_t distinct_nodes(const Network& network) {
  std::vector<NodeId> nodes = network.placement().nodes;
  std::ranges::sort(nodes);
  return std::unique(nodes.begin(), nodes.end()) - nodes.begin();
}

// Trees that were looked for in so many segments.
Schedule over_shallow_trees(const Network& network, const Collective& collective,
                            const PackingOptions& options, std::int64_t segments,
                            flow::Weighing weighing) {
  const auto over = [&](const Collective& part) {
    flow::RankTreesQuestion question = trees_of(part, network);
    question.most_trees = options.most_trees;
    const flow::ShallowTrees packed =
        flow::shallow_trees(network.fabric(), {.trees = question,
                                               .depth = *options.depth,
                                               .segments = segments,
                                               .seed = 1,
                                               .weighing = weighing});
    return along_trees(network, part, packed, packed.count);
  };
  if (collective.kind != CollectiveKind::allreduce) return over(collective);
  return schedule::concatenate(over(schedule::reduce_scatter(collective.ranks)),
                               over(schedule::allgather(collective.ranks)));
}

// For one segment and for many, where any number may follow: trees that are best in one load links
// evenly step by step, and those for many all in all.
std::vector<Schedule> for_one_and_many(const Network& network, const Collective& collective,
                                       const PackingOptions& options, flow::Weighing weighing) {
  constexpr std::int64_t kMany = 64;
  std::vector<Schedule> found{
      over_shallow_trees(network, collective, options, options.segments.value_or(1), weighing)};
  if (!options.segments)
    found.push_back(over_shallow_trees(network, collective, options, kMany, weighing));
  return found;
}

// So few that the search takes a second, a link deeper than shortest ways, where most of what depth
// brings is reached; fewer between a part of the hosts, of which a model's groups ask for many. Not
// behind switches, where messages of a step share links and a size's choice among trees, by T_B,
// goes wrong. Rooted collectives have few_trees().
std::vector<Schedule> over_few_shallow_trees(const Network& network, const Collective& collective,
                                             const PackingOptions& options) {
  constexpr std::int64_t kMostJoins = 8'192, kFewest = 8;
  const std::int64_t pairs = std::int64_t{collective.ranks} * collective.ranks;
  const bool on_all = distinct_nodes(network) == std::ssize(network.topology().hosts());
  const std::int64_t few =
      std::min({options.most_trees, kMostJoins / pairs, on_all ? kMostJoins : kFewest});
  if (network.topology().has_switches() || collective.rooted() || few < 1) return {};
  const Collective part = collective.kind == CollectiveKind::allreduce
                              ? schedule::allgather(collective.ranks)
                              : collective;
  PackingOptions shallow = options;
  shallow.most_trees = few;
  shallow.depth = flow::least_depth(network.fabric(), trees_of(part, network)).links + 1;
  return for_one_and_many(network, collective, shallow,
                          on_all ? flow::Weighing::where_short : flow::Weighing::none);
}

// What so many start-ups cost is what fewer trees save, whose messages are fewer, too, where these
// do not go to neighbours: behind switches a rank sends to about as many as it has trees.
std::vector<Schedule> over_fewer_trees(const Network& network, const Collective& collective,
                                       std::int64_t most_trees) {
  std::vector<Schedule> found;
  if (!network.topology().has_switches() || network::startups_ps(network.host()) == 0) return found;
  for (const std::int64_t fewer : {1, 2, 4})
    if (fewer < most_trees) found.push_back(trees::over_few_deep_trees(network, collective, fewer));
  return found;
}

// What the last of so many segments waits for is more than a tenth of the time.
bool are_deep(const std::vector<Schedule>& schedules, std::int64_t segments) {
  constexpr std::int64_t kFull = 10;
  return std::ranges::all_of(schedules, [&](const Schedule& each) {
    return kFull * (each.stored_steps() - 1) > segments;
  });
}

// The optimum's trees, and shallow ones where those are deep for the segments, among so few ranks.
std::vector<Schedule> of_any_depth(const Network& network, const Collective& collective,
                                   const PackingOptions& options, std::int32_t most_ranks) {
  std::vector<Schedule> found = over_deep_trees(network, collective, options.most_trees);
  if (collective.ranks <= most_ranks && found.front().symmetry().is_trivial() &&
      are_deep(found, options.segments.value_or(1)))
    std::ranges::move(over_few_shallow_trees(network, collective, options),
                      std::back_inserter(found));
  return found;
}

// The optimum's trees and, where their number does not matter, bfb's, each where they are no
// deeper.
std::vector<Schedule> no_deeper(const Network& network, const Collective& collective,
                                const PackingOptions& options) {
  const bool halves = collective.kind == CollectiveKind::allreduce;
  const std::int64_t depth = std::int64_t{*options.depth} * (halves ? 2 : 1);
  const bool shares_nodes = collective.ranks > distinct_nodes(network);
  std::vector<Schedule> found;
  for (Schedule& each : over_deep_trees(network, collective, options.most_trees))
    if (each.steps() <= depth + (shares_nodes ? (halves ? 2 : 1) : 0))
      found.push_back(std::move(each));
  const Context context{collective, &network};
  const Algorithm& bfb = find_algorithm("bfb");
  if (options.most_trees == PackingOptions{}.most_trees &&
      std::ranges::count(bfb.collectives, collective.kind) > 0 && !bfb.misfit(context) &&
      !network.topology().has_switches()) {
    Schedule breadth_first = bfb.build(context);
    if (breadth_first.steps() <= depth) found.push_back(std::move(breadth_first));
  }
  return found;
}

std::vector<Schedule> within_depth(const Network& network, const Collective& collective,
                                   const PackingOptions& options) {
  std::vector<Schedule> found =
      for_one_and_many(network, collective, options, flow::Weighing::where_short);
  std::ranges::move(no_deeper(network, collective, options), std::back_inserter(found));
  return found;
}

void check(const Collective& collective, const PackingOptions& options) {
  schedule::check(collective);
  require(options.most_trees >= 1,
          "invalid number of trees for each rank: {} (expected at least 1)", options.most_trees);
  require(collective.kind == CollectiveKind::allreduce || packs(collective.kind),
          "packing does not support {} (it supports allgather, reduce-scatter, allreduce, "
          "broadcast and reduce)",
          schedule::name_of(collective.kind));
}

Schedule finished(const Schedule& schedule, const PackingOptions& options) {
  return schedule.with_algorithm("packing").with_segments(
      {.count = options.segments.value_or(1), .stride = 1});
}

PackingOptions options_of(const Context& context) {
  PackingOptions options{.segments = kSegments.given(context.options)};
  if (const auto most = kTrees.given(context.options)) options.most_trees = *most;
  if (const auto depth = kDepth.given(context.options))
    options.depth = static_cast<std::int32_t>(*depth);
  return options;
}

std::optional<std::string> too_shallow(const Network& network, const Collective& collective,
                                       std::int64_t depth) {
  const flow::FarthestRanks far =
      flow::least_depth(network.fabric(), trees_of(collective, network));
  if (depth >= far.links) return std::nullopt;
  return fmt::format("depth {} is too small (rank {} is {} links from rank {}); use {} or more",
                     depth, far.to, far.links, far.from, far.links);
}

std::optional<std::string> packing_misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a topology";
  const bool halves = context.collective.kind == CollectiveKind::allreduce;
  const Collective& part =
      halves ? schedule::allgather(context.collective.ranks) : context.collective;
  if (auto why =
          flow::rank_trees_misfit(context.network->fabric(), trees_of(part, *context.network)))
    return why;
  const auto depth = kDepth.given(context.options);
  return depth ? too_shallow(*context.network, part, *depth) : std::nullopt;
}

// Whether a group's symmetry keeps one rank's messages alone.
bool keeps_symmetry(const Network& network, std::int32_t ranks) {
  constexpr std::int32_t kMostLookedAt = 4'096;
  return ranks <= kMostLookedAt &&
         trees::translated_packing(network, schedule::allgather(ranks), schedule::kMaxUnitsPerBlock)
             .has_value();
}

// A comparison simulates trees in up to thousands of segments. Behind switches messages share
// links, which simulators divide at each of them, of the few trees of one root at few of them;
// elsewhere a segment has about as many messages as
// pairs of ranks, and deeper trees take more segments: 10 us a pair and link of the longest way on
// a core of 2026 (`genkautz:4,128` 0.6 s, `random-regular:256,8` 3 s, `mesh:16x16` 20 s), and
// `boxes(12, network:dgx-a100)` 1 s of 96 ranks behind switches.
std::optional<std::string> packing_too_long(const Context& context) {
  constexpr std::int32_t kMost = 64, kMostBehindSwitches = 128;
  constexpr std::int32_t kMostRooted = 1'024, kMostRootedBehindSwitches = 512;
  constexpr std::int64_t kMostWork = 1'000'000;
  const Collective& collective = context.collective;
  const Network& network = *context.network;
  const std::int32_t ranks = collective.ranks;
  if (ranks <= kMost) return std::nullopt;
  if (kDepth.given(context.options))  // a search
    return fmt::format("trees within a depth take long above {} ranks", kMost);
  const bool has_switches = network.topology().has_switches();
  if (collective.rooted()) {
    const std::int32_t most = has_switches ? kMostRootedBehindSwitches : kMostRooted;
    if (ranks <= most) return std::nullopt;
    return fmt::format("trees take long above {} ranks{}", most,
                       has_switches ? " behind switches" : "");
  }
  if (has_switches)
    return ranks <= kMostBehindSwitches
               ? std::nullopt
               : std::optional(fmt::format("trees take long above {} ranks behind switches",
                                           kMostBehindSwitches));
  const std::int64_t pairs = std::int64_t{ranks} * ranks;
  if (pairs <= kMostWork) {
    const flow::FarthestRanks far =
        flow::least_depth(network.fabric(), trees_of(schedule::allgather(ranks), network));
    if (pairs * far.links <= kMostWork) return std::nullopt;
  }
  if (keeps_symmetry(network, ranks)) return std::nullopt;
  return fmt::format("trees of {} ranks so far apart take long", ranks);
}

// The set of trees of this number among those that a size chooses from.
std::optional<Schedule> variant_of(const Context& context) {
  const auto number = kTreeSet.given(context.options);
  if (!number) return std::nullopt;
  const PackingOptions options = options_of(context);
  PackingOptions of_any_segments = options;
  of_any_segments.segments.reset();
  const std::vector<Schedule> found =
      packing_variants(*context.network, context.collective, of_any_segments);
  require(*number <= std::ssize(found),
          "packing has no tree set {} on this network (it has 1 to {})", *number, found.size());
  return finished(found[static_cast<std::size_t>(*number) - 1], options);
}

Schedule build(const Context& context) {
  if (std::optional<Schedule> one = variant_of(context)) return *std::move(one);
  return packing(*context.network, context.collective, options_of(context));
}

// Each by a name that has the options that make it again, with any number of segments.
std::vector<Schedule> variants(const Context& context) {
  if (std::optional<Schedule> one = variant_of(context)) return {*std::move(one)};
  const PackingOptions options = options_of(context);
  std::vector<Schedule> found = packing_variants(*context.network, context.collective, options);
  if (found.size() == 1 || options.segments) return found;
  AlgorithmOptions again = context.options;
  for (std::size_t i = 0; i < found.size(); ++i) {
    again.values[std::string(kTreeSet.name)] = static_cast<std::int64_t>(i) + 1;
    found[i] = found[i].with_algorithm(name_with(find_algorithm("packing"), again));
  }
  return found;
}

}  // namespace

bool packs(CollectiveKind kind) {
  return kind == CollectiveKind::allgather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
}

flow::RankTreesQuestion trees_of(const Collective& collective, const Network& network) {
  const bool outgoing = trees::growth_of(collective.kind) == trees::Growth::outgoing;
  flow::RankTreesQuestion question{.places = network.placement().nodes,
                                   .roots = {},
                                   .sense = outgoing ? Sense::along : Sense::against};
  if (collective.rooted()) question.roots = {collective.root.value()};
  return question;
}

bool joins_halves(const Schedule& schedule) {
  if (!schedule.symmetry().is_trivial()) return false;  // ranks are alike
  const std::int64_t block = schedule.units_per_block();
  std::int64_t first_copy = schedule.stored_steps(), last_sum = -1;
  for (std::int64_t step = 0; step < schedule.stored_steps(); ++step)
    for (std::int64_t i = schedule.first_message(step); i < schedule.first_message(step + 1); ++i) {
      const schedule::Message& message = schedule.message(i);
      if (message.arrival == schedule::Arrival::copy) {
        first_copy = std::min(first_copy, step);
        continue;
      }
      last_sum = step;
      const std::int64_t own = message.from.value() * block;
      if (std::ranges::any_of(schedule.pieces(i), [&](const schedule::Piece& piece) {
            return piece.first < own + block && own < piece.end();
          }))
        return true;  // what it is to have is added up elsewhere
    }
  return last_sum >= first_copy;
}

Schedule packing(const Network& network, const Collective& collective,
                 const PackingOptions& options) {
  constexpr std::int32_t kMostSearched = 32;  // in less than a second
  check(collective, options);
  PackingOptions shown = options;
  shown.segments = options.segments.value_or(1);
  return finished(best_in(*shown.segments,
                          options.depth ? within_depth(network, collective, shown)
                                        : of_any_depth(network, collective, shown, kMostSearched),
                          network),
                  options);
}

std::vector<Schedule> packing_variants(const Network& network, const Collective& collective,
                                       const PackingOptions& options) {
  check(collective, options);
  std::vector<Schedule> found = options.depth
                                    ? within_depth(network, collective, options)
                                    : of_any_depth(network, collective, options, collective.ranks);
  const bool adds_fewer = !options.depth && found.front().symmetry().is_trivial();
  const std::int64_t most = std::min(options.most_trees, found.front().units_per_block());
  for (Schedule& each : found) each = finished(each, options);
  if (adds_fewer)
    for (const Schedule& fewer : over_fewer_trees(network, collective, most))
      if (const Schedule each = finished(fewer, options); std::ranges::count(found, each) == 0)
        found.push_back(each);  // sets of up to two or four trees may be the set of one
  return found;
}

Algorithm packing_entry() {
  return {
      .name = "packing",
      .aliases = {"tree-packing"},
      .summary =
          "Trees of all ranks at once, also through switches, near the minimum T_B of any schedule",
      .source = "Edmonds, Edge-disjoint branchings, 1973; Bang-Jensen, Frank, Jackson, 1995",
      .collectives = {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                      CollectiveKind::allreduce, CollectiveKind::broadcast, CollectiveKind::reduce},
      .options = {kSegments, kTrees, kDepth, kTreeSet, kRoutes},
      .misfit = packing_misfit,
      .build = build,
      .build_variants = variants,
      .too_long = packing_too_long,
      .making = Making::optimal_trees,
  };
}

}  // namespace weft::algorithm
