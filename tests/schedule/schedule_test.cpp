// What the builder refuses, and what joining and relabelling do with explicit routes.
#include "weft/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "weft/base/error.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

constexpr int kRanks = 4;

TEST(Collective, buffers_have_all_blocks_of_one_rank) {
  EXPECT_EQ(alltoall(8).buffer_bytes(10), 80);
  EXPECT_EQ(allgather(8).buffer_bytes(10), 80);
  EXPECT_EQ(allreduce(8).buffer_bytes(80), 80);
}

// Link v leads from node v to node v + 1.
Topology one_way_ring() {
  TopologyBuilder wires(kRanks);
  for (int v = 0; v < kRanks; ++v) wires.add_link(NodeId(v), NodeId((v + 1) % kRanks));
  return std::move(wires).build({});
}

// A broadcast from rank 0 along the ring, each message over the link named in it.
Schedule routed_broadcast(const Topology& ring) {
  Binding binding{.topology = "ring", .hash = ring.hash(), .nodes = {}};
  for (int v = 0; v < kRanks; ++v) binding.nodes.emplace_back(v);
  ScheduleBuilder builder(broadcast(kRanks), {.binding = binding});
  for (int v = 0; v + 1 < kRanks; ++v) {
    const std::vector<LinkId> path{*ring.find_link(NodeId(v), NodeId(v + 1))};
    builder.at(v).send(Rank(v), Rank(v + 1), builder.everything(), Arrival::copy,
                       builder.add_route(path));
  }
  return std::move(builder).build();
}

std::vector<Agent> turned(int by) {
  std::vector<Agent> image;
  for (int r = 0; r < kRanks; ++r) image.emplace_back((r + by) % kRanks);
  return image;
}

TEST(ScheduleBuilder, forgets_a_root_and_a_peer_that_mean_nothing) {
  const auto built = [](CollectiveKind kind) {
    return ScheduleBuilder({.kind = kind, .ranks = 4, .root = Rank(2), .peer = Rank(3)})
        .collective();
  };
  EXPECT_EQ(built(CollectiveKind::allgather), allgather(4));
  EXPECT_EQ(built(CollectiveKind::broadcast), broadcast(4, Rank(2)));
  EXPECT_EQ(built(CollectiveKind::point_to_point), point_to_point(4, Rank(2), Rank(3)));
}

TEST(ScheduleBuilder, rejects_options_out_of_range) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(ScheduleBuilder(broadcast(2), {.helpers = -1}), InvalidInput);
  EXPECT_THROW(ScheduleBuilder(broadcast(2), {.helpers = kMost - 1}), InvalidInput);
  EXPECT_NO_THROW(ScheduleBuilder(broadcast(2), {.helpers = kMost - 2}));
  EXPECT_THROW(ScheduleBuilder(broadcast(2), {.segments = {.count = 0}}), InvalidInput);
  EXPECT_THROW(ScheduleBuilder(broadcast(2), {.segments = {.count = 2, .stride = 0}}),
               InvalidInput);
  // (count - 1) * stride must fit in 64 bits.
  EXPECT_THROW(
      ScheduleBuilder(broadcast(2), {.segments = {.count = 3, .stride = INT64_MAX / 2 + 1}}),
      InvalidInput);
}

// Steps are stored in 32 bits: 2^32 + 1 must not become step 1, nor -5 step 0.
TEST(ScheduleBuilder, rejects_steps_out_of_range) {
  constexpr std::int64_t kOne = 1;
  for (const std::int64_t step : {-kOne, -5 * kOne, kOne << 31, (kOne << 31) - 1, (kOne << 32) + 1,
                                  INT64_MAX, INT64_MIN, kOne << 26}) {
    ScheduleBuilder builder(broadcast(2));
    EXPECT_THROW(builder.at(step).send(Agent(0), Agent(1), builder.everything()), InvalidInput)
        << step;
    EXPECT_EQ(std::move(builder).build().message_count(), 0) << step;
  }
  ScheduleBuilder builder(broadcast(2));
  builder.at(7).send(Agent(0), Agent(1), builder.everything());
  EXPECT_EQ(std::move(builder).build().steps(), 8);
}

