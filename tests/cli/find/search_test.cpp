// weft find: the search that it does by itself, and how to turn it off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/find/find_fixture.hpp"
#include "support/process/command_line.hpp"
#include "weft/base/rational.hpp"

namespace {

using nlohmann::json;
using weft::parse_rational;
using weft::Rational;
using weft::test::Ran;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

class FindSearch : public weft::test::FindFixture {
 protected:
  std::string catalogue() const override { return none_.path(""); }  // rules alone

  static Ran find(const std::string& line) {
    Ran ran = run_weft(words_of("find " + line + " --json"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  static std::int64_t most_steps(const json& answer) {
    std::int64_t most = 0;
    for (const json& line : answer["pareto"]) most = std::max(most, line["steps"].get<int>() + 0L);
    return most;
  }

  const ScratchFolder none_;
};

// A cubic graph reaches 1 + 3 + 6 + 12 = 22 nodes in 3 steps, so that 40 nodes take 4 or more. By
// rule there are rings and what expansions make of smaller networks.
TEST_F(FindSearch, betters_lines_of_many_steps) {
  const json off = json::parse(find("-n 40 -d 3 --search 0").out);
  EXPECT_EQ(off["bounds"]["steps"], 4);
  EXPECT_EQ(off.at("automatic_search"), nullptr);
  EXPECT_GT(most_steps(off), 8);
  const Ran first = find("-n 40 -d 3");
  const json on = json::parse(first.out);
  ASSERT_FALSE(on["notes"].empty());
  const std::string note = on["notes"].back();
  EXPECT_EQ(note.find("the answer includes a search, because the best known network of 40 nodes"),
            0)
      << note;
  EXPECT_NE(note.find("--search 0 turns the search off"), std::string::npos) << note;
  EXPECT_NE(first.err.find("note: " + note), std::string::npos) << first.err;
  EXPECT_EQ(on["automatic_search"]["seed"], 1);
  EXPECT_GT(on["automatic_search"]["rounds"], 0);
  EXPECT_EQ(on["automatic_search"]["complete"], true);
  EXPECT_LE(most_steps(on), 8);
  const auto best = [](const json& answer) {
    return parse_rational(answer["pareto"].back()["bandwidth_factor"].get<std::string>());
  };
  EXPECT_LE(best(on), best(off));
}

// The second answer takes the networks from the cache; a third has none, and finds them again. A
// folder in the place of the cache's file can be neither read nor written, by root either.
TEST_F(FindSearch, finds_the_same_networks_again) {
  const Ran first = find("-n 38 -d 3");
  const Ran stored = find("-n 38 -d 3");
  EXPECT_EQ(stored.out, first.out);
  EXPECT_NE(stored.err.find("note: the answer includes a search"), std::string::npos) << stored.err;
  const ScratchFolder other;
  std::filesystem::create_directories(other.path("weft/searches.csv"));
  setenv("XDG_CACHE_HOME", other.path("").c_str(), 1);
  EXPECT_EQ(find("-n 38 -d 3").out, first.out);
}

// Near the bound, of several sizes, and where a search of so many seconds is asked for.
TEST_F(FindSearch, is_left_out_where_it_has_no_place) {
  for (const char* line : {"-n 16 -d 4", "-n 40..41 -d 3", "-n 40 -d 3 --search 0.05"}) {
    const Ran ran = find(line);
    EXPECT_EQ(json::parse(ran.out).at("automatic_search"), nullptr) << line;
    EXPECT_EQ(ran.err.find("includes a search"), std::string::npos) << ran.err;
  }
  const Ran refused = run_weft(words_of("find -n 40 -d 3 --search -1"));
  EXPECT_EQ(refused.code, 2);
}

// 37 nodes of 3 ports have 111 ends of cables: one port stays idle. Its node takes 36 blocks
// through 2 ports: T_B is 36/37 * 3/2 or more, which the ring takes in 18 steps. 1 + 3 + 6 + 12 =
// 22 < 37, so that 4 steps are the least.
TEST_F(FindSearch, splices_a_node_in_where_nodes_and_ports_are_odd) {
  const json answer = json::parse(find("-n 37 -d 3").out);
  EXPECT_EQ(answer["bounds"]["steps"], 4);
  bool spliced = false;
  for (const json& line : answer["pareto"]) {
    const std::string topology = line["topology"];
    EXPECT_GE(parse_rational(line["bandwidth_factor"].get<std::string>()), Rational(54, 37));
    if (!topology.starts_with("splice(")) continue;
    spliced = true;
    EXPECT_LE(line["steps"], 8);
    EXPECT_EQ(line["ports"], 3);
    EXPECT_EQ(line["idle_ports"], 0);
    const auto made = run_weft({"schedule", "allgather", "-t", topology, "-a", "bfb", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const json schedule = json::parse(made.out);
    EXPECT_EQ(schedule["steps"], line["steps"]);
    EXPECT_EQ(schedule["verified"], true);
  }
  EXPECT_TRUE(spliced);
}

}  // namespace
