// Multi-path: the thesis's paths and equations, shares against every other split, times against
// closed forms.
#include "weft/algorithm/multipath/multipath.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "../../src/weft/algorithm/multipath/kautz_paths.hpp"
#include "../../src/weft/algorithm/multipath/shares.hpp"
#include "support/graphs.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using schedule::point_to_point;

Network on(const std::string& expression, const std::vector<std::string>& links = {},
           const HostParameters& host = {}) {
  LinkOptions options;
  for (const std::string& link : links) topology::parse_link_option(link, options);
  const Fabric fabric(build_topology(expression), options);
  return {fabric, topology::place(fabric.topology(), {}), host,
          network::make_routing("shortest", fabric)};
}

Verified built(const std::string& name, const Network& network, int from, int to,
               const AlgorithmOptions& options = {}) {
  const Collective collective = point_to_point(network.ranks(), Rank(from), Rank(to));
  return schedule::verify_own(build_schedule(name, collective, &network, options),
                              &network.topology());
}

double time_s(const Verified& verified, const Network& network, std::int64_t size_B,
              const SimulationOptions& options = {}) {
  return simulate(lower(verified, {.size_B = size_B}), network, options).time_s;
}

/// The numbers of links of the paths, in order of length.
std::vector<std::size_t> lengths_of(const Schedule& schedule) {
  std::vector<std::size_t> lengths;
  for (const auto& message : schedule.messages(0))
    lengths.push_back(schedule.route(message.route).size());
  std::ranges::sort(lengths);
  return lengths;
}

// Section 3.3.1: type 1 has a path of 2 links and d - 1 of 3, type 2 one of 1 and d - 1 of 3, type
// 3 one of 1, d - 2 of 3, and the one of 4 that the thesis leaves out; d^2 - 1, 1 and d - 1
// destinations are of these types.
TEST(KautzPaths, are_of_the_three_types_of_the_thesis) {
  for (const int d : {2, 3, 5, 8}) {
    const Network network = on(fmt::format("kautz:{},2", d));
    std::map<std::vector<std::size_t>, int> types;
    for (int to = 1; to < network.ranks(); ++to)
      ++types[lengths_of(built("multipath", network, 0, to).schedule())];
    const auto lengths = [&](std::size_t shortest, int of_three, int of_four) {
      std::vector<std::size_t> result{shortest};
      result.insert(result.end(), static_cast<std::size_t>(of_three), 3);
      result.insert(result.end(), static_cast<std::size_t>(of_four), 4);
      return result;
    };
    EXPECT_EQ(types[lengths(2, d - 1, 0)], d * d - 1);
    EXPECT_EQ(types[lengths(1, d - 1, 0)], 1);
    EXPECT_EQ(types[lengths(1, d - 2, 1)], d - 1);
    EXPECT_EQ(types.size(), 3U);
  }
}

// No link twice, and the same links as those of the cheapest flow.
TEST(KautzPaths, are_those_of_the_cheapest_flow) {
  for (const int d : {2, 3, 4}) {
    const Network network = on(fmt::format("kautz:{},2", d));
    const auto kautz = topology::as_kautz(network.topology());
    for (const NodeId from : network.topology().nodes())
      for (const NodeId to : network.topology().nodes()) {
        if (from == to) continue;
        std::set<std::vector<LinkId>> flow, ours;
        const auto sets = flow::cheapest_paths(network.fabric(), from, to);
        for (const auto& path : sets.back()) flow.insert(path.links);
        for (auto& links : kautz_paths(network.topology(), *kautz, from, to))
          ours.insert(std::move(links));
        EXPECT_EQ(ours, flow) << d << ": " << from.value() << " to " << to.value();
      }
  }
}

/// Sums over all destinations, the sender itself at 0: steps, and seconds in units of M beta.
struct Sums {
  std::int64_t steps = 0;
  Rational transfers;
};
Sums sums_of(const Network& network, const AlgorithmOptions& options) {
  Sums sums;
  for (int to = 1; to < network.ranks(); ++to) {
    const Cost cost = schedule::cost(built("multipath-forward", network, 0, to, options), network);
    sums.steps += cost.steps;
    sums.transfers += cost.bandwidth_factor / network.topology().nominal_degree();
  }
  return sums;
}

// T = steps alpha + transfers M beta. Eq. 3.7: d (d + 1) times the average is 2 d^2 + d - 2 of
// both.
TEST(MultipathForward, costs_what_equation_3_7_says_over_one_path) {
  for (const int d : {2, 3, 4, 8}) {
    const Sums sums = sums_of(on(fmt::format("kautz:{},2", d)), {.values = {{"paths", 1}}});
    EXPECT_EQ(sums.steps, 2 * d * d + d - 2);
    EXPECT_EQ(sums.transfers, Rational(2 * d * d + d - 2));
  }
}

