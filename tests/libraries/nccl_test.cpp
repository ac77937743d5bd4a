// What NCCL chooses, by its own cost model, and how long that takes when simulated.
#include "weft/libraries/nccl.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/setup.hpp"
#include "weft/libraries/baseline.hpp"
#include "weft/libraries/box_trees.hpp"
#include "weft/libraries/card_rings.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::libraries {
namespace {

using enum schedule::CollectiveKind;
using enum GpuGeneration;

GpuBoxes boxes_of(std::int32_t boxes, std::int32_t per_box, GpuGeneration generation) {
  const bool is_new = generation >= hopper;
  return {.generation = generation,
          .boxes = boxes,
          .per_box = per_box,
          .cards = per_box,
          .card_Bps = is_new ? 50'000'000'000 : 25'000'000'000,
          .nvlink_Bps = is_new ? 450'000'000'000 : 300'000'000'000,
          .has_nvswitch = true};
}

struct Golden {
  std::int32_t boxes, per_box;
  GpuGeneration generation;
  CollectiveKind collective;
  std::int64_t total_B;
  const char* choice;
  double time_us;
};

// Computed from NCCL 2.30.7's tuning.cc and search.cc, apart from this code, for an Intel host; the
// whole buffer of an allgather.
TEST(Nccl, chooses_as_its_cost_model_does) {
  constexpr std::int64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi;
  const std::vector<Golden> rows{
      {1, 8, hopper, allreduce, 8 * kKi, "Ring LL", 15.1},
      {1, 8, hopper, allreduce, kMi, "Ring LL", 28.0},
      {1, 8, hopper, allreduce, 16 * kMi, "NVLS Simple", 86.7},
      {1, 8, hopper, allreduce, kGi, "NVLS Simple", 3973},
      {1, 8, hopper, allgather, 8 * kKi, "Ring LL", 10.9},
      {1, 8, hopper, allgather, kMi, "Ring LL", 17.3},
      {1, 8, hopper, allgather, 16 * kMi, "Ring LL128", 71.6},
      {1, 8, hopper, allgather, kGi, "Ring Simple", 2642},
      {2, 8, hopper, allreduce, 8 * kKi, "Tree LL", 25.9},
      {2, 8, hopper, allreduce, 220 * kKi, "Ring LL", 0},
      {2, 8, hopper, allreduce, kMi, "Tree LL128", 62.5},
      {2, 8, hopper, allreduce, 16 * kMi, "NVLSTree Simple", 134.9},
      {2, 8, hopper, allreduce, kGi, "NVLSTree Simple", 4428},
      {4, 8, hopper, allreduce, 8 * kKi, "Tree LL", 36.5},
      {4, 8, hopper, allreduce, kMi, "Tree LL128", 83.2},
      {4, 8, hopper, allreduce, 16 * kMi, "NVLSTree Simple", 197.9},
      {4, 8, hopper, allreduce, kGi, "Ring Simple", 5814},
      {4, 8, hopper, allgather, 8 * kKi, "Ring LL", 43.1},
      {4, 8, hopper, allgather, kMi, "Ring LL128", 82.7},
      {4, 8, hopper, allgather, kGi, "Ring Simple", 2854},
      {16, 8, hopper, allreduce, 8 * kKi, "Tree LL", 56.5},
      {16, 8, hopper, allreduce, kMi, "Tree LL128", 117.2},
      {16, 8, hopper, allreduce, kGi, "NVLSTree Simple", 6046},
      {16, 8, hopper, allgather, kGi, "Ring Simple", 3374},
      {1, 8, ampere, allreduce, 8 * kKi, "Ring LL", 15.2},
      {1, 8, ampere, allreduce, kMi, "Ring LL", 35.9},
      {1, 8, ampere, allreduce, 16 * kMi, "Ring LL128", 173.6},
      {1, 8, ampere, allreduce, kGi, "Ring Simple", 7885},
      {8, 1, hopper, allgather, 8 * kKi, "Ring LL", 42.0},
      {8, 1, hopper, allgather, kMi, "PAT Simple", 71.5},
      {8, 1, hopper, allgather, 16 * kMi, "Ring LL128", 405.9},
      {8, 1, hopper, allgather, kGi, "Ring Simple", 19680},
      {64, 1, hopper, allgather, 8 * kKi, "PAT Simple", 211.4},
      {64, 1, hopper, allgather, 16 * kMi, "PAT Simple", 677.2},
      {64, 1, hopper, allgather, kGi, "Ring Simple", 22911},
  };
  for (const Golden& row : rows) {
    SCOPED_TRACE(fmt::format("{} x {} {} {} B", row.boxes, row.per_box, name_of(row.collective),
                             row.total_B));
    LibraryCall call{.collective = row.collective,
                     .ranks = row.boxes * row.per_box,
                     .nodes = row.boxes,
                     .per_node = row.per_box};
    call.size_B = row.collective == allgather ? row.total_B / call.ranks : row.total_B;
    call.gpus = boxes_of(row.boxes, row.per_box, row.generation);
    EXPECT_EQ(choose("nccl", call).native, row.choice);
    const auto all = nccl_estimates(call);
    const double least = std::ranges::min_element(all, {}, &NcclEstimate::time_us)->time_us;
    if (row.time_us > 0) {
      EXPECT_NEAR(least, row.time_us, row.time_us < 1000 ? 0.06 : 0.6);
    }
  }
}

// Public logs: 12 rings of 30 GB/s and 8 heads of 40 in a box of H100 (nccl issue 1197), 8 rings of
// 48 and 16 channels over two boxes. The others follow from the search's rules.
TEST(Nccl, finds_the_channels_that_logs_show) {
  const NcclSearch one = nccl_search(boxes_of(1, 8, hopper));
  EXPECT_EQ(one.channels, 12);
  EXPECT_EQ(one.inside, 30);
  EXPECT_EQ(one.heads, 8);
  EXPECT_EQ(one.head_inside, 40);
  EXPECT_EQ(one.in_use, 24);
  const NcclSearch two = nccl_search(boxes_of(2, 8, hopper));
  EXPECT_EQ(two.channels, 8);
  EXPECT_EQ(two.outside, 48);
  EXPECT_EQ(two.in_use, 16);
  EXPECT_EQ(nccl_search(boxes_of(4, 8, ampere)).outside, 24);
  EXPECT_EQ(nccl_search(boxes_of(8, 1, hopper)).channels, 2);
  EXPECT_EQ(nccl_search(boxes_of(8, 1, hopper)).outside, 24);
}

// By search.cc and connect.cc, channel 0 of two boxes of 8 is 0 7 6 5 4 3 2 1 9 10 11 12 13 14
// 15 8.
TEST(Nccl, lays_rings_along_rails) {
  NodeRanks boxes(2);
  for (std::int32_t r = 0; r < 16; ++r) boxes[r / 8].push_back(Rank(r));
  const auto rings = card_rings(boxes, 8);
  std::vector<int> first;
  for (const Rank rank : rings[0]) first.push_back(rank.value());
  EXPECT_EQ(first, (std::vector{0, 7, 6, 5, 4, 3, 2, 1, 9, 10, 11, 12, 13, 14, 15, 8}));
  std::array<int, 8> crossings{};  // of each rail
  for (const auto& ring : rings)
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const int from = ring[i].value(), to = ring[(i + 1) % ring.size()].value();
      if (from / 8 == to / 8) continue;
      EXPECT_EQ(from % 8, to % 8);
      ++crossings[from % 8];
    }
  EXPECT_EQ(crossings, (std::array<int, 8>{2, 2, 2, 2, 2, 2, 2, 2}));
  for (const CollectiveKind kind : {allgather, reduce_scatter, allreduce})
    EXPECT_TRUE(schedule::verify(on_rings({.kind = kind, .ranks = 16}, rings)));
}

