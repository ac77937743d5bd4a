// What RCCL chooses on AMD's GPUs, and how long that takes when simulated.
#include "weft/libraries/rccl.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"
#include "weft/libraries/baseline.hpp"
#include "weft/libraries/box_trees.hpp"
#include "weft/libraries/card_rings.hpp"
#include "weft/network/routing.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/placement.hpp"
#include "weft/topology/registry.hpp"

namespace weft::libraries {
namespace {

using enum schedule::CollectiveKind;
using enum AmdGpu;

GpuBoxes amd_boxes(AmdGpu gpu, std::int32_t boxes, std::int32_t per_box) {
  const bool is_mesh = gpu != mi250;
  return {.boxes = boxes,
          .per_box = per_box,
          .cards = is_mesh ? per_box : per_box / 2,
          .card_Bps = is_mesh ? 48'000'000'000 : 24'000'000'000,
          .nvlink_Bps = is_mesh ? 48'000'000'000 * (per_box - 1) : 252'000'000'000,
          .amd = gpu,
          .mesh = is_mesh};
}

LibraryCall amd_call(AmdGpu gpu, std::int32_t boxes, std::int32_t per_box, CollectiveKind kind,
                     std::int64_t size_B) {
  LibraryCall call{.collective = kind,
                   .ranks = boxes * per_box,
                   .nodes = boxes,
                   .per_node = per_box,
                   .size_B = size_B};
  call.gpus = amd_boxes(gpu, boxes, per_box);
  return call;
}

// "Ring LL" of "Ring LL: 4 channels".
std::string pair_of(const LibraryCall& call) {
  const std::string native = choose("rccl", call).native;
  return native.substr(0, native.find(':'));
}

struct GoldenRow {
  AmdGpu gpu;
  std::int32_t boxes, per_box;
  CollectiveKind collective;
  std::int64_t total_B;
  const char* choice;
  double least_us;  // of all pairs by RCCL's model
};

// Computed from the tables of tuning.cc and rccl_wrap.cc, apart from this code; the whole buffer of
// an allgather. DDA does not serve the sizes with one box: they are no multiples of 16 bytes, or
// too large.
TEST(Rccl, chooses_as_its_cost_model_and_its_size_limits_do) {
  const std::vector<GoldenRow> rows{
      {mi300, 1, 8, allreduce, 4104, "Ring LL", 23.5},
      {mi300, 1, 8, allreduce, 16777216, "Ring Simple", 133.8},
      {mi300, 1, 8, allreduce, 1073741824, "Ring Simple", 5638.8},
      {mi300, 2, 8, allreduce, 8192, "Tree LL", 46.4},
      {mi300, 2, 8, allreduce, 262144, "Tree LL", 71.6},
      {mi300, 2, 8, allreduce, 1048576, "Tree LL128", 149.6},
      {mi300, 2, 8, allreduce, 8388608, "Tree Simple", 553.1},
      {mi300, 2, 8, allreduce, 67108864, "Tree Simple", 3730.6},
      {mi300, 2, 8, allreduce, 268435456, "Ring Simple", 2965.0},
      {mi300, 2, 8, allreduce, 1073741824, "Ring Simple", 6816.9},
      {mi300, 4, 8, allreduce, 1048576, "Tree LL128", 170.6},
      {mi300, 4, 8, allreduce, 16777216, "Tree LL128", 318.5},
      {mi300, 4, 8, allreduce, 1073741824, "Ring Simple", 8464.6},
      {mi350, 2, 8, allreduce, 524288, "Tree LL128", 103.4},
      {mi350, 2, 8, allreduce, 4194304, "Tree LL128", 326.2},
      {mi350, 2, 8, allreduce, 67108864, "Ring LL128", 1241.1},
      {mi350, 2, 8, allreduce, 134217728, "Ring Simple", 8314.8},
      {mi350, 4, 8, allreduce, 268435456, "Ring LL128", 3698.9},
      {mi350, 4, 8, allreduce, 536870912, "Ring Simple", 33231.0},
      {mi300, 2, 8, allgather, 8388608, "Ring LL128", 655.1},
      {mi300, 2, 8, allgather, 134217728, "Ring Simple", 4165.9},
      {mi300, 2, 8, reduce_scatter, 1048576, "Ring LL", 140.9},
      {mi300, 2, 8, reduce_scatter, 16777216, "Ring LL128", 889.1},
      {mi300, 2, 8, reduce_scatter, 134217728, "Ring Simple", 4165.9},
      {mi300, 1, 8, broadcast, 8192, "Ring LL", 18.6},
      {mi300, 1, 8, broadcast, 16777216, "Ring Simple", 85.3},
      {mi300, 2, 8, broadcast, 8192, "Ring LL", 167.0},
      {mi300, 2, 8, broadcast, 16777216, "Ring LL128", 916.3},
      {mi300, 2, 8, broadcast, 1073741824, "Ring Simple", 3612.7},
      {mi250, 1, 16, allreduce, 8192, "Ring LL", 36.4},
      {mi250, 1, 16, allreduce, 1048576, "Tree LL128", 69.3},
      {mi250, 1, 16, allreduce, 16777216, "Tree Simple", 229.8},
      {mi250, 2, 16, allreduce, 8192, "Tree LL", 104.5},
      {mi250, 2, 16, allreduce, 262144, "Tree LL128", 132.3},
      {mi250, 2, 16, allreduce, 268435456, "Tree Simple", 2833.7},
      {mi250, 1, 16, broadcast, 8192, "Ring LL", 25.0},
      {mi250, 1, 16, broadcast, 16777216, "Ring Simple", 123.6},
  };
  for (const GoldenRow& row : rows) {
    SCOPED_TRACE(fmt::format("{} x {} {} {} B", row.boxes, row.per_box, name_of(row.collective),
                             row.total_B));
    const std::int64_t ranks = row.boxes * row.per_box;
    const LibraryCall call =
        amd_call(row.gpu, row.boxes, row.per_box, row.collective,
                 row.collective == allgather ? row.total_B / ranks : row.total_B);
    EXPECT_EQ(pair_of(call), row.choice);
    const auto all = rccl_estimates(call);
    const double least = std::ranges::min_element(all, {}, &NcclEstimate::time_us)->time_us;
    EXPECT_NEAR(least, row.least_us, 0.06 + 1e-6 * row.least_us);
  }
}

// DDA: 8 GPUs, 8 MiB on gfx942 and 128 MiB on gfx950, one shot up to 256 KiB. Direct allgather: the
// whole buffer up to 4 MiB on gfx942, 2 MiB a box on gfx950. Hierarchical: from 8 boxes on, 32 MiB.
// Direct reduce-scatter: gfx950 with 4 boxes up to 4 MiB.
TEST(Rccl, leaves_rings_and_trees_where_its_rules_say_so) {
  EXPECT_EQ(pair_of(amd_call(mi300, 1, 8, allreduce, 256 << 10)), "DDA one-shot");
  EXPECT_EQ(pair_of(amd_call(mi300, 1, 8, allreduce, (256 << 10) + 128)), "DDA two-shot");
  EXPECT_EQ(pair_of(amd_call(mi300, 1, 8, allreduce, 8 << 20)), "DDA two-shot");
  EXPECT_EQ(pair_of(amd_call(mi300, 1, 8, allreduce, 16 << 20)), "Ring Simple");
  EXPECT_EQ(pair_of(amd_call(mi350, 1, 8, allreduce, 128 << 20)), "DDA two-shot");
  EXPECT_EQ(pair_of(amd_call(mi350, 1, 8, allreduce, 256 << 20)), "Ring Simple");
  EXPECT_EQ(pair_of(amd_call(mi350, 1, 8, allreduce, 72)), "Tree LL");
  EXPECT_EQ(pair_of(amd_call(mi350, 1, 8, allreduce, 8)), "Ring LL");
  EXPECT_EQ(pair_of(amd_call(mi300, 1, 4, allreduce, 1 << 20)), "Ring Simple");
  EXPECT_EQ(pair_of(amd_call(mi300, 2, 8, allgather, 256 << 10)), "Direct Simple");
  EXPECT_EQ(pair_of(amd_call(mi300, 2, 8, allgather, (256 << 10) + 1)), "Ring LL128");
  EXPECT_EQ(pair_of(amd_call(mi350, 4, 8, allgather, 256 << 10)), "Direct Simple");
  EXPECT_EQ(pair_of(amd_call(mi300, 8, 8, allgather, 512 << 10)), "Hierarchical");
  EXPECT_EQ(pair_of(amd_call(mi300, 8, 8, allgather, 1 << 20)), "Ring LL128");
  EXPECT_EQ(pair_of(amd_call(mi350, 4, 8, reduce_scatter, 4 << 20)), "Direct Simple");
  EXPECT_EQ(pair_of(amd_call(mi300, 4, 8, reduce_scatter, 4 << 20)), "Ring LL");
  EXPECT_EQ(pair_of(amd_call(mi350, 2, 8, reduce_scatter, 1 << 20)), "Ring LL");
}

// Two boxes of gfx950, by block: 4 KiB and more 16 channels, from 2 MiB on 64; MI300X has 16 rings
// over boxes, twice. A call of LL has a channel for each 4 KiB.
TEST(Rccl, uses_as_many_channels_as_its_tables_have) {
  const auto native = [](const LibraryCall& call) { return choose("rccl", call).native; };
  EXPECT_EQ(native(amd_call(mi350, 2, 8, reduce_scatter, 16 * (3 << 20))),
            "Ring LL128: 64 channels");
  EXPECT_EQ(native(amd_call(mi350, 2, 8, allreduce, 1 << 30)), "Ring Simple: 48 channels");
  EXPECT_EQ(native(amd_call(mi300, 2, 8, allreduce, 1 << 30)), "Ring Simple: 32 channels");
  EXPECT_EQ(native(amd_call(mi300, 1, 8, allreduce, 1 << 30)), "Ring Simple: 56 channels");
  EXPECT_EQ(native(amd_call(mi300, 2, 8, allreduce, 8)), "Tree LL: 1 channel");
}

using Load = std::map<std::pair<std::int32_t, std::int32_t>, int>;

/// How many of the rings use each link from a rank to another.
Load load_of(const std::vector<std::vector<Rank>>& rings) {
  Load load;
  for (const auto& ring : rings)
    for (std::size_t i = 0; i < ring.size(); ++i)
      ++load[{ring[i].value(), ring[(i + 1) % ring.size()].value()}];
  return load;
}

NodeRanks mesh_nodes(std::int32_t boxes, std::int32_t gpus) {
  NodeRanks nodes(boxes);
  for (std::int32_t r = 0; r < boxes * gpus; ++r) nodes[r / gpus].push_back(Rank(r));
  return nodes;
}

// n - 1 zigzags and a hub, both ways round: 2 n (n - 1) hops on n (n - 1) links.
TEST(Rccl, lays_rings_on_all_links_of_a_mesh_equally) {
  for (const std::int32_t gpus : {2, 3, 4, 5, 8}) {
    const Load load = load_of(mesh_rings(mesh_nodes(1, gpus)));
    EXPECT_EQ(std::ssize(load), gpus * (gpus - 1)) << gpus;
    for (const auto& [link, rings] : load) EXPECT_EQ(rings, 2) << gpus;
  }
}

// Rows of a row-complete square: each link of a box once, and every hop between boxes on a rail.
TEST(Rccl, lays_rings_over_boxes_along_rails) {
  const std::int32_t gpus = 8;
  const auto rings = mesh_rings(mesh_nodes(2, gpus));
  EXPECT_EQ(rings.size(), 8u);
  std::map<std::int32_t, int> out;  // rings that leave a box by the card of a rank
  for (const auto& [link, count] : load_of(rings)) {
    EXPECT_EQ(count, 1);
    if (link.first / gpus == link.second / gpus) continue;
    EXPECT_EQ(link.first % gpus, link.second % gpus);
    out[link.first] += count;
  }
  EXPECT_EQ(out.size(), 16u);
  for (const auto& [rank, count] : out) EXPECT_EQ(count, 1) << rank;
  for (const CollectiveKind kind : {allgather, reduce_scatter, allreduce})
    EXPECT_TRUE(schedule::verify(on_rings({.kind = kind, .ranks = 16}, rings)));
  const auto proved = schedule::verify(
      on_box_trees(schedule::allreduce(16), mesh_nodes(2, gpus), gpus, InBox::path, 2));
  EXPECT_TRUE(proved) << proved.fault().text;
}

TEST(Rccl, knows_boxes_of_amd_by_their_names) {
  const GpuBoxes one = gpu_boxes(test::on("network:mi300x"));
  EXPECT_EQ(one.amd, mi300);
  EXPECT_EQ(one.boxes, 1);
  EXPECT_EQ(one.per_box, 8);
  EXPECT_TRUE(one.mesh);
  const GpuBoxes two = gpu_boxes(test::on("boxes(2, network:mi355x)"));
  EXPECT_EQ(two.amd, mi350);
  EXPECT_EQ(two.boxes, 2);
  EXPECT_EQ(two.cards, 8);
  EXPECT_TRUE(two.mesh);
  const GpuBoxes dies = gpu_boxes(test::on("boxes(2, network:mi250)"));
  EXPECT_EQ(dies.amd, mi250);
  EXPECT_EQ(dies.per_box, 16);
  EXPECT_EQ(dies.cards, 8);
  EXPECT_FALSE(dies.mesh);
  EXPECT_FALSE(gpu_boxes(test::on("network:dgx-h100")).amd);
}

Network measured_network(const char* topology) {
  return test::on(topology, {}, "auto");
}

std::vector<LibraryRow> rows_on(const char* topology, CollectiveKind kind,
                                const std::vector<std::int64_t>& sizes_B) {
  const Network network = measured_network(topology);
  return library_baseline(find_library_rules("rccl"), {.kind = kind, .ranks = network.ranks()},
                          network, sizes_B, {})
      .rows;
}

// Links of 64 GB/s here, without a profile: 12 us and 14 steps of 0.8 us; 17 us, 14 of 2.1 us and
// 7/4 of the buffer over 7 links; 12 us, 2 * 7 + 2 steps of a tree of two boxes: 7 of 0.9 us and
// one of 10.5 us, up and down.
TEST(Rccl, takes_its_latencies_and_the_rates_of_the_network) {
  constexpr std::int64_t kGi = 1 << 30;
  const auto rows = rows_on("network:mi300x", allreduce, {8, kGi});
  EXPECT_EQ(rows[0].native, "Ring LL: 1 channel");
  EXPECT_NEAR(*rows[0].time_s, 12e-6 + 14 * 0.8e-6, 1e-9);
  EXPECT_NEAR(*rows[1].time_s, 17e-6 + 14 * 2.1e-6 + 1.75 * kGi / (7 * 64e9), 1e-7);
  EXPECT_FALSE(rows[1].modelled);
  const auto tree = rows_on("boxes(2, network:mi300x)", allreduce, {8});
  EXPECT_EQ(tree[0].native, "Tree LL: 1 channel");
  EXPECT_NEAR(*tree[0].time_s, 12e-6 + 2 * (7 * 0.9e-6 + 10.5e-6), 2e-8);
}

// The base of RCCL's LL is 12 us, so a kernel launch of 10 us is part of it, and one of 15 us adds
// 3 us.
TEST(Rccl, adds_only_launches_that_are_slower_than_its_own_constant) {
  const topology::Fabric fabric(build_topology("network:mi300x"));
  const auto time_with = [&](std::int64_t launch_ps) {
    const Placement placement = topology::place(fabric.topology(), {});
    const Network network(fabric, placement, {.launch_ps = launch_ps},
                          make_routing("auto", fabric));
    return *library_baseline(find_library_rules("rccl"),
                             {.kind = allreduce, .ranks = network.ranks()}, network,
                             std::vector<std::int64_t>{8}, {})
                .rows[0]
                .time_s;
  };
  EXPECT_NEAR(time_with(10'000'000), 12e-6 + 14 * 0.8e-6, 1e-9);
  EXPECT_NEAR(time_with(15'000'000), 15e-6 + 14 * 0.8e-6, 1e-9);
}

// Published: 47.7 GB/s of 48 over the only link between two GPUs (gpu.md G20); 64 GB/s here.
TEST(Rccl, counts_only_links_among_the_gpus_of_the_job) {
  const Network pair = test::on("network:mi300x", {.ranks = 2});
  EXPECT_EQ(gpu_boxes(pair).nvlink_Bps, 64'000'000'000);
  constexpr std::int64_t kGi = 1 << 30;
  const auto rows = library_baseline(find_library_rules("rccl"), schedule::allreduce(2), pair,
                                     std::vector<std::int64_t>{kGi}, {})
                        .rows;
  EXPECT_EQ(rows[0].native, "Ring Simple: 56 channels");
  EXPECT_NEAR(*rows[0].time_s, 17e-6 + 2 * 2.1e-6 + kGi / 64e9, 1e-7);
}

// Four hosts of a leaf share one uplink in place of four: rings through all boxes get less of it.
TEST(Rccl, feels_links_that_rings_share) {
  const char* const thin = "boxes(4, network:mi300x, leaf-spine:leaves=8,spines=1,hosts=4)";
  const char* const full = "boxes(4, network:mi300x, leaf-spine:leaves=8,spines=4,hosts=4)";
  const auto alone = rows_on(full, allreduce, {std::int64_t{1} << 31});
  const auto shared = rows_on(thin, allreduce, {std::int64_t{1} << 31});
  EXPECT_EQ(alone[0].native, "Ring Simple: 32 channels");
  EXPECT_GT(*shared[0].time_s, 1.5 * *alone[0].time_s);
}

TEST(Rccl, and_nccl_refuse_each_others_gpus_in_one_line) {
  const auto refusal = [](const char* library, const char* topology) -> std::string {
    try {
      const Network network = measured_network(topology);
      (void)library_baseline(find_library_rules(library), schedule::allreduce(network.ranks()),
                             network, std::vector<std::int64_t>{8}, {});
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "(accepted)";
  };
  EXPECT_EQ(refusal("rccl", "network:dgx-h100"),
            "rccl runs on GPUs of AMD (mi250, mi300x, mi325x, mi350x or mi355x in the name); use "
            "network:mi300x or network:mi250");
  EXPECT_EQ(refusal("rccl", "boxes(2, network:mi300x, ring:16)").substr(0, 9), "(accepted");
  EXPECT_EQ(refusal("nccl", "network:mi300x"),
            "nccl runs on GPUs of NVIDIA, but this network has GPUs of AMD; use --library rccl");
}

}  // namespace
}  // namespace weft::libraries
