// weft load-curve: what it says, in text and JSON, and what it refuses.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

TEST(LoadCurveCommand, answers_in_json) {
  const auto ran = run_weft(
      words_of("load-curve --topology torus:4x4 --traffic uniform --routing dimension-order "
               "--vcs 4 --buffer 8 --loads 0.1:0.3:0.1 --measure 4000 --resolution 0.1 --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  ASSERT_EQ(answer["points"].size(), 3U);
  EXPECT_GT(answer["saturation"], 0.5);
  EXPECT_GE(answer["latency_limit"], answer["saturation"]);
  EXPECT_NEAR(answer["points"][2]["load"].get<double>(), 0.3, 1e-12);
  for (const json& point : answer["points"]) {
    // 4 H + 2 with a mean way of 2 links, the sender itself counted: H = 3.
    EXPECT_GT(point["mean_latency"], 13.5);
    EXPECT_LT(point["mean_latency"], 17);
    EXPECT_LE(point["p50_latency"], point["p99_latency"]);
    EXPECT_EQ(point["stable"], true);
  }
}

// The cycles are said, and follow the size of the network where they are not given.
// Links of 5.25 GB/s beside some of 15.75 GB/s.
TEST(LoadCurveCommand, says_that_speeds_of_links_are_not_used) {
  const std::string rest = " --loads 0.1 --warmup 20 --measure 100 --resolution 0.5";
  const auto unequal = run_weft(words_of("load-curve file:" + weft::test::source_dir() +
                                         "/examples/aries-group.json" + rest));
  EXPECT_NE(unequal.err.find("the links' speeds are not used: every link carries one flit a"),
            std::string::npos)
      << unequal.err;
  EXPECT_EQ(run_weft(words_of("load-curve torus:4x4" + rest)).err.find("flit a cycle"),
            std::string::npos);
}

TEST(LoadCurveCommand, says_its_cycles_and_ejection) {
  const auto ran = run_weft(
      words_of("load-curve -t dragonfly:a=4,p=2,h=2 --routing minimal --ejection phase --vcs 2 "
               "--loads 0.1 --warmup 300 --measure 600 --resolution 0.5 --json"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["ejection"], "phase");
  EXPECT_EQ(answer["warmup_cycles"], 300);
  EXPECT_EQ(answer["measured_cycles"], 600);
  EXPECT_EQ(answer["points"][0]["measured_cycles"], 600);
  const auto text = run_weft(
      words_of("load-curve -t ring:4 --loads 0.1 --warmup 300 --measure 600 --resolution 0.5"));
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("300 cycles of warm-up, 600 measured"), std::string::npos) << text.out;
}

TEST(LoadCurveCommand, shows_defaults_as_they_are_typed) {
  const std::string help = run_weft({"load-curve", "--help"}).out;
  EXPECT_EQ(help.find("[["), std::string::npos) << help;
  EXPECT_NE(help.find("[auto]"), std::string::npos);
}

TEST(LoadCurveCommand, prints_text_and_draws) {
  const ScratchFolder folder;
  const std::string chart = folder.path("curve.svg");
  const auto ran = run_weft(words_of(
      "load-curve -t 2dfc:3x3 --loads 0.2,1 --measure 2000 --resolution 0.2 --chart " + chart));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("mean latency"), std::string::npos);
  EXPECT_NE(ran.out.find("stable up to"), std::string::npos);
  EXPECT_NE(read_text(chart).find("offered load"), std::string::npos);
}

TEST(LoadCurveCommand, draws_several_routings_in_one_chart) {
  const ScratchFolder folder;
  const std::string chart = folder.path("curves.svg");
  const auto ran = run_weft(words_of(
      "load-curve -t torus:4x4 --traffic tornado --routing dimension-order,minimal-adaptive "
      "--loads 0.1,0.2 --measure 2000 --resolution 0.2 --json --chart " +
      chart));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  ASSERT_EQ(answer["curves"].size(), 2U);
  EXPECT_EQ(answer["curves"][1]["routing"], "minimal-adaptive");
  EXPECT_EQ(answer["curves"][1]["points"].size(), 2U);
  EXPECT_FALSE(answer.contains("saturation"));
  EXPECT_NE(read_text(chart).find("minimal-adaptive"), std::string::npos);
}

TEST(LoadCurveCommand, refuses_what_makes_no_sense) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"-t torus:8x8 --routing dimension-order --vcs 1", "give --vcs 2"},
      {"-t torus:8x8 --routing dimension-ordre", "did you mean dimension-order?"},
      {"-t kautz:2,3 --routing dimension-order", "does not fit"},
      {"-t torus:8x8 --traffic transpos", "did you mean transpose?"},
      {"-t torus:3x3 --traffic transpose", "power of two"},
      {"-t torus:3x3 --traffic next-group",
       "traffic next-group needs a network with groups of hosts"},
      {"-t torus:3x3 --routing dimension-order,par", "needs a Dragonfly"},
      {"-t dragonfly:a=4,p=2,h=2 --routing par --vcs 3", "give --vcs 4"},
      {"-t torus:4x4 --loads 0", "in flits per host and cycle (expected above 0 and at most 1"},
      {"-t torus:4x4 --loads 0.2:0.1", "decreases"},
      {"-t torus:4x4 --loads many", "invalid loads 'many'"},
      {"-t torus:4x4 --loads 1.2", "in flits per host and cycle (expected above 0 and at most 1"},
      {"-t torus:4x4 --buffer 0", "a buffer of 0 flits"},
      {"-t torus:4x4 --measure 0", "measured (measure at least 1, at most"},
      {"-t torus:4x4 --measure 1", "--measure 1 is too short"},
      {"-t torus:4x4 --packet-flits 0", "packets of 0 flits"},
      {"-t torus:4x4 --chart curve.pdf", ".svg"},
      {"-t torus:4x4 --chart /no/such/folder/curve.svg", "cannot write"},
      {"-t torus:4x4 --iterations 65", "rounds of the allocators are out of range (1 to 64"},
      {"-t torus:4x4 --ejection all", "unknown value of --ejection 'all'; known: any, phase"},
      {"-t torus:4x4 --routing dimension-order --ejection phase", "has no phases"},
      {"-t torus:4x4 --measure 999999999999999", "at most 1000000000"},
      {"-t xgft:2;4,4;1,4 --routing pattern-aware", "steps of a schedule"},
      {"-t torus:4x4 --routing shortest,shortest", "repeats 'shortest'"},
      {"-t torus:100x100x10 --buffer 32767 --vcs 64", "GB are available"},
      {"-t xgft:1;1;1", "two hosts"}};
  for (const auto& [line, problem] : cases) {
    const auto ran = run_weft(words_of("load-curve " + line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(problem), std::string::npos) << line << '\n' << ran.err;
  }
}

// All of it is beyond saturation: a chart without points, but for its key.
TEST(LoadCurveCommand, draws_what_saturates_at_every_load) {
  const ScratchFolder folder;
  const auto ran =
      run_weft(words_of("load-curve -t dragonfly:a=4,p=2,h=2 --traffic next-group --routing "
                        "minimal,valiant --vcs 4 --loads 0.9 --warmup 500 --measure 1000 --chart " +
                        folder.path("c.svg")));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("saturated"), std::string::npos);
  const std::string svg = read_text(folder.path("c.svg"));
  EXPECT_NE(svg.find("minimal, stable up to"), std::string::npos);
  EXPECT_NE(svg.find("valiant, stable up to"), std::string::npos);
}

}  // namespace