// By trees.cc box 0 has one child, the largest power of two below n, and
// the depth is the logarithm of n, rounded up. The second tree mirrors even numbers and shifts odd
// ones.
TEST(Nccl, has_two_trees_over_boxes) {
  EXPECT_EQ(box_tree(4, false), (std::vector<std::int32_t>{-1, 2, 0, 2}));
  EXPECT_EQ(box_tree(4, true), (std::vector<std::int32_t>{1, 3, 1, -1}));
  EXPECT_EQ(box_tree(3, false), (std::vector<std::int32_t>{-1, 2, 0}));
  EXPECT_EQ(box_tree(3, true), (std::vector<std::int32_t>{1, -1, 0}));
  for (std::int32_t boxes = 2; boxes <= 70; ++boxes)
    for (const bool second : {false, true}) {
      const auto parent = box_tree(boxes, second);
      EXPECT_EQ(std::ranges::count(parent, -1), 1);
      int deepest = 0;
      for (std::int32_t box = 0; box < boxes; ++box) {
        const auto children = std::ranges::count(parent, box);
        EXPECT_LE(children, parent[box] < 0 ? 1 : 2) << boxes << ' ' << box;
        int depth = 0;
        for (std::int32_t at = parent[box]; at >= 0 && depth <= boxes; at = parent[at]) ++depth;
        deepest = std::max(deepest, depth);
      }
      EXPECT_EQ(deepest, std::bit_width(static_cast<unsigned>(boxes - 1))) << boxes;
    }
}

