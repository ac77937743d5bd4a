#include "weft/schedule/verify.hpp"

#include <gtest/gtest.h>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::schedule {
namespace {

// Ring allgather with all messages written out: step t passes on the block that arrived last.
Schedule plain_ring_allgather(int n) {
  ScheduleBuilder builder(allgather(n));
  for (int t = 0; t < n - 1; ++t)
    for (const Rank r : ids<Rank>(n))
      builder.at(t).send(r, Rank(mod(r.value() + 1, n)), builder.block(mod(r.value() - t, n)));
  return std::move(builder).build();
}

// The same as a shift pattern: only rank 0's messages.
Schedule symmetric_ring_allgather(int n) {
  ScheduleBuilder builder(allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  return std::move(builder).build();
}

TEST(Verify, accepts_a_ring_allgather_in_both_forms) {
  for (int n = 2; n < 20; ++n) {
    EXPECT_TRUE(verify(plain_ring_allgather(n)));
    EXPECT_TRUE(verify(symmetric_ring_allgather(n)));
    EXPECT_TRUE(verify(transpose(symmetric_ring_allgather(n))));
    EXPECT_TRUE(verify(transpose(plain_ring_allgather(n))));
    const auto both =
        concatenate(transpose(symmetric_ring_allgather(n)), symmetric_ring_allgather(n));
    const auto result = verify(both);
    ASSERT_TRUE(result) << result.fault().text;
    // The ring reduces round the corner, where the ranks are no interval, from 3 ranks on.
    EXPECT_EQ(result->facts().keeps_order, n <= 2);
    EXPECT_TRUE(result->facts().overwrites);
  }
}

TEST(Verify, expanding_the_symmetry_gives_the_plain_schedule) {
  EXPECT_EQ(expand_symmetry(symmetric_ring_allgather(7)), plain_ring_allgather(7));
}

TEST(Verify, rejects_data_sent_before_it_is_held) {
  ScheduleBuilder builder(allgather(3));
  builder.at(0).send(Rank(0), Rank(1), builder.block(2));
  const auto result = verify(std::move(builder).build());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.fault().step, 0);
  EXPECT_EQ(result.fault().unit, 2);
  EXPECT_NE(result.fault().text.find("before it has the unit"), std::string::npos);
}

TEST(Verify, sends_read_the_state_before_the_step) {
  // Rank 1 may pass on in step 1 what arrives in step 0, not in step 0.
  for (const int step : {0, 1}) {
    ScheduleBuilder builder(broadcast(3));
    builder.at(0).send(Rank(0), Rank(1), builder.everything());
    builder.at(step).send(Rank(1), Rank(2), builder.everything());
    EXPECT_EQ(static_cast<bool>(verify(std::move(builder).build())), step == 1);
  }
}

TEST(Verify, rejects_a_contribution_counted_twice) {
  ScheduleBuilder builder(reduce(2));
  builder.at(0).send(Rank(1), Rank(0), builder.everything(), Arrival::reduce);
  builder.at(1).send(Rank(1), Rank(0), builder.everything(), Arrival::reduce);
  const auto result = verify(std::move(builder).build());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.fault().step, 1);
  EXPECT_NE(result.fault().text.find("rank 1"), std::string::npos) << result.fault().text;
}

TEST(Verify, rejects_a_lost_contribution) {
  ScheduleBuilder builder(reduce(3));
  builder.at(0).send(Rank(1), Rank(0), builder.everything(), Arrival::reduce);
  const auto result = verify(std::move(builder).build());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.fault().step, 1);  // the end state
  EXPECT_NE(result.fault().text.find("lacks the contribution of rank 2"), std::string::npos);
}

TEST(Verify, rejects_a_copy_beside_another_landing) {
  ScheduleBuilder builder(broadcast(2));
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  builder.at(0).send(Rank(0), Rank(1), builder.block(1));
  EXPECT_FALSE(verify(std::move(builder).build()));
}

TEST(Verify, many_pieces_nested_in_one_another_are_judged_piece_by_piece) {
  // 60,000 pieces, each inside the one before: comparing all pairs would take minutes.
  constexpr std::int64_t kPieces = 60000;
  std::vector<Piece> nested;
  for (std::int64_t i = 0; i < kPieces; ++i) nested.push_back({i, 2 * kPieces - 2 * i});
  for (const Arrival arrival : {Arrival::reduce, Arrival::copy}) {
    ScheduleBuilder builder(reduce(2, Rank(0)), {.units_per_block = kPieces});
    builder.at(0).send(Rank(1), Rank(0), nested, arrival);
    const auto result = verify(std::move(builder).build());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.fault().message, 0);
    EXPECT_EQ(result.fault().unit, 1);  // unit 0 is in the first piece only
  }
}

