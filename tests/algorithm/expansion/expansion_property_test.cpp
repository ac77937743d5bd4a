// Any chain of expansions: the verifier passes it, and what it costs is what was predicted.
#include <gtest/gtest.h>

#include "support/even_bfb.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

constexpr std::int64_t kMostNodes = 300;
constexpr std::int64_t kMostLinks = 2000;

const std::vector<std::string> kBases = {
    "complete:3",      "complete:4",   "bipartite:2,2", "bipartite:3,3", "ring:5",
    "ring:6",          "uniring:3",    "uniring:4",     "uniring:5",     "hamming:3x3",
    "hypercube:3",     "kautz:2,2",    "genkautz:2,5",  "genkautz:2,7",  "genkautz:3,8",
    "genkautz:3,11",   "debruijn:2,2", "debruijn:2,3",  "torus:3x4",     "circulant:8,1,3",
    "circulant:9,2,3", "diamond",      "uniring:2,4",   "biring:4,5"};

// One more expansion around the expression.
std::string expanded(const std::string& inner, Rng& rng) {
  switch (rng.below(8)) {
    case 0:
    case 1:
    case 2:
      return "line(" + inner + ")";
    case 3:
      return "degree(" + std::to_string(1 + rng.below(3)) + ", " + inner + ")";
    case 4:
      return "power(2, " + inner + ")";
    case 5:
      return "transpose(" + inner + ")";
    case 6:
      return "bidirectional(" + inner + ")";
    default:
      return "(" + inner + ") * " + kBases[rng.below(kBases.size())];
  }
}

// Nothing where the network would be too large, or has self-loops that degree() does not take.
std::optional<Topology> built(const std::string& expression) {
  try {
    Topology topology = make_topology(expression);
    if (topology.node_count() > kMostNodes || topology.link_count() > kMostLinks)
      return std::nullopt;
    return topology;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

void expect_as_predicted(const schedule::Collective& collective, const Network& network,
                         const std::vector<Prediction>& parts, const Bases& bases) {
  const Schedule schedule = expand(collective, network, bases);
  const auto verified = schedule::verify(schedule, &network.topology());
  ASSERT_TRUE(verified) << network.topology().name() << ": " << verified.fault().text;
  std::int64_t steps = 0;
  Rational factor;
  for (const Prediction& part : parts) {
    EXPECT_TRUE(part.exact);
    steps += part.steps;
    factor += part.bandwidth_factor;
  }
  const schedule::Cost cost = schedule::cost(*verified, network);
  EXPECT_EQ(cost.steps, steps) << network.topology().name();
  EXPECT_EQ(cost.bandwidth_factor, factor) << network.topology().name();
}

void expect_all_as_predicted(const Topology& topology, const Bases& bases) {
  const Fabric fabric(topology, LinkSpeed{});
  const Network network(fabric, topology::place(topology, {}), {},
                        network::make_routing("shortest", fabric));
  const Prediction gather = predict(topology.expression(), graph::Sense::along, bases);
  const Prediction scatter = predict(topology.expression(), graph::Sense::against, bases);
  const std::int32_t n = topology.node_count();
  expect_as_predicted(schedule::allgather(n), network, {gather}, bases);
  expect_as_predicted(schedule::reduce_scatter(n), network, {scatter}, bases);
  expect_as_predicted(schedule::allreduce(n), network, {scatter, gather}, bases);
}

// Chains of up to four expansions, as long as the network stays small.
void expect_random_chains_as_predicted(const Bases& bases, int chains) {
  const Rng rngs(20);
  for (int i = 0; i < chains; ++i) {
    Rng rng = rngs.split(static_cast<std::uint64_t>(i));
    std::string expression = kBases[rng.below(kBases.size())];
    for (int length = 0; length < 4; ++length) {
      const std::string larger = expanded(expression, rng);
      if (built(larger)) expression = larger;
    }
    SCOPED_TRACE("chain " + std::to_string(i) + ": " + expression);
    expect_all_as_predicted(*built(expression), bases);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ExpansionProperty, chains_over_evenly_split_bases_cost_what_was_predicted) {
  expect_random_chains_as_predicted({.general = test::even_bfb, .quality = BaseQuality::bfb}, 30);
}

TEST(ExpansionProperty, chains_over_bfb_and_stored_schedules_cost_what_was_predicted) {
  expect_random_chains_as_predicted(shipped_bases(), 30);
}

}  // namespace
}  // namespace weft::algorithm
