// Rows that find a network.
#include <gtest/gtest.h>

#include <string>

#include "rows/rows_of.hpp"
#include "weft/base/error.hpp"

namespace weft::rows {
namespace {

// K_{4,4} is Moore- and bandwidth-optimal, so nothing is better at any size of buffer.
TEST(Measure, finds_the_best_network_of_a_size) {
  const std::string grid = "nodes = 8\nalpha = \"10us\"\n";
  const Values values = measure(rows_of(grid, "find").at(0));
  EXPECT_EQ(values.at("steps"), Value(std::int64_t{2}));
  EXPECT_EQ(values.at("bandwidth_factor"), Value(std::string("7/8")));
  EXPECT_EQ(values.at("steps_above_moore"), Value(std::int64_t{0}));
  const double time_s = 20e-6 + 7.0 / 8 * 1048576 / 12.5e9;
  EXPECT_NEAR(std::get<double>(values.at("time")), time_s, 1e-12);
  EXPECT_NEAR(std::get<double>(values.at("allreduce_time")), 2 * time_s, 1e-12);
  EXPECT_NEAR(std::get<double>(values.at("least_allreduce_time")), 2 * time_s, 1e-12);
  EXPECT_THROW(measure(rows_of(grid + "most-steps = 1\n", "find").at(0)), InvalidInput);
}

// More latency, and the one with fewer steps is best; more data, and the balanced one is.
TEST(Measure, finds_another_network_for_another_buffer) {
  const std::string grid = "nodes = 512\nalpha = \"10us\"\nwiring = \"two-way\"\n";
  const Values small = measure(rows_of(grid + "buffer = \"1KiB\"\n", "find").at(0));
  const Values large = measure(rows_of(grid + "buffer = \"16GiB\"\n", "find").at(0));
  EXPECT_LT(small.at("steps"), large.at("steps"));
  EXPECT_GT(fields::to_number(small.at("bandwidth_factor")),
            fields::to_number(large.at("bandwidth_factor")));
  EXPECT_THROW(rows_of("nodes = 1\n", "find"), InvalidInput);
  EXPECT_THROW(rows_of("nodes = 8\nwiring = \"both\"\n", "find"), InvalidInput);
  EXPECT_THROW(rows_of("degree = 4\n", "find"), InvalidInput);
}

// Figure 15 of the direct-connect paper has no degree expansion at degree 4, and searched graphs
// are none of its finder's.
TEST(Measure, finds_among_families_and_their_expansions_alone) {
  const std::string grid = "nodes = \"5..300\"\nwiring = \"one-way\"\ngraphs = \"families\"\n";
  for (const char* buffer : {"buffer = \"1MiB\"\n", "buffer = \"100MiB\"\n"}) {
    const auto rows = rows_of(grid + buffer + "alpha = \"10us\"\n", "find");
    EXPECT_EQ(rows.size(), 296U);
    for (const Row& row : rows) {
      const Values values = measure(row);
      const std::string family = fields::text_in(values, "family");
      EXPECT_EQ(family.find('D'), std::string::npos) << fields::text_in(values, "best");
      for (const char* searched : {"cayley", "lift", "splice", "exchange", "random"})
        EXPECT_EQ(fields::text_in(values, "best").find(searched), std::string::npos);
    }
  }
  EXPECT_THROW(rows_of("nodes = 8\ngraphs = \"some\"\n", "find"), InvalidInput);
}

}  // namespace
}  // namespace weft::rows
