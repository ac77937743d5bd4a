// Pipelined routers: the zero-load law on random networks, patterns, routings and packet lengths.
#include <gtest/gtest.h>

#include <string>
#include <vector>

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
  for (const Case& one : cases())
    for (const std::string& routing : one.routings) {
      const auto link = 1 + static_cast<int>(rng.below(3));
      LoadCurveOptions options{.traffic = patterns[static_cast<std::size_t>(rng.below(6))],
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

}  // namespace
}  // namespace weft::simulation
