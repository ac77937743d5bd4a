#include "cli/study/claim_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft::cli {
namespace {

using Row = std::vector<std::string>;

// A time is shown with its unit, an interval by both ends, an order by words.
TEST(ClaimRows, have_mark_printed_ours_and_reason) {
  const auto rows = claim_rows({study::parse_experiment(R"([experiment]
title = "t"
[grid]
topology = ["ring:4", "ring:8"]
collective = "allgather"
algorithm = ["ring", "bruck"]
size = "1KiB"
[[claims]]
text = "{text.a}"
source = "table 1"
where = { algorithm = "ring" }
columns = ["text.a", "form", "printed", "expected", "than.algorithm", "reason", "ours", "broken"]
rows = [
  ["met", [], "2.7e-3"],
  ["one side", "under", "2.7e-3"],
  ["open", [], "2.7e-3", [], [], "n.md: a", [1e-3, 2e-3]],
  ["own", "at-most", [], "1"],
  ["order", [], [], [], "bruck", "n.md: b", [], [{ topology = "ring:4" }]],
]
)",
                                                        "name.toml")});
  EXPECT_EQ(rows, (std::vector<Row>{
                      {"name", "✓", "met", "2.700ms", "", "table 1", ""},
                      {"name", "≈", "one side", "at most 2.700ms", "", "table 1", ""},
                      {"name", "✗", "open", "2.700ms", "1.000ms, 2.000ms", "table 1", "n.md: a"},
                      {"name", "own ✓", "own", "at most 1.000s", "", "table 1", ""},
                      {"name", "✗", "order", "below", "not in every pair", "table 1", "n.md: b"},
                  }));
}

}  // namespace
}  // namespace weft::cli
