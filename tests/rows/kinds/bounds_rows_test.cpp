// Rows of bounds, without an algorithm.
#include <gtest/gtest.h>

#include "weft/base/error.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {
namespace {

Row row(const std::string& grid) {
  return study::expand(
             study::parse_experiment(
                 "[experiment]\ntitle = \"t\"\nkind = \"bounds\"\n[grid]\n" + grid, "t.toml"))
      .at(0);
}

// Eight nodes in a line: what the last one lacks, 7/8 of M, comes over one of the two links that B
// is; its ports alone would take half of that. Data takes 7 links from end to end.
TEST(BoundsRows, know_ports_cuts_and_distances) {
  const Values values = measure(row("collective = \"allgather\"\ntopology = \"mesh:8\"\n"));
  EXPECT_EQ(fields::to_text(values.at("bandwidth_factor_bound")), "7/8");
  EXPECT_EQ(fields::to_text(values.at("cut_bound")), "7/4");
  EXPECT_EQ(fields::to_text(values.at("greatest_bound")), "7/4");
  EXPECT_EQ(fields::to_text(values.at("steps_bound")), "7");
}

// An allgather of 8 blocks of 1 MiB, 7/4 of 8 MiB over two links of 12.5 GB/s.
TEST(BoundsRows, say_the_least_time_of_a_size) {
  const Values values =
      measure(row("collective = \"allgather\"\ntopology = \"mesh:8\"\nsize = \"1MiB\"\n"));
  EXPECT_NEAR(*fields::to_number(values.at("least_time")), 1.75 * 8 * (1 << 20) / 25e9, 1e-12);
}

// What no bound depends on is no parameter.
TEST(BoundsRows, ask_for_no_algorithm) {
  EXPECT_THROW(row("collective = \"allgather\"\ntopology = \"mesh:8\"\nalgorithm = \"ring\"\n"),
               InvalidInput);
  EXPECT_FALSE(
      row("collective = \"allgather\"\ntopology = \"mesh:8\"\n").parameters.contains("routing"));
}

}  // namespace
}  // namespace weft::rows
