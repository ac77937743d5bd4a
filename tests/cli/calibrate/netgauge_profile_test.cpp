// weft calibrate of netgauge's LogGP.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

// o_s 0.3, L 1.2, o_r 0.4 and g 0.2 us; G 0.0001 us a byte.
constexpr const char* kLogGP =
    "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
    "1 10 3.8002 5.6011 38 1.9001 0.3 0.4 -nan -nan -nan\n"
    "65536 10 16.9072 77.6896 169 1.9001 0.3 0.4 0.2 0.0001 0\n"
    "1048576 10 213.5152 1159.0336 2135 1.9001 0.3 0.4 0.2 0.0001 0\n";

TEST(NetgaugeProfile, writes_a_profile_that_predicts_the_messages) {
  const ScratchFolder folder;
  const std::string table = folder.file("loggp.out", kLogGP), file = folder.path("m.toml");
  const Ran ran =
      run_weft(words_of("calibrate " + table + " --machine ib-edr -o " + file + " --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["base"], "ib-edr");
  EXPECT_EQ(json["values"][0]["name"], "host.startup");
  EXPECT_EQ(json["values"][0]["value"], "300.0ns");
  ASSERT_EQ(json["messages"].size(), 3U);
  EXPECT_NEAR(json["messages"][0]["measured_time"].get<double>(), 1.9001e-6, 1e-12);
  // An exchange of recursive doubling between two hosts is one message each way: the simulator's.
  const Ran again = run_weft(
      words_of("simulate allgather -t xgft:1;2;1 -a recursive-doubling --size 1 --machine " + file +
               " --json"));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NEAR(nlohmann::json::parse(again.out)["time"].get<double>(), 1.9e-6, 5e-9);
}

TEST(NetgaugeProfile, prints_what_determines_each_value) {
  const ScratchFolder folder;
  const Ran ran =
      run_weft(words_of("calibrate " + folder.file("loggp.out", kLogGP) + " --machine ib-edr"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* says : {"o_s of 1B, line 2", "o_r of 1B, line 2", "lines 3"})
    EXPECT_NE(ran.out.find(says), std::string::npos) << ran.out;
}

// Two hosts on one switch have no cables between switches: payloads in share/machines/lumi.toml.
TEST(NetgaugeProfile, keeps_classes_of_links_that_it_does_not_measure) {
  const ScratchFolder folder;
  const std::string file = folder.path("m.toml");
  const Ran ran = run_weft(words_of("calibrate " + folder.file("loggp.out", kLogGP) +
                                    " --machine lumi -o " + file + " --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  int kept = 0;
  for (const auto& value : json["values"]) {
    if (value["name"] != "links.local.payload" && value["name"] != "links.global.payload") continue;
    ++kept;
    EXPECT_EQ(value["value"], "0.96");
    EXPECT_EQ(value["state"], "no-effect");
  }
  EXPECT_EQ(kept, 2);
  const std::string text = read_text(file);
  EXPECT_NE(text.find("links.local.payload: not determined, from lumi (0.96)"), std::string::npos);
  // G of 0.0001 us a byte is 10 of 25 GB/s.
  EXPECT_NE(text.find("[links.all]\nline_rate = \"200Gbps\"\npayload = 0.4\n"), std::string::npos)
      << text;
}

TEST(NetgaugeProfile, refuses_options_without_effect) {
  const ScratchFolder folder;
  const std::string table = folder.file("loggp.out", kLogGP);
  for (const char* option :
       {"--hold-out 2", "--ranks 4", "-t ring:4", "--plot a.svg", "--where here"}) {
    const Ran ran = run_weft(words_of("calibrate " + table + ' ' + option));
    EXPECT_EQ(ran.code, 2) << option << ran.out;
    EXPECT_NE(ran.err.find("no effect"), std::string::npos) << ran.err;
  }
  const Ran two = run_weft(words_of("calibrate " + table + ' ' + table));
  EXPECT_EQ(two.code, 2);
  EXPECT_NE(two.err.find("cannot be combined with other files; give it by itself"),
            std::string::npos)
      << two.err;
}

}  // namespace
}  // namespace weft::test
