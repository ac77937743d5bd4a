// Swing against the paper: partners, steps, loads of links, and its bandwidth on large tori.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/routing_note.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {
namespace {

const AlgorithmOptions kLatency{.values = {{"variant", "latency"}}};

std::string torus(const std::vector<int>& extents) {
  return extents.size() == 1 ? fmt::format("ring:{}", extents[0])
                             : fmt::format("torus:{}", fmt::join(extents, "x"));
}

Schedule swing(const Network& network, CollectiveKind kind, const AlgorithmOptions& options = {}) {
  return build_schedule("swing", {.kind = kind, .ranks = network.ranks()}, &network, options);
}

schedule::Cost cost_of(const std::string& topology, CollectiveKind kind,
                       const AlgorithmOptions& options = {}, std::string_view routing = "auto") {
  const Network network = test::on(topology, {}, routing);
  return schedule::cost(schedule::verify_own(swing(network, kind, options), &network.topology()),
                        network);
}

// Section 3.1: rho(s) = sum over i <= s of (-2)^i, and delta(s) its size.
std::int64_t rho(int s) {
  std::int64_t sum = 0;
  for (int i = 0; i <= s; ++i) sum += i % 2 == 0 ? std::int64_t{1} << i : -(std::int64_t{1} << i);
  return sum;
}
std::int64_t delta(int s) {
  return std::abs(rho(s));
}

int ceil_log2(int n) {
  int k = 0;
  while (1 << k < n) ++k;
  return k;
}

// Section 4: collective 2 i + j begins in dimension i and takes them in turn, leaving out those
// whose ceil(log2 extent) steps are done; j = 1 is the mirror image.
std::int64_t partner(const std::vector<int>& extents, std::int64_t rank, std::int64_t collective,
                     std::int64_t step) {
  const auto dimensions = static_cast<std::int64_t>(extents.size());
  std::vector<int> done(extents.size(), 0);
  std::size_t dimension = 0;
  for (std::int64_t turn = collective / 2, taken = -1; taken < step; ++turn) {
    dimension = static_cast<std::size_t>(turn % dimensions);
    if (done[dimension] == ceil_log2(extents[dimension])) continue;
    ++done[dimension];
    ++taken;
  }
  std::int64_t weight = 1;
  for (std::size_t d = 0; d < dimension; ++d) weight *= extents[d];
  const std::int64_t m = extents[dimension], x = rank / weight % m;
  const std::int64_t offset = rho(done[dimension] - 1) * (collective % 2 == 0 ? 1 : -1);
  const std::int64_t to = ((x % 2 == 0 ? x + offset : x - offset) % m + m) % m;
  return rank + (to - x) * weight;
}

const std::vector<std::vector<int>> kTori = {
    {2},    {4},    {6},     {10},    {16},      {22},      {2, 2},       {4, 4},
    {8, 2}, {4, 6}, {10, 6}, {16, 4}, {4, 4, 4}, {2, 6, 4}, {2, 2, 2, 4}, {258}};

TEST(Swing, partners_are_those_of_the_paper) {
  for (const auto& extents : kTori) {
    const Network network = test::on(torus(extents));
    const auto collectives = static_cast<std::int64_t>(2 * extents.size());
    for (const auto kind : {CollectiveKind::reduce_scatter, CollectiveKind::allgather}) {
      const Schedule schedule = schedule::expand_symmetry(swing(network, kind));
      for (std::int64_t t = 0; t < schedule.steps(); ++t)
        for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
          const auto& message = schedule.message(m);
          const std::int64_t collective = schedule.pieces(m)[0].first % collectives;
          const std::int64_t step =
              kind == CollectiveKind::allgather ? schedule.steps() - 1 - t : t;
          EXPECT_EQ(message.to.value(), partner(extents, message.from.value(), collective, step))
              << torus(extents) << " " << t << " " << message.from.value();
        }
    }
  }
}

TEST(Swing, gathers_and_reduces_on_even_extents) {
  for (const auto& extents : kTori) {
    const int steps =
        std::transform_reduce(extents.begin(), extents.end(), 0, std::plus(), ceil_log2);
    const Network network = test::on(torus(extents));
    for (const auto kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce}) {
      const Schedule schedule = swing(network, kind);
      const auto verified = schedule::verify(schedule, &network.topology());
      ASSERT_TRUE(verified) << torus(extents) << ": " << verified.fault().text;
      if (network.ranks() <= 64) {
        EXPECT_EQ(test::execute(schedule).violation, "") << torus(extents);
      }
      EXPECT_EQ(schedule.steps(), kind == CollectiveKind::allreduce ? 2 * steps : steps);
    }
  }
}

// Half-way round a ring of 6 the two first routings differ, and only one moves with reflections.
TEST(Swing, stores_one_node_as_it_stores_all) {
  for (const char* name : {"ring:6", "ring:16", "torus:4x6", "torus:4x2x4"})
    for (const char* routing : {"auto", "dimension-order-up", "shortest"})
      for (const auto kind : {CollectiveKind::allgather, CollectiveKind::allreduce})
        EXPECT_EQ(cost_of(name, kind, {}, routing).link_loads,
                  cost_of(name, kind, {.symmetries = Symmetries::expand}, routing).link_loads)
            << name << " " << routing;
  const Network network = test::on("torus:16x16");
  EXPECT_EQ(swing(network, CollectiveKind::allgather).stored_messages(), 8 * 4);
  EXPECT_EQ(swing(test::on("ring:4096"), CollectiveKind::allgather).stored_messages(), 12 * 2);
}

