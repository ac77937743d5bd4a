// What a chart of a comparison shows beside the times.
#include "weft/report/comparison_chart.hpp"

#include <gtest/gtest.h>

#include "weft/topology/registry.hpp"

namespace weft::report {
namespace {

Network network_of(const char* topology) {
  LinkOptions links;
  topology::parse_link_option("100Gbps,1us", links);
  const Fabric fabric(build_topology(topology), links);
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric, 1)};
}

// A node has 4 links of 12.5 GB/s, 50 GB/s. An allreduce of M sends 2 (15/16) M; an allgather of
// blocks of b, M = 16 b, sends 15 b.
TEST(ComparisonMarks, are_the_fastest_and_the_ports_bound) {
  const Network network = network_of("torus:4x4");
  const CompareOptions options{.algorithms = {"ring", "bfb"}, .sizes_B = {1 << 20, 1 << 24}};
  for (const auto& [collective, factor] : {std::pair(schedule::allreduce(16), 2.0 * 15 / 16),
                                           std::pair(schedule::allgather(16), 15.0)}) {
    const Comparison comparison = advise::compare(collective, network, options);
    const std::vector<Series> marks = marks_of(comparison, collective, network);
    ASSERT_EQ(marks.size(), 2U);
    EXPECT_EQ(marks[0].role, Role::best);
    EXPECT_EQ(marks[1].role, Role::bound);
    ASSERT_EQ(marks[1].x, (std::vector<double>{1 << 20, 1 << 24}));
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_DOUBLE_EQ(marks[1].y[i], factor * marks[1].x[i] / 50e9);
      EXPECT_LE(marks[1].y[i], marks[0].y[i]);
      for (const ComparisonRow& row : comparison.rows)
        if (static_cast<double>(row.size_B) == marks[0].x[i]) {
          EXPECT_LE(marks[0].y[i], row.result.time_s);
        }
    }
  }
}

// Two leaves of four hosts with one link to the only spine: 4 * 4 blocks cross it each way, where a
// port carries 7.
TEST(ComparisonMarks, know_the_tightest_cut) {
  const Network network = network_of("xgft:2;4,2;1,1");
  const schedule::Collective alltoall = schedule::alltoall(8);
  const Comparison comparison =
      advise::compare(alltoall, network, {.algorithms = {"pairwise"}, .sizes_B = {1 << 20}});
  const std::vector<Series> marks = marks_of(comparison, alltoall, network);
  EXPECT_DOUBLE_EQ(marks[1].y[0], 16.0 * (1 << 20) / 12.5e9);
}

}  // namespace
}  // namespace weft::report
