#include "plan.hpp"

#include <algorithm>
#include <numeric>

#include "chunking.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/step_times.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::bfb {

namespace {

using graph::discrete_step_times;
using graph::step_times;

// Each number of chunks is a pass over the network where links differ.
constexpr std::int64_t kMostTrials = 256;

// Whether the links of each generator are as fast at every node.
bool keeps_speeds(const topology::CayleyView& view, const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links()) {
    const LinkId first = view.link(view.node(0), view.generator(link));
    if (fabric.bandwidth_Bps(link) != fabric.bandwidth_Bps(first)) return false;
  }
  return true;
}

std::optional<topology::CayleyView> view_of(const Fabric& fabric) {
  auto view = topology::as_cayley(fabric.topology());
  if (view && !keeps_speeds(*view, fabric)) view.reset();
  return view;
}

Pass make_pass(const Fabric& fabric, Sense sense, bool one_tells_all) {
  InArcs arcs = in_arcs(fabric, sense);
  std::vector<std::int32_t> receivers(one_tells_all ? 1 : static_cast<std::size_t>(arcs.nodes()));
  std::iota(receivers.begin(), receivers.end(), 0);
  std::vector<Rational> exact = step_times(arcs, receivers);
  return {std::move(arcs), std::move(receivers), std::move(exact)};
}

std::vector<Sense> senses_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allgather:
      return {Sense::along};
    case CollectiveKind::reduce_scatter:
      return {Sense::against};
    case CollectiveKind::allreduce:
      return {Sense::against, Sense::along};
    default:
      reject(
          "no breadth-first cost is known of {} (allgather, reduce-scatter and allreduce have "
          "one)",
          schedule::name_of(kind));
  }
}

void set_times(Pass& pass, std::int64_t units) {
  const auto exact_is_whole = [&](const Rational& time) {
    return (time * units).denominator() == 1;
  };
  pass.times.clear();
  if (pass.arcs.uniform() || std::all_of(pass.exact.begin(), pass.exact.end(), exact_is_whole)) {
    for (const Rational& time : pass.exact) {
      const Rational scaled = time * units;
      const std::int64_t q = scaled.denominator();
      pass.times.emplace_back((scaled.numerator() + q - 1) / q);
    }
  } else {
    pass.times = discrete_step_times(pass.arcs, pass.receivers, units);
  }
}

Rational total(const Plan& plan) {
  Rational sum;
  for (const Pass& pass : plan.passes)
    for (const Rational& time : pass.times) sum += time / pass.arcs.unit();
  return sum / plan.units;
}

void set_times(Plan& plan, std::int64_t units) {
  plan.units = units;
  for (Pass& pass : plan.passes) set_times(pass, units);
}

// Where links differ, flows of whole limits leave gaps that only a trial shows.
void try_units(Plan& plan, std::int64_t limit) {
  require(limit <= kMostTrials,
          "best:{} is too many trials on links that differ (up to {}); give the number of chunks",
          limit, kMostTrials);
  std::int64_t best = 1;
  std::optional<Rational> least;
  for (std::int64_t units = 1; units <= limit; ++units) {
    set_times(plan, units);
    const Rational sum = total(plan);
    if (least && sum >= *least) continue;
    least = sum;
    best = units;
  }
  set_times(plan, best);
}

}  // namespace

Plan make_plan(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  require(!fabric.topology().has_switches(),
          "bfb needs hosts that are linked directly; {} has switches", fabric.topology().name());
  const std::vector<Sense> senses = senses_of(kind);
  Plan plan{.view = options.symmetries == Symmetries::use ? view_of(fabric) : std::nullopt};
  for (const Sense sense : senses)
    plan.passes.push_back(make_pass(fabric, sense, plan.view.has_value()));
  std::vector<Rational> exact;
  bool uniform = true;
  for (const Pass& pass : plan.passes) {
    exact.insert(exact.end(), pass.exact.begin(), pass.exact.end());
    uniform = uniform && pass.arcs.uniform();
  }
  const Chunks chunks = options.chunks.value_or(Chunks{schedule::kMaxUnitsPerBlock, true});
  require(chunks.count >= 1 && chunks.count <= schedule::kMaxUnitsPerBlock,
          "{} chunks are out of range (1 to {})", chunks.count, schedule::kMaxUnitsPerBlock);
  const std::optional<std::int64_t> least = exact_units(exact, chunks.count);
  if (!chunks.best_up_to)
    set_times(plan, chunks.count);
  else if (uniform || least)
    set_times(plan, least ? *least : best_units(exact, chunks.count));
  else if (options.chunks)
    try_units(plan, chunks.count);
  else
    set_times(plan, schedule::kMaxUnitsPerBlock);
  return plan;
}

}  // namespace weft::algorithm::bfb
