#include "weft/search/synthesis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/search/synthesis/bounds.hpp"
#include "weft/search/synthesis/emission.hpp"
#include "weft/search/synthesis/sweep.hpp"
#include "weft/topology/cayley_view.hpp"

namespace weft::search {

namespace {

constexpr int kMaxChunks = 64;
constexpr int kMaxSteps = 64;

void check_options(const SynthesisOptions& options) {
  require(options.min_chunks >= 1, "invalid number of chunks: {} (expected at least 1)",
          options.min_chunks);
  require(options.max_chunks >= options.min_chunks && options.max_chunks <= kMaxChunks,
          "{}..{} is not a range of chunks from 1 to {}", options.min_chunks, options.max_chunks,
          kMaxChunks);
  require(options.time_limit_s > 0, "invalid time limit {} s (expected more than 0)",
          options.time_limit_s);
}

void check_steps(const SynthesisOptions& options, int diameter) {
  const int least = options.min_steps.value_or(diameter);
  require(least >= diameter, "no schedule has {} (the diameter is {}); use {} or more",
          counted(least, "step"), diameter, diameter);
  const int most = options.max_steps.value_or(least);
  require(most >= least, "steps up to {} are too few (the minimum is {}); use {} or more", most,
          least, least);
  require(most <= kMaxSteps, "{} steps are too many (at most {})", most, kMaxSteps);
}

Synthesis one_way(const Network& network, graph::Sense sense, const SynthesisOptions& options,
                  Clock::time_point deadline) {
  const Instance instance = make_instance(network, sense);
  check_steps(options, instance.diameter);
  const Swept swept = sweep(instance, options, deadline);
  Synthesis result{.pareto = {},
                   .bandwidth_factor_bound = swept.bound * instance.round_factor,
                   .least_steps = instance.diameter,
                   .complete = swept.complete};
  for (const SweptPoint& point : swept.pareto)
    result.pareto.push_back({.steps = point.plan.steps(),
                             .rounds = point.plan.total_rounds(),
                             .chunks = point.plan.chunks,
                             .bandwidth_factor = point.ratio * instance.round_factor,
                             .bound = point.bound * instance.round_factor,
                             .proof = point.proof,
                             .schedule = emit(instance, point.plan, sense, network)});
  return result;
}

SynthesisPoint one_after_the_other(const SynthesisPoint& first, const SynthesisPoint& second) {
  WEFT_ASSERT(first.chunks >= 1 && second.chunks >= 1);
  const int chunks = std::lcm(first.chunks, second.chunks);
  return {
      .steps = first.steps + second.steps,
      .rounds = first.rounds * (chunks / first.chunks) + second.rounds * (chunks / second.chunks),
      .chunks = chunks,
      .bandwidth_factor = first.bandwidth_factor + second.bandwidth_factor,
      .bound = first.bound + second.bound,
      .proof = std::min(first.proof, second.proof),
      .schedule = schedule::concatenate(first.schedule, second.schedule)};
}

/// By increasing steps, each with a lower T_B than those before; of those of at most `fewest` steps
/// the best one.
std::vector<SynthesisPoint> pareto_of(std::vector<SynthesisPoint> points, int fewest) {
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.steps != b.steps ? a.steps < b.steps : a.bandwidth_factor < b.bandwidth_factor;
  });
  std::vector<SynthesisPoint> kept;
  for (SynthesisPoint& point : points) {
    if (!kept.empty() && point.bandwidth_factor >= kept.back().bandwidth_factor) continue;
    if (point.steps <= fewest) kept.clear();
    kept.push_back(std::move(point));
  }
  return kept;
}

/// Pairs of a reduce-scatter and an allgather. A pair's bound is that of the least pair of at most
/// so many steps, which is the pair itself where both parts are proven.
Synthesis both(const Synthesis& first, const Synthesis& second, int fewest) {
  std::vector<SynthesisPoint> points;
  for (const SynthesisPoint& a : first.pareto)
    for (const SynthesisPoint& b : second.pareto) points.push_back(one_after_the_other(a, b));
  return {.pareto = pareto_of(std::move(points), fewest),
          .bandwidth_factor_bound = first.bandwidth_factor_bound + second.bandwidth_factor_bound,
          .least_steps = first.least_steps + second.least_steps,
          .complete = first.complete && second.complete};
}

