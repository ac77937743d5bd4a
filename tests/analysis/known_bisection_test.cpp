#include "weft/analysis/bisection/known_bisection.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/judges/naive_bisection.hpp"
#include "support/samples.hpp"
#include "topology/files/file_helpers.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

std::int64_t exact(const std::string& text) {
  const auto known = known_bisection(make_topology(text));
  EXPECT_TRUE(known && known->exact()) << text;
  return known && known->exact() ? known->lower : -1;
}

TEST(KnownBisection, is_that_of_all_halves_tried) {
  for (const char* text : test::samples({"complete:2",
                                         "complete:9",
                                         "complete:10",
                                         "hypercube:1",
                                         "hypercube:4",
                                         "2dfc:3x3",
                                         "2dfc:4x4",
                                         "2dfc:3x4",
                                         "2dfc:3x5",
                                         "2dfc:2x7",
                                         "hamming:2x3x3",
                                         "hamming:2x2x5",
                                         "hyperx:3x3,2",
                                         "hyperx:4x3,1,2",
                                         "hyperx:4x4,3",
                                         "ring:2",
                                         "ring:3",
                                         "ring:8",
                                         "ring:9",
                                         "torus:3x3",
                                         "torus:4x3",
                                         "torus:4x4",
                                         "torus:5x3",
                                         "torus:5x4",
                                         "torus:4x2x2",
                                         "torus:7x3",
                                         "torus:6x3",
                                         "torus:2x8",
                                         "torus:3x6",
                                         "mesh:2",
                                         "mesh:7",
                                         "mesh:3x3",
                                         "mesh:4x3",
                                         "mesh:5x3",
                                         "mesh:5x4",
                                         "mesh:3x3x2",
                                         "mesh:2x2x5",
                                         "mesh:7x2",
                                         "mesh:3x6",
                                         "fat-tree:2,2",
                                         "fat-tree:3,2",
                                         "fat-tree:2,3",
                                         "xgft:2;3,2;1,3",
                                         "leaf-spine:leaves=4,spines=1,hosts=3",
                                         "leaf-spine:leaves=4,spines=2,hosts=3",
                                         "leaf-spine:leaves=3,spines=2,hosts=4",
                                         "leaf-spine:leaves=5,spines=1,hosts=2",
                                         "leaf-spine:leaves=3,spines=3,hosts=3",
                                         "leaf-spine:leaves=1,spines=2,hosts=5",
                                         "dragonfly:a=1,p=2,h=4",
                                         "dragonfly:a=2,p=2,h=1",
                                         "dragonfly:a=3,p=3,h=1,g=4",
                                         "dragonfly:a=5,p=1,h=1,g=2",
                                         "slimfly:3"})) {
    const Topology topology = make_topology(text);
    const auto known = known_bisection(topology);
    ASSERT_TRUE(known) << text;
    const std::int64_t fewest = support::naive_bisection(topology);
    EXPECT_LE(known->lower, fewest) << text;
    EXPECT_GE(known->upper.value_or(fewest), fewest) << text;
    EXPECT_TRUE(known->exact() || text == std::string("slimfly:3")) << text;
  }
}

TEST(KnownBisection, parts_the_hosts_of_a_switch_where_that_is_cheaper) {
  for (const std::string switches :
       {"complete:5", "complete:8", "2dfc:3x3", "2dfc:3x4", "2dfc:2x6", "hypercube:3", "torus:4x3",
        "torus:6x2", "ring:6", "mesh:4x3", "mesh:2x4", "hyperx:4x3,1,2", "hyperx:3x3,3"})
    for (int hosts = 1; hosts <= 9; ++hosts) {
      const std::string text = "hosts(" + std::to_string(hosts) + ", " + switches + ")";
      const Topology topology = make_topology(text);
      EXPECT_EQ(exact(text), support::naive_bisection(topology)) << text;
    }
}

