// weft calibrate of nccl-tests, whose algorithm was forced (NCCL_ALGO) or is NCCL's own choice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

// A ring over the 8 GPUs of a box: 12 us, 14 steps of 0.8 us, and 7/4 of the data at 360 GB/s.
std::string ring_sweep() {
  std::string text = "# Collective test starting: all_reduce_perf\n";
  for (int rank = 0; rank < 8; ++rank)
    text += fmt::format("#  Rank {0} Group  0 Pid 1 on box device {0} [0x01] A\n", rank);
  text +=
      "# size count type redop root time algbw busbw #wrong\n"
      "# (B) (elements) (us) (GB/s) (GB/s)\n";
  for (std::int64_t size_B = 1 << 10; size_B <= 1 << 30; size_B *= 4) {
    const double time_us = 12 + 14 * 0.8 + 1.75 * static_cast<double>(size_B) / 360e3;
    const double rate_GBps = static_cast<double>(size_B) / time_us * 1e-3;
    text += fmt::format("{} {} float sum -1 {:.4f} {:.4f} {:.4f} 0\n", size_B, size_B / 4, time_us,
                        rate_GBps, 1.75 * rate_GBps);
  }
  return text;
}

// 360 of 450 GB/s are 0.8.
TEST(GpuProfile, fits_a_forced_ring_of_nccl) {
  const ScratchFolder folder;
  const std::string sweep = folder.file("sweep.txt", ring_sweep()), file = folder.path("m.toml");
  const Ran ran =
      run_weft(words_of("calibrate " + sweep +
                        ":ring -t network:dgx-h100 --machine dgx-h100-ndr -o " + file + " --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["base"], "dgx-h100-ndr");
  EXPECT_EQ(json["points"].size(), 11U);
  EXPECT_EQ(json["within_15"], 1.0);
  for (const auto& value : json["values"])
    if (value["name"] == "links.nvlink.payload") {
      EXPECT_NEAR(std::stod(value["value"].get<std::string>()), 0.8, 0.002);
    }
  // The file says the same to other commands.
  const Ran again = run_weft(words_of(
      "simulate allreduce -t network:dgx-h100 -a ring --size 1GiB --machine " + file + " --json"));
  ASSERT_EQ(again.code, 0) << again.err;
  const double time_s = nlohmann::json::parse(again.out)["time"];
  EXPECT_NEAR(time_s, 1.75 * (1 << 30) / 360e9, 0.01 * time_s);
}

// Messages within a box cross its NVLinks alone, so the payload of every other class is the one in
// share/machines/gpus.toml.
TEST(GpuProfile, changes_no_class_of_links_that_was_not_measured) {
  const ScratchFolder folder;
  const std::string sweep = folder.file("sweep.txt", ring_sweep());
  const Ran ran =
      run_weft(words_of("calibrate " + sweep + ":ring -t network:dgx-h100 --machine gpus --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  std::map<std::string, std::string> payloads, states;
  for (const auto& value : json["values"]) {
    payloads[value["name"]] = value["value"];
    states[value["name"]] = value["state"];
  }
  EXPECT_EQ(states["links.nvlink.payload"], "fitted");
  for (const auto& [name, payload] :
       std::map<std::string, std::string>{{"links.payload", "0.96"},
                                          {"links.box.payload", "0.82"},
                                          {"links.xgmi.payload", "0.75"}}) {
    EXPECT_EQ(payloads[name], payload) << name;
    EXPECT_EQ(states[name], "no-effect") << name;
  }
}

TEST(GpuProfile, takes_what_nccl_would_run) {
  const ScratchFolder folder;
  const std::string sweep = folder.file("sweep.txt", ring_sweep());
  const Ran ran = run_weft(words_of(
      "calibrate " + sweep + " --library nccl -t network:dgx-h100 --machine dgx-h100-ndr --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_GE(json["points"].size(), 4U);
  EXPECT_EQ(json["points"][0]["algorithm"], "ring");
  EXPECT_NE(ran.err.find("NVLS"), std::string::npos) << ran.err;
}

// A start-up and a rate fit any two sizes of a ring.
TEST(GpuProfile, refuses_fewer_points_than_it_has_values_to_fit) {
  const ScratchFolder folder;
  const std::string all = ring_sweep();
  std::size_t end = 0;
  for (int line = 0; line < 13; ++line) end = all.find('\n', end) + 1;  // 11 and two sizes
  const std::string sweep = folder.file("two.txt", all.substr(0, end));
  const Ran ran = run_weft(words_of("calibrate " + sweep +
                                    " --library nccl -t network:dgx-h100 --machine dgx-h100-ndr"));
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(ran.err.find("2 points cannot determine 2 values ("), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("give 3 or more"), std::string::npos) << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}

TEST(GpuProfile, refuses_wrong_libraries) {
  const ScratchFolder folder;
  const std::string sweep = folder.file("sweep.txt", ring_sweep()),
                    osu = folder.file("latency.txt",
                                      "# OSU MPI Latency Test v7.4\n# Size Latency (us)\n1 2.0\n");
  const auto refuses = [](const std::string& line, const char* says) {
    const Ran ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line << ran.out;
    EXPECT_NE(ran.err.find(says), std::string::npos) << ran.err;
  };
  refuses("calibrate " + sweep + " --library ncl -t network:dgx-h100", "nccl");
  refuses("calibrate " + osu + " --library nccl -t network:dgx-h100",
          "OSU latency is not a collective, so nccl did not choose an algorithm");
}

}  // namespace
}  // namespace weft::test
