// As finder_schedule_test.cpp, on all sizes up to 64 and on random ones up to 300 nodes.
#include <gtest/gtest.h>

#include "support/finder_lines.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/random.hpp"

namespace weft::search {
namespace {

TEST(FinderLines, up_to_64_nodes_are_those_of_verified_schedules) {
  const Catalogue catalogue = Catalogue::load(test::source_dir() + "/share/catalogue");
  for (const int degree : {2, 4})
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const FoundFront& found : find_topologies(catalogue, {41, 64, degree, direction}))
        for (const FoundTopology& line : found.front) test::expect_schedule(line);
}

TEST(FinderLines, at_random_up_to_300_nodes_are_those_of_verified_schedules) {
  const Catalogue catalogue = Catalogue::load(test::source_dir() + "/share/catalogue");
  Rng rng(4);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 65 + static_cast<int>(rng.below(236));
    const int degree = 2 + static_cast<int>(rng.below(7));
    const Direction direction = rng.below(2) == 0 ? Direction::one_way : Direction::bidirectional;
    const auto found = find_topologies(catalogue, {nodes, nodes, degree, direction});
    if (found[0].front.empty()) continue;
    const auto pick = rng.below(static_cast<std::int64_t>(found[0].front.size()));
    test::expect_schedule(found[0].front[pick]);
  }
}

}  // namespace
}  // namespace weft::search