TEST(Verify, refuses_to_follow_more_blocks_than_fit_in_memory) {
  // One piece over the 2^40 blocks that a symmetric all-to-all of 2^20 ranks has.
  constexpr int kRanks = 1 << 20;
  ScheduleBuilder builder(alltoall(kRanks), {.symmetry = Symmetry::translations({kRanks})});
  builder.at(0).send(Rank(0), Rank(1), Piece{0, std::int64_t{kRanks} * kRanks});
  EXPECT_THROW(static_cast<void>(verify(std::move(builder).build())), InvalidInput);
}

TEST(Verify, several_reductions_may_land_in_one_step) {
  ScheduleBuilder builder(reduce(4));
  for (const int r : {1, 2, 3})
    builder.at(0).send(Rank(r), Rank(0), builder.everything(), Arrival::reduce);
  const auto result = verify(std::move(builder).build());
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->facts().keeps_order);  // {0} + {1} + {2} + {3}
}

TEST(Verify, order_is_lost_when_an_operand_is_no_interval) {
  ScheduleBuilder builder(reduce(4));
  builder.at(0).send(Rank(2), Rank(0), builder.everything(), Arrival::reduce);  // {0, 2}
  builder.at(1).send(Rank(1), Rank(0), builder.everything(), Arrival::reduce);
  builder.at(2).send(Rank(3), Rank(0), builder.everything(), Arrival::reduce);
  const auto result = verify(std::move(builder).build());
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->facts().keeps_order);
}

TEST(Verify, rejects_agents_pieces_and_routes_out_of_range) {
  {
    ScheduleBuilder builder(broadcast(2));
    builder.at(0).send(Rank(0), Rank(5), builder.everything());
    EXPECT_FALSE(verify(std::move(builder).build()));
  }
  {
    ScheduleBuilder builder(broadcast(2));
    builder.at(0).send(Rank(0), Rank(1), Piece{1, INT64_MAX});
    EXPECT_FALSE(verify(std::move(builder).build()));
  }
  {
    ScheduleBuilder builder(allgather(2), {.symmetry = Symmetry::translations({2})});
    builder.at(0).send(Rank(1), Rank(0), builder.block(1));
    EXPECT_FALSE(verify(std::move(builder).build()));
  }
}

TEST(Verify, follows_explicit_routes_link_by_link) {
  TopologyBuilder wires(3);  // a path 0 - 1 - 2
  wires.add_cable(NodeId(0), NodeId(1));
  wires.add_cable(NodeId(1), NodeId(2));
  const Topology path = std::move(wires).build({});
  const LinkId first = *path.find_link(NodeId(0), NodeId(1)),
               second = *path.find_link(NodeId(1), NodeId(2));
  const std::vector<NodeId> nodes{NodeId(0), NodeId(1), NodeId(2)};
  const auto with_route = [&](std::vector<LinkId> links) {
    ScheduleBuilder builder(point_to_point(3, Rank(0), Rank(2)),
                            {.binding = {.topology = "path", .hash = path.hash(), .nodes = nodes}});
    const RouteId route = builder.add_route(links);
    builder.at(0).send(Rank(0), Rank(2), builder.everything(), Arrival::copy, route);
    return std::move(builder).build();
  };
  EXPECT_TRUE(verify(with_route({first, second}), &path));
  EXPECT_FALSE(verify(with_route({first}), &path));
  EXPECT_FALSE(verify(with_route({second}), &path));
  EXPECT_FALSE(verify(with_route({first, LinkId(99)}), &path));
  EXPECT_THROW(static_cast<void>(verify(with_route({first, second}))), InvalidInput);
}

TEST(Verify, helpers_forward_and_need_nothing) {
  ScheduleBuilder builder(point_to_point(2, Rank(0), Rank(1)), {.helpers = 1});
  builder.at(0).send(Rank(0), Agent(2), builder.everything());
  builder.at(1).send(Agent(2), Rank(1), builder.everything());
  EXPECT_TRUE(verify(std::move(builder).build()));
}

