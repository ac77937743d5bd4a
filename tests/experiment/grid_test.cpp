// Rows of experiment files: how many, which, and under which keys.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "weft/experiment/row.hpp"

namespace weft::experiment {
namespace {

std::vector<Row> rows_of(const std::string& tables, Grid grid = Grid::full) {
  return expand(parse_experiment("[experiment]\ntitle = \"t\"\n" + tables, "t.toml"), grid);
}

std::string text(const Row& row, std::string_view name) {
  const auto found = row.parameters.find(name);
  return found == row.parameters.end() ? "-" : to_text(found->second);
}

TEST(Grid, last_axis_varies_fastest) {
  const auto rows = rows_of(R"([grid]
topology = ["ring:4", "torus:3x3"]
collective = "allgather"
algorithm = ["ring", "bruck"]
size = "1KiB:4KiB"
)");
  ASSERT_EQ(rows.size(), 2u * 2 * 3);
  EXPECT_EQ(text(rows[0], "size"), "1024");
  EXPECT_EQ(text(rows[2], "size"), "4096");
  EXPECT_EQ(text(rows[3], "algorithm"), "bruck");
  EXPECT_EQ(text(rows[5], "topology"), "ring:4");
  EXPECT_EQ(text(rows[6], "topology"), "torus:3x3");
}

TEST(Grid, baselines_of_the_thesis) {
  const auto experiment =
      load_experiment(std::string(WEFT_SOURCE_DIR) + "/experiments/2dfc-baselines.toml");
  // Three networks and 17 sizes, 1 KiB to 64 MiB; two algorithms of all-to-all, three of allgather,
  // and of allreduce the ring, recursive doubling, and the tree with and without pipelining.
  EXPECT_EQ(expand(experiment).size(), 3u * 17 * (2 + 3 + 4));
}

}  // namespace
}  // namespace weft::experiment
