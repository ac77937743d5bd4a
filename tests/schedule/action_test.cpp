#include "weft/schedule/action.hpp"

#include <gtest/gtest.h>

#include <set>

namespace weft::schedule {
namespace {

TEST(Action, moves_runs_of_ranks_as_it_moves_each_rank) {
  const std::vector<std::vector<int>> groups{{7}, {2, 2, 2}, {3, 4}, {4, 3, 2}, {2, 5}};
  for (const auto& moduli : groups) {
    const Symmetry symmetry = Symmetry::translations(moduli);
    const std::int64_t ranks = 2 * std::int64_t{symmetry.order()};  // two orbits
    for (std::int32_t g = 0; g < symmetry.order(); ++g)
      for (std::int64_t first = 0; first < ranks; ++first)
        for (std::int64_t count = 1; first + count <= ranks; ++count) {
          std::set<std::int64_t> expected, moved;
          for (std::int64_t r = first; r < first + count; ++r)
            expected.insert(symmetry.apply(g, Agent(r)).value());
          std::int64_t total = 0;
          translate_ranks(symmetry, g, first, count, [&](std::int64_t start, std::int64_t length) {
            total += length;
            for (std::int64_t r = start; r < start + length; ++r) moved.insert(r);
          });
          ASSERT_EQ(moved, expected) << "element " << g << ", ranks " << first << " + " << count;
          ASSERT_EQ(total, count);
        }
  }
}

TEST(Action, keeps_a_whole_orbit_in_one_run) {
  const Symmetry symmetry = Symmetry::translations(std::vector<int>(10, 2));
  int runs = 0;
  translate_ranks(symmetry, 5, 0, 1024, [&](std::int64_t, std::int64_t) { ++runs; });
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace weft::schedule