TEST(Merge, splits_every_block_by_the_shares) {
  // Two one-way rings in opposite directions, two thirds and one third of the data.
  const int n = 5;
  ScheduleBuilder other(allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) other.at(t).send(Rank(0), Rank(n - 1), other.block(t));
  const std::vector<Share> shares{{symmetric_ring_allgather(n), {2, 3}},
                                  {std::move(other).build(), {1, 3}}};
  const Schedule both = merge(shares);
  EXPECT_EQ(both.units_per_block(), 3);
  EXPECT_EQ(both.stored_steps(), n - 1);
  EXPECT_TRUE(verify(both));
  EXPECT_TRUE(verify(expand_symmetry(both)));
}

TEST(Relabel, keeps_a_schedule_right) {
  const int n = 6;
  std::vector<Agent> image;
  for (int r = 0; r < n; ++r) image.emplace_back((5 * r + 2) % n);
  EXPECT_TRUE(verify(relabel(symmetric_ring_allgather(n), image)));
  image[0] = image[1];
  EXPECT_THROW(relabel(symmetric_ring_allgather(n), image), InvalidInput);
}

// Ranks 0 to 2 and a helper, 3, on whose units all reductions land at once: the first in message
// order is a copy, of all three units, the others are reductions.
TEST(Verify, takes_the_first_reduction_on_an_empty_helper_for_a_copy) {
  ScheduleBuilder builder(allreduce(3), {.helpers = 1});
  for (int r = 0; r < 3; ++r)
    builder.at(0).send(Agent(r), Agent(3), builder.everything(), Arrival::reduce);
  for (int r = 0; r < 3; ++r) builder.at(1).send(Agent(3), Agent(r), builder.everything());
  const auto result = verify(std::move(builder).build());
  ASSERT_TRUE(result) << result.fault().text;
  const VerifiedFacts& facts = result->facts();
  ASSERT_NE(facts.kept_units, nullptr);
  EXPECT_EQ(*facts.kept_units, (std::vector<std::int64_t>{3, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(facts.keeps_order);
}

// Rank 1's message lands on unit 0, which is empty, and on unit 1, where rank 0's is.
TEST(Verify, tells_the_units_of_a_message_apart_that_a_helper_keeps) {
  ScheduleBuilder builder(allreduce(2), {.helpers = 1});
  builder.at(0).send(Agent(0), Agent(2), builder.block(1), Arrival::reduce);
  builder.at(1).send(Agent(1), Agent(2), builder.everything(), Arrival::reduce);
  builder.at(2).send(Agent(0), Agent(2), builder.block(0), Arrival::reduce);
  for (int r = 0; r < 2; ++r) builder.at(3).send(Agent(2), Agent(r), builder.everything());
  const auto result = verify(std::move(builder).build());
  ASSERT_TRUE(result) << result.fault().text;
  EXPECT_EQ(*result->facts().kept_units, (std::vector<std::int64_t>{1, 1, 0, 0, 0}));
}

TEST(Verify, rejects_reductions_on_helpers_that_no_switch_could_do) {
  const auto fault_of = [](const Collective& collective, const std::vector<Arrival>& arrivals) {
    ScheduleBuilder builder(collective, {.helpers = 1});
    for (const Arrival arrival : arrivals)
      builder.at(0).send(Agent(0), Agent(2), builder.block(0), arrival);
    return verify(std::move(builder).build()).fault().text;
  };
  const auto says = [](const std::string& fault, const char* what) {
    return fault.find(what) != std::string::npos;
  };
  using enum Arrival;
  EXPECT_TRUE(says(fault_of(allreduce(2), {reduce, reduce}), "counted twice"));
  EXPECT_TRUE(
      says(fault_of(allreduce(2), {reduce, copy}), "a copy and another message arrive at unit"));
  EXPECT_TRUE(says(fault_of(allgather(2), {reduce}), "which has no value to combine"));
}

// Of a rank that holds nothing a reduction is a mistake.
TEST(Verify, rejects_reductions_on_ranks_that_hold_nothing) {
  ScheduleBuilder builder(allgather(2), {.helpers = 1});
  builder.at(0).send(Agent(0), Agent(1), builder.block(0), Arrival::reduce);
  const auto result = verify(std::move(builder).build());
  ASSERT_FALSE(result);
  EXPECT_NE(result.fault().text.find("which has no value to combine"), std::string::npos);
}

}  // namespace
}  // namespace weft::schedule