TEST(Nccl, makes_right_schedules_of_trees) {
  for (const std::int32_t boxes : {2, 3, 4, 5})
    for (const std::int32_t gpus : {1, 2, 4})
      for (const InBox in_box : {InBox::chain, InBox::at_once}) {
        NodeRanks ranks(boxes);
        for (std::int32_t r = 0; r < boxes * gpus; ++r) ranks[r / gpus].push_back(Rank(r));
        const auto proved = schedule::verify(
            on_box_trees(schedule::allreduce(boxes * gpus), ranks, gpus, in_box, 3));
        EXPECT_TRUE(proved) << boxes << " x " << gpus << ": " << proved.fault().text;
      }
}

LibraryBaseline baseline_on(const char* topology, CollectiveKind kind,
                            const std::vector<std::int64_t>& sizes_B) {
  const Network network = test::on(topology, {}, "auto");
  return library_baseline(find_library_rules("nccl"), {.kind = kind, .ranks = network.ranks()},
                          network, sizes_B, {});
}

// On a box of its own the simulated ring takes what the model says: latencies and rates are its.
TEST(Nccl, is_simulated_as_fast_as_modelled_where_nobody_shares_links) {
  const LibraryBaseline baseline =
      baseline_on("network:dgx-h100", allgather, {1024, 1 << 17, 1 << 21, 1 << 27});
  const std::array modelled_us{10.9, 17.3, 71.6, 2642.0};
  for (std::size_t i = 0; i < modelled_us.size(); ++i) {
    EXPECT_FALSE(baseline.rows[i].modelled);
    EXPECT_NEAR(*baseline.rows[i].time_s * 1e6, modelled_us[i], 0.01 * modelled_us[i]);
  }
}

// With as much uplink as downlink of the leaves the trees have the model's rate (computed choices
// of 4 boxes); with a fourth of that, four times the bytes' part: 25 + 4 * 20.9 us are no bytes.
// Four links of 1 us between two boxes take 1.3 us longer than NCCL counts for its four crossings.
TEST(Nccl, feels_links_that_others_share) {
  const char* const full = "boxes(4, network:dgx-h100, leaf-spine:leaves=8,spines=4,hosts=4)";
  const char* const thin = "boxes(4, network:dgx-h100, leaf-spine:leaves=8,spines=1,hosts=4)";
  const LibraryRow alone = baseline_on(full, allreduce, {1 << 20}).rows[0];
  EXPECT_EQ(alone.native, "Tree LL128");
  EXPECT_FALSE(alone.modelled);
  EXPECT_NEAR(*alone.time_s, 83.2e-6 + 4 * 1.3e-6, 0.1e-6);
  const LibraryRow shared = baseline_on(thin, allreduce, {1 << 20}).rows[0];
  const double latency_s = 14e-6 + 2 * (7 * 1.25e-6 + 2 * (8.5e-6 + 1.3e-6));
  EXPECT_NEAR(*shared.time_s - latency_s, 4 * (*alone.time_s - latency_s), 1e-6);
}

// EFA's plugin tells NCCL 75 us a message, which its model adds to each crossing (tuning.cc): base
// 6.8, fourteen steps of 0.6 us within boxes, two crossings of 5 + 75 us. Of large calls NCCL takes
// the tree, which crosses half as often: the cards of a box, 50 GB/s, carry the buffer once.
TEST(Nccl, counts_the_latency_of_a_slow_network) {
  Values said{{"topology", std::string("boxes(2, network:p4de)")},
              {"routing", std::string("auto")}};
  fields::put_beneath(fields::find_machine("p4de"), said);
  const Network network = fields::make_network(said);
  const std::vector<std::int64_t> sizes_B{8, std::int64_t{2} << 30};
  const LibraryBaseline baseline = library_baseline(
      find_library_rules("nccl"), {.kind = allreduce, .ranks = 16}, network, sizes_B, {});
  EXPECT_EQ(baseline.rows[0].native, "Tree LL");
  EXPECT_NEAR(*baseline.rows[0].time_s, 6.8e-6 + 14 * 0.6e-6 + 2 * 80e-6, 0.2e-6);
  EXPECT_EQ(baseline.rows[1].native, "Tree Simple");
  const double least_s = static_cast<double>(sizes_B[1]) / 50e9;
  EXPECT_GT(*baseline.rows[1].time_s, least_s);
  EXPECT_LT(*baseline.rows[1].time_s, 1.3 * least_s);
}

