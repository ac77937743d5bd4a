// Pipelined routers: what routings and channels carry in theory, and that nothing locks.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

LoadCurve curve(const char* topology, LoadCurveOptions options) {
  return LoadCurve(Fabric(build_topology(topology)), options);
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
  EXPECT_NE(message("ring:8", "shortest", 0).find("0 virtual channels are out of range (1 to 64)"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::simulation