// A file of a few bytes would else have simulations walk through 2^31 steps, nearly all empty.
TEST(ScheduleBuilder, rejects_segments_too_far_apart) {
  constexpr std::int64_t kMost = std::int64_t{1} << 22;
  const auto segments = [](std::int64_t count, std::int64_t stride) {
    return ScheduleOptions{.segments = {.count = count, .stride = stride}};
  };
  EXPECT_THROW(ScheduleBuilder(broadcast(2), segments(2, INT32_MAX)), InvalidInput);
  EXPECT_THROW(ScheduleBuilder(broadcast(2), segments(kMaxSegments, 5)), InvalidInput);
  EXPECT_THROW(ScheduleBuilder(broadcast(2), segments(2, kMost + 1)), InvalidInput);
  EXPECT_NO_THROW(ScheduleBuilder(broadcast(2), segments(2, kMost)));
  EXPECT_NO_THROW(ScheduleBuilder(broadcast(2), segments(kMaxSegments, 2)));
  const Schedule apart = ScheduleBuilder(broadcast(2), segments(1, INT32_MAX)).build();
  EXPECT_THROW(static_cast<void>(apart.with_segments({.count = 2, .stride = INT32_MAX})),
               InvalidInput);
}

TEST(Relabel, without_link_images_renames_agents_where_they_are) {
  const Topology ring = one_way_ring();
  const Schedule renamed = relabel(routed_broadcast(ring), turned(1));
  EXPECT_EQ(renamed.collective().root, Rank(1));
  EXPECT_EQ(renamed.binding().nodes[1], NodeId(0));  // still where rank 0 was
  EXPECT_TRUE(verify(renamed, &ring));
}

TEST(Relabel, with_link_images_moves_the_schedule_over_the_network) {
  const Topology ring = one_way_ring();
  std::vector<LinkId> link_image(kRanks);
  for (int v = 0; v < kRanks; ++v)
    link_image[ring.find_link(NodeId(v), NodeId((v + 1) % kRanks))->index()] =
        *ring.find_link(NodeId((v + 1) % kRanks), NodeId((v + 2) % kRanks));
  const Schedule moved = relabel(routed_broadcast(ring), turned(1), link_image);
  EXPECT_EQ(moved.binding().nodes[1], NodeId(1));
  EXPECT_TRUE(verify(moved, &ring));
}

TEST(Relabel, rejects_a_link_without_an_image) {
  const Topology ring = one_way_ring();
  const std::vector<LinkId> too_few{LinkId(1)};
  EXPECT_THROW(relabel(routed_broadcast(ring), turned(1), too_few), InvalidInput);
}

TEST(Joining, rejects_routes_of_another_placement) {
  const Topology ring = one_way_ring();
  const Schedule down = routed_broadcast(ring);
  const Schedule elsewhere = relabel(relabel(down, turned(1)), turned(kRanks - 1));
  ASSERT_EQ(elsewhere.binding(), down.binding());  // there and back
  const std::vector<Share> same{{down, {1, 2}}, {elsewhere, {1, 2}}};
  EXPECT_TRUE(verify(merge(same), &ring));

  Binding other = down.binding();
  std::swap(other.nodes[0], other.nodes[1]);
  const std::vector<Share> different{{down, {1, 2}}, {down.with_binding(other), {1, 2}}};
  EXPECT_THROW(merge(different), InvalidInput);

  ScheduleBuilder gathering(gather(kRanks), {});
  for (int r = 1; r < kRanks; ++r) gathering.at(0).send(Rank(r), Rank(0), gathering.block(r));
  EXPECT_THROW(concatenate(std::move(gathering).build(), down), InvalidInput);
}

}  // namespace
}  // namespace weft::schedule
