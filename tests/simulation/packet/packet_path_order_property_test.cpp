// Channels of explicit paths: no circle of waiting packets on any network and routing, and few.
#include <gtest/gtest.h>

#include <vector>

#include "support/path_channels.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Case {
  const char* topology;
  const char* routing;
  int channels;
};

// Up and down trees, and in dimension order on meshes and Hamming networks, numbers climb all the
// way. A ring's last link is the one fall in its dimension; so is a Dragonfly's global link before
// a local one. On the others the counts are those found, below the links of the longest path.
TEST(PathOrder, keeps_all_paths_free_of_circles_on_few_channels) {
  for (const Case& one : std::vector<Case>{{"xgft:3;4,2,2;1,2,2", "d-mod-k", 1},
                                           {"xgft:2;4,4;1,4", "s-mod-k", 1},
                                           {"mesh:4x3x2", "dimension-order", 1},
                                           {"hamming:4x4x3", "dimension-order", 1},
                                           {"hosts(2, hamming:3x3)", "dimension-order", 1},
                                           {"hypercube:5", "dimension-order", 1},
                                           {"ring:12", "shortest", 2},
                                           {"uniring:9", "shortest", 2},
                                           {"torus:5x4", "dimension-order-up", 3},
                                           {"torus:4x4x4", "dimension-order-up", 4},
                                           {"dragonfly:a=4,p=2,h=2", "minimal", 2},
                                           {"kautz:2,3", "shortest", 3},
                                           {"random-regular:40,3,seed=1", "shortest", 4},
                                           {"torus:8x8", "shortest", 5}}) {
    const PathChannels found =
        find_path_channels(Fabric(build_topology(one.topology)), one.routing);
    EXPECT_FALSE(found.circle) << one.topology;
    EXPECT_LE(found.channels, one.channels) << one.topology << ' ' << one.routing;
    EXPECT_LT(found.channels, found.longest) << one.topology;
  }
}

}  // namespace
}  // namespace weft::simulation
