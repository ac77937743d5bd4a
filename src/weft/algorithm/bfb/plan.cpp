#include "plan.hpp"

#include <algorithm>
#include <numeric>

#include "chunking.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/graph/step_times.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::algorithm::bfb {

namespace {

using graph::discrete_step_times;
using graph::step_times;

// Each number of chunks is a pass over the network where links differ.
constexpr std::int64_t kMostTrials = 256;

// Whether the links of each generator are as fast at every node, and start as soon.
bool keeps_speeds(const topology::CayleyView& view, const Fabric& fabric, bool latencies) {
  for (const LinkId link : fabric.topology().links()) {
    const LinkId first = view.link(view.node(0), view.generator(link));
    if (fabric.bandwidth_Bps(link) != fabric.bandwidth_Bps(first)) return false;
    if (latencies && fabric.latency_ps(link) != fabric.latency_ps(first)) return false;
  }
  return true;
}

std::optional<topology::CayleyView> view_of(const Fabric& fabric, bool latencies) {
  auto view = topology::as_cayley(fabric.topology());
  if (view && !keeps_speeds(*view, fabric, latencies)) view.reset();
  return view;
}

Rational block_ps(std::int64_t block_B, std::int64_t unit_Bps) {
  WEFT_ASSERT(block_B >= 1 && unit_Bps >= 1);
  constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
  const std::int64_t common = std::gcd(kPicoseconds, unit_Bps);
  return {checked_mul(kPicoseconds / common, block_B), unit_Bps / common};
}

Pass make_pass(const Fabric& fabric, Sense sense, bool one_tells_all,
               std::optional<std::int64_t> block_B) {
  InArcs arcs = block_B ? topology::delayed_in_arcs(fabric, sense) : in_arcs(fabric, sense);
  std::vector<std::int32_t> receivers(one_tells_all ? 1 : static_cast<std::size_t>(arcs.nodes()));
  std::iota(receivers.begin(), receivers.end(), 0);
  Pass pass{std::move(arcs), std::move(receivers), {}};
  if (block_B) pass.block_ps = block_ps(*block_B, pass.arcs.unit());
  pass.exact = pass.block_ps ? graph::delayed_step_times(pass.arcs, pass.receivers, *pass.block_ps)
                             : step_times(pass.arcs, pass.receivers);
  return pass;
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
          "no breadth-first cost is known for {} (only for allgather, reduce-scatter and "
          "allreduce)",
          schedule::name_of(kind));
  }
}

// What an arc carries in each step of the least time, in blocks; whole for as many units as all
// arcs carry whole ones.
std::vector<Rational> carried_blocks(const Pass& pass) {
  std::vector<Rational> carried;
  for (const std::int32_t receiver : pass.receivers)
    for (const InArc& arc : pass.arcs.into(receiver))
      for (const Rational& time : pass.exact)
        if (time > Rational(arc.delay))
          carried.push_back((time - arc.delay) * arc.capacity / *pass.block_ps);
  std::ranges::sort(carried);
  carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
  return carried;
}

void set_times(Pass& pass, std::int64_t units) {
  if (pass.block_ps) {
    const bool whole = std::ranges::all_of(carried_blocks(pass), [&](const Rational& blocks) {
      return (blocks * units).denominator() == 1;
    });
    pass.times = whole
                     ? pass.exact
                     : graph::delayed_step_times(pass.arcs, pass.receivers, *pass.block_ps, units);
    return;
  }
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
  WEFT_ASSERT(plan.units >= 1);
  Rational sum;
  for (const Pass& pass : plan.passes)
    for (const Rational& time : pass.times)
      sum += pass.block_ps ? time : time / pass.arcs.unit() / plan.units;
  return sum;
}

void set_times(Plan& plan, std::int64_t units) {
  WEFT_ASSERT(units >= 1);
  plan.units = units;
  for (Pass& pass : plan.passes) set_times(pass, units);
}

// Where links differ, flows of whole limits leave gaps that only a trial shows.
void try_units(Plan& plan, std::int64_t limit) {
  require(limit <= kMostTrials,
          "best:{} is too many trials on links that differ (at most {}); give the number of "
          "chunks",
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
          "bfb needs hosts with direct links between them, and {} has switches",
          fabric.topology().name());
  const std::vector<Sense> senses = senses_of(kind);
  const bool latencies = options.block_B.has_value();
  require(options.block_B.value_or(1) >= 1, "a block of {} bytes is too small (needs 1 or more)",
          options.block_B.value_or(1));
  Plan plan{.view =
                options.symmetries == Symmetries::use ? view_of(fabric, latencies) : std::nullopt};
  for (const Sense sense : senses)
    plan.passes.push_back(make_pass(fabric, sense, plan.view.has_value(), options.block_B));
  std::vector<Rational> exact;  // that are to be whole
  bool uniform = !latencies;
  for (const Pass& pass : plan.passes) {
    const std::vector<Rational> whole = latencies ? carried_blocks(pass) : pass.exact;
    exact.insert(exact.end(), whole.begin(), whole.end());
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
