// phase_loads: figure 4 of the fat-tree paper by its formulas, other networks against a count by
// hand and against crossings().
#include "weft/schedule/phase_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/crossings.hpp"

namespace weft::schedule {
namespace {

using test::on;

Verified built(const std::string& algorithm, CollectiveKind kind, const Network& network) {
  return verify_own(build_schedule(algorithm, {.kind = kind, .ranks = network.ranks()}, &network),
                    &network.topology());
}

// 32 hosts in two halves. LIN: N - |2p - N| messages cross in phase p, and two share a link where
// these are more than N/2. XOR: all in the second half of the phases. OPT: N/2 in each.
TEST(PhaseLoads, are_those_of_figure_4) {
  const Network network = on("xgft:3;4,4,2;1,4,2", {}, "pattern-aware");
  const auto lin = phase_loads(built("lin", CollectiveKind::alltoall, network), network);
  const auto xor_ = phase_loads(built("xor", CollectiveKind::alltoall, network), network);
  const auto opt = phase_loads(built("opt", CollectiveKind::alltoall, network), network);
  ASSERT_EQ(lin.size(), 32u);
  for (int p = 0; p < 32; ++p) {
    const auto i = static_cast<std::size_t>(p);
    const int crossing = 32 - std::abs(2 * p - 32);
    EXPECT_EQ(lin[i].top_level, crossing) << p;
    EXPECT_EQ(lin[i].busiest_link, p == 0 ? 0 : crossing > 16 ? 2 : 1) << p;
    EXPECT_EQ(lin[i].by_class.back(), 2 * crossing) << p;  // up, and down
    EXPECT_EQ(lin[i].messages, p == 0 ? 0 : 32) << p;
    EXPECT_EQ(xor_[i].top_level, p < 16 ? 0 : 32) << p;
    EXPECT_EQ(xor_[i].busiest_link, p == 0 ? 0 : p < 16 ? 1 : 2) << p;
    EXPECT_EQ(opt[i].top_level, 16) << p;
    EXPECT_EQ(opt[i].busiest_link, 1) << p;
    for (const auto* phase : {&lin[i], &xor_[i], &opt[i]})
      EXPECT_EQ(phase->least, phase->busiest_link) << p;
  }
}

// On a ring with one direction the message over i links passes every link i times, once for each
// of the senders behind it.
TEST(PhaseLoads, count_what_meets_on_a_ring) {
  const Network network = on("uniring:5");
  const auto phases = phase_loads(built("shift", CollectiveKind::alltoall, network), network);
  ASSERT_EQ(phases.size(), 4u);
  for (std::size_t i = 0; i < phases.size(); ++i) {
    EXPECT_EQ(phases[i].busiest_link, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(phases[i].messages, 5);
    EXPECT_FALSE(phases[i].least.has_value());
  }
}

// Symmetric schedules with routes of their own among them, and segments.
TEST(PhaseLoads, add_up_to_the_crossings) {
  for (const auto& [algorithm, kind, topology] :
       {std::tuple("bfb", CollectiveKind::allgather, "torus:3x4"),
        std::tuple("bruck", CollectiveKind::alltoall, "hosts(2, ring:4)"),
        std::tuple("ring", CollectiveKind::allreduce, "ring:6"),
        std::tuple("chain", CollectiveKind::broadcast, "ring:6"),
        std::tuple("multitree", CollectiveKind::allgather, "mesh:3x3")}) {
    const Network network = on(topology);
    const Verified verified = built(algorithm, kind, network);
    std::int64_t sum = 0;
    for (const PhaseLoad& phase : phase_loads(verified, network))
      sum = std::accumulate(phase.by_class.begin(), phase.by_class.end(), sum);
    EXPECT_EQ(sum, crossings(verified, network).total()) << algorithm;
  }
}

// An all-to-all at once on torus:4x4: in a dimension a node sends over 1 + 2/2 links each way, or
// 1 + 2 one way where ties go up, to 4 places of the other.
TEST(PhaseLoads, add_up_parts_of_split_messages) {
  const auto load = [](const char* routing) {
    const Network network = on("torus:4x4", {}, routing);
    return phase_load(built("spread", CollectiveKind::alltoall, network), network, 0);
  };
  EXPECT_EQ(load("dimension-order").busiest_link, 4 * 2);
  EXPECT_EQ(load("dimension-order-up").busiest_link, 4 * 3);
  EXPECT_EQ(load("dimension-order").by_class, load("dimension-order-up").by_class);
}

TEST(PhaseLoads, refuse_steps_that_are_not_there) {
  const Network network = on("ring:4");
  const Verified verified = built("ring", CollectiveKind::allgather, network);
  EXPECT_EQ(phase_load(verified, network, 2).messages, 4);
  EXPECT_THROW(phase_load(verified, network, 3), InvalidInput);
}

}  // namespace
}  // namespace weft::schedule
