// Hierarchical collectives on boxes with rails: exact costs, and who sends to whom.
#include "weft/algorithm/groups/hierarchical.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using test::on;

const std::string kRails = "file:" + test::source_dir() + "/examples/gpu-rails.json";

const LocalGroups kScattered = {{Rank(5), Rank(0), Rank(3)}, {Rank(1), Rank(4), Rank(2)}};

// 4 boxes of 8 cards, 450 GB/s to the box and 50 GB/s to the rail, so B is 500 GB/s. The loads of
// s segments meet on no link but in time: the rail's 3 steps of a broadcast, and its one of an
// all-to-all, follow each other.
TEST(Hierarchical, costs_on_boxes_with_rails_what_its_links_carry) {
  const Network network = on(kRails);
  const auto factor = [&](const Collective& collective, std::int64_t segments) {
    const Schedule schedule =
        build_schedule("hierarchical", collective, &network, {.values = {{"segments", segments}}});
    return schedule::cost(schedule::verify_own(schedule, &network.topology()), network)
        .bandwidth_factor;
  };
  // 28 of 32 blocks into the box, 24 onto the rail.
  const Rational box = Rational(28, 32) * Rational(500, 450), rail = Rational(24, 32) * 10;
  for (const std::int64_t s : {1, 2, 64})
    EXPECT_EQ(factor(schedule::alltoall(32), s), rail + box / Rational(s)) << s;
  // A segment: dealt to 7, M over the root's link to its box; three steps of M/8 on the rails, the
  // longest in these; the last box's 7/8 M.
  EXPECT_EQ(factor(schedule::broadcast(32, Rank(13)), 1),
            Rational(10, 9) + Rational(30, 8) + Rational(7, 8) * Rational(10, 9));
  // The least that crosses into a box is M over 8 rails: 10/8. Many segments come near that.
  EXPECT_LT(factor(schedule::broadcast(32, Rank(13)), 1024), Rational(5, 4) * Rational(101, 100));
  EXPECT_GT(factor(schedule::broadcast(32, Rank(13)), 1024), Rational(5, 4));
}

// Card j of each box is on rail j, whatever rank it is: no message crosses the spine.
TEST(Hierarchical, stays_in_boxes_and_on_rails_wherever_ranks_are_placed) {
  for (const char* policy : {"linear", "random", "round-robin"}) {
    const Network network = on(kRails, {.policy = policy, .seed = 3});
    for (const CollectiveKind kind : find_algorithm("hierarchical").collectives) {
      const Schedule schedule = schedule::expand_symmetry(
          build_schedule("hierarchical", {.kind = kind, .ranks = 32, .root = Rank(5)}, &network));
      EXPECT_TRUE(schedule::verify(schedule));
      const auto card = [&](Agent agent) {
        return network.placement().nodes[agent.index()].value();
      };
      for (std::int64_t m = 0; m < schedule.stored_messages(); ++m) {
        const auto from = card(schedule.message(m).from), to = card(schedule.message(m).to);
        EXPECT_TRUE(from / 8 == to / 8 || from % 8 == to % 8) << policy << from << " to " << to;
      }
    }
  }
}

TEST(Hierarchical, serves_any_equal_groups) {
  for (const int root : {0, 1, 5})
    for (const std::int64_t segments : {1, 4})
      for (const Schedule& schedule : {hierarchical_broadcast(kScattered, Rank(root), segments),
                                       hierarchical_reduce(kScattered, Rank(root), segments),
                                       hierarchical_scatter(kScattered, Rank(root), segments),
                                       hierarchical_gather(kScattered, Rank(root), segments),
                                       hierarchical_alltoall(kScattered, segments)})
        EXPECT_EQ(test::execute(schedule).violation, "") << root;
  EXPECT_THROW(hierarchical_alltoall({{Rank(0)}, {Rank(1), Rank(2)}}), InvalidInput);
  EXPECT_THROW(hierarchical_alltoall({{Rank(0)}, {Rank(0)}}), InvalidInput);
  EXPECT_THROW(hierarchical_broadcast(kScattered, Rank(6)), InvalidInput);
  EXPECT_THROW(hierarchical_broadcast(kScattered, Rank(0), 0), InvalidInput);
}

// Groups in a row are translated onto each other: rank 0's messages stand for all.
TEST(Hierarchical, stores_one_rank_of_consecutive_groups) {
  const Schedule stored = hierarchical_alltoall(consecutive_groups(32, 8));
  EXPECT_EQ(stored.stored_messages(), 7 + 3);
  EXPECT_EQ(stored.message_count(), 32 * (7 + 3));
  EXPECT_EQ(hierarchical_alltoall(kScattered).stored_messages(), 6 * (2 + 1));
}

// On two dimensions of a Hamming network the exchange is that of do.
TEST(Hierarchical, is_not_compared_where_it_is_dimension_order) {
  const auto compared = [](const char* expression, const AlgorithmOptions& options) {
    const Network network = on(expression);
    const auto found = applicable(schedule::alltoall(network.ranks()), &network, options);
    return std::ranges::count(found, "hierarchical", &Algorithm::name) == 1;
  };
  EXPECT_FALSE(compared("hamming:4x3", {}));
  EXPECT_TRUE(compared("hamming:4x3", {.values = {{"group", 6}}}));
  EXPECT_TRUE(compared("hamming:4x3x2", {}));
  EXPECT_TRUE(compared("torus:4x3", {}));
  const Network network = on("hamming:4x3");
  const auto price = [&](const char* name) {
    const Schedule schedule = build_schedule(name, schedule::alltoall(12), &network);
    return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
  };
  EXPECT_EQ(price("hierarchical").bandwidth_factor, price("do").bandwidth_factor);
  EXPECT_EQ(price("hierarchical").messages, price("do").messages);
}

// One switch shows no groups. Rows are made for sums alone, and a power of two of them.
TEST(Hierarchical, makes_rows_on_one_switch_where_sums_take_time) {
  const auto groups = [](int hosts, std::int64_t reduce_Bps, CollectiveKind kind) -> std::string {
    Network network = on("xgft:1;" + std::to_string(hosts) + ";1");
    network = network.with_host({.reduce_bandwidth_Bps = reduce_Bps});
    const Collective collective{.kind = kind, .ranks = hosts};
    if (misfit(find_algorithm("hierarchical"), {collective, &network, {}})) return "none";
    const Schedule built = build_schedule("hierarchical", collective, &network);
    schedule::verify_own(built, &network.topology());
    const std::string name = built.algorithm();
    return name.substr(0, name.find(','));
  };
  constexpr std::int64_t kRate = 10'000'000'000;
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::reduce_scatter}) {
    EXPECT_EQ(groups(8, kRate, kind), "hierarchical(group=2");
    EXPECT_EQ(groups(12, kRate, kind), "hierarchical(group=3");
    EXPECT_EQ(groups(14, kRate, kind), "hierarchical(group=7");
    EXPECT_EQ(groups(15, kRate, kind), "none");
    EXPECT_EQ(groups(2, kRate, kind), "none");
    EXPECT_EQ(groups(8, 0, kind), "none");
  }
  EXPECT_EQ(groups(8, kRate, CollectiveKind::allgather), "none");
}

}  // namespace
}  // namespace weft::algorithm