TEST(KnownBisection, bounds_what_it_does_not_know) {
  for (const std::string switches :
       test::samples({"torus:5x3", "ring:7", "mesh:3x5", "torus:3x2x3", "hyperx:3x5,3,1",
                      "hyperx:2x5,4,1", "slimfly:3", "kautz:2,2", "kautz:3,2", "kautz:4,2"}))
    for (int hosts = 0; hosts <= 5; ++hosts) {
      const std::string text =
          hosts == 0 ? switches : "hosts(" + std::to_string(hosts) + ", " + switches + ")";
      const Topology topology = make_topology(text);
      const auto known = known_bisection(topology);
      ASSERT_TRUE(known) << text;
      const std::int64_t fewest = support::naive_bisection(topology);
      EXPECT_LE(known->lower, fewest) << text;
      EXPECT_GE(known->upper.value_or(fewest), fewest) << text;
    }
}

// Thesis, Eq. 2.12, min(m1, m2) m1 m2 / 4; Leighton 1992: 2 k^(n-1) for a k-ary n-cube, k^(n-1) for
// a mesh of even k; (k^n - 1) / (k - 1) for a mesh of odd k.
TEST(KnownBisection, has_the_closed_forms_of_large_networks) {
  EXPECT_EQ(exact("2dfc:16x24"), 16 * 16 * 24 / 4);
  EXPECT_EQ(exact("hosts(40, 2dfc:38x38)"), 38 * 38 * 38 / 4);
  EXPECT_EQ(exact("hamming:8x8x8"), 8 * 8 * 8 * 8 / 4);
  EXPECT_EQ(exact("hamming:5x5x5"), 6 * (125 - 1) / 4);  // Nakano 1994: (m + 1)(m^n - 1) / 4
  EXPECT_EQ(exact("hypercube:16"), 1 << 15);
  EXPECT_EQ(exact("torus:16x16x16"), 2 * 16 * 16);
  EXPECT_EQ(exact("torus:9x9x9"), 2 * (81 + 9 + 1));
  EXPECT_EQ(exact("mesh:50x50"), 50);
  EXPECT_EQ(exact("mesh:7x7x7"), 49 + 7 + 1);
  EXPECT_EQ(exact("fat-tree:16,3"), 4096 / 2);
  EXPECT_EQ(exact("fat-tree-ports:48"), 27648 / 2);
  EXPECT_EQ(exact("leaf-spine:leaves=32,spines=4,hosts=48"), 32 * 4 / 2);
  EXPECT_EQ(exact("slimfly:16"), 16 * 16 * 16 / 2);
  EXPECT_EQ(exact("dragonfly:a=4,p=2,h=2"), 4 * 4 + 2 * 2);  // 9 groups, one of them parted
  EXPECT_EQ(exact("dragonfly:a=7,p=3,h=3,g=22"), 22 * 22 / 4);
}

// The formula that is named gives the number beside it: the middle one of an odd number of groups
// is parted. a = 2, h = 1 is in the list above; the search goes through all halves of a = 2, h = 2.
TEST(KnownBisection, names_what_parts_a_dragonfly_of_an_odd_number_of_groups) {
  const auto known = [](const std::string& text) { return *known_bisection(make_topology(text)); };
  EXPECT_EQ(known("dragonfly:a=4,p=2,h=2").formula,
            "((g - 1)^2 + a^2) / 4, the middle group parted (g = a h + 1 odd, a even)");
  EXPECT_EQ(exact("dragonfly:a=4,p=2,h=2"), ((9 - 1) * (9 - 1) + 4 * 4) / 4);
  EXPECT_EQ(known("dragonfly:a=2,p=2,h=1").upper, ((3 - 1) * (3 - 1) + 2 * 2) / 4);
  EXPECT_EQ(known("dragonfly:a=2,p=2,h=2").upper, ((5 - 1) * (5 - 1) + 2 * 2) / 4);
  EXPECT_EQ(known("dragonfly:a=6,p=3,h=3").upper, ((19 - 1) * (19 - 1) + 6 * 6) / 4);
  EXPECT_EQ(known("dragonfly:a=6,p=3,h=3").lower, 88);  // 114^2 / (4 * 37), rounded up
  EXPECT_EQ(known("dragonfly:a=2,p=1,h=2").upper,
            support::naive_bisection(make_topology("dragonfly:a=2,p=1,h=2")));
  EXPECT_EQ(known("dragonfly:a=7,p=3,h=3,g=22").formula,
            "c g^2 / 4, c cables between two groups (g even)");
}

