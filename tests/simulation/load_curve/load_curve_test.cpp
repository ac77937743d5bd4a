// Pipelined routers: zero-load latency by formula, queueing theory, published latencies, and what
// a curve is made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

LoadCurve curve(const char* topology, LoadCurveOptions options) {
  return LoadCurve(Fabric(build_topology(topology)), options);
}

// A single packet: 4 cycles a router (two allocations, crossing, wire), 2 at the ends, a cycle for
// each further flit (Dally and Towles 2004, section 16.1). At 1e-5 flits a host hardly any packet
// meets another, and the least latency over all is that of the shortest way.
TEST(LoadCurve, meets_the_zero_load_law) {
  for (const int flits : {1, 2, 5})
    for (const int link : {1, 3}) {
      LoadCurveOptions options{.routing = "shortest",
                               .packet_flits = flits,
                               .warmup_cycles = 0,
                               .measured_cycles = 200'000};
      options.router.link_cycles = link;
      // complete:3 with the sender left out: every way has two routers.
      options.traffic = "others";
      const LoadCurve network = curve("complete:3", options);
      const LoadPoint point = network.measure(1e-4);
      // Two routers, the wire between them and those of the hosts.
      const std::int64_t expected = 3 * 2 + link + 2 + 1 + flits - 1;
      EXPECT_EQ(point.p50_latency, expected);
      EXPECT_NEAR(point.mean_latency, static_cast<double>(expected), 0.02);
      EXPECT_DOUBLE_EQ(point.mean_hops, 2);
      EXPECT_TRUE(point.stable);
    }
}

// A cycle more a router where routing takes one; each class of links as long as its own wires: over
// a local and a global link of a Dragonfly's only way between two groups of one router each.
TEST(LoadCurve, adds_the_cycles_of_routing_and_of_each_class) {
  LoadCurveOptions options{.traffic = "others",
                           .routing = "minimal",
                           .packet_flits = 3,
                           .warmup_cycles = 0,
                           .measured_cycles = 100'000};
  options.router.routing_cycles = 1;
  options.router.terminal_cycles = 2;
  options.router.cycles_of_class = {{"global", 7}};
  const LoadPoint point = curve("dragonfly:a=1,p=1,h=2", options).measure(1e-4);
  EXPECT_EQ(point.p50_latency, 2 * (1 + 3) + 7 + 2 * 2 + 1 + 2);
  EXPECT_NEAR(point.mean_latency, 22, 0.05);
  options.router.cycles_of_class = {{"golbal", 7}};
  EXPECT_THROW(curve("dragonfly:a=1,p=1,h=2", options), InvalidInput);
}

// 4H + 2 with H = 1 + distance; over all ordered pairs and the sender itself the mean distance of
// torus:8x8 is 4, of the 2dfc:4x4 3/2, of the mesh:4x4 5/2.
TEST(LoadCurve, has_the_mean_latency_of_the_mean_way) {
  for (const auto& [topology, distance] :
       {std::pair{"torus:8x8", 4.0}, std::pair{"2dfc:4x4", 1.5}, std::pair{"mesh:4x4", 2.5}}) {
    const LoadPoint point =
        curve(topology, {.routing = "dimension-order", .measured_cycles = 400'000}).measure(0.005);
    EXPECT_NEAR(point.mean_hops, 1 + distance, 0.05) << topology;
    EXPECT_NEAR(point.mean_latency, 4 * (1 + distance) + 2, 0.25) << topology;
  }
}

// BookSim 2 on torus:8x8, dimension order, uniform, one-flit packets, 8 channels of 8 flits,
// credit delay 2: 22.2, 22.9, 25.4 and 29.7 cycles.
TEST(LoadCurve, meets_latencies_of_booksim) {
  const LoadCurve network = curve("torus:8x8", {.routing = "dimension-order"});
  for (const auto& [load, latency] :
       {std::pair{0.1, 22.2}, std::pair{0.3, 22.9}, std::pair{0.5, 25.4}, std::pair{0.6, 29.7}}) {
    const LoadPoint point = network.measure(load);
    EXPECT_NEAR(point.mean_latency, latency, 0.02 * latency) << load;
    EXPECT_NEAR(point.accepted, load, 0.01 * load);
    EXPECT_TRUE(point.stable);
  }
}

// Two hosts that send to a third share its ejection port: no more than one flit a cycle comes out,
// so each gets half a flit a cycle, and a load of 1/2 is the limit.
TEST(LoadCurve, carries_no_more_than_a_port) {
  LoadCurveOptions options{.traffic = "hot-spot:1", .measured_cycles = 10'000};
  options.routing = "shortest";
  const LoadCurve network = curve("xgft:1;2;1", options);  // both send to host 0
  EXPECT_TRUE(network.measure(0.45).stable);
  const LoadPoint over = network.measure(0.6);
  EXPECT_FALSE(over.stable);
  EXPECT_NEAR(over.accepted, 0.5, 0.005);  // one flit a cycle for two hosts
  EXPECT_NEAR(network.saturation(0.005), 0.5, 0.01);
}

// BookSim's rule looks at the mean latency of ten samples of 1,000 cycles, of which three warm up.
// Queues of a port that gets a share e more than it carries grow by e a cycle: packets made in
// cycles 3,000 to 10,000 wait 6,500 e on average, which stays below 500 cycles for e < 0.077. So it
// finds up to 0.5 * 1.077 stable where a port carries 0.5, and never less than what is carried.
TEST(LoadCurve, finds_what_booksim_calls_stable) {
  LoadCurveOptions options{.traffic = "hot-spot:1", .routing = "shortest"};
  const LoadCurve network = curve("xgft:1;2;1", options);
  EXPECT_TRUE(network.settles(0.51));
  EXPECT_FALSE(network.settles(0.56));
  EXPECT_NEAR(network.latency_limit(0.005), 0.5 * 1.077, 0.01);
  EXPECT_THROW(network.settles(0), InvalidInput);
}

// Loads that a measurement has shown to be light settle; not asking for them changes no answer.
TEST(LoadCurve, knows_from_points_what_booksim_calls_stable) {
  for (const char* topology : {"torus:4x4", "dragonfly:a=4,p=2,h=2", "2dfc:3x3"}) {
    const LoadCurve network = curve(
        topology, {.router = {.channels = 4}, .warmup_cycles = 1000, .measured_cycles = 2000});
    const std::vector<LoadPoint> points = network.measure({0.2, 0.4, 0.6, 0.8});
    EXPECT_EQ(network.latency_limit(0.02, points), network.latency_limit(0.02)) << topology;
  }
  // A point above what is carried, or with half of the latency that is too much, tells nothing.
  const LoadCurve loaded = curve("xgft:1;2;1", {.traffic = "hot-spot:1", .routing = "shortest"});
  LoadPoint point{.offered = 0.9, .stable = false, .packets = 9, .mean_latency = 10};
  EXPECT_NEAR(loaded.latency_limit(0.005, {point}), 0.5 * 1.077, 0.01);
  point.stable = true, point.mean_latency = 251;
  EXPECT_NEAR(loaded.latency_limit(0.005, {point}), 0.5 * 1.077, 0.01);
}

// A queue with service of one cycle and Bernoulli arrivals at n inputs that all go to one output of
// a router (n -> infinity: M/D/1; here exactly the discrete queue): mean wait of a load rho spread
// over n sources is (n - 1) / n * rho / (2 (1 - rho)) (Hluchyj and Karol, "Queueing in
// High-Performance Packet Switching", IEEE JSAC 6(9), 1988, Eq. 4).
TEST(LoadCurve, waits_as_the_queue_of_an_output_does) {
  constexpr int kHosts = 8;
  const double rho = 0.8;
  LoadCurveOptions options{
      .traffic = "hot-spot:1", .routing = "shortest", .measured_cycles = 400'000};
  options.router.channels = 8;
  options.router.buffer_flits = 64;
  const LoadCurve network = curve("xgft:1;8;1", options);
  const LoadPoint point = network.measure(rho / kHosts);
  const double wait = (kHosts - 1.0) / kHosts * rho / (2 * (1 - rho));
  constexpr int kAlone = 3 + 2 + 1;  // one router, the wires of two hosts, and the flit itself
  EXPECT_NEAR(point.mean_latency - kAlone, wait, 0.02 * wait);
}

// Up to 1,000 hosts times routers the cycles are those of small networks. On torus:16x16 a mean way
// has 8 links and 9 routers: 20,000 * 1,000 / (256 * 9) = 8,681 cycles, in hundreds 8,700. On
// torus:32x32 that is 1,149, but a single packet takes 4 * 17 + 2 = 70 cycles, and forty times as
// many are measured at least.
TEST(LoadCurve, fits_its_cycles_to_the_network) {
  const auto cycles = [](const char* topology, LoadCurveOptions options) {
    return curve(topology, options).cycles();
  };
  EXPECT_EQ(cycles("torus:8x8", {}).warmup, 10'000);
  EXPECT_EQ(cycles("torus:8x8", {}).measured, 20'000);
  EXPECT_EQ(cycles("dragonfly:a=4,p=2,h=2", {.routing = "minimal"}).measured, 20'000);
  EXPECT_EQ(cycles("torus:16x16", {}).warmup, 4'400);
  EXPECT_EQ(cycles("torus:16x16", {}).measured, 8'700);
  EXPECT_EQ(cycles("torus:32x32", {}).warmup, 1'400);
  EXPECT_EQ(cycles("torus:32x32", {}).measured, 2'800);
  EXPECT_EQ(cycles("torus:32x32", {.warmup_cycles = 7}).warmup, 7);
  EXPECT_EQ(cycles("torus:32x32", {.measured_cycles = 11}).measured, 11);
  // Long wires: (3 * 17 + 50 * 16 + 3) * 40 is more than a small network's cycles.
  LoadCurveOptions slow;
  slow.router.link_cycles = 50;
  EXPECT_EQ(cycles("torus:32x32", slow).measured, 20'000);
}

TEST(LoadCurve, tells_of_points_in_order_and_of_its_progress) {
  const LoadCurve network = curve(
      "torus:4x4", {.routing = "dimension-order", .warmup_cycles = 500, .measured_cycles = 2'000});
  const std::vector<double> loads{0.9, 0.1, 0.5, 0.3};
  std::vector<double> told, shares;
  const auto points = network.measure(
      loads, [&](const LoadPoint& point) { told.push_back(point.offered); },
      [&](double share) { shares.push_back(share); });
  EXPECT_EQ(told, loads);
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_NEAR(shares.back(), 1, 1e-9);
  shares.clear();
  network.saturation(0.05, points, [&](double share) { shares.push_back(share); });
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_NEAR(shares.back(), 1, 0.2);
}

TEST(LoadCurve, gives_the_same_for_any_number_of_threads) {
  const LoadCurve network =
      curve("torus:4x4", {.routing = "dimension-order", .measured_cycles = 2'000});
  const std::vector<double> loads{0.1, 0.2, 0.4, 0.8};
  set_threads(1);
  const auto one = network.measure(loads);
  set_threads(4);
  const auto four = network.measure(loads);
  set_threads(0);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_EQ(one[i].mean_latency, four[i].mean_latency);
    EXPECT_EQ(one[i].flit_hops, four[i].flit_hops);
    EXPECT_EQ(one[i].mean_latency, network.measure(loads[i]).mean_latency);
  }
}

}  // namespace
}  // namespace weft::simulation
