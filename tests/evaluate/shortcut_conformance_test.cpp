// Each shortcut against the plain simulation: with each feature by itself, and with drawn ones.
//
// A shortcut that covers the features of a simulation gives its time, or a bound of it. One that
// does not stands aside: the simulation is the plain one, to the last bit and with the same work.
//
// Elsewhere: whole_segments, equal_messages and segment_formula change what is simulated by little
// (plan_times_test, comparison_test, segments_with_sums_test); alike_cables and alike_orders leave
// out whole networks (representative_failures_test, order_advice_test).
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/samples.hpp"
#include "support/simulation/feature_settings.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/bounds/single_ranks.hpp"
#include "weft/evaluate/compare_rows.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/runner.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/simulation/models.hpp"
#include "weft/simulation/shortcuts/shortcuts.hpp"
#include "weft/simulation/steady.hpp"
#include "weft/topology/registry.hpp"

namespace weft::evaluate {
namespace {

using simulation::covers;
using simulation::Feature;
using simulation::Features;
using simulation::features_of;
using simulation::Shortcut;
using simulation::simulate_fluid;
using test::FeatureSetting;

constexpr double kRounding = 1e-9;

struct Case {
  const char *topology, *algorithm, *routing;
  CollectiveKind collective = CollectiveKind::allreduce;
};

constexpr Case kCases[] = {
    {"torus:4x3", "torus-ring", "shortest"},
    {"torus:3x3", "bfb", "shortest", CollectiveKind::allgather},
    {"torus:4x3", "ring", "dimension-order"},
    {"torus:3x4", "disjoint-trees", "dimension-order"},
    {"fat-tree:4,2", "spread", "d-mod-k", CollectiveKind::alltoall},
    {"fat-tree:4,2", "spread", "pattern-aware", CollectiveKind::alltoall},
    {"xgft:2;4,3;1,2", "hierarchical", "shortest-split"},
    {"leaf-spine:leaves=2,spines=2,hosts=3", "packing", "shortest", CollectiveKind::allgather},
};

/// A schedule on a network, and what a simulation of it is asked for.
struct Instance {
  Network network;
  Verified verified;
  Program program;
  SimulationOptions options;
  std::int64_t size_B = 0;