LibraryBaseline on_dgx_h100(const std::string& topology, const std::vector<std::int64_t>& sizes_B) {
  Values said{{"topology", topology}, {"routing", std::string("auto")}};
  fields::put_beneath(fields::find_machine("dgx-h100-ndr"), said);
  const Network network = fields::make_network(said);
  return library_baseline(find_library_rules("nccl"), {.kind = allreduce, .ranks = network.ranks()},
                          network, sizes_B, {});
}

// rail:... has the GPUs of a box on one switch by a cable of all its NVLinks, card j on leaf j: the
// machine that boxes(n, wiring=rail, network:dgx-h100) has in detail. 25.9 us of the smallest is
// NCCL's own time on two such boxes (computed choices).
TEST(Nccl, takes_rails_of_boxes_for_what_they_are) {
  const std::vector<std::int64_t> sizes_B{8 << 10, 1 << 20, 16 << 20, 1 << 30};
  const LibraryBaseline rails = on_dgx_h100("rail:boxes=2,gpus=8,spines=0", sizes_B);
  const LibraryBaseline boxes = on_dgx_h100("boxes(2, wiring=rail, network:dgx-h100)", sizes_B);
  for (std::size_t i = 0; i < sizes_B.size(); ++i) {
    EXPECT_EQ(rails.rows[i].native, boxes.rows[i].native);
    EXPECT_EQ(rails.rows[i].modelled, boxes.rows[i].modelled);
    EXPECT_NEAR(*rails.rows[i].time_s, *boxes.rows[i].time_s, 1e-6 * *boxes.rows[i].time_s);
  }
  EXPECT_EQ(rails.rows[0].native, "Tree LL");
  EXPECT_NEAR(*rails.rows[0].time_s, 25.9e-6, 0.1e-6);
}

TEST(Nccl, sees_the_boxes_of_rails) {
  const GpuBoxes found = gpu_boxes(test::on("rail:boxes=4,gpus=8,spines=8", {}, "auto"));
  EXPECT_EQ(found.boxes, 4);
  EXPECT_EQ(found.per_box, 8);
  EXPECT_EQ(found.cards, 8);
  EXPECT_TRUE(found.equal);
  EXPECT_TRUE(found.has_nvswitch);
  EXPECT_FALSE(found.amd);
}

// Six rings of 20 GB/s each, which the search finds in the six NVLinks of a V100; 14 steps of
// Simple at 3.4 us and its base of 8.4 us.
TEST(Nccl, takes_its_own_time_where_no_switch_joins_the_gpus) {
  const LibraryRow row = baseline_on("network:dgx-1", allreduce, {std::int64_t{1} << 30}).rows[0];
  EXPECT_TRUE(row.modelled);
  const double data_s = 2 * 7.0 / 8 * static_cast<double>(1 << 30) / 120e9;
  EXPECT_NEAR(*row.time_s, data_s + 14 * 3.4e-6 + 8.4e-6, 1e-8);
}

// NVIDIA/dgxc-benchmarking, nccl/README.md: all_reduce_perf on a DGX H100, out of place,
// microseconds. Constants of NVLS were fitted to sweeps like this one (nccl.cpp): from 2 MiB on
// this keeps them as they are, below it holds NCCL's own constants against a machine.
TEST(Nccl, is_near_a_published_sweep_of_a_box_of_h100) {
  const std::vector<double> measured_us{13.67, 13.00,  68.14,  14.92,  15.87,  16.10, 16.70, 16.94,
                                        17.14, 23.59,  17.40,  17.93,  19.33,  19.54, 19.89, 20.43,
                                        20.66, 27.37,  42.21,  54.19,  83.04,  123.8, 199.3, 324.7,
                                        586.4, 1112.5, 2151.0, 4029.4, 7939.1, 15749, 31307};
  std::vector<std::int64_t> sizes_B;
  for (std::int64_t size_B = 8; size_B <= std::int64_t{8} << 30; size_B *= 2)
    sizes_B.push_back(size_B);
  ASSERT_EQ(sizes_B.size(), measured_us.size());
  const LibraryBaseline baseline = baseline_on("network:dgx-h100", allreduce, sizes_B);
  int near = 0;
  for (std::size_t i = 0; i < sizes_B.size(); ++i) {
    const double factor = *baseline.rows[i].time_s * 1e6 / measured_us[i];
    if (factor > 0.85 && factor < 1.15) ++near;
  }
  EXPECT_GE(near, 21) << "of 31";
}

}  // namespace
}  // namespace weft::libraries