// Eq. 3.8: 3 (d (d + 1) - 1) alpha and 3 (d + 1) M beta. Eq. 3.9 is the quotient of the M beta.
// (For d = 2 a type-3 destination has one path only, of one link: 1 in place of 3.)
TEST(MultipathForward, costs_what_equation_3_8_says_over_paths_of_three_links) {
  for (const int d : {3, 4, 8}) {
    const Network network = on(fmt::format("kautz:{},2", d));
    const Sums sums = sums_of(network, {.values = {{"hops", 3}}});
    EXPECT_EQ(sums.steps, 3 * (d * (d + 1) - 1));
    EXPECT_EQ(sums.transfers, Rational(3 * (d + 1)));
    EXPECT_EQ(sums_of(network, {.values = {{"paths", 1}}}).transfers / sums.transfers,
              Rational(2 * d * d + d - 2, 3 * (d + 1)));
  }
  const Sums two = sums_of(on("kautz:2,2"), {.values = {{"hops", 3}}});
  EXPECT_EQ(two.steps, 3 * (2 * 3 - 1) - 2);
  EXPECT_EQ(two.transfers, Rational(3 * 3 - 2));
}

// T_mp,1 = T_mp,2 = 3 (alpha + M / d beta), T_mp,3 = 3 (alpha + M / (d - 1) beta), in both models.
TEST(MultipathForward, takes_the_time_of_the_formula) {
  const int d = 5;
  const std::int64_t size_B = 60'000'000;
  const Network network = on("kautz:5,2", {"100Gbps,1us"});
  for (int to = 1; to < network.ranks(); ++to) {
    const Verified verified = built("multipath-forward", network, 0, to, {.values = {{"hops", 3}}});
    const int paths = static_cast<int>(verified.schedule().messages(0).size());
    EXPECT_TRUE(paths == d || paths == d - 1);
    const double wanted = 3 * (1e-6 + size_B / paths / 12.5e9);
    for (const Model model : {Model::alpha_beta, Model::fluid})
      EXPECT_NEAR(time_s(verified, network, size_B, {.model = model}), wanted, 1e-9 * wanted);
  }
}

// Parts arrive together at (M / b + sum of latencies) / k; units of 1 / 2^20 round them.
TEST(Multipath, takes_the_time_of_the_closed_form) {
  const Network network = on("kautz:4,2", {"100Gbps,1us"});
  for (int to = 1; to < network.ranks(); ++to)
    for (const std::int64_t size_B : {std::int64_t{1} << 20, std::int64_t{1} << 26}) {
      const Verified verified = built("multipath", network, 0, to, {.size_B = size_B});
      const auto lengths = lengths_of(verified.schedule());
      ASSERT_EQ(lengths.size(), 4U);
      const double links =
          static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), 0UL));
      const double wanted = (static_cast<double>(size_B) / 12.5e9 + links * 1e-6) / 4;
      EXPECT_NEAR(time_s(verified, network, size_B), wanted, 1e-5 * wanted);
    }
}

TEST(Multipath, sends_a_small_message_over_the_shortest_path_alone) {
  const Network network = on("kautz:4,2");
  for (int to = 1; to < network.ranks(); ++to) {
    const Verified verified = built("multipath", network, 0, to, {.size_B = 1000});
    EXPECT_EQ(verified.schedule().messages(0).size(), 1U);
    EXPECT_DOUBLE_EQ(time_s(verified, network, 1000),
                     time_s(built("direct", network, 0, to), network, 1000));
  }
}

TEST(Multipath, is_never_slower_than_one_path_or_fewer) {
  for (const char* expression : {"torus:4x3", "genkautz:3,11", "random-regular:12,4,seed=2",
                                 "hypercube:3", "kautz:3,2", "debruijn:2,3"}) {
    const Network network = on(expression);
    for (const std::int64_t size_B : {0LL, 1LL, 7LL, 4000LL, 30'000LL, 100'000LL, 10'000'000LL}) {
      const int to = network.ranks() - 2;
      double before = time_s(built("direct", network, 0, to), network, size_B);
      for (int paths = 1; paths <= 4; ++paths) {
        const double now = time_s(
            built("multipath", network, 0, to, {.values = {{"paths", paths}}, .size_B = size_B}),
            network, size_B);
        EXPECT_LE(now, before * (1 + 1e-5)) << expression << ' ' << size_B << ' ' << paths;
        before = now;
      }
    }
  }
}

// A host's link of four times the speed feeds four paths between the switches.
TEST(Multipath, uses_a_fast_terminal_link_for_several_paths) {
  const Network network = on("hosts(1, kautz:4,2)", {"100Gbps,1us", "terminal=400Gbps,1us"});
  const Verified verified = built("multipath", network, 0, 15);
  EXPECT_EQ(verified.schedule().messages(0).size(), 4U);
  const Network slow = on("hosts(1, kautz:4,2)", {"100Gbps,1us"});
  EXPECT_EQ(built("multipath", slow, 0, 15).schedule().messages(0).size(), 1U);
}