TEST(Swing, is_judged_by_one_node_as_by_all) {
  for (const char* name : {"ring:32", "torus:16x16", "torus:32x2"})
    for (const char* routing : {"auto", "dimension-order-up"}) {
      const Network network = test::on(name, {}, routing);
      const Schedule schedule = swing(network, CollectiveKind::reduce_scatter);
      const auto one = schedule::routing_note(schedule, network);
      const auto all = schedule::routing_note(schedule::expand_symmetry(schedule), network);
      ASSERT_EQ(one.has_value(), all.has_value()) << name;
      if (!one) continue;
      EXPECT_EQ(schedule::text_of(*one), schedule::text_of(*all)) << name;
      EXPECT_NEAR(one->factor, all->factor, 1e-9 * all->factor);
    }
}

// Section 4.1: in step i both directions of a dimension carry delta(floor(i / D)) messages, of a
// 2D-th of 1 / 2^(i+1) of the data, over links of a 2D-th of the bandwidth.
Rational reduce_scatter_factor(int dimensions, int log2_extent) {
  Rational sum;
  for (int i = 0; i < dimensions * log2_extent; ++i)
    sum += Rational(delta(i / dimensions), std::int64_t{2} << i);
  return sum;
}

TEST(Swing, loads_links_as_the_paper_says) {
  for (const auto& [dimensions, log2_extent] :
       {std::pair(1, 2), std::pair(1, 3), std::pair(1, 6), std::pair(2, 2), std::pair(2, 3),
        std::pair(2, 4), std::pair(3, 2), std::pair(3, 3), std::pair(4, 2)}) {
    const std::string name =
        torus(std::vector<int>(static_cast<std::size_t>(dimensions), 1 << log2_extent));
    const Rational expected = reduce_scatter_factor(dimensions, log2_extent);
    EXPECT_EQ(cost_of(name, CollectiveKind::reduce_scatter).bandwidth_factor, expected) << name;
    EXPECT_EQ(cost_of(name, CollectiveKind::allgather).bandwidth_factor, expected) << name;
    EXPECT_EQ(cost_of(name, CollectiveKind::allreduce).bandwidth_factor, Rational(2) * expected);
    Rational whole;
    for (int i = 0; i < dimensions * log2_extent; ++i) whole += Rational(delta(i / dimensions));
    const schedule::Cost latency = cost_of(name, CollectiveKind::allreduce, kLatency);
    EXPECT_EQ(latency.bandwidth_factor, whole) << name;
    EXPECT_EQ(latency.steps, dimensions * log2_extent);
  }
}

// The congestion deficiency of the bandwidth-optimal variant as p grows is printed as 1.19, 1.03
// and 1.008 for 2, 3 and 4 dimensions. The sum above tends to (2^D - 1) / 3 * (1 / (2^(D-1) - 1) +
// 1 / (2^D + 1)): delta(k) = (2^(k+1) + (-1)^k) / 3, summed as two geometric series.
TEST(Swing, comes_near_the_optimum_as_the_paper_prints) {
  for (const auto& [dimensions, printed] :
       {std::pair(2, 1.19), std::pair(3, 1.03), std::pair(4, 1.008)}) {
    const std::int64_t two_to = std::int64_t{1} << dimensions;
    const Rational limit =
        Rational(two_to - 1, 3) * (Rational(2, two_to - 2) + Rational(1, two_to + 1));
    EXPECT_NEAR(limit.to_double(), printed, 0.011) << dimensions;
    Rational before;
    for (int log2_extent = 1; dimensions * log2_extent <= 12; ++log2_extent) {
      const Rational factor = reduce_scatter_factor(dimensions, log2_extent);
      EXPECT_LT(before, factor);
      EXPECT_LT(factor, limit);
      before = factor;
    }
  }
  EXPECT_EQ(cost_of("torus:32x32", CollectiveKind::allreduce).bandwidth_factor,
            Rational(2) * reduce_scatter_factor(2, 5));
}

// A torus of different extents goes on in the longer dimension alone; other even numbers send every
// block to every node once, whatever is reached twice.
TEST(Swing, sends_no_block_twice) {
  for (const auto& extents : kTori) {
    const Network network = test::on(torus(extents));
    const Schedule schedule = schedule::expand_symmetry(swing(network, CollectiveKind::allgather));
    std::int64_t sent = 0;
    for (std::int64_t m = 0; m < schedule.stored_messages(); ++m)
      for (const auto& piece : schedule.pieces(m)) sent += piece.count;
    const std::int64_t n = network.ranks();
    EXPECT_EQ(sent, n * (n - 1) * schedule.units_per_block()) << torus(extents);
  }
}

std::string refusal(const std::string& topology, CollectiveKind kind,
                    const AlgorithmOptions& options = {}) {
  try {
    swing(test::on(topology), kind, options);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Swing, refuses_what_does_not_pair_up) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal("ring:7", CollectiveKind::allgather), "it needs even extents, because 7");
  expect(refusal("torus:4x3", CollectiveKind::allreduce), "it needs even extents, because 3");
  expect(refusal("mesh:4x4", CollectiveKind::allreduce), "needs a torus or ring");
  expect(refusal("torus:4x4", CollectiveKind::allgather, kLatency), "is for allreduce");
  expect(refusal("torus:4x6", CollectiveKind::allreduce, kLatency), "not 6 nodes in a ring");
  expect(refusal("torus:4x4", CollectiveKind::allreduce, {.values = {{"variant", "fast"}}}),
         "unknown value of --variant 'fast'");
}

}  // namespace
}  // namespace weft::algorithm
