// Profiles of MPIs as they were measured on one machine (bench/own_mpi): half of the sizes of each
// forced algorithm are fitted, the others predicted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

// Known beforehand: the line rate. The testbed's links had 50 Mbit/s behind a token bucket, which
// lets the first bytes of a call pass faster: up to 1.5 times in these tables, so 100 Mbit/s are
// the limit. The loopback has no line.
std::string base_of(const std::string& rate, double payload) {
  return fmt::format(
      "[host]\nstartup = \"20us\"\nreduce_bandwidth = \"5GBps\"\nrelease = \"injected\"\n"
      "[links.all]\nline_rate = \"{}\"\npayload = {}\nlatency = \"1us\"\nswitch_latency = "
      "\"1us\"\n",
      rate, payload);
}

double median_error(const std::string& table, const std::string& rate, double payload = 0.956) {
  const ScratchFolder folder;
  const Ran ran = run_weft(
      words_of(fmt::format("calibrate {}/bench/own_mpi/points/{} --machine {} --hold-out 2 --json",
                           source_dir(), table, folder.file("base.toml", base_of(rate, payload)))));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return nlohmann::json::parse(ran.out)["held_out"]["median_error"];
}

TEST(OwnMpi, is_predicted_within_a_fifth_on_the_testbed) {
  EXPECT_LT(median_error("openmpi-testbed-4.csv", "100Mbps", 0.478), 0.2);
  EXPECT_LT(median_error("mpich-testbed-4.csv", "100Mbps", 0.478), 0.2);
}

TEST(OwnMpi, is_predicted_within_a_fifth_on_the_loopback) {
  EXPECT_LT(median_error("openmpi-loopback-2.csv", "80Gbps"), 0.2);
  EXPECT_LT(median_error("mpich-loopback-2.csv", "80Gbps"), 0.2);
  EXPECT_LT(median_error("openmpi-loopback-4.csv", "80Gbps"), 0.2);
}

}  // namespace
}  // namespace weft::test