TEST(Multipath, sends_no_more_messages_than_the_host_has_ports) {
  const Network network = on("kautz:4,2", {}, {.ports = 2});
  EXPECT_EQ(built("multipath", network, 0, 9).schedule().messages(0).size(), 2U);
  EXPECT_EQ(
      built("multipath", network, 0, 9, {.values = {{"paths", 1}}}).schedule().messages(0).size(),
      1U);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Multipath, says_why_there_are_no_paths) {
  const Network kautz = on("kautz:3,2"), broken = on("without(link=0, link=1, kautz:2,2)");
  const auto says = [](const std::string& name, const Network& network, int to,
                       const AlgorithmOptions& options = {}) {
    return message_of([&] { built(name, network, 0, to, options); });
  };
  for (const char* name : {"multipath", "multipath-forward"}) {
    EXPECT_NE(says(name, kautz, 0).find("rank 0 is both ends"), std::string::npos);
    EXPECT_NE(says(name, broken, 3).find("node 0 does not reach node 3"), std::string::npos);
    EXPECT_NE(says(name, kautz, 5, {.values = {{"paths", 0}}}).find("0 paths are too few"),
              std::string::npos);
    EXPECT_NE(says(name, kautz, 5, {.values = {{"hops", 0}}}).find("0 hops are too few"),
              std::string::npos);
  }
  const Network hosts = on("hosts(2, kautz:3,2)");
  EXPECT_NE(says("multipath-forward", hosts, 5).find("without switches"), std::string::npos);
}

TEST(Multipath, refuses_ranks_that_share_a_node) {
  const Fabric fabric(build_topology("kautz:3,2"));
  const Network network(fabric, {{NodeId(4), NodeId(4)}}, {},
                        network::make_routing("shortest", fabric));
  EXPECT_NE(message_of([&] { built("multipath", network, 0, 1); }).find("both on node 4"),
            std::string::npos);
}

TEST(MultipathForward, needs_a_rank_on_the_way) {
  const Fabric fabric(build_topology("uniring:4"));
  const Network network(fabric, {{NodeId(0), NodeId(2)}}, {},
                        network::make_routing("shortest", fabric));
  EXPECT_NE(
      message_of([&] { built("multipath-forward", network, 0, 1); }).find("a rank on every node"),
      std::string::npos);
}

// All ways to hand out the units, by the end of the last way that has some.
double least_end(std::span<const SplitPath> ways, std::int64_t units, double size_B) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> given(ways.size());
  const std::function<void(std::size_t, std::int64_t, double)> hand_out =
      [&](std::size_t i, std::int64_t left, double end) {
        if (end >= least) return;
        if (i == ways.size()) {
          if (left == 0) least = end;
          return;
        }
        for (std::int64_t n = 0; n <= left; ++n)
          hand_out(i + 1, left - n,
                   n == 0 ? end
                          : std::max(end, static_cast<double>(ways[i].fixed_ps) +
                                              1e12 * static_cast<double>(n) * size_B /
                                                  static_cast<double>(units) /
                                                  static_cast<double>(ways[i].bandwidth_Bps)));
      };
  hand_out(0, units, 0);
  return least;
}

TEST(Shares, end_as_early_as_the_best_of_all_splits) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    std::vector<SplitPath> ways(1 + rng.below(4));
    for (SplitPath& way : ways)
      way = {static_cast<std::int64_t>(rng.below(20)) * 1000,
             static_cast<std::int64_t>(1 + rng.below(5)) * 1'000'000'000};
    const auto size_B = static_cast<std::int64_t>(1 + rng.below(40));
    const Split split = best_split(ways, size_B);
    ASSERT_EQ(std::accumulate(split.units.begin(), split.units.end(), std::int64_t{0}),
              split.units_per_block);
    double end = 0;
    for (std::size_t i = 0; i < ways.size(); ++i)
      if (split.units[i] > 0)
        end = std::max(end, static_cast<double>(ways[i].fixed_ps) +
                                1e12 * static_cast<double>(split.units[i] * size_B) /
                                    static_cast<double>(split.units_per_block) /
                                    static_cast<double>(ways[i].bandwidth_Bps));
    EXPECT_NEAR(end, least_end(ways, split.units_per_block, static_cast<double>(size_B)),
                1e-6 * end)
        << "seed " << seed;
    EXPECT_GE(end, split.finish_ps * (1 - 1e-9));
    EXPECT_LE(split.finish_ps, least_end(ways, 30, static_cast<double>(size_B)) * (1 + 1e-9));
  }
}

TEST(Shares, are_in_proportion_to_bandwidth_without_a_size) {
  const Split split = best_split(std::vector<SplitPath>{{5, 2}, {0, 3}, {9, 7}}, std::nullopt);
  EXPECT_EQ(split.units_per_block, 12);
  EXPECT_EQ(split.units, (std::vector<std::int64_t>{2, 3, 7}));
}

TEST(Shares, of_nothing_and_of_a_byte_go_one_way) {
  const std::vector<SplitPath> ways{{5, 2'000'000}, {3, 2'000'000}};
  for (const std::int64_t size_B : {0, 1})
    EXPECT_EQ(best_split(ways, size_B).units, (std::vector<std::int64_t>{0, 1}));
}

}  // namespace
}  // namespace weft::algorithm
