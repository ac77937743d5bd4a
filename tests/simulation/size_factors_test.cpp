// Latency and bandwidth by the size of messages, against formulas.
#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/simulation/fluid/fluid.hpp"
#include "weft/topology/registry.hpp"

namespace weft::simulation {
namespace {

constexpr LinkSpeed kSpeed{.bandwidth_Bps = 10'000'000'000, .latency_ps = 500'000};
constexpr double kBandwidth = 1e10, kLatency = 5e-7;

Network network(const char* topology, HostParameters host = {}, const char* routing = "shortest") {
  const Fabric fabric(make_topology(topology), kSpeed);
  return {fabric, topology::place(fabric.topology(), {}), host, make_routing(routing, fabric)};
}

std::shared_ptr<const SizeFactors> factors(std::initializer_list<const char*> options) {
  SizeFactors made;
  for (const char* option : options) parse_factor_option(option, made);
  return std::make_shared<const SizeFactors>(made);
}

Program program(CollectiveKind kind, const char* algorithm, const Network& on,
                std::int64_t size_B) {
  const Collective collective{
      .kind = kind, .ranks = on.ranks(), .peer = schedule::Rank(on.ranks() - 1)};
  return lower(schedule::verify_own(algorithm::build_schedule(algorithm, collective, &on)),
               {.size_B = size_B});
}

// A message over three links: start-up, each latency by its factor, bytes at the scaled rate.
TEST(SizeFactors, scale_a_message_by_its_size) {
  const Network line = network("mesh:4", {.startup_ps = 2'000'000});
  const auto by_size = factors({"0:1.5,0.5", "64KiB:4,0.8"});
  struct Case {
    std::int64_t size_B;
    double latency, bandwidth;
  };
  for (const auto& [size_B, latency, bandwidth] :
       {Case{1024, 1.5, 0.5}, Case{65535, 1.5, 0.5}, Case{65536, 4, 0.8}, Case{1 << 24, 4, 0.8}})
    for (const Model model : {Model::fluid, Model::alpha_beta}) {
      const double expected =
          2e-6 + 3 * kLatency * latency + static_cast<double>(size_B) / (bandwidth * kBandwidth);
      const auto result =
          simulate(program(CollectiveKind::point_to_point, "direct", line, size_B), line,
                   {.model = model, .factors = by_size, .link_statistics = true});
      EXPECT_NEAR(result.time_s, expected, 1e-9 * expected) << size_B << ' ' << name_of(model);
      // What crosses a link is what was sent, however long it took.
      EXPECT_DOUBLE_EQ(*std::ranges::max_element(result.link_bytes), static_cast<double>(size_B));
    }
}

// SimGrid's thresholds belong to the range below them (SimGrid 3.32, --help of any of its
// programs).
TEST(SizeFactors, published_ones_begin_a_byte_after_their_threshold) {
  for (const std::string_view name : published_factor_names()) {
    ASSERT_NE(published_factors(name), nullptr) << name;
    const LinkFactors factors({.all = *published_factors(name), .by_class = {}},
                              make_topology("ring:3"));
    const topology::ClassId any(0);
    EXPECT_EQ(factors.of(any, 65472), (SizeFactor{15425, 3.48845, 0.697866}));
    EXPECT_EQ(factors.of(any, 65473), (SizeFactor{65473, 11.6436, 0.940694}));
    EXPECT_EQ(factors.of(any, 0), (SizeFactor{0, 2.01467, 0.812084}));
    EXPECT_EQ(factors.of(any, 257).latency, 2.01467);
    EXPECT_EQ(factors.of(any, 258).latency, 1.95341);
  }
  EXPECT_EQ(published_factors("smpi-3.1"), nullptr);
}

TEST(SizeFactors, are_one_below_the_first_size) {
  const Network line = network("mesh:4");
  const Program small = program(CollectiveKind::point_to_point, "direct", line, 1000);
  EXPECT_DOUBLE_EQ(simulate(small, line, {.factors = factors({"1001B:9,0.1"})}).time_s,
                   simulate(small, line).time_s);
}

TEST(SizeFactors, have_a_best_over_all_sizes_and_classes) {
  EXPECT_EQ(best_factor(nullptr), (SizeFactor{0, 1, 1}));
  EXPECT_EQ(best_factor(factors({"0:2,0.5"}).get()), (SizeFactor{0, 1, 1}));  // none is better
  EXPECT_EQ(
      best_factor(factors({"0:2,0.5", "1KiB:0.5,1.25", "global=0:3,2", "loopback=0:0.1,9"}).get()),
      (SizeFactor{0, 0.5, 2}));
}

// Hosts under a switch each, two switches: only the class named is slower, and the slowest link of
// the way decides the rate.
TEST(SizeFactors, belong_to_classes_of_links) {
  const Network tree = network("hosts(1, complete:2)");
  const Program message = program(CollectiveKind::point_to_point, "direct", tree, 1'000'000);
  const double expected = (2 * 1 + 3) * kLatency + 1e6 / (0.25 * kBandwidth);
  EXPECT_NEAR(simulate(message, tree, {.factors = factors({"link=0:3,0.25"})}).time_s, expected,
              1e-9 * expected);
  const double of_all = (2 * 2 + 3) * kLatency + 1e6 / (0.25 * kBandwidth);
  EXPECT_NEAR(simulate(message, tree, {.factors = factors({"0:2,0.5", "link=0:3,0.25"})}).time_s,
              of_all, 1e-9 * of_all);
}

// Seven messages leave each host at once and share its link, each as large as its factor makes it.
TEST(SizeFactors, hold_for_messages_that_share_a_link) {
  const Network star = network("xgft:1;8;1");
  const auto by_size = factors({"0:1,0.5"});
  const double expected = 2 * kLatency + 7 * (1 << 20) / (0.5 * kBandwidth);
  const Program spread = program(CollectiveKind::alltoall, "spread", star, 1 << 20);
  for (const Model model : {Model::fluid, Model::alpha_beta})
    EXPECT_NEAR(simulate(spread, star, {.model = model, .factors = by_size}).time_s, expected,
                1e-9 * expected);
}

// 2 (N - 1) steps of M / N bytes: the size of each message counts, not that of the buffer.
TEST(SizeFactors, go_by_the_size_of_each_message) {
  const Network ring = network("ring:16");
  const auto by_size = factors({"0:1,1", "2MiB:1,0.1"});
  const Program allreduce = program(CollectiveKind::allreduce, "ring", ring, 16 << 20);
  EXPECT_DOUBLE_EQ(simulate(allreduce, ring, {.factors = by_size}).time_s,
                   simulate(allreduce, ring).time_s);
}

// What the simulator leaves out by symmetry follows from the rest, with factors too.
TEST(SizeFactors, give_the_times_of_the_full_simulation) {
  const Network torus = network("torus:4x4", {.startup_ps = 300'000});
  for (const char* algorithm : {"bfb", "ring", "recursive-doubling"})
    for (const auto& by_size :
         {factors({"0:2,0.5", "4KiB:3,0.9"}), factors({"x=0:2,0.5", "x=4KiB:3,0.9"})}) {
      const Program allgather = program(CollectiveKind::allgather, algorithm, torus, 1024);
      const SimulationOptions options{.factors = by_size};
      const double full = simulate_fluid(allgather, torus, options, {.shortcuts = {}}).time_s;
      EXPECT_NEAR(simulate_fluid(allgather, torus, options).time_s, full, 1e-9 * full) << algorithm;
    }
}

// Factors of 1 are none.
TEST(SizeFactors, of_one_change_nothing) {
  const Network torus = network("torus:4x4");
  const Program alltoall = program(CollectiveKind::alltoall, "spread", torus, 5000);
  for (const Model model : {Model::fluid, Model::alpha_beta}) {
    const double plain = simulate(alltoall, torus, {.model = model}).time_s;
    EXPECT_NEAR(simulate(alltoall, torus, {.model = model, .factors = factors({"0:1,1"})}).time_s,
                plain, 1e-12 * plain);
  }
}

TEST(SizeFactors, are_read_as_they_are_shown) {
  SizeFactors read;
  for (const char* option : {"64KiB:2.5,0.9", "0:1.25,0.5", "global=1KiB:3,1"})
    parse_factor_option(option, read);
  EXPECT_EQ(read.all.front(), (SizeFactor{0, 1.25, 0.5}));
  SizeFactors again;
  for (const std::string& option : factor_options(read)) parse_factor_option(option, again);
  EXPECT_EQ(read, again);
  for (const char* wrong : {"", "1KiB", "1KiB:2", "1KiB:2,0", "1KiB:-1,1", "1KiB:nan,1", "=1:1,1",
                            "x:1,1", "0:1,1,1", "1KiB:1e99,1"})
    EXPECT_THROW(parse_factor_option(wrong, again), InvalidInput) << wrong;
  EXPECT_THROW(parse_factor_option("64KiB:1,1", again), InvalidInput);
}

TEST(SizeFactors, are_refused_by_packets_and_for_unknown_classes) {
  const Network ring = network("ring:4");
  const Program allgather = program(CollectiveKind::allgather, "ring", ring, 1024);
  EXPECT_THROW(simulate(allgather, ring, {.model = Model::packet, .factors = factors({"0:1,1"})}),
               InvalidInput);
  EXPECT_THROW(simulate(allgather, ring, {.factors = factors({"uplink=0:1,1"})}), InvalidInput);
}

}  // namespace
}  // namespace weft::simulation
