// [[pairs]] and [[exclude]] select the combinations of a grid that are rows.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/small_experiment.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {
namespace {

// Lines 1 to 9; 2 networks, 3 algorithms, 2 sizes.
const std::string kHead = test::rings_and(R"(collective = "allgather"
algorithm = ["ring", "bruck", "recursive-doubling"]
size = ["1KiB", "2KiB"]
)");

// "4 ring 1024" for each row, in order.
std::vector<std::string> rows_of(const std::string& rest) {
  std::vector<std::string> rows;
  for (const Row& row : expand(parse_experiment(kHead + rest, "t.toml")))
    rows.push_back(fields::to_text(row.variables.at("n")) + " " +
                   fields::text_in(row.parameters, "algorithm") + " " +
                   fields::to_text(row.parameters.at("size")));
  return rows;
}

std::string message_of(const std::string& rest) {
  return test::message_of_file(kHead + rest);
}

using Rows = std::vector<std::string>;

TEST(Selection, pairs_keep_what_goes_together_in_the_order_of_the_axes) {
  EXPECT_EQ(rows_of("[[pairs]]\naxes = [\"algorithm\", \"n\", \"size\"]\nrows = [\n"
                    "[\"bruck\", \"4..8:4\", 1024],\n[\"ring\", 8],\n]\n"),
            (Rows{"4 bruck 1024", "8 ring 1024", "8 ring 2048", "8 bruck 1024"}));
}

TEST(Selection, several_pairs_must_all_agree) {
  EXPECT_EQ(rows_of("[[pairs]]\naxes = [\"algorithm\", \"n\"]\nrows = [[\"ring\", [4, 8]]]\n"
                    "[[pairs]]\naxes = [\"n\", \"size\"]\nrows = [[4, \"1KiB\"], [8, \"2KiB\"]]\n"),
            (Rows{"4 ring 1024", "8 ring 2048"}));
}

TEST(Selection, an_exclude_of_lists_is_one_of_each_combination) {
  std::string apart;
  for (const char* n : {"4", "8"})
    for (const char* algorithm : {"ring", "bruck"})
      apart += "[[exclude]]\nn = " + std::string(n) + "\nalgorithm = \"" + algorithm + "\"\n";
  const Rows rows = rows_of(apart);
  EXPECT_EQ(rows.size(), 2u * 2);
  EXPECT_EQ(rows_of("[[exclude]]\nn = \"4..8:4\"\nalgorithm = [\"ring\", \"bruck\"]\n"), rows);
}

// A ring has no radix, so no value of it leaves the ring out.
TEST(Selection, a_row_agrees_with_what_it_has_no_value_for) {
  const std::string pairs =
      "[[pairs]]\naxes = [\"algorithm\", \"radix\"]\nrows = [[\"ring\", 2], [\"bruck\", 4]]\n";
  EXPECT_EQ(rows_of("radix = [2, 4]\n" + pairs),
            (Rows{"4 ring 1024", "4 ring 2048", "4 bruck 1024", "4 bruck 2048", "8 ring 1024",
                  "8 ring 2048", "8 bruck 1024", "8 bruck 2048"}));
}

// One link of two values is a list; several links are a list of lists.
TEST(Selection, links_are_told_from_their_values) {
  const std::string links = "link = [\"1GBps,1us\", [\"2GBps,1us\", \"link=3GBps,0us\"]]\n";
  const auto rows = [&](const std::string& cell) {
    return rows_of(links + "[[pairs]]\naxes = [\"algorithm\", \"link\"]\nrows = [[\"ring\", " +
                   cell + "]]\n")
        .size();
  };
  EXPECT_EQ(rows("[\"2GBps,1us\", \"link=3GBps,0us\"]"), 4u);
  EXPECT_EQ(rows("[[\"1GBps,1us\"], [\"2GBps,1us\", \"link=3GBps,0us\"]]"), 8u);
}

TEST(Selection, rejects_what_names_nothing) {
  const auto expect = [](const std::string& rest, const std::string& message) {
    const std::string ours = message_of(rest);
    EXPECT_TRUE(ours.starts_with("t.toml:" + message)) << rest << ours;
  };
  const std::string axes = "[[pairs]]\naxes = [\"algorithm\", \"n\"]\n";  // lines 10 and 11
  expect("[[pairs]]\naxes = [\"n\"]\nrows = [[4]]\n", "11: [[pairs]] needs two axes");
  expect(axes, "10: [[pairs]] has no rows");
  expect(axes + "rows = []\n", "12: rows of [[pairs]] is empty");
  expect(axes + "rows = [\"ring\"]\n", "12: a row of [[pairs]] is a text");
  expect(axes + "rows = [[]]\n", "12: a row of [[pairs]] is empty");
  expect(axes + "rows = [[\"ring\", 4, 1]]\n", "12: a row of [[pairs]] has 3 values for 2 axes");
  expect(axes + "rows = [[\"ring\", 5]]\n", "12: no row of the grid has n = 5");
  expect(axes + "rows = [[\"ring\", []]]\n", "12: n has no value");
  expect(axes + "row = [[\"ring\", 4]]\n", "10: [[pairs]] has no rows");
  expect("[[pairs]]\naxes = [\"algorithm\", \"m\"]\nrows = [[\"ring\", 5]]\n",
         "12: unknown parameter or variable 'm' ([[pairs]])");
  expect("[[exclude]]\nn = \"1..200000\"\n", "11: [[exclude]] has more than 100000 combinations");
}

}  // namespace
}  // namespace weft::study
