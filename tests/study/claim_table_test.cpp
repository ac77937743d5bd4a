// Claims as tables: a row is the [[claim]] that it stands for.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/study/experiment.hpp"

namespace weft::study {
namespace {

// Lines 1 to 8.
const std::string kHead = R"([experiment]
title = "t"
[grid]
topology = ["ring:4", "ring:8"]
collective = "allgather"
algorithm = ["ring", "bruck"]
[[claims]]
)";

Experiment with(const std::string& table) {
  return parse_experiment(kHead + table, "t.toml");
}

std::string message_of(const std::string& table) {
  try {
    with(table);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

const std::string kTable = R"(text = "{text.who} takes {printed} steps, {not a column}"
source = "table {text.number}"
column = "steps"
where = { algorithm = "ring" }
columns = ["text.who", "text.number", "where.topology", "printed", "tolerance", "ours", "reason"]
rows = [
  ["A", 1, "ring:4", 3],
  ["B", 2, "ring:8", 7, [], 6, "notes: B"],
  ["C", 3, "ring:8", 7, 0],
]
)";

TEST(ClaimTable, a_row_is_a_claim) {
  const auto claims = with(kTable).claims;
  ASSERT_EQ(claims.size(), 3u);
  EXPECT_EQ(claims[0].text, "A takes 3 steps, {not a column}");
  EXPECT_EQ(claims[1].source, "table 2");
  EXPECT_EQ(claims[1].column, "steps");
  EXPECT_EQ(claims[1].wanted, "7");
  using Pairs = decltype(Match::equal);
  EXPECT_EQ(claims[1].where.equal, (Pairs{{"algorithm", "ring"}, {"topology", "ring:8"}}));
}

// An entry that is not there differs from one that has a value: only claims[2] sets a tolerance.
TEST(ClaimTable, a_row_leaves_entries_out) {
  const auto claims = with(kTable).claims;
  EXPECT_FALSE(claims[0].reason);
  EXPECT_TRUE(claims[0].ours.empty());
  EXPECT_EQ(claims[1].ours, std::vector<std::string>{"6"});
  EXPECT_EQ(claims[1].reason, "notes: B");
  EXPECT_FALSE(claims[1].lines.contains("tolerance"));
  EXPECT_TRUE(claims[2].lines.contains("tolerance"));
}

TEST(ClaimTable, claims_keep_the_order_of_the_file) {
  const std::string single =
      "[[claim]]\ntext = \"D\"\ncolumn = \"steps\"\nwhere = {}\nprinted = 1\n";
  const std::string table =
      "[[claims]]\ntext = \"{text.a}\"\ncolumn = \"steps\"\nwhere = {}\n"
      "columns = [\"text.a\", \"printed\"]\nrows = [[\"E\", 1], [\"F\", 2]]\n";
  std::string order;
  for (const Claim& claim : with(kTable + single + table).claims) order += claim.text.front();
  EXPECT_EQ(order, "ABCDEF");
}

TEST(ClaimTable, a_column_may_make_a_table_of_its_own) {
  const auto claims = with(R"(text = "ring against {than.algorithm}"
where = { algorithm = "ring" }
columns = ["than.algorithm"]
rows = [["bruck"]]
)")
                          .claims;
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].form, Claim::Form::below);
  EXPECT_EQ(claims[0].than.equal.front().second, "bruck");
}

TEST(ClaimTable, rejects_rows_that_do_not_fit) {
  const std::string common = "text = \"t\"\ncolumn = \"steps\"\nwhere = {}\n";  // lines 8 to 10
  const auto expect = [&](const std::string& rest, const std::string& message) {
    const std::string ours = message_of(common + rest);
    EXPECT_TRUE(ours.starts_with("t.toml:" + message)) << rest << ours;
  };
  expect("rows = [[1]]\n", "7: [[claims]] has no columns");
  expect("columns = [\"printed\"]\n", "7: [[claims]] has no rows");
  expect("columns = [\"printed\"]\nrows = []\n", "12: rows of [[claims]] is empty");
  expect("columns = [\"printed\"]\nrows = [1]\n", "12: a row of [[claims]] is a number");
  expect("columns = [\"printed\"]\nrows = [\n[1],\n[1, 2]]\n",
         "14: a row of [[claims]] has 2 cells for 1 columns; leave 1 out");
  expect("columns = [\"printed\", \"printed\"]\nrows = [[1, 2]]\n",
         "11: columns of [[claims]] names printed twice");
  expect("columns = [\"column\", \"printed\"]\nrows = [[\"steps\", 2]]\n",
         "11: column of [[claims]] is both above the rows and a column");
  expect("columns = [\"text.a\", \"printed\"]\nrows = [[\"a\", 2]]\n",
         "11: the column text.a is used nowhere");
  expect("columns = [\"column.a\", \"printed\"]\nrows = [[\"a\", 2]]\n",
         "9: column of [[claims]] is a text, and the column column.a needs a table");
  expect("columns = [\"printed\", \"print\"]\nrows = [[2, 2]]\n",
         "12: unknown key 'print' in [[claim]]; did you mean printed?");
}

}  // namespace
}  // namespace weft::study
