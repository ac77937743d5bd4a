// Pipelined routers: zero-load latency by formula, queueing theory, published latencies,
// conservation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

LoadCurve curve(const char* topology, LoadCurveOptions options) {
  return LoadCurve(Fabric(build_topology(topology)), options);
}

// A lone packet: 4 cycles a router (two allocations, crossing, wire), 2 at the ends, a cycle for
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
      EXPECT_EQ(network.zero_load_latency(2), expected);
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
  EXPECT_NEAR(point.mean_latency - static_cast<double>(network.zero_load_latency(1)), wait,
              0.02 * wait);
}

// A global link between each two of nine groups, eight hosts a group. All of them send to the next
// group: minimally over one link, so up to 1/8 flit a host. Valiant shares the flits among all
// global links, two for each: 8 hosts * 2 / 8 links a group, up to 1/2; UGAL is no worse than half
// way between. Where traffic is uniform Valiant has the same limit, and others go beyond.
TEST(LoadCurve, judges_dragonfly_routings_as_theory_does) {
  const auto carries = [](const char* routing, const char* traffic, double load) {
    LoadCurveOptions options{
        .traffic = traffic, .routing = routing, .warmup_cycles = 1'000, .measured_cycles = 1'500};
    options.router.channels = 16;
    return curve("dragonfly:a=4,p=2,h=2", options).measure(load).stable;
  };
  EXPECT_TRUE(carries("minimal", "next-group", 0.1));
  EXPECT_FALSE(carries("minimal", "next-group", 0.14));
  EXPECT_TRUE(carries("valiant", "next-group", 0.3));
  for (const char* routing : {"ugal-l", "ugal-g", "par"})
    EXPECT_TRUE(carries(routing, "next-group", 0.38)) << routing;
  for (const char* routing : {"valiant", "ugal-l", "par"})
    EXPECT_FALSE(carries(routing, "next-group", 0.55)) << routing;
  EXPECT_TRUE(carries("valiant", "uniform", 0.4));
  EXPECT_FALSE(carries("valiant", "uniform", 0.55));
  for (const char* routing : {"minimal", "ugal-l", "ugal-g", "par"})
    EXPECT_TRUE(carries(routing, "uniform", 0.65)) << routing;
}

