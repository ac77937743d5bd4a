// Jobs of people who run clusters, with their right answers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

std::string data(const std::string& name) {
  return source_dir() + "/tests/data/cases/" + name;
}

Ran run_words(std::vector<std::string> words) {
  return run_weft(words);
}

// Each of three ranks waits for the one before it.
TEST(PublicCases, a_circle_of_waits_is_named) {
  const ScratchFolder folder;
  const Ran ran = run_words({"import", data("circle.goal"), "-o", folder.path("c.weft")});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("ranks 0 <- 2 <- 1 <- 0"), std::string::npos) << ran.err;
}

// 32 hosts on a ring, two cables of it leased lines of 500 us. A chunk of 12.5 MB takes 1 ms a
// link: 62 steps of 1.5 ms where each waits for its messages to arrive; 62 ms and the latencies on
// the way where data goes on as it comes.
TEST(PublicCases, long_links_are_read_one_way_and_the_answer_says_which) {
  const std::vector<std::string> call{
      "simulate", "allreduce", "-t",    "file:" + data("two-sites.edges"), "--size", "400MB",
      "-a",       "ring",      "--json"};
  const Ran waits = run_words(call);
  ASSERT_EQ(waits.code, 0) << waits.err;
  EXPECT_NEAR(json::parse(waits.out)["time"].get<double>(), 93.0e-3, 0.1e-3);
  EXPECT_NE(waits.err.find("--release injected"), std::string::npos) << waits.err;
  std::vector<std::string> other = call;
  other.insert(other.end(), {"--release", "injected"});
  const Ran flows = run_words(other);
  ASSERT_EQ(flows.code, 0) << flows.err;
  EXPECT_NEAR(json::parse(flows.out)["time"].get<double>(), 64.06e-3, 0.05e-3);
  EXPECT_EQ(flows.err.find("--release injected"), std::string::npos) << flows.err;
}

// Two boxes of 8 GPUs, one of them dead, 7 cards of 50 GB/s that serve: the boxes exchange 1 GiB in
// 3.07 ms at least.
TEST(PublicCases, hosts_may_have_different_numbers_of_ranks) {
  const Ran ran = run_words({"compare", "allreduce", "-t", "xgft:1;2;1", "--per-host", "7,8",
                             "--link", "350GBps,1us", "--sizes", "1GiB", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["ranks"], 15);
  EXPECT_EQ(answer["per_host"], json({7, 8}));
  const Ran odd = run_words(
      {"compare", "allreduce", "-t", "xgft:1;2;1", "--per-host", "7,8,8", "--sizes", "1MiB"});
  EXPECT_EQ(odd.code, 2);
  EXPECT_NE(odd.err.find("3 numbers of ranks are given for 2 hosts"), std::string::npos) << odd.err;
}

TEST(PublicCases, tables_are_listed_without_a_network) {
  const Ran ran = run_words({"calibrate", "--tables", data("imb-0-bytes-to.txt"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(json::parse(ran.out)["tables"].empty());
  EXPECT_EQ(run_words({"calibrate", "--tables", data("imb-0-bytes-to.txt"), "-t", "ring:4"}).code,
            2);
}

// A network of another system's file stands in an expression, with what matters of its reading.
TEST(PublicCases, files_of_others_are_networks_at_once) {
  const std::string conf = source_dir() + "/examples/topology.conf";
  const Ran ran = run_words({"topology", "file:" + conf, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["hosts"], 32);
  EXPECT_NE(ran.err.find("link speeds"), std::string::npos) << ran.err;
  const Ran given = run_words({"topology", "file:" + conf, "--link", "100Gbps,1us"});
  EXPECT_EQ(given.err.find("link speeds"), std::string::npos) << given.err;
}

}  // namespace
}  // namespace weft::test
