// What is fitted to a bandwidth table alone, and to tables whose ranks share hosts. Times are the
// formula's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "two_leaves.hpp"

namespace weft::calibrate {
namespace {

bool has_remark(const Calibration& fit, const char* part) {
  return std::ranges::any_of(fit.remarks, [&](const std::string& remark) {
    return remark.find(part) != std::string::npos;
  });
}

// Two streams cross the one cable of 10 GB/s; small messages follow each other by 0.4 us. A window
// of 64 takes 65 start-ups and a way of three links, each 1 us long, there and back.
TEST(CalibrationOfFewTables, takes_of_streams_what_they_hold) {
  constexpr double kGap_s = 0.4e-6, kLink_Bps = 10e9;
  std::string text =
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: 64 ]\n"
      "# Size                  MB/s        Messages/s\n";
  for (double size_B = 1; size_B <= 4 << 20; size_B *= 2) {
    const double rate_Bps = 2 * size_B / std::max(kGap_s, 2 * size_B / kLink_Bps);
    text += fmt::format("{:.0f} {:.6f} {:.2f}\n", size_B, rate_Bps * 1e-6, rate_Bps / size_B);
  }
  const Calibration fit = calibrate(std::vector{placed(text, {0, 1, 2, 3})}, two_leaves());
  EXPECT_NEAR(class_of(fit, "link").bandwidth_Bps.value, kLink_Bps, 0.05 * kLink_Bps);
  const double start_s = (64 * kGap_s - 2 * 3e-6) / 65;
  EXPECT_NEAR(fit.startup_s.value, start_s, 0.03 * start_s);
  EXPECT_TRUE(has_remark(fit, "no table has times of single messages; latencies are those of"));
}

// Four ranks on two hosts of two leaves, two each. NCCL's two rings carry half of the data each
// over the same cable: with all of its 10 GB/s, a step of m bytes takes m / 10 GB/s.
TEST(CalibrationOfFewTables, takes_ranks_of_a_host_for_one_place) {
  const Network network = two_leaves();
  std::string text = "# Collective test starting: all_reduce_perf\n";
  for (int r = 0; r < 4; ++r)
    text += fmt::format("#  Rank {} Group 0 Pid 1 on n{} device {} [0x01] A\n", r, r / 2, r % 2);
  text += "# size count type redop root time algbw busbw #wrong\n";
  for (double size_B = 1 << 20; size_B <= 1 << 30; size_B *= 4) {
    const double time_s = 6 * (5e-6 + size_B / 4 / 10e9), rate_GBps = size_B / time_s * 1e-9;
    text += fmt::format("{:.0f} 1 float sum -1 {:.4f} {:.4f} {:.4f} 0\n", size_B, time_s * 1e6,
                        rate_GBps, 1.5 * rate_GBps);
  }
  const PlacedTable table = placed(text, {0, 0, 2, 2});
  const Calibration fit = calibrate(std::vector{table}, network);
  EXPECT_NEAR(class_of(fit, "link").bandwidth_Bps.value, 10e9, 0.02 * 10e9);
  EXPECT_TRUE(has_remark(fit, "several of its ranks share a host"));
  EXPECT_THROW(calibrate(std::vector{placed(text, {0, 0, 0, 0})}, network), InvalidInput);
  // With a table of messages, collectives are held against the model, on the same places.
  const PlacedTable messages = placed(
      "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 2.0\n1024 2.2\n1048576 107.0\n", {0, 2});
  EXPECT_NO_THROW(calibrate(std::vector{messages, table}, network));
}

}  // namespace
}  // namespace weft::calibrate
