// Pipelined routers: the zero-load law on random networks, patterns, routings and packet lengths.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

struct Case {
  const char* topology;
  std::vector<std::string> routings;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"mesh:4x4", {"dimension-order", "minimal-adaptive", "shortest"}},
      {"mesh:3x2x4", {"dimension-order", "minimal-adaptive"}},
      {"mesh:2x2x2x2", {"dimension-order", "valiant"}},
      {"torus:4x4", {"dimension-order", "minimal-adaptive", "shortest", "valiant"}},
      {"torus:5x3", {"dimension-order", "minimal-adaptive", "shortest-table"}},
      {"torus:2x4x4", {"dimension-order", "minimal-adaptive"}},
      {"hypercube:4", {"dimension-order", "minimal-adaptive", "valiant"}},
      {"hamming:4x4", {"dimension-order", "minimal-adaptive", "shortest"}},
      {"hosts(2, hamming:3x3)", {"dimension-order", "minimal-adaptive"}},
      {"ring:16", {"shortest", "dimension-order", "minimal-adaptive"}},
      {"xgft:2;4,4;1,2", {"d-mod-k", "s-mod-k", "up-down-random", "up-down-adaptive"}},
      {"xgft:3;2,2,4;1,2,2", {"d-mod-k", "up-down-random", "up-down-adaptive"}},
      {"dragonfly:a=4,p=1,h=1", {"minimal", "valiant", "ugal-l", "ugal-g", "par"}},
      {"dragonfly:a=2,p=2,h=2", {"minimal", "valiant", "ugal-l", "par"}},
      {"kautz:2,3", {"shortest-table", "shortest"}}};
  return all;
}

// R + 3 cycles in each of H routers, W on each wire between them, one on those of the hosts and one
// into the first router, and a cycle for each further flit: 4 H + 2 + (L - 1) with R = 0, W = 1.
// The sum over all packets is that of their routers, exactly, as long as no packet meets another:
// about twenty in 300,000 cycles.
TEST(LoadCurveProperty, meets_the_zero_load_law_on_every_network) {
  Rng rng(20'26);
  const std::vector<std::string> patterns{"uniform",     "others",  "complement",
                                          "permutation", "tornado", "hot-spot:0.3"};
  for (const Case& one : test::samples(cases()))
    for (const std::string& routing : one.routings) {
      const auto link = 1 + static_cast<int>(rng.below(3));
      LoadCurveOptions options{.traffic = patterns[rng.below(6)],
                               .routing = routing,
                               .packet_flits = 1 + static_cast<int>(rng.below(6)),
                               .warmup_cycles = 0,
                               .measured_cycles = 300'000,
                               .seed = static_cast<std::uint64_t>(rng.below(1'000))};
      const auto routed = static_cast<int>(rng.below(3));
      options.router.link_cycles = link;
      options.router.routing_cycles = routed;
      options.router.channels = 12;
      const Fabric fabric(build_topology(one.topology));
      const auto hosts = static_cast<double>(fabric.topology().hosts().size());
      const LoadPoint point =
          LoadCurve(fabric, options).measure(20 * options.packet_flits / (hosts * 300'000));
      ASSERT_GT(point.packets, 5) << one.topology;
      EXPECT_NEAR(point.mean_latency,
                  (routed + 3 + link) * point.mean_hops + 3 - link + options.packet_flits - 1, 1e-9)
          << one.topology << ' ' << routing << ' ' << options.traffic << ' ' << options.packet_flits
          << " flits, seed " << options.seed;
    }
}

// A load that is stopped is one that a whole run finds unstable, whichever the network, the routing
// and the packets: around the limit, where it is hard to tell, and far beyond it.
TEST(LoadCurveProperty, stops_no_load_that_a_whole_run_finds_stable) {
  Rng rng(20'27);
  for (const Case& one : test::samples(cases())) {
    const std::string& routing =
        one.routings[rng.below(static_cast<std::int64_t>(one.routings.size()))];
    LoadCurveOptions options{.routing = routing,
                             .packet_flits = 1 + static_cast<int>(rng.below(4)),
                             .warmup_cycles = 1'000,
                             .measured_cycles = 2'000,
                             .seed = static_cast<std::uint64_t>(rng.below(1'000))};
    options.router.channels = 12;
    options.router.link_cycles = 1 + static_cast<int>(rng.below(4));
    const Fabric fabric(build_topology(one.topology));
    const LoadCurve stopping(fabric, options);
    options.overloaded = Overloaded::run_whole;
    const LoadCurve whole(fabric, options);
    const auto describe = [&](double load) {
      return std::string(one.topology) + ' ' + routing + " at " + std::to_string(load) + ", seed " +
             std::to_string(options.seed);
    };
    const double limit = whole.saturation(0.02);
    std::vector<double> loads{0.1, 1};
    for (const double share : {0.95, 0.98, 1.0, 1.03, 1.1, 1.3})
      if (share * limit > 0.01 && share * limit < 1) loads.push_back(share * limit);
    const auto expected = whole.measure(loads);
    for (const LoadPoint& point : expected) {
      EXPECT_EQ(stopping.measure(point.offered).stable, point.stable) << describe(point.offered);
      EXPECT_EQ(stopping.carries(point.offered), point.stable) << describe(point.offered);
    }
    EXPECT_EQ(stopping.saturation(0.02), limit) << describe(limit);
    EXPECT_EQ(stopping.saturation(0.02, stopping.measure({0.1, 0.3, 0.5, 0.7, 0.9})), limit)
        << describe(limit);
  }
}

// Far beyond the limit a run is stopped after less than half of its cycles, and has measured what
// comes out.
TEST(LoadCurveProperty, stops_where_a_load_is_clearly_too_high) {
  LoadCurveOptions options{
      .routing = "dimension-order", .warmup_cycles = 5'000, .measured_cycles = 10'000};
  const Fabric fabric(build_topology("torus:5x5"));
  const LoadPoint stopped = LoadCurve(fabric, options).measure(1);
  options.overloaded = Overloaded::run_whole;
  const LoadPoint whole = LoadCurve(fabric, options).measure(1);
  EXPECT_LT(2 * stopped.flit_hops, whole.flit_hops);
  EXPECT_EQ(stopped.measured_cycles, 2'000);
  EXPECT_EQ(whole.measured_cycles, 10'000);
  EXPECT_NEAR(stopped.accepted, whole.accepted, 0.03 * whole.accepted);
}

}  // namespace
}  // namespace weft::simulation
