// That packings of a network are at the optimum, of all collectives.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/judges/tree_optimum.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {

/// The busiest link's time over all steps together, in M / B.
inline Rational busiest(const Cost& cost, const Network& network) {
  const Rational egress(network.fabric().node_egress_Bps());
  Rational most(0);
  for (const LinkId link : network.topology().links())
    most = std::max(most, cost.link_loads[link.index()] * egress /
                              Rational(network.fabric().bandwidth_Bps(link)));
  return most;
}

/// For a million segments, so that the optimum's trees are chosen, however deep: the verifier
/// passes, what the busiest link carries all in all is the optimum, and in s segments a link has no
/// more than that in each of D + s - 1 steps, a share of 1 / s of the buffer in each.
inline void expect_optimal(const Network& network, const Collective& collective) {
  constexpr std::int64_t kMany = 1'000'000;
  const Schedule schedule =
      build_schedule("packing", collective, &network, {.values = {{"segments", kMany}}});
  const schedule::Verified verified = schedule::verify_own(schedule, &network.topology());
  const Rational least = test::tree_optimum(network, collective);
  EXPECT_EQ(busiest(schedule::cost(verified, network), network), least);
  const std::int64_t depth = schedule.stored_steps();
  for (const std::int64_t segments : {std::int64_t{1}, std::int64_t{12}, kMany}) {
    const Cost cost = schedule::cost(verified.with_segments(segments), network);
    EXPECT_EQ(cost.steps, depth + segments - 1);
    EXPECT_GE(cost.bandwidth_factor, least);
    EXPECT_LE(cost.bandwidth_factor, least * Rational(depth + segments - 1, segments));
  }
}

inline constexpr CollectiveKind kServed[]{CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                                          CollectiveKind::allreduce, CollectiveKind::broadcast,
                                          CollectiveKind::reduce};

/// Of each collective that the network has ways for; how many.
inline int expect_all_optimal(const std::string& expression) {
  const Network network = test::on(expression);
  int served = 0;
  for (const CollectiveKind kind : kServed) {
    SCOPED_TRACE(fmt::format("{} {}", expression, schedule::name_of(kind)));
    Collective collective{.kind = kind, .ranks = network.ranks()};
    if (collective.rooted()) collective.root = Rank(network.ranks() / 2);
    if (misfit(find_algorithm("packing"), {collective, &network, {}})) continue;
    expect_optimal(network, collective);
    ++served;
  }
  return served;
}

}  // namespace weft::algorithm
