// Rows of kinds economics, price and embedding.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "weft/base/error.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {
namespace {

std::vector<Row> rows(const std::string& kind, const std::string& grid) {
  return study::expand(study::parse_experiment(
      "[experiment]\ntitle = \"t\"\nkind = \"" + kind + "\"\n[grid]\n" + grid, "t.toml"));
}

double number(const Values& values, const std::string& column) {
  return *fields::to_number(values.at(column));
}

TEST(EconomicsRows, are_the_sizes_and_bills_of_the_command) {
  const Values row = measure(rows("economics", "design = \"2DFC25\"\nendpoints = 100000\n").at(0));
  EXPECT_EQ(number(row, "switches"), 38 * 38);
  EXPECT_EQ(number(row, "hosts"), 38 * 38 * 76);
  EXPECT_EQ(fields::to_text(row.at("bisection")), "1/4");
  EXPECT_NEAR(number(row, "dollars_per_host"), 1417.81, 0.01);
  const Values nearest = measure(rows("economics", "design = \"slimfly\"\nrouters = 1000\n").at(0));
  EXPECT_EQ(number(nearest, "hosts"), 19'044);
  EXPECT_NEAR(number(nearest, "formula_hosts"), 16'771, 1);
}

// Fat trees are of the levels that suit, unless the design says how many.
TEST(EconomicsRows, name_the_levels_of_fat_trees) {
  const auto all = rows("economics", "design = [\"fat-tree\", \"fat-tree-3\"]\nendpoints = 7\n");
  EXPECT_EQ(number(measure(all.at(0)), "switches"), 1);
  EXPECT_EQ(fields::to_text(measure(all.at(1)).at("configuration")), "three levels, 4 ports");
}

TEST(PriceRows, are_lines_and_offers) {
  const auto all = rows("price",
                        "part = \"electrical\"\nunits = 1\n"
                        "quote = [\"line\", \"least\", \"greatest\"]\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_NEAR(number(measure(all[0]), "dollars"), 22.76 + 111.41, 0.01);  // through this offer
  EXPECT_EQ(number(measure(all[1]), "dollars"), 134.17);                  // EDR
  EXPECT_EQ(number(measure(all[2]), "dollars"), 205);                     // HDR
  EXPECT_EQ(number(measure(all[0]), "offers"), 2);
  const auto none = rows("price", "part = \"switch\"\nunits = 37\nquote = \"least\"\n");
  EXPECT_THROW(measure(none.at(0)), InvalidInput);
}

// Zhao et al., section 2.1: 1008 ports at $100, 384 ports at $520.
TEST(PriceRows, are_of_ports_of_panels) {
  const auto all = rows("price", "part = [\"patch-panel\", \"optical-switch\"]\nunits = 3\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(number(measure(all[0]), "dollars"), 300);
  EXPECT_EQ(number(measure(all[0]), "dollars_per_unit"), 100);
  EXPECT_EQ(number(measure(all[0]), "most"), 1008);
  EXPECT_EQ(number(measure(all[1]), "dollars"), 1560);
  EXPECT_EQ(number(measure(all[1]), "most"), 384);
  const auto least = rows("price", "part = \"patch-panel\"\nunits = 3\nquote = \"least\"\n");
  EXPECT_THROW(measure(least.at(0)), InvalidInput);
}

TEST(PriceRows, change_with_the_content_of_their_list) {
  const std::string path = fmt::format("{}/prices-{}.toml", testing::TempDir(), getpid());
  const std::string list =
      "name = \"n\"\nsource = \"s\"\n[[electrical]]\nlength_m = 1\ndollars = 1\n"
      "[[electrical]]\nlength_m = 2\ndollars = 2\n[[optical]]\nlength_m = 1\ndollars = 1\n"
      "[[optical]]\nlength_m = 2\ndollars = 2\n[[switch]]\nports = 1\ndollars = 1\n"
      "[[switch]]\nports = 2\ndollars = 2\n";
  const auto key = [&](const std::string& text) {
    std::ofstream(path) << text;
    return rows("price", "part = \"switch\"\nunits = 48\nprices = \"" + path + "\"\n").at(0).key;
  };
  const std::string first = key(list);
  EXPECT_EQ(key(list), first);
  EXPECT_NE(key(list + "[[switch]]\nports = 3\ndollars = 5\n"), first);
  EXPECT_NE(rows("price", "part = \"switch\"\nunits = 48\n").at(0).key, first);
  std::remove(path.c_str());
}

TEST(EmbeddingRows, tell_what_a_network_contains) {
  const auto all = rows("embedding",
                        "topology = \"2dfc:3x4\"\n"
                        "guest = [\"torus:3x4\", \"hamming:3x4\", \"torus:4x4\"]\n");
  EXPECT_EQ(fields::to_text(measure(all.at(0)).at("contained")), "true");
  EXPECT_EQ(number(measure(all[0]), "spare_cables"), 6);
  EXPECT_EQ(fields::to_text(measure(all[1]).at("isomorphic")), "true");
  EXPECT_EQ(fields::to_text(measure(all[2]).at("contained")), "false");
  EXPECT_NE(all[0].key, all[1].key);
}

TEST(EconomicsRows, refuse_what_makes_no_sense) {
  for (const std::string grid :
       {"design = \"2dfc25\"\n", "design = \"2dfc25\"\nendpoints = 10\nrouters = 10\n",
        "design = \"slimfli\"\nrouters = 10\n", "design = \"2dfc25\"\nrouters = 0\n",
        "routers = 10\n", "design = \"2dfc25\"\nrouters = 10\nprices = \"none.toml\"\n"})
    EXPECT_THROW(rows("economics", grid), InvalidInput) << grid;
  for (const std::string grid :
       {"part = \"switch\"\n", "part = \"glue\"\nunits = 1\n", "part = \"switch\"\nunits = -1\n",
        "part = \"switch\"\nunits = 4\nquote = \"mean\"\n"})
    EXPECT_THROW(rows("price", grid), InvalidInput) << grid;
  for (const std::string grid :
       {"topology = \"2dfc:3x3\"\n", "topology = \"2dfc:3x3\"\nguest = \"file:a.edges\"\n",
        "topology = \"2dfc:3x3\"\nguest = \"turus:3x3\"\n"})
    EXPECT_THROW(rows("embedding", grid), InvalidInput) << grid;
}

}  // namespace
}  // namespace weft::rows