// The second eigenvalue, found by iteration, says what the formulas' eigenvalues say.
TEST(KnownBisection, has_the_eigenvalues_of_slim_flies_and_kautz_networks) {
  for (const char* text : {"slimfly:3", "slimfly:4", "slimfly:5", "slimfly:7", "slimfly:8",
                           "slimfly:9", "slimfly:11", "slimfly:13", "slimfly:16", "slimfly:19",
                           "kautz:2,2", "kautz:3,2", "kautz:8,2", "kautz:17,2"}) {
    const Topology topology = make_topology(text);
    EXPECT_EQ(known_bisection(topology)->lower, searched_bisection(topology).lower) << text;
    EXPECT_LE(known_bisection(topology)->lower, searched_bisection(topology).upper) << text;
  }
}

TEST(KnownBisection, holds_against_the_search_on_larger_networks) {
  for (const char* text :
       {"torus:5x5x5", "torus:7x5x4", "mesh:5x5x5", "hamming:5x6x7", "2dfc:9x11", "torus:9x9",
        "mesh:9x7", "dragonfly:a=4,p=2,h=2", "slimfly:8", "dragonfly:a=6,p=3,h=3",
        "hosts(3, 2dfc:7x9)", "hosts(2, torus:6x5x4)"}) {
    const Topology topology = make_topology(text);
    const auto known = known_bisection(topology);
    ASSERT_TRUE(known) << text;
    const Bisection found = searched_bisection(topology);
    EXPECT_LE(known->lower, found.upper) << text;
    EXPECT_GE(known->upper.value_or(found.lower), found.lower) << text;
  }
}

TEST(KnownBisection, knows_nothing_of_networks_without_structure) {
  for (const char* text : {"random-regular:20,4,seed=1", "without(cable=1, torus:4x4)", "uniring:5",
                           "xgft:3;4,4,2;1,2,2", "polarfly:3", "kautz:2,3"})
    EXPECT_FALSE(known_bisection(make_topology(text))) << text;
}

// 9 groups, one of them parted; 2 N / m; half of the hosts; k N m / 4.
TEST(KnownBisection, is_that_of_a_file_that_carries_facets) {
  for (const auto& [text, cables] : {std::pair{"dragonfly:a=4,p=2,h=2,g=9", 4 * 4 + 2 * 2},
                                     {"torus:6x4", 2 * 24 / 6},
                                     {"fat-tree:3,2", 9 / 2},
                                     {"hyperx:4x4,3,3", 3 * 16 * 4 / 4}}) {
    const Bisection found = bisection(topology::through_file(text));
    EXPECT_TRUE(found.exact()) << text;
    EXPECT_EQ(found.upper, cables) << text;
    EXPECT_FALSE(found.formula.empty()) << text;
  }
}

TEST(KnownBisection, is_not_claimed_of_what_failures_left) {
  for (const std::string text :
       {"without(cable=0, torus:4x4)", "without(cable=1, cable=5, hosts(1, 2dfc:3x3))",
        "without(cable=0, dragonfly:a=3,p=1,h=1,g=4)", "without(node=9, fat-tree:2,3)",
        "without(cable=9, fat-tree:2,3)", "without(cable=0, cable=2, hosts(1, ring:4))"})
    for (const Topology& topology : {make_topology(text), topology::through_file(text)}) {
      EXPECT_FALSE(known_bisection(topology)) << text;
      const Bisection found = bisection(topology);
      EXPECT_TRUE(found.formula.empty()) << text;
      const std::int64_t fewest = support::naive_bisection(topology);
      EXPECT_LE(found.lower, fewest) << text;
      EXPECT_GE(found.upper, fewest) << text;
    }
}

TEST(Bisection, takes_the_formula_where_it_is_exact) {
  const Bisection torus = bisection(make_topology("torus:9x9x9"));
  EXPECT_EQ(torus.upper, 182);
  EXPECT_TRUE(torus.exact());
  EXPECT_FALSE(torus.formula.empty());
  const Bisection random = bisection(make_topology("random-regular:20,4,seed=1"));
  EXPECT_TRUE(random.formula.empty());
}

}  // namespace
}  // namespace weft::analysis
