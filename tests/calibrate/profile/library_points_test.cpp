// Tables of libraries that chose by themselves, and profiles of GPUs fitted to rings.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/calibrate/profile/library_points.hpp"
#include "weft/calibrate/profile/profile_fit.hpp"

namespace weft::calibrate {
namespace {

using enum schedule::CollectiveKind;

constexpr const char* kBox = "network:dgx-h100";

MeasuredTable table_of(schedule::CollectiveKind kind, const std::vector<std::int64_t>& sizes_B) {
  MeasuredTable table{
      .path = "sweep.txt", .benchmark = "nccl-tests", .collective = kind, .ranks = 8};
  for (const std::int64_t size_B : sizes_B)
    table.rows.push_back({.size_B = size_B, .time_s = 20e-6, .line = std::ssize(table.rows) + 1});
  return table;
}

// On 8 H100 NCCL runs rings with LL up to 1 MiB and NVLS from 2 MiB on (NVIDIA/nccl-tests issue
// 309).
TEST(LibraryPoints, takes_rows_at_which_the_library_runs_a_ring) {
  const ForcedTable table = library_points(
      table_of(allreduce, {8, 65'536, 64 << 20}),
      {.rules = &libraries::find_library_rules("nccl"), .ranks = 8, .topology = kBox},
      fields::find_machine("dgx-h100-ndr"));
  ASSERT_EQ(table.points.size(), 2U);
  EXPECT_EQ(table.points[0].algorithm, "ring");
  EXPECT_EQ(table.points[0].ranks, 8);
  EXPECT_EQ(table.points[1].size_B, 65'536);
  ASSERT_EQ(table.remarks.size(), 1U);
  EXPECT_NE(table.remarks[0].find("NVLS"), std::string::npos) << table.remarks[0];
}

// Open MPI 4.1 runs recursive doubling for small allreduces (coll_tuned_decision_fixed.c).
TEST(LibraryPoints, takes_what_open_mpi_runs) {
  const ForcedTable table =
      library_points(table_of(allreduce, {8}),
                     {.rules = &libraries::find_library_rules("openmpi-4.1"), .ranks = 8},
                     fields::find_machine("generic"));
  ASSERT_EQ(table.points.size(), 1U);
  EXPECT_EQ(table.points[0].algorithm, "recursive-doubling");
  const ForcedTable trees =
      library_points(table_of(broadcast, {64}),
                     {.rules = &libraries::find_library_rules("openmpi-4.1"), .ranks = 16},
                     fields::find_machine("generic"));
  ASSERT_EQ(trees.points.size(), 1U);
  EXPECT_EQ(trees.points[0].algorithm, "knomial");  // of radix 4, from 1 B on
  EXPECT_EQ(std::get<std::string>(trees.points[0].options.at("radix")), "4");
  EXPECT_EQ(std::get<std::string>(trees.points[0].options.at("children")), "together");
}

TEST(LibraryPoints, refuses_tables_of_messages) {
  MeasuredTable table = table_of(allreduce, {8});
  table.collective.reset();
  EXPECT_THROW(
      (void)library_points(
          table, {.rules = &libraries::find_library_rules("nccl"), .ranks = 8, .topology = kBox},
          fields::find_machine("dgx-h100-ndr")),
      InvalidInput);
}

// A ring over 8 GPUs of one box: a launch, then steps of a start-up and two cables of 250 ns each,
// and bytes at the NVLink's payload. An allreduce takes 14 steps and 7/4 of its size, an allgather
// 7 steps and 7 blocks.
std::vector<ForcedPoint> rings(double launch_s, double startup_s, double rate_Bps) {
  std::vector<ForcedPoint> points;
  const auto add = [&](const char* collective, std::int64_t size_B, int steps, double bytes) {
    points.push_back({.path = "own.csv",
                      .topology = kBox,
                      .ranks = 8,
                      .collective = collective,
                      .algorithm = "ring",
                      .size_B = size_B,
                      .time_s = launch_s + steps * (startup_s + 5e-7) + bytes / rate_Bps});
  };
  for (std::int64_t size_B = 1024; size_B <= 1 << 30; size_B *= 32) {
    add("allreduce", size_B, 14, 1.75 * static_cast<double>(size_B));
    add("allgather", size_B, 7, 7.0 * static_cast<double>(size_B));
  }
  return points;
}

const FittedValue& value_of(const ProfileFit& fit, std::string_view name) {
  return *std::ranges::find(fit.values, name, &FittedValue::name);
}

// 75 % of 450 GB/s.
TEST(GpuProfileFit, gives_back_launch_step_and_rate) {
  const ProfileFit fit =
      fit_profile(rings(10e-6, 300e-9, 337.5e9), fields::find_machine("dgx-h100-ndr"), "");
  EXPECT_EQ(fit.within(0.01), 1) << fit.median_ratio();
  EXPECT_EQ(value_of(fit, "host.launch").text, "10.00us");
  EXPECT_EQ(value_of(fit, "host.startup").text, "300.0ns");
  EXPECT_EQ(value_of(fit, "links.nvlink.payload").text, "0.75");
  // No message left the box.
  EXPECT_EQ(value_of(fit, "links.payload").determined, Determined::no_effect);
}

// Two boxes with a card a GPU: eight rings of an eighth each, so that an allreduce over 16 ranks
// takes 15/8 of its data at the rate of all eight cards together, 8 x 48 GB/s.
TEST(GpuProfileFit, lays_rings_through_all_cards) {
  std::vector<ForcedPoint> points;
  for (const std::int64_t size_B : {std::int64_t{1} << 30, std::int64_t{4} << 30}) {
    points.push_back({.path = "own.csv",
                      .topology = "boxes(2, network:dgx-h100)",
                      .ranks = 16,
                      .collective = "allreduce",
                      .algorithm = "ring",
                      .size_B = size_B,
                      .time_s = 1.875 * static_cast<double>(size_B) / (8 * 40e9),
                      .by_nccl = true});
  }
  const ProfileFit fit = fit_profile(points, fields::find_machine("dgx-h100-ndr"), "");
  EXPECT_EQ(fit.within(0.01), 1) << fit.median_ratio();
  // 40 of a card's 50 GB/s.
  EXPECT_NEAR(std::stod(value_of(fit, "links.payload").text), 0.8, 0.01);
}

TEST(GpuProfileFit, holds_the_rate_at_that_of_nvlink) {
  const fields::MachineModel machine = fields::find_machine("dgx-h100-ndr");
  EXPECT_THROW(fit_profile(rings(10e-6, 300e-9, 600e9), machine, ""), InvalidInput);
  const ProfileFit fit = fit_profile(rings(10e-6, 300e-9, 452e9), machine, "");
  EXPECT_EQ(value_of(fit, "links.nvlink.payload").text, "1");
  EXPECT_EQ(value_of(fit, "links.nvlink.payload").determined, Determined::at_limit);
}

}  // namespace
}  // namespace weft::calibrate
