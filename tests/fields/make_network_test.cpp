// The library's front door: the values of the texts, and what it refuses.
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/fields/make_network.hpp"

namespace {

using namespace weft;

TEST(MakeNetwork, takes_the_words_of_commands) {
  const Network network = make_network(
      "torus:4x4", {.link = "25Gbps,10us", .startup = "2us", .routing = "shortest-split"});
  EXPECT_EQ(network.ranks(), 16);
  EXPECT_EQ(network.fabric().bandwidth_Bps(LinkId(0)), 3'125'000'000);  // 25e9 / 8
  EXPECT_EQ(network.fabric().latency_ps(LinkId(0)), 10'000'000);
  EXPECT_EQ(network.host().startup_ps, 2'000'000);
  EXPECT_EQ(network.routing().name(), "shortest-split");
}

TEST(MakeNetwork, is_ideal_unless_a_machine_is_named) {
  const Network ideal = make_network("ring:8");
  EXPECT_EQ(ideal.host().startup_ps, 0);
  EXPECT_EQ(ideal.fabric().bandwidth_Bps(LinkId(0)), 12'500'000'000);
  EXPECT_EQ(ideal.fabric().latency_ps(LinkId(0)), 1'000'000);
  // generic.toml: 500 ns a message; 97 % of 100 Gb/s.
  const Network generic = make_network("ring:8", {.machine = "generic"});
  EXPECT_EQ(generic.host().startup_ps, 500'000);
  EXPECT_EQ(generic.fabric().bandwidth_Bps(LinkId(0)), 12'125'000'000);
}

TEST(MakeNetwork, places_ranks) {
  const Network network = make_network("ring:8", {.hosts = "2-4"});
  EXPECT_EQ(network.placement().nodes, (std::vector<NodeId>{NodeId(2), NodeId(3), NodeId(4)}));
  EXPECT_EQ(make_network("ring:8", {.ranks = 4}).ranks(), 4);
}

TEST(MakeNetwork, takes_other_options_by_name) {
  const Network several = make_network("ring:8", {.hosts = "2,5", .others = {{"per-host", "2"}}});
  EXPECT_EQ(several.placement().nodes,
            (std::vector<NodeId>{NodeId(2), NodeId(2), NodeId(5), NodeId(5)}));
  EXPECT_EQ(make_network("ring:2", {.others = {{"per-host", "1,3"}, {"ports", "2"}}}).ranks(), 4);
  EXPECT_THROW((void)make_network("ring:8", {.others = {{"per-hosts", "2"}}}), InvalidInput);
  EXPECT_THROW((void)make_network("ring:8", {.others = {{"per-host", "x"}}}), InvalidInput);
}

TEST(MakeNetwork, refuses_what_has_no_meaning) {
  EXPECT_THROW((void)make_network("ringg:8"), InvalidInput);
  EXPECT_THROW((void)make_network("ring:8", {.link = "fast"}), InvalidInput);
  EXPECT_THROW((void)make_network("ring:8", {.routing = "none"}), InvalidInput);
  EXPECT_THROW((void)make_network("ring:8", {.ranks = 9}), InvalidInput);
  EXPECT_THROW((void)make_network("ring:8", {.machine = "no-such"}), InvalidInput);
  const std::string path = testing::TempDir() + "/weft_make_network.toml";
  write_file(path, "[links.linc]\nline_rate = \"1Gbps\"\n");
  EXPECT_THROW((void)make_network("ring:8", {.machine = path}), InvalidInput);
}

}  // namespace