// Tornado on ring:8 takes three links one way, 1/3 flit a host at most; two random halves of two
// links each are shared by both ways, 1/2.
TEST(LoadCurve, judges_tornado_on_a_ring_as_theory_does) {
  const auto limit = [](const char* routing) {
    return curve("ring:8", {.traffic = "tornado",
                            .routing = routing,
                            .warmup_cycles = 2'000,
                            .measured_cycles = 6'000})
        .saturation(0.01);
  };
  for (const char* routing : {"dimension-order", "minimal-adaptive"}) {
    EXPECT_LE(limit(routing), 1 / 3.0 + 0.01) << routing;
    EXPECT_GT(limit(routing), 0.25) << routing;
  }
  const double valiant = limit("valiant");
  EXPECT_LE(valiant, 0.5);
  EXPECT_GT(valiant, 1 / 3.0);
}

// Up the tree all parents serve alike: its upper links are as many as its hosts, and a permutation
// finds them all. By one parent for each destination shuffle finds every second one.
TEST(LoadCurve, judges_fat_tree_routings_as_theory_does) {
  const auto limit = [](const char* routing, const char* traffic) {
    return curve("xgft:2;4,4;1,4", {.traffic = traffic,
                                    .routing = routing,
                                    .warmup_cycles = 2'000,
                                    .measured_cycles = 4'000})
        .saturation(0.02);
  };
  EXPECT_GT(limit("d-mod-k", "complement"), 0.95);
  EXPECT_GT(limit("up-down-adaptive", "complement"), 0.9);
  EXPECT_NEAR(limit("d-mod-k", "shuffle"), 0.5, 0.05);
  EXPECT_GT(limit("up-down-adaptive", "shuffle"), 0.65);
  EXPECT_GT(limit("up-down-random", "shuffle"), 0.6);
}

// Transpose on a mesh loads the links at the corner of dimension order with seven hosts' flits,
// half of which an adaptive routing takes round.
TEST(LoadCurve, spreads_transpose_adaptively) {
  const auto carries = [](const char* routing, double load) {
    return curve("mesh:8x8", {.traffic = "transpose",
                              .routing = routing,
                              .warmup_cycles = 1'000,
                              .measured_cycles = 3'000})
        .measure(load)
        .stable;
  };
  EXPECT_TRUE(carries("dimension-order", 0.13));
  EXPECT_FALSE(carries("dimension-order", 0.17));
  EXPECT_TRUE(carries("minimal-adaptive", 0.3));
}

// Three channels of a ring are one for each class and one for both: no load that two carry is
// refused, and a class is not left with a single channel, which serves a packet in two cycles at
// best (its next owner asks for the crossbar a cycle after the tail of the last has crossed).
// BookSim 2 carries more than 0.55 on torus:8x8 with three channels of 8 flits.
TEST(LoadCurve, uses_the_odd_channel_of_a_torus) {
  const auto limit = [](int channels) {
    LoadCurveOptions options{
        .routing = "dimension-order", .warmup_cycles = 1'500, .measured_cycles = 3'000};
    options.router.channels = channels;
    return curve("torus:8x8", options).saturation(0.01);
  };
  const double two = limit(2), three = limit(3);
  EXPECT_GE(three, two);
  EXPECT_GT(three, 0.5);
  EXPECT_GE(limit(5), limit(4) - 0.01);
}

// BookSim 2 (`min` on dragonflynew, k = 2, two channels of 256 flits, credit delay 2) finds 0.44
// stable and 0.45 not: nearly all packets go to their hosts by the second channel, which has a new
// packet once in two cycles at best. By either channel more gets through.
TEST(LoadCurve, sends_to_hosts_by_any_channel_or_that_of_the_phase) {
  const auto settles = [](Ejection ejection, double load) {
    LoadCurveOptions options{.routing = "minimal"};
    options.router = {.channels = 2,
                      .buffer_flits = 256,
                      .cycles_of_class = {{"local", 10}, {"global", 100}},
                      .ejection = ejection};
    return curve("dragonfly:a=4,p=2,h=2", options).settles(load);
  };
  EXPECT_TRUE(settles(Ejection::phase, 0.43));
  EXPECT_FALSE(settles(Ejection::phase, 0.46));
  EXPECT_TRUE(settles(Ejection::any, 0.46));
  LoadCurveOptions options{.routing = "dimension-order"};
  options.router.ejection = Ejection::phase;
  EXPECT_THROW(curve("torus:4x4", options), InvalidInput);
}

// Up to 1,000 hosts times routers the cycles are those of small networks. On torus:16x16 a mean way
// has 8 links and 9 routers: 20,000 * 1,000 / (256 * 9) = 8,681 cycles, in hundreds 8,700. On
// torus:32x32 that is 1,149, but a lone packet takes 4 * 17 + 2 = 70 cycles, and forty times as
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

// Every way of a torus is free of deadlock with two channels: far above saturation flits still
// come out at the end.
TEST(LoadCurve, does_not_lock_above_saturation) {
  const auto accepted = [](const char* topology, const char* routing, int channels) {
    LoadCurveOptions options{.routing = routing,
                             .packet_flits = 4,
                             .warmup_cycles = 20'000,
                             .measured_cycles = 2'000,
                             .overloaded = Overloaded::run_whole};
    options.router.channels = channels;
    options.router.buffer_flits = 1;
    return curve(topology, options).measure(1).accepted;
  };
  for (const char* topology : {"torus:5x4", "torus:8x8", "torus:4x4x4"})
    for (const int channels : {2, 3, 5})
      EXPECT_GT(accepted(topology, "dimension-order", channels), 0.02) << topology;
  EXPECT_GT(accepted("ring:8", "shortest", 2), 0.02);
  EXPECT_GT(accepted("kautz:2,3", "shortest", 3), 0.02);
  EXPECT_GT(accepted("torus:5x4", "valiant", 4), 0.02);
  EXPECT_GT(accepted("torus:5x4", "valiant", 7), 0.02);
  EXPECT_GT(accepted("mesh:4x4", "valiant", 2), 0.02);
  EXPECT_GT(accepted("torus:5x4", "minimal-adaptive", 3), 0.02);
  EXPECT_GT(accepted("mesh:4x4", "minimal-adaptive", 2), 0.02);
  EXPECT_GT(accepted("hypercube:4", "minimal-adaptive", 2), 0.02);
  EXPECT_GT(accepted("dragonfly:a=4,p=2,h=2", "par", 4), 0.02);
  EXPECT_GT(accepted("dragonfly:a=4,p=2,h=2", "ugal-g", 3), 0.02);
  EXPECT_GT(accepted("xgft:2;4,4;1,4", "up-down-adaptive", 1), 0.02);
}

// The shared channel with packets that fit a buffer, just not, and twice over.
TEST(LoadCurve, does_not_lock_where_classes_share_a_channel) {
  for (const int buffer : {2, 3, 4, 8})
    for (const char* topology : {"ring:8", "torus:5x4", "torus:4x4x4"}) {
      LoadCurveOptions options{.routing = "dimension-order",
                               .packet_flits = 4,
                               .warmup_cycles = 20'000,
                               .measured_cycles = 2'000,
                               .overloaded = Overloaded::run_whole};
      options.router.channels = 3;
      options.router.buffer_flits = buffer;
      EXPECT_GT(curve(topology, options).measure(1).accepted, 0.05) << topology << ' ' << buffer;
    }
}

TEST(LoadCurve, says_how_many_channels_are_needed) {
  const auto message = [](const char* topology, const char* routing, int channels) {
    LoadCurveOptions options{.routing = routing};
    options.router.channels = channels;
    try {
      curve(topology, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("torus:8x8", "dimension-order", 1).find("needs 2 virtual channels"),
            std::string::npos);
  // Shortest ways round a ring wait for each other in a circle; two classes break it.
  EXPECT_NE(message("ring:8", "shortest", 1).find("needs 2 virtual channels"), std::string::npos);
  EXPECT_EQ(message("ring:8", "shortest", 2), "");
  EXPECT_EQ(message("ring:300", "shortest", 2), "");
  // Up and down a tree there is no circle.
  EXPECT_EQ(message("xgft:2;4,4;1,4", "d-mod-k", 1), "");
  EXPECT_EQ(message("mesh:4x4", "dimension-order", 1), "");
  EXPECT_NE(message("dragonfly:a=4,p=2,h=2", "par", 3).find("needs 4 virtual channels"),
            std::string::npos);
  EXPECT_NE(message("torus:4x4", "minimal-adaptive", 2).find("give --vcs 3"), std::string::npos);
  EXPECT_NE(message("torus:4x4", "par", 8).find("Dragonfly"), std::string::npos);
  EXPECT_NE(message("torus:4x4", "valiant", 3).find("needs 4 virtual channels"), std::string::npos);
  EXPECT_NE(message("mesh:4x4", "valiant", 1).find("needs 2 virtual channels"), std::string::npos);
  EXPECT_NE(message("ring:8", "shortest", 0).find("give 1 to 64"), std::string::npos);
}

TEST(Traffic, sends_where_its_name_says) {
  Rng rng(1);
  const auto to = [&](const char* name, std::int32_t hosts, std::int32_t from) {
    return TrafficPattern::make(name, hosts, 7).destination(from, rng);
  };
  EXPECT_EQ(to("complement", 10, 3), 6);
  EXPECT_EQ(to("transpose", 16, 0b0110), 0b1001);
  EXPECT_EQ(to("reverse", 8, 0b110), 0b011);
  EXPECT_EQ(to("shuffle", 8, 0b110), 0b101);
  EXPECT_EQ(to("tornado", 8, 6), 1);  // 6 + 4 - 1 mod 8
  EXPECT_EQ(to("neighbor", 8, 7), 0);
  const auto on = [&](const char* name, const char* topology, std::int32_t from) {
    const Topology network = build_topology(topology).topology;
    return TrafficPattern::make(name, static_cast<std::int32_t>(network.hosts().size()), 7,
                                TrafficShape::of(network))
        .destination(from, rng);
  };
  // In each dimension: (3, 2) of 8 x 5 to (3 + 3, 2 + 2), and to (4, 3).
  EXPECT_EQ(on("tornado", "torus:8x5", 3 + 8 * 2), 6 + 8 * 4);
  EXPECT_EQ(on("neighbor", "mesh:8x5", 3 + 8 * 2), 4 + 8 * 3);
  EXPECT_EQ(on("tornado", "without(cable=3, torus:8x5)", 3 + 8 * 2), 6 + 8 * 4);
  EXPECT_EQ(on("next-group", "dragonfly:a=4,p=2,h=2", 71) / 8, 0);  // of the last of 9 groups
  EXPECT_EQ(on("next-group", "without(cable=9, dragonfly:a=4,p=2,h=2)", 71) / 8, 0);
  EXPECT_EQ(on("next-group", "xgft:2;4,4;1,4", 5) / 4, 2);
  EXPECT_EQ(on("next-group", "without(cable=17, node=18, xgft:2;4,4;1,4)", 5) / 4, 2);
  EXPECT_EQ(to("asymmetric", 8, 6) % 4, 2);
  EXPECT_EQ(to("bitcomp", 8, 1), 6);
  EXPECT_THROW(TrafficPattern::make("next-group", 12, 1), InvalidInput);
  EXPECT_EQ(to("hot-spot:1", 8, 5), 0);
  std::vector<int> hits(10);
  const TrafficPattern permutation = TrafficPattern::make("permutation", 10, 3);
  for (std::int32_t h = 0; h < 10; ++h) {
    EXPECT_NE(permutation.destination(h, rng), h);
    ++hits[permutation.destination(h, rng)];
  }
  EXPECT_EQ(hits, std::vector<int>(10, 1));
  const TrafficPattern others = TrafficPattern::make("others", 5, 3);
  for (int i = 0; i < 1'000; ++i) EXPECT_NE(others.destination(2, rng), 2);
  EXPECT_THROW(TrafficPattern::make("transpose", 8, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("shuffle", 12, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("hot-spot:2", 12, 1), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("unifrom", 12, 1), InvalidInput);
}

// In any case and with '_' for '-'; a class is called as its network calls it.
TEST(Traffic, has_one_name_however_it_is_written) {
  EXPECT_EQ(canonical_traffic("Next_Group"), "next-group");
  EXPECT_EQ(canonical_traffic("BAD_DRAGON"), "next-group");
  EXPECT_EQ(canonical_traffic("hot_spot:0.5"), "hot-spot:0.5");
  EXPECT_EQ(canonical_traffic("class:to_spine"), "class:to_spine");
}

// Every host with the links that the way needs and no others: blocks of 2 hosts (a router) and 8 (a
// group), or 4, 16 and 32 (subtrees).
TEST(Traffic, of_a_class_crosses_it_and_none_further_out) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const Topology tree = build_topology("xgft:3;4,4,2;1,4,2").topology;
  struct Case {
    const Topology& network;
    const char* name;
    std::int32_t inner, outer;
  };
  for (const auto& [network, name, inner, outer] :
       {Case{fly, "class:terminal", 1, 2}, Case{fly, "class:local", 2, 8},
        Case{fly, "class:global", 8, 72}, Case{tree, "class:terminal", 1, 4},
        Case{tree, "class:level1", 4, 16}, Case{tree, "class:level2", 16, 32}}) {
    const auto hosts = static_cast<std::int32_t>(network.hosts().size());
    const auto pattern = TrafficPattern::make(name, hosts, 1, TrafficShape::of(network));
    Rng rng(5);
    for (std::int32_t from = 0; from < hosts; from += 3) {
      std::set<std::int32_t> reached;
      for (int i = 0; i < 3'000; ++i) reached.insert(pattern.destination(from, rng));
      std::set<std::int32_t> expected;
      for (std::int32_t to = 0; to < hosts; ++to)
        if (to / outer == from / outer && to / inner != from / inner) expected.insert(to);
      EXPECT_EQ(reached, expected) << name << " from " << from;
    }
    for (const double share : pattern.arrivals()) EXPECT_NEAR(share, 1, 1e-9) << name;
  }
  EXPECT_THROW(TrafficPattern::make("class:globl", 72, 1, TrafficShape::of(fly)), InvalidInput);
  EXPECT_THROW(TrafficPattern::make("class:local", 8, 1), InvalidInput);
}

// Hosts 0, 1, 2, 9 and 17 of a Dragonfly: 0 and 1 on one router, 2 in their group.
TEST(Traffic, of_a_class_goes_by_the_numbers_of_those_that_take_part) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const std::vector<std::int32_t> numbers{0, 1, 2, 9, 17};
  const auto pattern = TrafficPattern::make("class:local", 5, 1, TrafficShape::of(fly), numbers);
  Rng rng(5);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(pattern.destination(0, rng), 2);
    EXPECT_LT(pattern.destination(2, rng), 2);
    EXPECT_EQ(pattern.destination(3, rng), 3);  // alone in its group
  }
  const std::vector<double> expected{0.5, 0.5, 2, 0, 0};
  const std::vector<double> arrivals = pattern.arrivals();
  for (std::size_t h = 0; h < 5; ++h) EXPECT_NEAR(arrivals[h], expected[h], 1e-12) << h;
}

// Groups 0, 3 and 4 of nine with 3, 1 and 2 hosts: the group after one is the next of these.
TEST(Traffic, to_the_next_group_skips_those_without_a_host_that_takes_part) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const std::vector<std::int32_t> numbers{0, 1, 7, 24, 32, 39};
  const auto pattern = TrafficPattern::make("next-group", 6, 1, TrafficShape::of(fly), numbers);
  const std::vector<std::set<std::int32_t>> targets{{3}, {3}, {3}, {4, 5}, {0, 1, 2}, {0, 1, 2}};
  Rng rng(5);
  for (std::size_t from = 0; from < targets.size(); ++from) {
    std::set<std::int32_t> reached;
    for (int i = 0; i < 200; ++i)
      reached.insert(pattern.destination(static_cast<std::int32_t>(from), rng));
    EXPECT_EQ(reached, targets[from]) << from;
  }
  const std::vector<double> expected{2.0 / 3, 2.0 / 3, 2.0 / 3, 3, 0.5, 0.5};
  const std::vector<double> arrivals = pattern.arrivals();
  for (std::size_t h = 0; h < 6; ++h) EXPECT_NEAR(arrivals[h], expected[h], 1e-12) << h;
  // Hosts 0 and 1 send to the other part, and those of group 4 two thirds of theirs to these.
  EXPECT_NEAR(pattern.between(std::vector<std::int32_t>{0, 0, 1, 1, 1, 1}), 2 + 2 * 2.0 / 3, 1e-12);
  // Of one group there is no next one.
  const auto alone = TrafficPattern::make("next-group", 3, 1, TrafficShape::of(fly),
                                          std::vector<std::int32_t>{8, 9, 15});
  EXPECT_EQ(alone.destination(1, rng), 1);
  EXPECT_EQ(alone.arrivals(), std::vector<double>(3));
  EXPECT_EQ(alone.between(std::vector<std::int32_t>{0, 1, 2}), 0);
}

// By the whole network it is the host that the draw counts from the next group's first.
TEST(Traffic, to_the_next_group_draws_one_of_its_hosts) {
  const Topology fly = build_topology("dragonfly:a=4,p=2,h=2").topology;
  const auto pattern = TrafficPattern::make("next-group", 72, 1, TrafficShape::of(fly));
  Rng rng(5), naive(5);
  for (std::int32_t from = 0; from < 72; ++from)
    EXPECT_EQ(pattern.destination(from, rng), ((from / 8 + 1) * 8 + naive.below(8)) % 72);
  EXPECT_THROW(TrafficPattern::make("next-group", 4, 1,
                                    TrafficShape::of(build_topology("xgft:2;4,1;1,2").topology)),
               InvalidInput);
}

// Of six hosts in parts of 3, 2 and 1, against draws.
TEST(Traffic, counts_what_goes_between_parts) {
  const std::vector<std::int32_t> parts{0, 0, 0, 1, 1, 2};
  const TrafficShape shape{.group = 2, .levels = {{"terminal", 2}, {"local", 6}}};
  Rng rng(4);
  for (const char* name : {"uniform", "others", "complement", "asymmetric", "hot-spot:0.3",
                           "permutation", "next-group", "class:terminal", "class:local"}) {
    const TrafficPattern pattern = TrafficPattern::make(name, 6, 5, shape);
    constexpr int kDraws = 40'000;
    double between = 0;
    for (std::int32_t h = 0; h < 6; ++h)
      for (int i = 0; i < kDraws; ++i)
        between += parts[h] != parts[pattern.destination(h, rng)] ? 1.0 / kDraws : 0;
    EXPECT_NEAR(pattern.between(parts), between, 0.03) << name;
  }
}

}  // namespace
}  // namespace weft::simulation
