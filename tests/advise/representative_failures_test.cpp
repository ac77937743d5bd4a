// What a failure tells of its kind holds for each of them: exactly where routes past failures are
// split over all ways that are alike, and nearly where they go by the numbers of nodes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/advise/degradation.hpp"
#include "weft/advise/degrade/kinds.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::advise {
namespace {

using test::on;

Degradation degraded(const Collective& collective, const Network& network, const char* algorithm,
                     const FailureOptions& failures) {
  return degrade(collective, network,
                 {.algorithms = {algorithm},
                  .size_B = 1 << 22,
                  .failures = failures,
                  .simulation = {.model = simulation::Model::alpha_beta}});
}

// Times by cable or node, those that are told of included; 0 where the collective cannot go on.
std::map<std::int64_t, double> times_s(const Degradation& found) {
  std::vector<double> times(found.failures.size(), 0);
  for (const DegradedRow& row : found.rows) times[row.failure] = row.time_s;
  std::map<std::int64_t, double> by_id;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Failure& failure = found.failures[i];
    if (failure.alike.empty())
      by_id[failure.cables.empty() ? failure.nodes[0] : failure.cables[0]] = times[i];
    for (const std::int64_t id : failure.alike) by_id[id] = times[i];
  }
  return by_id;
}

constexpr Trials kAll{.kind = Trials::Kind::all}, kNone{.kind = Trials::Kind::none};
constexpr Trials kByKinds{.kind = Trials::Kind::some, .count = 1, .tells = Trials::Tells::its_kind};

struct Case {
  const char* network;
  const char* algorithm;
  Collective collective;
  double within = 0.002;  // of the time; more where the routing past failures goes by numbers
};

std::vector<Case> cases() {
  using namespace schedule;
  return {
      {"leaf-spine:leaves=4,spines=2,hosts=4", "spread", alltoall(16)},
      {"without(node=14-15, leaf-spine:leaves=4,spines=3,hosts=4)", "spread", alltoall(14), 0.34},
      {"planes(2, without(node=14-15, leaf-spine:leaves=4,spines=3,hosts=4))", "spread",
       alltoall(14)},
      {"without(node=14-15, leaf-spine:leaves=4,spines=3,hosts=4)", "ring", allreduce(14)},
      {"leaf-spine:leaves=4,spines=2,hosts=4", "hierarchical", allreduce(16)},
      {"hosts(4, hyperx:5,1)", "spread", alltoall(20)},
      {"hosts(4, hyperx:5,1)", "hierarchical", allreduce(20)},
      {"hosts(3, hyperx:3x3)", "spread", alltoall(27)},
      {"hosts(2, slimfly:3)", "spread", alltoall(36)},
      {"dragonfly:a=4,p=2,h=2", "bruck", allgather(72)},
      {"clos:pods=4,leaves=2,spines=2,cores=4,hosts=2", "spread", alltoall(16)},
      {"torus:5x5", "spread", alltoall(25), 0.04},
      {"hypercube:4", "recursive-doubling", allreduce(16)},
      {"ring:9", "ring", allreduce(9)},
      {"ring:9", "binomial", broadcast(9)},
  };
}

TEST(TellingFailures, tell_of_each_of_their_kind_among_cables) {
  int by_fewer = 0;
  for (const auto& [name, algorithm, collective, within] : cases()) {
    SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
    const Network network = on(name, {}, "auto");
    const auto all = times_s(degraded(collective, network, algorithm, {.cables = kAll}));
    const Degradation few = degraded(collective, network, algorithm, {.cables = kByKinds});
    const auto told = times_s(few);
    by_fewer += few.failures.size() < all.size() && told.size() == all.size();
    for (const auto& [cable, seconds] : told)
      EXPECT_NEAR(seconds, all.at(cable), within * all.at(cable)) << cable;
  }
  EXPECT_GE(by_fewer, 11);
}

// Switches; the loss of a host makes another collective of it.
TEST(TellingFailures, tell_of_each_of_their_kind_among_switches) {
  for (const auto& [name, algorithm, collective, within] : cases()) {
    SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
    const Network network = on(name, {}, "auto");
    if (!network.topology().has_switches()) continue;
    const auto all =
        times_s(degraded(collective, network, algorithm, {.cables = kNone, .nodes = kAll}));
    const auto told =
        times_s(degraded(collective, network, algorithm, {.cables = kNone, .nodes = kByKinds}));
    for (const auto& [node, seconds] : told)
      EXPECT_NEAR(seconds, all.at(node), within * all.at(node)) << node;
  }
}

// 16 hosts' cables cut them off, 8 others are alike in an all-to-all over all shortest ways: two
// tell of all 24. By the lowest next node the second spine has nothing to do.
TEST(TellingFailures, are_one_of_each_kind) {
  const Network network = on("leaf-spine:leaves=4,spines=2,hosts=4", {}, "shortest-split");
  const Degradation found =
      degraded(schedule::alltoall(16), network, "spread", {.cables = kByKinds});
  ASSERT_EQ(found.failures.size(), 2U);
  EXPECT_EQ(found.failures[0].alike.size(), 16U);
  EXPECT_EQ(found.failures[1].alike.size(), 8U);
  EXPECT_DOUBLE_EQ(found.failures[1].stands_for, 8);
  const Degradation by_number =
      degraded(schedule::alltoall(16), on("leaf-spine:leaves=4,spines=2,hosts=4", {}, "shortest"),
               "spread", {.cables = kByKinds});
  for (const Failure& failure : by_number.failures) EXPECT_NE(failure.alike.size(), 8U);
  EXPECT_EQ(by_number.failures.size(),
            1U + 3U + 3U);  // three of each kind where ways are not split
}

// No symmetry but what cuts hosts off: those are told of, and of the others `count` are drawn.
TEST(TellingFailures, tell_of_themselves_where_kinds_are_many) {
  const Network network = on("hosts(2, random-regular:20,4)");
  const Degradation found = degraded(
      schedule::alltoall(40), network, "spread",
      {.cables = {.kind = Trials::Kind::some, .count = 5, .tells = Trials::Tells::its_kind}});
  std::int64_t told = 0, alone = 0;
  for (const Failure& failure : found.failures)
    (failure.cut_off.empty() ? alone : told) += std::ssize(failure.alike);
  EXPECT_EQ(told, 40);
  EXPECT_EQ(alone, 5);
  EXPECT_EQ(found.possible, 80);
}

// Messages make more kinds: of a broadcast's root there is one.
TEST(KindsUnder, follow_messages) {
  const Network network = on("complete:6");
  const auto kinds_of = [&](const char* algorithm, const Collective& collective) {
    const auto verified = schedule::verify_own(
        algorithm::build_schedule(algorithm, collective, &network, {}), &network.topology());
    const auto kinds = kinds_under(lower(verified, {.size_B = 6 << 10}), network);
    return std::set(kinds->of_cable.begin(), kinds->of_cable.end()).size();
  };
  EXPECT_EQ(kinds_of("spread", schedule::alltoall(6)), 1U);
  EXPECT_EQ(kinds_of("direct", schedule::scatter(6)), 2U);  // at the root, and idle
}

}  // namespace
}  // namespace weft::advise
