// One price for each orbit of links: the same values as the full linear program, and those of the
// direct-connect paper.
#include <gtest/gtest.h>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using flow::all_to_all_throughput;
using flow::Throughput;
using flow::ThroughputMethod;

Throughput by(ThroughputMethod method, const std::string& name) {
  return all_to_all_throughput(make_topology(name), {}, {.method = method});
}

class SameAsProgram : public testing::TestWithParam<const char*> {};

TEST_P(SameAsProgram, by_orbits) {
  const Throughput program = by(ThroughputMethod::exact, GetParam());
  const Throughput orbits = by(ThroughputMethod::orbits, GetParam());
  EXPECT_NEAR(orbits.throughput / program.upper_bound, 1, 1e-8);
  EXPECT_NEAR(orbits.upper_bound / program.throughput, 1, 1e-8);
  if (program.exact && orbits.exact) {
    EXPECT_EQ(program.exact, orbits.exact);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, SameAsProgram,
                         testing::Values("kautz:2,3", "kautz:3,2", "debruijn:2,4", "genkautz:4,12",
                                         "genkautz:3,17", "mesh:3x4", "hosts(2, ring:5)",
                                         "line(complete:4)", "torus:3x4",
                                         "random-regular:14,3,seed=2", "without(link=0, torus:3x3)",
                                         "ring:4 * mesh:3", "dragonfly:a=2,p=1,h=1,g=3",
                                         "xgft:2;2,2;1,2"));

// One of 6,144 hosts stands for all.
TEST(Orbits, tell_the_throughput_of_a_large_clos) {
  const Throughput result =
      by(ThroughputMethod::automatic, "clos:pods=4,leaves=48,spines=32,hosts=32,cores=32");
  ASSERT_TRUE(result.exact.has_value());
  // 1,536 hosts of a pod each send 4,608 of others their share over 32 links.
  EXPECT_EQ(*result.exact, Rational(32, 1536 * 4608));
  EXPECT_EQ(result.method, ThroughputMethod::orbits);
}

class SameAsProgramCayley : public testing::TestWithParam<const char*> {};

TEST_P(SameAsProgramCayley, by_generators) {
  const Throughput program = by(ThroughputMethod::exact, GetParam());
  const Throughput cayley = by(ThroughputMethod::cayley, GetParam());
  ASSERT_TRUE(cayley.exact.has_value());
  EXPECT_NEAR(cayley.throughput / program.throughput, 1, 1e-8);
  if (program.exact) {
    EXPECT_EQ(cayley.exact, program.exact);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, SameAsProgramCayley,
    testing::Values("torus:3x4", "torus:2x5", "circulant:13,1,5", "circulant:16,3,4", "hypercube:4",
                    "uniring:7", "cayley:Z5xZ4,k=2;(1,0),(0,1)", "cayley:D5;(1,0),(0,1)",
                    "cayley:Z7xZ3,k=2;(1,1),(3,0)", "cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1)",
                    "hosts(2, torus:3x3)", "uniring:5 * complete:3",
                    // Some generators have their inverses, others not.
                    "cayley:Z7;1,-1,2", "cayley:Z9;1,-1,4", "uniring:3 * ring:4"));

// Zhao et al., Table 7, column MCF, to the printed digits.
struct Printed {
  const char* network;
  double value, half_digit;
};
class Table7 : public testing::TestWithParam<Printed> {};

TEST_P(Table7, value_is_reached) {
  const Throughput result =
      all_to_all_throughput(make_topology(GetParam().network), {}, {.gap = 1e-6});
  EXPECT_LE(result.gap(), 1e-6);
  EXPECT_NEAR(result.throughput, GetParam().value, GetParam().half_digit);
}

INSTANTIATE_TEST_SUITE_P(
    DirectConnect, Table7,
    testing::Values(Printed{"line(bipartite:4,4)", 5.71e-2, 5e-5},
                    Printed{"distance-regular:ag-2-4-minus-class", 5.26e-2, 5e-5},
                    Printed{"genkautz:4,64", 2.17e-2, 5e-5},
                    Printed{"line(debruijn-mod:4,2)", 2.21e-2, 5e-5},
                    Printed{"power(2, diamond)", 1.87e-2, 5.1e-5},  // 0.01875
                    Printed{"line^2(bipartite:4,4)", 9.89e-3, 5e-6},
                    Printed{"line(distance-regular:ag-2-4-minus-class)", 9.26e-3, 5e-6},
                    Printed{"biring:2,8 * power(2, uniring:4)", 5.21e-3, 5e-6},
                    Printed{"debruijn:4,4", 4.04e-3, 5e-6},
                    Printed{"line^3(bipartite:4,4)", 1.88e-3, 5e-6},
                    Printed{"line^2(distance-regular:ag-2-4-minus-class)", 1.78e-3, 5e-6},
                    // Printed as BiRing(1,4), which must be UniRing(1,4).
                    Printed{"line(power(3, uniring:4) * uniring:2)", 1.12e-3, 5e-6},
                    Printed{"power(3, uniring:4) * uniring:8", 5.58e-4, 5e-7},
                    Printed{"power(2, uniring:4 * uniring:8)", 2.79e-4, 5e-7}));

// Printed: 8.12e-4 for L^3(C(16,{3,4})), which is above the bound by equal prices on that network.
TEST(Table7Circulant, value_of_a_line_graph_of_a_circulant_is_above_its_distance_bound) {
  const Throughput result =
      all_to_all_throughput(make_topology("line^3(circulant:16,3,4)"), {},
                            {.method = ThroughputMethod::approximate, .gap = 0.02});
  EXPECT_LT(result.distance_bound, 8.10e-4);
  EXPECT_LE(result.upper_bound, result.distance_bound);
}

// By hand: a torus with equal even extents m meets its distance bound, 4 / (m / 2) / (m m) =
// 8 / m^3.
TEST(ThroughputCayley, needs_no_more_than_seconds_for_large_tori) {
  EXPECT_EQ(by(ThroughputMethod::cayley, "torus:100x100").exact, Rational(8, 1'000'000));
}

// The long dimension of 2k nodes is the bottleneck: a ring's link carries k * k / 2 pairs (k even),
// once for each of the 4 columns of senders.
TEST(ThroughputCayley, finds_the_dimension_that_limits) {
  const Throughput result = by(ThroughputMethod::cayley, "torus:4x64");
  EXPECT_EQ(result.exact, Rational(1, 4 * 32 * 32 / 2));
  EXPECT_LT(result.throughput, result.distance_bound);
}

TEST(ThroughputCayley, refuses_other_networks) {
  EXPECT_THROW(by(ThroughputMethod::cayley, "genkautz:4,12"), InvalidInput);
}

// Links of one generator that differ in speed: no longer one price for each generator.
TEST(ThroughputCayley, keeps_out_of_networks_with_uneven_speeds) {
  const Topology ring = make_topology("ring:5");
  std::vector<std::int64_t> capacity(10, 2);
  capacity[0] = 1;
  EXPECT_THROW(all_to_all_throughput(ring, capacity, {.method = ThroughputMethod::cayley}),
               InvalidInput);
  const Throughput program =
      all_to_all_throughput(ring, capacity, {.method = ThroughputMethod::exact});
  const Throughput orbits =
      all_to_all_throughput(ring, capacity, {.method = ThroughputMethod::orbits});
  EXPECT_EQ(program.exact, orbits.exact);
}

}  // namespace
