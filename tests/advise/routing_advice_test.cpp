#include "weft/advise/routing_advice.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/routing_work.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::advise {
namespace {

constexpr std::int64_t kSize_B = 1 << 20;

Verified exchange(const Network& network) {
  return schedule::verify_own(
      algorithm::build_schedule("spread", {CollectiveKind::alltoall, network.ranks()}, &network));
}

// 8 hosts of a leaf send 24 blocks each to others: 192 over one spine's cable, or 48 over each of
// four. Latencies are some us of milliseconds.
TEST(RoutingAdvice, tells_how_much_faster_the_other_routing_is) {
  const Network network = test::on("xgft:2;8,4;1,4", {}, "shortest");
  const Verified verified = exchange(network);
  const auto note = schedule::routing_note(verified.schedule(), network);
  ASSERT_TRUE(note);
  const auto advice = advise(*note, {.verified = verified, .size_B = kSize_B}, network, {});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->note.helps, "d-mod-k");
  EXPECT_NEAR(advice->speedup, 4, 0.02);
  EXPECT_NE(text_of(*advice).find("--routing d-mod-k reduces it: "), std::string::npos);
  EXPECT_NE(text_of(*advice).find(" times as fast at 1MiB"), std::string::npos);
  const auto priced = advise(*note, verified, network);
  ASSERT_TRUE(priced);
  EXPECT_DOUBLE_EQ(priced->speedup, 4);  // T_B is exact
}

// Of packets the flows are timed, which know no other traffic.
TEST(RoutingAdvice, is_timed_without_the_packets_background) {
  const Network network = test::on("xgft:2;8,4;1,4", {}, "shortest");
  const Verified verified = exchange(network);
  const auto note = schedule::routing_note(verified.schedule(), network);
  ASSERT_TRUE(note);
  simulation::SimulationOptions packets;
  packets.model = simulation::Model::packet;
  packets.background.traffic = "uniform";
  const auto advice = advise(*note, {.verified = verified, .size_B = kSize_B}, network, packets);
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->speedup, 4, 0.02);
}

// The busiest link may carry more than it need without being waited for: d-mod-k is as fast here as
// any, whatever a note names.
TEST(RoutingAdvice, is_none_where_time_says_no) {
  const Network network = test::on("xgft:2;8,4;1,4", {}, "d-mod-k");
  const Verified verified = exchange(network);
  const schedule::RoutingNote note{.factor = 2, .routing = "d-mod-k", .helps = "shortest"};
  EXPECT_FALSE(advise(note, {.verified = verified, .size_B = kSize_B}, network, {}));
  EXPECT_FALSE(advise(note, verified, network));
}

// Where the named one does not help and the split does, the split is named: the default may be no
// better than what is used.
TEST(RoutingAdvice, names_the_split_where_only_that_helps) {
  const Network network = test::on("xgft:2;8,4;1,4", {}, "shortest");
  const Verified verified = exchange(network);
  const schedule::RoutingNote note{.factor = 4, .routing = "shortest", .helps = "shortest"};
  const auto advice = advise(note, {.verified = verified, .size_B = kSize_B}, network, {});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->note.helps, "shortest-split");
}

// 4,913 ranks with 4,912 messages each in one step: 2.4e7 messages at 32 are above 2^27. So are
// those of 2,100 ranks, but round a ring one rank's stand for all.
TEST(RoutingAdvice, says_which_steps_are_too_large_for_a_note) {
  const Network large = test::on("torus:17x17x17", {}, "auto");
  const auto spread = [](const Network& network) {
    return algorithm::build_schedule("spread", {CollectiveKind::alltoall, network.ranks()},
                                     &network);
  };
  EXPECT_FALSE(schedule::judges_routing(spread(large), large));
  const Network ring = test::on("ring:2100", {}, "auto");
  EXPECT_TRUE(schedule::judges_routing(spread(ring), ring));
  const Network small = test::on("torus:4x4", {}, "auto");
  EXPECT_TRUE(schedule::judges_routing(spread(small), small));
}

}  // namespace
}  // namespace weft::advise
