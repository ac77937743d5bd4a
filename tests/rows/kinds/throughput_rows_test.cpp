// Rows of throughput: bounds, times, and what makes another row.
#include <gtest/gtest.h>

#include <string>

#include "rows/rows_of.hpp"
#include "weft/base/error.hpp"

namespace weft::rows {
namespace {

// L(K_{4,4}), table 7: f = 2/35, and no network of 32 nodes has more than 4 / (4 + 2 * 16 + 3 *
// 11).
TEST(Measure, throughput_has_its_bounds_and_time) {
  const auto rows = rows_of("topology = \"line(bipartite:4,4)\"\n", "throughput");
  const Values values = measure(rows.at(0));
  EXPECT_EQ(values.at("hosts"), Value(std::int64_t{32}));
  EXPECT_EQ(values.at("diameter"), Value(std::int64_t{3}));
  EXPECT_NEAR(std::get<double>(values.at("throughput")), 2.0 / 35, 1e-9);
  EXPECT_NEAR(std::get<double>(values.at("moore_bound")), 4.0 / 69, 1e-12);
  EXPECT_NEAR(std::get<double>(values.at("excess")), 70.0 / 69 - 1, 1e-9);
  // 2^20 B / 32 to every node at 2/35 of 25 Gbps.
  EXPECT_NEAR(std::get<double>(values.at("time")), 32768 / (2.0 / 35 * 3.125e9), 1e-12);
}

// Four hosts on a switch, each with one link for its blocks to three others; no switch has a link
// to another.
TEST(Measure, throughput_serves_networks_of_one_switch) {
  const auto rows = rows_of("topology = \"xgft:1;4;1\"\n", "throughput");
  EXPECT_NEAR(std::get<double>(measure(rows.at(0)).at("throughput")), 1.0 / 3, 1e-9);
}

TEST(Measure, rows_of_throughput_differ_by_what_changes_it) {
  const std::string grid = "topology = \"ring:8\"\n";
  const auto key = [&](const std::string& more) {
    return rows_of(grid + more, "throughput").at(0).key;
  };
  EXPECT_EQ(key(""), key("gap = 1e-2\nmethod = \"auto\"\nbuffer = 1048576\n"));
  EXPECT_NE(key(""), key("gap = 0.02\n"));
  EXPECT_NE(key(""), key("buffer = \"2MiB\"\n"));
  EXPECT_THROW(rows_of(grid + "gap = 0\n", "throughput"), InvalidInput);
  EXPECT_THROW(rows_of(grid + "method = \"guess\"\n", "throughput"), InvalidInput);
  EXPECT_THROW(rows_of(grid + "algorithm = \"bfb\"\n", "throughput"), InvalidInput);
}

}  // namespace
}  // namespace weft::rows
