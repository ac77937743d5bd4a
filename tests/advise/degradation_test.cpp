// What is left of networks past failures, against the same networks built and simulated one by one.
#include "weft/advise/degradation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::advise {
namespace {

constexpr std::int64_t kSize_B = 3 << 20;

using schedule::Rank;

Network whole(const std::string& expression, const LinkOptions& links = {}) {
  const Fabric fabric(build_topology(expression), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("auto", fabric)};
}

// The same, named anew: what a user would ask of the damaged network by itself.
Network without_cable(std::int64_t cable, const std::string& expression) {
  return whole(fmt::format("without(cable={}, {})", cable, expression));
}

Degradation run(CollectiveKind kind, const Network& network, ScheduleRepair schedules,
                std::vector<std::string> algorithms = {}) {
  return degrade({kind, network.ranks()}, network,
                 {.algorithms = std::move(algorithms),
                  .size_B = kSize_B,
                  .failures = {.cables = {Trials::Kind::all}, .schedules = schedules}});
}

bool are_equal(double a, double b) {
  return std::abs(a - b) <= 1e-9 * b;
}

// Each row is what a comparison on the damaged network says.
TEST(Degradation, rebuilds_what_is_best_on_each_damaged_network) {
  for (const char* expression :
       test::samples({"torus:3x3", "ring:6", "kautz:2,2", "leaf-spine:leaves=3,spines=2,hosts=2",
                      "dragonfly:a=2,p=1,h=1",
                      "boxes(2, complete:4, leaf-spine:leaves=2,spines=2,hosts=4)"})) {
    const Network network = whole(expression);
    const Degradation found = run(CollectiveKind::allreduce, network, ScheduleRepair::rebuilt);
    EXPECT_EQ(std::ssize(found.failures), network.topology().cable_count());
    ASSERT_FALSE(found.rows.empty());
    for (const DegradedRow& row : found.rows) {
      const std::string& name = found.algorithms[row.algorithm].algorithm;
      const auto cable = found.failures[row.failure].cables.front();
      SCOPED_TRACE(fmt::format("{} on {} without cable {}", name, expression, cable));
      const Network left = without_cable(cable, expression);
      const CompareOptions one{.algorithms = {name}, .sizes_B = {kSize_B}};
      const Collective collective = schedule::allreduce(left.ranks());
      if (row.fate == FailureOutcome::impossible) {
        EXPECT_THROW(compare(collective, left, one), InvalidInput);
        continue;
      }
      EXPECT_EQ(row.fate, FailureOutcome::rebuilt);
      EXPECT_EQ(found.failures[row.failure].routing, left.routing().name());
      EXPECT_PRED2(are_equal, row.time_s,
                   compare(collective, left, one).rows.front().result.time_s);
    }
  }
}

// A schedule that the network routes is the same program on the damaged network: also where one
// simulation stands for all cables that its symmetry takes to each other.
TEST(Degradation, keeps_schedules_that_the_network_routes) {
  for (const auto& [expression, algorithm] : test::samples(
           std::vector<std::pair<std::string, std::string>>{{"torus:4x3", "ring"},
                                                            {"torus:4x3", "binomial"},
                                                            {"torus:4x3", "bfb"},
                                                            {"torus:4x4", "swing"},
                                                            {"torus:5x3x3", "torus-ring"},
                                                            {"torus:4x4", "recursive-doubling"},
                                                            {"mesh:3x3", "ring"},
                                                            {"hypercube:3", "bfb"},
                                                            {"hypercube:3", "recursive-doubling"},
                                                            {"ring:8", "bidirectional-ring"},
                                                            {"circulant:12,1,5", "bfb"},
                                                            {"twisted-torus:3x6", "bfb"},
                                                            {"hosts(2, ring:4)", "ring"},
                                                            {"xgft:2;4,4;1,2", "rabenseifner"},
                                                            {"kautz:2,2", "binomial"}})) {
    SCOPED_TRACE(fmt::format("{} on {}", algorithm, expression));
    const Network network = whole(expression);
    const Collective collective = schedule::allreduce(network.ranks());
    const Verified verified = schedule::verify_own(
        algorithm::build_schedule(algorithm, collective, &network), &network.topology());
    const Degradation found =
        run(CollectiveKind::allreduce, network, ScheduleRepair::kept, {algorithm});
    EXPECT_EQ(found.algorithms[0].kept, std::ssize(found.rows));
    for (const DegradedRow& row : found.rows) {
      const auto cable = found.failures[row.failure].cables.front();
      const double time_s =
          simulate(lower(verified, {.size_B = kSize_B}), without_cable(cable, expression)).time_s;
      EXPECT_PRED2(are_equal, row.time_s, time_s) << cable;
    }
  }
}

// A message has nowhere to go where the schedule itself says which of parallel cables it takes.
// Where none does, nothing is slower.
TEST(Degradation, makes_schedules_anew_whose_own_routes_failed) {
  const Network network = whole("hyperx:3x3,2");
  const std::int32_t cables = network.topology().cable_count();
  for (const auto kind : {CollectiveKind::allreduce, CollectiveKind::broadcast}) {
    const Degradation found = run(kind, network, ScheduleRepair::kept, {"bfb"});
    const Verified verified = schedule::verify_own(
        algorithm::build_schedule("bfb", {kind, network.ranks()}, &network), &network.topology());
    const Schedule plain = schedule::expand_symmetry(verified.schedule(), &network.topology());
    std::set<CableId> used;  // by its own routes
    for (std::int32_t route = 0; route < plain.route_count(); ++route)
      for (const LinkId link : plain.route(RouteId(route)))
        used.insert(network.topology().cable(link));
    EXPECT_EQ(used.size() == static_cast<std::size_t>(cables), kind == CollectiveKind::allreduce);
    ASSERT_FALSE(used.empty());
    EXPECT_EQ(found.algorithms[0].kept, cables - std::ssize(used));
    EXPECT_EQ(found.algorithms[0].rebuilt, std::ssize(used));
    for (const DegradedRow& row : found.rows) {
      const CableId cable(found.failures[row.failure].cables.front());
      EXPECT_EQ(row.fate, used.contains(cable) ? FailureOutcome::rebuilt : FailureOutcome::kept);
      if (row.fate == FailureOutcome::kept) {
        EXPECT_NEAR(row.slowdown, 1, 1e-9);
      }
    }
  }
}

Network without_latency(const std::string& expression) {
  return whole(expression, {.all = LinkSpeed{.latency_ps = 0}, .by_class = {}});
}

// Without latencies a step of the two-way ring takes one block's time. Past a dead cable what it
// carried, one block each way, goes round the other way and meets one block on each link: 2 times
// as long. What goes one way round alone meets nothing.
TEST(Degradation, doubles_the_time_of_a_two_way_ring) {
  const Network network = without_latency("ring:8");
  const Degradation found = degrade(schedule::allgather(8), network,
                                    {.algorithms = {"bidirectional-ring", "ring"},
                                     .size_B = kSize_B,
                                     .failures = {.cables = {Trials::Kind::all}},
                                     .simulation = {.sync = simulation::Sync::lockstep}});
  ASSERT_EQ(found.rows.size(), 16u);
  for (const DegradedRow& row : found.rows) {
    EXPECT_EQ(row.fate, FailureOutcome::kept);
    EXPECT_NEAR(row.slowdown, row.algorithm == 0 ? 2 : 1, 1e-9);
  }
  for (const Endurance& each : found.algorithms) EXPECT_EQ(each.worst.size(), 8u);
}

// A ring of 7 takes 3 steps of a block, both ways; a path, whose ends have one link, 6.
TEST(Degradation, leaves_a_path_of_a_ring) {
  const Degradation found =
      degrade(schedule::allgather(7), without_latency("ring:7"),
              {.algorithms = {"bfb"},
               .size_B = kSize_B,
               .failures = {.cables = {Trials::Kind::all}, .schedules = ScheduleRepair::rebuilt}});
  EXPECT_EQ(found.algorithms[0].rebuilt, 7);
  EXPECT_NEAR(found.algorithms[0].mean_slowdown, 2, 1e-9);
  EXPECT_NEAR(found.best.worst_slowdown, 2, 1e-9);

  const Degradation third =
      degrade(schedule::allgather(7), without_latency("ring:7"),
              {.algorithms = {"bfb"},
               .size_B = kSize_B,
               .failures = {.cables = {Trials::Kind::all}, .schedules = ScheduleRepair::rebuilt},
               .given = {found.failures[3]}});
  ASSERT_EQ(third.rows.size(), 1u);
  EXPECT_EQ(third.failures[0].name, found.failures[3].name);
  EXPECT_EQ(third.algorithms[0].rebuilt, 1);
  EXPECT_NEAR(third.rows[0].slowdown, 2, 1e-9);
}

// A host's only cable cuts the host off, a leaf its hosts; one spine of two leaves the other.
TEST(Degradation, names_the_ranks_that_are_cut_off) {
  const Network network = whole("leaf-spine:leaves=2,spines=2,hosts=3");
  const Topology& topology = network.topology();
  const Degradation found =
      degrade(schedule::allreduce(6), network,
              {.size_B = kSize_B,
               .failures = {.cables = {Trials::Kind::all}, .nodes = {Trials::Kind::all}}});
  ASSERT_EQ(found.failures.size(), 6u + 4 + 4);
  EXPECT_EQ(found.possible, 14);
  for (const Failure& failure : found.failures) {
    EXPECT_TRUE(failure.lost.empty());
    std::vector<Rank> expected;
    for (const Rank rank : ids<Rank>(6)) {
      const LinkId link = *topology.out_links(network.placement().nodes[rank.index()]).begin();
      if (std::ranges::count(failure.cables, topology.cable(link).value()) > 0 ||
          std::ranges::count(failure.nodes, topology.head(link).value()) > 0)
        expected.push_back(rank);
    }
    EXPECT_EQ(failure.cut_off, expected) << failure.name;
    EXPECT_EQ(failure.serves(), expected.empty()) << failure.name;
  }
}

// Nodes of a torus take their ranks along: the others go on, as on the torus without the node.
TEST(Degradation, goes_on_with_the_ranks_that_live) {
  const Network network = whole("torus:3x3");
  const Degradation found = degrade(schedule::allreduce(9), network,
                                    {.algorithms = {"ring", "recursive-doubling"},
                                     .size_B = kSize_B,
                                     .failures = {.nodes = {Trials::Kind::all}}});
  ASSERT_EQ(found.rows.size(), 2u * 9);
  for (const DegradedRow& row : found.rows) {
    const Failure& failure = found.failures[row.failure];
    EXPECT_EQ(failure.lost, std::vector{Rank(failure.nodes.front())});
    EXPECT_EQ(row.fate, FailureOutcome::rebuilt);
    const Network left = whole(fmt::format("without(node={}, torus:3x3)", failure.nodes.front()));
    const CompareOptions one{.algorithms = {found.algorithms[row.algorithm].algorithm},
                             .sizes_B = {kSize_B}};
    EXPECT_PRED2(are_equal, row.time_s,
                 compare(schedule::allreduce(8), left, one).rows.front().result.time_s);
  }
}

// Without its root there is no broadcast; without another it is that from where the root is now.
TEST(Degradation, needs_the_root) {
  const Degradation found =
      degrade(schedule::broadcast(5, Rank(3)), whole("complete:5"),
              {.algorithms = {"binomial"}, .failures = {.nodes = {Trials::Kind::all}}});
  ASSERT_EQ(found.failures.size(), 5u);
  for (const Failure& failure : found.failures)
    EXPECT_EQ(failure.serves(), failure.nodes.front() != 3);
  EXPECT_EQ(found.algorithms[0].rebuilt, 4);
}

TEST(Degradation, draws_sets_of_failures_by_seed) {
  const Network network = whole("torus:4x4");  // 32 cables: 496 pairs
  const auto drawn = [&](Trials trials, std::uint64_t seed) {
    return degrade(
        schedule::allreduce(16), network,
        {.algorithms = {"ring"}, .failures = {.cables = trials, .at_once = 2}, .seed = seed});
  };
  const Degradation some = drawn({Trials::Kind::some, 20}, 1);
  EXPECT_EQ(some.possible, 496);
  std::set<std::vector<std::int64_t>> sets;
  for (const Failure& failure : some.failures) {
    ASSERT_EQ(failure.cables.size(), 2u);
    EXPECT_LT(failure.cables[0], failure.cables[1]);
    sets.insert(failure.cables);
  }
  EXPECT_EQ(sets.size(), 20u);
  const auto cables_of = [](const Degradation& found) {
    std::vector<std::vector<std::int64_t>> all;
    for (const Failure& failure : found.failures) all.push_back(failure.cables);
    return all;
  };
  EXPECT_EQ(cables_of(some), cables_of(drawn({Trials::Kind::some, 20}, 1)));
  EXPECT_NE(cables_of(some), cables_of(drawn({Trials::Kind::some, 20}, 2)));
  EXPECT_EQ(drawn({Trials::Kind::all}, 1).failures.size(), 496u);
  EXPECT_EQ(drawn({Trials::Kind::some, 496}, 1).failures.size(), 496u);
  EXPECT_THROW(drawn({Trials::Kind::some, 497}, 1), InvalidInput);
}

TEST(Degradation, does_not_depend_on_the_number_of_threads) {
  const Network network = whole("torus:3x4");
  set_threads(1);
  const Degradation one = run(CollectiveKind::allreduce, network, ScheduleRepair::kept);
  set_threads(4);
  const Degradation four = run(CollectiveKind::allreduce, network, ScheduleRepair::kept);
  set_threads(0);
  ASSERT_EQ(one.rows.size(), four.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i)
    EXPECT_EQ(one.rows[i].time_s, four.rows[i].time_s);
}

TEST(Degradation, refuses_what_cannot_fail) {
  const Network ring = whole("ring:4");
  const auto reason = [&](const FailureOptions& failures) -> std::string {
    try {
      degrade(schedule::allreduce(4), ring, {.failures = failures});
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(reason({.cables = {Trials::Kind::none}}),
            "nothing fails with --cables none; give --nodes, or remove --cables none");
  EXPECT_EQ(reason({.at_once = 5}),
            "5 cables cannot fail at once, because there are 4; use --failures 4 or less");
}

}  // namespace
}  // namespace weft::advise
