// weft economics: what it says, in text and JSON, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process/command_line.hpp"

namespace {

using nlohmann::json;
using weft::test::run_weft;
using weft::test::ScratchFolder;

json row_of(const json& answer, const std::string& kind) {
  for (const json& row : answer["rows"])
    if (row["kind"] == kind) return row;
  return {};
}

// Eq. 4.12-4.13 for full sizes: 1 : 1.60 : 2.81 on even extents; the least sizes with 100,000
// endpoints (38, 47 and 59 a side, two of them odd) are a little dearer.
TEST(EconomicsCommand, compares_kinds_at_100000_endpoints) {
  const auto ran = run_weft({"economics", "--endpoints", "100000", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["rows"].size(), 10);
  EXPECT_EQ(row_of(answer, "2dfc25")["normalized"], 1);
  EXPECT_NEAR(row_of(answer, "2dfc50")["normalized"], 1.60, 0.04);
  EXPECT_NEAR(row_of(answer, "2dfc100")["normalized"], 2.81, 0.05);
  const json fully = row_of(answer, "2dfc25");
  EXPECT_EQ(fully["switches"], 38 * 38);
  EXPECT_EQ(fully["electrical_cables"], 38 * 38 * 76);
  EXPECT_EQ(fully["optical_cables"], 2 * 38 * 38 * 37 / 2);
  EXPECT_NEAR(fully["dollars"], 155'595'972, 5e4);  // with the rounded lines: 155,598,884
}

TEST(EconomicsCommand, prices_a_topology) {
  const auto ran = run_weft({"economics", "hosts(2, 2dfc:3x3)", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["switches"], 9);
  EXPECT_EQ(answer["electrical_cables"], 18);
  EXPECT_EQ(answer["optical_cables"], 18);
  EXPECT_EQ(answer["optical_m"], 12 * 2 + 6 * 3);  // six lines: two cables of 1 + 1, one of 2 + 1
  const auto text = run_weft({"economics", "hosts(2, 2dfc:3x3)"});
  EXPECT_NE(text.out.find("22.76 x + 111.41"), std::string::npos) << text.out;
}

// One torus has three prices: each answer says what it priced, and how the others are had.
TEST(EconomicsCommand, says_why_one_network_has_several_prices) {
  const auto said = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "economics");
    const auto ran = run_weft(arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const auto has = [](const std::string& text, const char* part) {
    std::istringstream words(text);  // a screen's lines end where it is full
    std::string line;
    for (std::string word; words >> word;) line += word + ' ';
    EXPECT_NE(line.find(part), std::string::npos) << part << " in\n" << text;
  };
  const std::string alone = said({"torus:4x4x4"}), switched = said({"hosts(1, torus:4x4x4)"});
  has(alone, "to buy one for each");
  has(alone, "racks of 1 node in a square grid");
  has(switched, "racks of 1 switch in a square grid");
  EXPECT_EQ(switched.find("not bought"), std::string::npos);
  has(said({"hosts(1, torus:4x4x4)", "--switches-per-rack", "4", "--columns", "2"}),
      "racks of 4 switches in a given grid");
  for (const std::string& text : {alone, switched}) has(text, "a torus folded");
  const std::string kinds = said({"--endpoints", "64", "--kinds", "torus-3d"});
  has(kinds, "a torus folded");
  has(kinds, "named as a topology");
}

TEST(EconomicsCommand, tells_bisections) {
  const auto priced = run_weft({"economics", "hosts(4, 2dfc:8x8)", "--json"});
  EXPECT_EQ(json::parse(priced.out)["bisection_cables"]["exact"], 128);  // 8 * 64 / 4
  const auto text = run_weft({"economics", "hosts(4, 2dfc:8x8)"});
  EXPECT_NE(text.out.find("128 cables (formula: Lindsey 1964"), std::string::npos) << text.out;
  const json answer = json::parse(run_weft({"economics", "--routers", "50", "--json"}).out);
  EXPECT_EQ(row_of(answer, "2dfc50")["bisection"], "33/49");
  const json slim_fly = row_of(answer, "slimfly");
  EXPECT_TRUE(slim_fly["bisection"].is_null());
  EXPECT_EQ(slim_fly["bisection_lower"], "63/100");
  EXPECT_EQ(slim_fly["bisection_upper"], "13/20");
}

TEST(EconomicsCommand, refuses_faulty_price_lists_in_one_line) {
  const ScratchFolder folder;
  const std::string names = "name = \"n\"\nsource = \"s\"\n";
  const auto list = [](const std::string& kind, const std::string& size, const std::string& first,
                       const std::string& price) {
    return "[[" + kind + "]]\n" + size + " = " + first + "\ndollars = " + price + "\n[[" + kind +
           "]]\n" + size + " = 9\ndollars = 7\n";
  };
  const std::string electrical = list("electrical", "length_m", "1", "5"),
                    optical = list("optical", "length_m", "1", "5"),
                    switches = list("switch", "ports", "1", "5");
  const std::vector<std::pair<std::string, std::string>> faults{
      {names + electrical + optical, ":1: the file has fewer than two [[switch]]"},
      {names + list("electrical", "length_m", "1", "nan") + optical + switches,
       ":5: dollars of this [[electrical]] is nan"},
      {names + list("electrical", "length_m", "1", "inf") + optical + switches,
       ":5: dollars of this [[electrical]] is inf"},
      {names + list("electrical", "length_m", "1", "\"5\"") + optical + switches,
       ":5: dollars of this [[electrical]] is a text"},
      {names + list("electrical", "length_m", "-1", "5") + optical + switches,
       ":4: length_m of this [[electrical]] is -1"},
      {names + "[[electrical]]\nlength_m = 1\n" + optical + switches,
       ":3: this [[electrical]] has no dollars"},
      {names + list("electrical", "length_m", "9", "5") + optical + switches,
       "a line needs at least two [[electrical]] of different length_m without fit = false"},
      {names + "electrical = 3\n" + optical + switches,
       ":3: electrical of a price list is a number (expected tables, [[electrical]])"},
      {electrical + optical + switches, ":1: a price list has no name"},
      {names + "[[electrical]\n", ":3: "},
      {"", ":1: a price list has no name"}};
  for (const auto& [text, problem] : faults) {
    const auto ran =
        run_weft({"economics", "ring:4", "--prices", folder.file("prices.toml", text)});
    EXPECT_EQ(ran.code, 2) << problem;
    EXPECT_NE(ran.err.find(problem), std::string::npos) << problem << " in " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_TRUE(ran.out.empty());
  }
  const auto good = run_weft({"economics", "ring:4", "--prices",
                              folder.file("prices.toml", names + electrical + optical + switches)});
  EXPECT_EQ(good.code, 0) << good.err;
}

TEST(EconomicsCommand, keeps_to_the_kinds_asked_for) {
  const auto ran = run_weft({"economics", "--radix", "36", "--kinds", "kautz,fat-tree", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["rows"].size(), 2);
  EXPECT_EQ(row_of(answer, "fat-tree")["endpoints"], 36 * 36 * 36 / 4);
}

// A small cluster is told of one switch, a larger one of two levels; the levels can be named.
TEST(EconomicsCommand, says_the_levels_of_fat_trees) {
  const auto ran = run_weft(
      {"economics", "--endpoints", "1000", "--kinds", "fat-tree,fat-tree-2,fat-tree-3", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(row_of(answer, "fat-tree")["levels"], 2);
  EXPECT_EQ(row_of(answer, "fat-tree")["normalized"], 1);
  EXPECT_EQ(row_of(answer, "fat-tree-2")["levels"], 2);
  EXPECT_EQ(row_of(answer, "fat-tree-3")["levels"], 3);
  EXPECT_EQ(row_of(answer, "fat-tree-3")["ports"], 16);  // 16^3 / 4 = 1,024
  const auto small = run_weft({"economics", "--endpoints", "7", "--kinds", "fat-tree"});
  EXPECT_NE(small.out.find("one switch"), std::string::npos) << small.out;
  EXPECT_TRUE(row_of(json::parse(run_weft({"economics", "--endpoints", "7", "--json"}).out),
                     "2dfc25")["levels"]
                  .is_null());
}

// A 3-D torus has 7 ports whatever its size, a 5-D torus 11.
TEST(EconomicsCommand, tells_no_limit_from_no_size) {
  const auto ran = run_weft({"economics", "--radix", "7", "--kinds", "torus-3d,torus-5d"});
  EXPECT_NE(ran.out.find("torus-3d  any size"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("torus-5d  every size has more ports"), std::string::npos);
}

TEST(EconomicsCommand, refuses_what_makes_no_sense) {
  const ScratchFolder folder;
  const std::string bad = folder.file("bad.toml",
                                      "name = \"n\"\nsource = \"s\"\n[[electrical]]\n"
                                      "length_m = 1\ndollars = -2\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"economics"}, "no network is given"},
      {{"economics", "ring:4", "--endpoints", "4"}, "several networks are given"},
      {{"economics", "ring:4", "--kinds", "kautz"},
       "--kinds needs --endpoints or --routers and --radix, not a"},
      {{"economics", "--endpoints", "0"}, "0 endpoints are out of range"},
      {{"economics", "--routers", "-3"}, "-3 routers are out of range"},
      {{"economics", "--radix", "0"}, "0 ports are out of range"},
      {{"economics", "--endpoints", "9", "--kinds", "slimfli"}, "did you mean slimfly?"},
      {{"economics", "ring:4", "--switches-per-rack", "0"}, "0 switches per rack are too"},
      {{"economics", "--endpoints", "9", "--columns", "3"},
       "on kinds, because it places the racks of a topology; name a"},
      {{"economics", "ring:4", "--columns", "0"}, "0 columns of racks are too few"},
      {{"economics", "ring:4", "--prices", bad},
       "bad.toml:5: dollars of this [[electrical]] is -2"},
      {{"economics", "ring:4", "--prices", folder.path("none.toml")}, "none.toml"}};
  for (const auto& [arguments, problem] : cases) {
    const auto ran = run_weft(arguments);
    EXPECT_EQ(ran.code, 2) << problem;
    EXPECT_NE(ran.err.find(problem), std::string::npos) << ran.err;
    EXPECT_TRUE(ran.out.empty());
  }
}

}  // namespace
