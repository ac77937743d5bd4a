// The exact cost against its definition, step by step, for every algorithm's schedules.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "support/every_schedule.hpp"
#include "support/samples.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::schedule {
namespace {

struct NaiveCost {
  Rational bandwidth_factor;
  std::vector<Rational> link_loads;
  std::vector<Rational> step_factors = {};  // of all steps that run
};

void add_message(const Schedule& schedule, std::int64_t m, const Network& network,
                 std::vector<Rational>& units) {
  const Message& message = schedule.message(m);
  const auto& nodes = network.placement().nodes;
  network::RouteTable route;
  const network::Flow flow{nodes[message.from.index()], nodes[message.to.index()]};
  network.routing().route(std::span(&flow, 1), route);
  for (const Piece& piece : schedule.pieces(m))
    for (std::size_t l = 0; l < route.links(0).size(); ++l)
      units[route.links(0)[l].index()] +=
          (route.shares(0).empty() ? Rational(1) : route.shares(0)[l]) * piece.count;
}

// Every step that runs, every segment in it, every message of every orbit, routed on its own.
NaiveCost naive_cost(const Schedule& symmetric, const Network& network) {
  const Schedule schedule = expand_symmetry(symmetric);
  const auto [segments, stride] = schedule.segments();
  const Rational share(1,
                       schedule.collective().blocks_in_m() * schedule.units_per_block() * segments);
  const auto links = static_cast<std::size_t>(network.topology().link_count());
  NaiveCost cost{0, std::vector<Rational>(links)};
  for (std::int64_t x = 0; x < schedule.steps(); ++x) {
    std::vector<Rational> units(links);
    for (std::int64_t i = 0; i < segments; ++i) {
      const std::int64_t t = x - i * stride;
      if (t < 0 || t >= schedule.stored_steps()) continue;
      for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m)
        add_message(schedule, m, network, units);
    }
    Rational largest;
    for (const LinkId link : network.topology().links()) {
      const Rational load = units[link.index()] * share;
      cost.link_loads[link.index()] += load;
      largest = std::max(largest, load * Rational(network.fabric().node_egress_Bps(),
                                                  network.fabric().bandwidth_Bps(link)));
    }
    cost.bandwidth_factor += largest;
    cost.step_factors.push_back(largest);
  }
  return cost;
}

TEST(Cost, is_what_its_definition_says_on_any_network) {
  struct Case {
    const char *topology, *routing;
    LinkOptions links = {};
  };
  const auto slow = [](const char* link_class) {
    LinkOptions links;
    links.by_class[link_class] = {.bandwidth_Bps = 5'000'000'000, .latency_ps = 1'000'000};
    return links;
  };
  const std::vector<Case> cases = {
      {"ring:5", "shortest"},
      {"uniring:6", "shortest"},
      {"torus:3x2", "dimension-order", slow("x")},
      {"torus:4x2", "dimension-order", slow("x")},
      {"hypercube:3", "shortest-split"},
      {"mesh:2x4", "shortest-split", slow("y")},
      {"hosts(2, mesh:3x3)", "shortest-split"},  // halves, thirds and sixths
      {"2dfc:3x3", "dimension-order"},
      {"hosts(2, ring:3)", "shortest", slow("terminal")},
  };
  Rng rng(21);
  for (const Case& c : test::samples(cases)) {
    const Fabric fabric(build_topology(c.topology), c.links);
    const Network network{
        fabric, topology::place(fabric.topology(), {}), {}, make_routing(c.routing, fabric)};
    for (const auto& algorithm : algorithm::algorithms())
      for (const auto& named : test::schedules_of(algorithm, network.ranks())) {
        const Segments segments{1 + rng.below(5), 1 + rng.below(3)};
        const Schedule schedule = named.schedule.with_segments(segments);
        const Cost price = cost(verify_own(schedule), network);
        const NaiveCost expected = naive_cost(schedule, network);
        const std::string label = fmt::format("{} on {}, {} segments {} apart", named.label,
                                              c.topology, segments.count, segments.stride);
        EXPECT_EQ(price.bandwidth_factor, expected.bandwidth_factor) << label;
        EXPECT_EQ(price.link_loads, expected.link_loads) << label;
        EXPECT_EQ(price.step_factors, expected.step_factors) << label;
      }
  }
}

// Neighbours of a path are joined by 2, 3, 5, ... 59 cables: the loads of a step have no common
// denominator of 64 bits, which the product of these primes (1.9e21) exceeds.
TEST(Cost, is_exact_where_shares_have_no_common_denominator_of_64_bits) {
  const std::vector<int> primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59};
  const auto nodes = static_cast<std::int64_t>(primes.size()) + 1;
  TopologyBuilder builder(nodes);
  for (std::size_t i = 0; i < primes.size(); ++i)
    for (int cable = 0; cable < primes[i]; ++cable) builder.add_cable(NodeId(i), NodeId(i + 1));
  const Fabric fabric(std::move(builder).build({"file", "cables", {}}), LinkSpeed{});
  const Network network{
      fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest-split", fabric)};
  for (const char* algorithm : {"pairwise", "bruck", "ring"}) {
    const Schedule schedule =
        algorithm::build_schedule(algorithm, allgather(network.ranks()), &network, {});
    const Cost price = cost(verify_own(schedule), network);
    const NaiveCost expected = naive_cost(schedule, network);
    EXPECT_EQ(price.bandwidth_factor, expected.bandwidth_factor) << algorithm;
    EXPECT_EQ(price.link_loads, expected.link_loads) << algorithm;
  }
}

}  // namespace
}  // namespace weft::schedule
