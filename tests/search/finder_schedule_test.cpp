// Every line of the finder is what `expand` makes of its expression: verified, and of exactly the
// steps and the bandwidth factor that were printed.
#include <gtest/gtest.h>

#include "support/finder_lines.hpp"
#include "support/process/source_dir.hpp"
#include "support/samples.hpp"

namespace weft::search {
namespace {

TEST(FinderLines, of_every_small_size_are_those_of_verified_schedules) {
  const Catalogue catalogue = Catalogue::load(test::source_dir() + "/share/catalogue");
  for (const int degree : test::samples({2, 4}))
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const FoundFront& found : find_topologies(catalogue, {2, 40, degree, direction}))
        for (const FoundTopology& line : found.front) test::expect_schedule(line);
}

TEST(FinderLines, of_other_degrees_are_those_of_verified_schedules) {
  const Catalogue catalogue = Catalogue::load(test::source_dir() + "/share/catalogue");
  for (const int degree : {1, 3, 5, 6, 8, 16})
    for (const Direction direction : {Direction::one_way, Direction::bidirectional})
      for (const int nodes : {4, 5, 9, 12, 24, 33})
        for (const FoundFront& found :
             find_topologies(catalogue, {nodes, nodes, degree, direction}))
          for (const FoundTopology& line : found.front) test::expect_schedule(line);
}

}  // namespace
}  // namespace weft::search