  Features features() const { return features_of(program, network, options); }
};

/// Nothing where the simulation refuses the setting.
std::optional<Instance> instance_of(const Case& c, const FeatureSetting& setting,
                                    const Fabric& fabric, std::int64_t size_B) {
  try {
    Network network(fabric, topology::place(fabric.topology(), {}), setting.host,
                    make_routing(c.routing, fabric));
    const Collective collective{c.collective, network.ranks()};
    Verified verified = schedule::verify_own(
        algorithm::build_schedule(c.algorithm, collective, &network), &network.topology());
    Program program =
        repeat(lower(verified,
                     {.size_B = size_B, .copies = program::plan_copies(verified, network.host())}),
               setting.calls);
    SimulationOptions options = setting.options;
    simulation::simulate(program, network, options);
    return Instance{std::move(network), std::move(verified), std::move(program), options, size_B};
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

std::string names_of(Features features) {
  std::string names;
  for (const Feature feature : simulation::every_feature())
    if (features.has(feature)) names += ", " + std::string(name_of(feature));
  return names;
}

void expect_equal(const SimulationResult& fast, const SimulationResult& plain) {
  EXPECT_NEAR(fast.time_s, plain.time_s, kRounding * plain.time_s);
  ASSERT_EQ(fast.agent_times_s.size(), plain.agent_times_s.size());
  for (std::size_t a = 0; a < plain.agent_times_s.size(); ++a)
    ASSERT_NEAR(fast.agent_times_s[a], plain.agent_times_s[a], kRounding * plain.time_s) << a;
  ASSERT_EQ(fast.link_bytes.size(), plain.link_bytes.size());
  for (std::size_t l = 0; l < plain.link_bytes.size(); ++l)
    ASSERT_NEAR(fast.link_bytes[l], plain.link_bytes[l], kRounding * plain.link_bytes[l]) << l;
}

void expect_same(const SimulationResult& fast, const SimulationResult& plain) {
  EXPECT_EQ(fast.time_s, plain.time_s);
  EXPECT_EQ(fast.least_s, plain.least_s);
  EXPECT_EQ(fast.agent_times_s, plain.agent_times_s);
  EXPECT_EQ(fast.ended_early, plain.ended_early);
  EXPECT_EQ(fast.work, plain.work);
}

/// How often each shortcut had something to leave out.
using Uses = std::map<Shortcut, int>;

void check_times(Shortcut shortcut, const Instance& in, Uses& uses) {
  const auto plain = simulate_fluid(in.program, in.network, in.options, {.shortcuts = {}});
  const auto fast = simulate_fluid(in.program, in.network, in.options, {.shortcuts = {shortcut}});
  if (!covers(shortcut, in.features())) return expect_same(fast, plain);
  expect_equal(fast, plain);
  uses[shortcut] += fast.work != plain.work ? 1 : 0;
}

void check_one_step(const Instance& in, Uses& uses) {
  SimulationOptions roughly = in.options;
  roughly.accuracy = 10;
  roughly.many_messages = 1;
  const auto plain = simulate_fluid(in.program, in.network, roughly, {.shortcuts = {}});
  const auto fast =
      simulate_fluid(in.program, in.network, roughly, {.shortcuts = {Shortcut::one_step}});
  if (!covers(Shortcut::one_step, in.features())) return expect_same(fast, plain);
  EXPECT_LE(fast.lower_s(), plain.time_s * (1 + kRounding));
  EXPECT_GE(fast.time_s, plain.time_s * (1 - kRounding));
  uses[Shortcut::one_step] += fast.least_s > 0 ? 1 : 0;
}

// A run never ends early below a limit above its time, and says no more than its time.
void check_least_rest(const Instance& in, Uses& uses) {
  const double time_s =
      simulate_fluid(in.program, in.network, in.options, {.shortcuts = {}}).time_s;
  for (const double share : {0.5, 0.9, 1.001}) {
    const double limit_s = share * time_s;
    const auto plain =
        simulate_fluid(in.program, in.network, in.options, {.shortcuts = {}, .limit_s = limit_s});
    const auto fast = simulate_fluid(in.program, in.network, in.options,
                                     {.shortcuts = {Shortcut::least_rest}, .limit_s = limit_s});
    if (!covers(Shortcut::least_rest, in.features())) {
      expect_same(fast, plain);
      continue;
    }
    EXPECT_EQ(fast.ended_early, share < 1) << share;
    EXPECT_LE(fast.time_s, time_s * (1 + kRounding)) << share;
    uses[Shortcut::least_rest] += fast.work != plain.work ? 1 : 0;
  }
}

// Without the schedule's symmetry there are no orbits.
void check_formula_orbits(const Instance& in, Uses& uses) {
  SimulationOptions options = in.options;
  options.model = Model::alpha_beta;
  const Verified each = schedule::verify_own(
      expand_symmetry(in.verified.schedule(), &in.network.topology()), &in.network.topology());
  const auto plan = program::plan_copies(each, in.network.host());
  const Program program =
      repeat(lower(each, {.size_B = in.size_B, .copies = plan}), in.program.calls());
  try {
    expect_equal(simulation::simulate(in.program, in.network, options),
                 simulation::simulate(program, in.network, options));
  } catch (const InvalidInput&) {
    return;  // the model has no such option
  }
  const bool is_used = covers(Shortcut::formula_orbits, in.program, in.network, options);
  uses[Shortcut::formula_orbits] += is_used && !in.program.symmetry().is_trivial() ? 1 : 0;
}

void check_bounds(const Instance& in, Uses& uses) {
  if (in.program.calls() > 1) return;  // contests are about one call
  const double time_s = simulation::simulate(in.program, in.network, in.options).time_s;
  if (covers(Shortcut::link_bound, in.features())) {
    const Candidate candidate = given_candidate(in.verified, in.network);
    Contender contender;
    const std::vector<std::int64_t> sizes_B{in.size_B};
    const Runner runner(candidate, contender, 0, sizes_B, in.network);
    EXPECT_LE(runner.least_s(0), time_s * (1 + kRounding)) << "link bound";
    uses[Shortcut::link_bound] += runner.least_s(0) > 0 ? 1 : 0;
  }
  if (covers(Shortcut::single_ranks, in.features())) {
    const double alone_s = single_ranks_time(in.program, in.network).time_s;
    EXPECT_LE(alone_s, time_s * (1 + kRounding)) << "single ranks";
    uses[Shortcut::single_ranks] += alone_s > 0 ? 1 : 0;
  }
}

// Sizes of whole units, so that they may lie on a line.
void check_size_curve(const Instance& in, Uses& uses) {
  if (in.program.calls() > 1) return;
  const schedule::Schedule& schedule = in.verified.schedule();
  std::vector<std::int64_t> sizes_B;
  for (std::int64_t times = 1; times <= 64; times *= 2) sizes_B.push_back(schedule.units() * times);
  const std::vector candidates{given_candidate(in.verified, in.network)};
  std::vector<Contender> contenders(1);
  const auto rows = simulate_rows(candidates, contenders, sizes_B, in.network, in.options, nullptr);
  for (const ComparisonRow& row : rows) {
    const Program program = candidates[0].program_of(in.verified, row.size_B);
    const double time_s = simulation::simulate(program, in.network, in.options).time_s;
    EXPECT_NEAR(row.result.time_s, time_s, kRounding * time_s) << row.size_B << " B";
  }
  if (covers(Shortcut::size_curve, features_of(in.options, in.network)))
    uses[Shortcut::size_curve] += contenders[0].spent.simulations < std::ssize(sizes_B) ? 1 : 0;
  else
    EXPECT_EQ(contenders[0].spent.simulations, std::ssize(sizes_B));
}

// Of a pipeline of 60 segments, to two percent where a few of them tell it surely.
void check_steady(const Instance& in, Uses& uses) {
  constexpr std::int64_t kSegments = 60;
  constexpr std::int64_t kMostMessages = 200;  // of more it takes long
  const schedule::Schedule& one = in.verified.schedule();
  if (in.program.calls() > 1 || one.segments().count > 1 || one.message_count() > kMostMessages)
    return;
  const Verified verified = in.verified.with_segments(kSegments);
  const program::LowerOptions lowering{.size_B = in.size_B * kSegments,
                                       .copies = program::plan_copies(verified, in.network.host())};
  const auto seen = steady_time(verified, lowering, in.network, in.options,
                                simulation::fewest_steady(verified.schedule()));
  if (!covers(Shortcut::steady, in.options, in.network)) {
    EXPECT_FALSE(seen.time);
    EXPECT_EQ(seen.work, 0);
  } else if (seen.time && seen.time->spread_s < seen.time->time_s * 5e-4) {
    const Program whole = lower(verified, lowering);
    const auto plain =
        simulate_fluid(whole, in.network, in.options, {.shortcuts = {Shortcut::orbits}});
    const double whole_s = plain.time_s + simulation::call_s(whole, in.network);
    EXPECT_NEAR(seen.time->time_s, whole_s, 0.02 * whole_s);
    ++uses[Shortcut::steady];
  }
}

void check(const Instance& in, const std::string& what, Uses& uses) {
  for (const simulation::ShortcutRow& row : simulation::shortcut_table()) {
    SCOPED_TRACE(std::string(row.name) + " of " + what + names_of(in.features()));
    switch (row.shortcut) {
      case Shortcut::orbits:
      case Shortcut::uncontended:
      case Shortcut::alike:
      case Shortcut::step_repeats:
      case Shortcut::call_repeats:
        check_times(row.shortcut, in, uses);
        break;
      case Shortcut::one_step:
        check_one_step(in, uses);
        break;
      case Shortcut::least_rest:
        check_least_rest(in, uses);
        break;
      case Shortcut::steady:
        check_steady(in, uses);
        break;
      case Shortcut::formula_orbits:
        check_formula_orbits(in, uses);
        break;
      case Shortcut::link_bound:
        check_bounds(in, uses);  // and those of single ranks
        break;
      case Shortcut::size_curve:
        check_size_curve(in, uses);
        break;
      case Shortcut::single_ranks:
      case Shortcut::whole_segments:  // see above
      case Shortcut::equal_messages:
      case Shortcut::segment_formula:
      case Shortcut::alike_cables:
      case Shortcut::alike_orders:
        break;
    }
    if (testing::Test::HasFailure()) return;
  }
}

std::string text_of(const Case& c) {
  return std::string(c.algorithm) + " on " + c.topology + ", " + c.routing;
}

Fabric fabric_of(const Case& c) {
  return {make_topology(c.topology), {.bandwidth_Bps = 1'000'000'000, .latency_ps = 1'000'000}};
}

bool is_model(Feature feature) {
  return feature == Feature::alpha_beta || feature == Feature::packets;
}

TEST(ShortcutConformance, holds_with_each_feature_by_itself) {
  Uses uses;
  Features seen;
  for (const Case& c : kCases) {
    const Fabric fabric = fabric_of(c);
    for (const Feature feature : simulation::every_feature()) {
      FeatureSetting setting;
      if (feature == Feature::startup_per_step) setting.host.startup_ps = 500'000;
      if (is_model(feature) || !test::turn_on(feature, fabric.topology(), setting)) continue;
      const auto instance = instance_of(c, setting, fabric, 12'000);
      if (!instance) continue;
      seen = seen | instance->features();
      check(*instance, text_of(c), uses);
      if (HasFailure()) return;
    }
  }
  for (const Feature feature : simulation::every_feature()) {
    const bool is_tried = !is_model(feature) && feature != Feature::unlisted;
    EXPECT_TRUE(!is_tried || seen.has(feature)) << name_of(feature);
  }
  for (const Shortcut shortcut :
       {Shortcut::orbits, Shortcut::uncontended, Shortcut::one_step, Shortcut::alike,
        Shortcut::step_repeats, Shortcut::call_repeats, Shortcut::least_rest, Shortcut::steady,
        Shortcut::formula_orbits, Shortcut::link_bound, Shortcut::single_ranks,
        Shortcut::size_curve})
    EXPECT_GT(uses[shortcut], 0) << name_of(shortcut);
}

TEST(ShortcutConformance, holds_with_drawn_features) {
  Uses uses;
  for (int draw = 0; draw < test::samples(200); ++draw) {
    std::mt19937_64 random(static_cast<std::uint64_t>(draw) * 7919 + 3);
    const Case& c = kCases[random() % std::size(kCases)];
    const Fabric fabric = fabric_of(c);
    FeatureSetting setting;
    for (const Feature feature : simulation::every_feature())
      if (!is_model(feature) && random() % 8 == 0)
        test::turn_on(feature, fabric.topology(), setting);
    const auto instance =
        instance_of(c, setting, fabric, 1 + static_cast<std::int64_t>(random() % 40'000));
    if (!instance) continue;
    check(*instance, text_of(c) + ", draw " + std::to_string(draw), uses);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace weft::evaluate