/// What each part of an allreduce is looked for with. Where several numbers of steps are asked for,
/// both start at the diameter: a short part and a long one may do better than two of equal length.
SynthesisOptions part_of(SynthesisOptions options) {
  options.time_limit_s /= 2;
  const int first = options.min_steps.value_or(0);
  const int last = last_steps(options, first);
  if (options.min_steps && last > first) {
    options.min_steps.reset();
    options.max_steps = last;
  }
  return options;
}

Clock::time_point deadline_of(const SynthesisOptions& options) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(options.time_limit_s, 1e8)));
}

Synthesis synthesize_one_way(const Network& network, graph::Sense sense,
                             const SynthesisOptions& options) {
  return one_way(network, sense, options, deadline_of(options));
}

Synthesis synthesize_allreduce(const Network& network, const SynthesisOptions& options) {
  const int diameter = make_instance(network, graph::Sense::along).diameter;
  check_steps(options, diameter);
  const SynthesisOptions part = part_of(options);
  return both(synthesize_one_way(network, graph::Sense::against, part),
              synthesize_one_way(network, graph::Sense::along, part),
              2 * options.min_steps.value_or(diameter));
}

}  // namespace

std::string synthesized_names() {
  return fmt::format("{}, {} and {}", name_of(CollectiveKind::allgather),
                     name_of(CollectiveKind::reduce_scatter), name_of(CollectiveKind::allreduce));
}

Synthesis synthesize(const schedule::Collective& collective, const Network& network,
                     const SynthesisOptions& options) {
  check_options(options);
  switch (collective.kind) {
    case CollectiveKind::allgather:
      return synthesize_one_way(network, graph::Sense::along, options);
    case CollectiveKind::reduce_scatter:
      return synthesize_one_way(network, graph::Sense::against, options);
    case CollectiveKind::allreduce:
      return synthesize_allreduce(network, options);
    default:
      reject("synthesis does not support {}; it supports {}", name_of(collective.kind),
             synthesized_names());
  }
}

namespace {

constexpr int kMostNodes = 512, kMostSources = 64;

bool leads_out(CollectiveKind kind) {
  return kind == CollectiveKind::allgather || kind == CollectiveKind::broadcast;
}

// One node has all that the others must get: a shard is a block of the whole buffer.
Instance of_root(Instance whole, int root) {
  WEFT_ASSERT(root >= 0 && root < whole.nodes);
  if (whole.nodes == 1) return whole;
  whole.sources = {root};
  whole.diameter = *std::ranges::max_element(whole.distance[root]);
  whole.round_factor = whole.round_factor * Rational(whole.nodes);
  return whole;
}

}  // namespace

std::optional<Rational> bound_in_steps(const schedule::Collective& collective,
                                       const Network& network, int steps, double time_limit_s) {
  require(leads_out(collective.kind) || collective.kind == CollectiveKind::reduce_scatter ||
              collective.kind == CollectiveKind::reduce,
          "bounds by steps are known for allgather, reduce-scatter, broadcast and reduce, not "
          "for {}",
          name_of(collective.kind));
  const auto sense = leads_out(collective.kind) ? graph::Sense::along : graph::Sense::against;
  const auto instance = [&]() -> std::optional<Instance> {
    try {
      const Instance whole = make_instance(network, sense, {.nodes = kMostNodes, .switches = true});
      if (collective.rooted()) return of_root(whole, collective.root.value());
      Instance seen = seen_by_symmetry(whole, network);
      require(std::ssize(seen.sources) <= kMostSources, "too many sources");
      return seen;
    } catch (const InvalidInput&) {  // not for synthesis
      return std::nullopt;
    }
  }();
  if (!instance || steps > kMaxSteps) return std::nullopt;
  check_steps({.min_steps = steps}, instance->diameter);
  return step_bound(*instance, steps, deadline_of({.time_limit_s = time_limit_s})).rounds *
         instance->round_factor;
}

}  // namespace weft::search
