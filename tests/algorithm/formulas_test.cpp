// Steps, messages and bandwidth factors of every algorithm are those of src/weft/algorithm/costs.
//
// Bandwidth factors are taken on a star, one switch with a full-duplex port for each rank: there
// T_B is what the busiest rank of each step sends or receives, in units of M, summed over the
// steps.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "support/every_schedule.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/base/checked.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using test::on;

Network star(std::int64_t ranks) {
  return on(fmt::format("xgft:1;{};1", ranks));
}

struct Expected {
  std::int64_t steps = 0, messages = 0;
  Rational bandwidth_factor;
};

/// Twice the same thing: an allreduce of two mirror images.
Expected twice(const Expected& half) {
  return {2 * half.steps, 2 * half.messages, half.bandwidth_factor * 2};
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// Pairs (j, z) with z r^j < n, 0 < z < r: messages of a rank in Bruck's allgather.
std::int64_t digit_values(std::int64_t n, std::int64_t radix) {
  std::int64_t pairs = 0;
  for (std::int64_t weight = 1; weight < n; weight *= radix)
    pairs += std::min(radix - 1, ceil_div(n, weight) - 1);
  return pairs;
}

/// Non-zero digits of 0 .. n-1 together: blocks that a rank sends in Bruck's all-to-all.
std::int64_t digit_sum(std::int64_t n, std::int64_t radix) {
  std::int64_t sum = 0;
  for (std::int64_t distance = 0; distance < n; ++distance)
    for (std::int64_t rest = distance; rest > 0; rest /= radix) sum += rest % radix != 0 ? 1 : 0;
  return sum;
}

Expected bruck(std::int64_t n, CollectiveKind kind, std::int64_t radix) {
  const bool alltoall = kind == CollectiveKind::alltoall;
  return {ceil_log(radix, n), n * digit_values(n, radix),
          Rational(alltoall ? digit_sum(n, radix) : n - 1, n)};
}

// C core ranks, E folded ones; an extra step before and one after where there are any.
Expected doubling(std::int64_t n) {
  const auto core = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
  const std::int64_t extra = n - core, k = ceil_log(2, core);
  std::int64_t blocks = extra > 0 ? 1 + (n - 1) : 0;  // the largest message of each step
  for (std::int64_t size = 1; size < core; size *= 2) blocks += std::min(2 * size, size + extra);
  return {k + (extra > 0 ? 2 : 0), core * k + 2 * extra, Rational(blocks, n)};
}

Expected whole_buffer_doubling(std::int64_t n) {
  Expected result = doubling(n);
  result.bandwidth_factor = result.steps;
  return result;
}

Expected rabenseifner(std::int64_t n) {
  const auto core = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
  const std::int64_t k = ceil_log(2, core), folds = n > core ? 2 : 0;
  return {2 * k + folds, 2 * core * k + folds * (n - core), Rational(2 * (core - 1), core) + folds};
}

// A power of two: halving, where all send, then a tree towards the root.
Expected halving_and_gather(std::int64_t n) {
  const std::int64_t k = ceil_log(2, n);
  return {2 * k, n * k + n - 1, Rational(2 * (n - 1), n)};
}

Expected tree(std::int64_t n, CollectiveKind kind, std::int64_t radix) {
  const bool whole = kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
  return {ceil_log(radix, n), n - 1, whole ? Rational(digit_values(n, radix)) : Rational(n - 1, n)};
}

Expected local_ring(std::int64_t n, std::int64_t group) {
  const std::int64_t steps = group + n / group - 2;
  return {steps, n * steps, Rational(n - 1, n)};
}

/// Of a schedule that uses the one port of each rank in each step: segments add steps, no bytes.
Expected in_segments(const Expected& one, std::int64_t s) {
  return {one.steps + s - 1, s * one.messages, one.bandwidth_factor};
}

// G groups of g. All-to-all: (g - 1) G blocks to the group, then (G - 1) g to like places. Scatter:
// the root sends every block once.
Expected two_levels(std::int64_t n, CollectiveKind kind, std::int64_t g, std::int64_t s) {
  const std::int64_t G = n / g, steps = (g > 1 ? 1 : 0) + (G > 1 ? 1 : 0) + s - 1;
  if (kind == CollectiveKind::alltoall)
    return {steps, s * n * (g - 1 + G - 1), Rational(2 * n - g - G, n)};
  return {steps, s * (n - 1), Rational(n - 1, n)};
}

// One place: a chain. Else the root sends a segment in step 0 and 1/g of it in step 1; the others
// of its group pass on g - 2 parts of 1/(g - 1) and (g - 1)/g of a part, 1 - 1/(g (g - 1)), in step
// 1; a group in between receives 1/g in one step and the rest in the next, and sends both in that;
// the last one sends (g - 1)/g in step G. Of s segments the root is busiest in the first s steps
// with 1 and s - 1 times 1 + 1/g, then some port with 1 until the last step.
Expected two_level_broadcast(std::int64_t n, std::int64_t g, std::int64_t s) {
  const std::int64_t G = n / g;
  if (g == 1) return {n - 2 + s, s * (n - 1), Rational(n - 2 + s, s)};
  const std::int64_t messages = s * ((g - 1) * (g - 1) + g * g * (G - 1));
  const Rational rest(g - 2, g - 1);  // what one of the others passes on to the root's group
  if (G == 1) return {(g > 2 ? 2 : 1) + s - 1, messages, (rest + s) / Rational(s)};
  const Rational sum = s == 1 ? rest + G : Rational(s - 2, g) + G + s;
  return {G + s, messages, sum / Rational(s)};
}

Expected hierarchical(std::int64_t n, CollectiveKind kind, const AlgorithmOptions& options) {
  const bool whole = kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
  const std::int64_t g = groups_in(options).front(), s = segments_in(options);
  if (kind == CollectiveKind::allgather || kind == CollectiveKind::reduce_scatter)
    return in_segments(local_ring(n, g), s);
  return whole ? two_level_broadcast(n, g, s) : two_levels(n, kind, g, s);
}

Expected direct(std::int64_t n, CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return {1, n - 1, n - 1};
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
      return {1, n - 1, Rational(n - 1, n)};
    case CollectiveKind::point_to_point:
      return {1, 1, 1};
    default:
      return {1, n * (n - 1), Rational(n - 1, n)};
  }
}

Expected expected(const std::string& name, CollectiveKind kind, std::int64_t n,
                  const AlgorithmOptions& options) {
  const Expected ring{n - 1, n * (n - 1), Rational(n - 1, n)};
  const bool both_ways = n % 2 == 0 && n > 2;  // the opposite block in halves
  const std::int64_t s = segments_in(options);
  if (name == "pairwise" || name == "shift" || name == "ring") return ring;
  if (name == "pipelined-ring")  // of its own accord 4 (n - 1) segments
    return in_segments(ring, algorithm::kSegments.given(options).value_or(4 * (n - 1)));
  if (name == "lin" || name == "xor")  // in an all-to-all the own block has its place
    return kind == CollectiveKind::alltoall ? Expected{n, n * n, ring.bandwidth_factor} : ring;
  if (name == "spread") return direct(n, kind);
  if (name == "bruck") return bruck(n, kind, kRadix.in(options));
  if (name == "bidirectional-ring")
    return {n / 2, both_ways ? n * n : ring.messages, ring.bandwidth_factor};
  if (name == "neighbor") return {n / 2, n * n / 2, Rational(n - 1, n)};
  if (name == "recursive-doubling" || name == "recursive-halving") return doubling(n);
  if (name == "binomial" || name == "binomial-nearest") return tree(n, kind, 2);
  if (name == "gather-broadcast")  // all at once, then the whole buffer down the tree
    return {1 + ceil_log(2, n), 2 * (n - 1), Rational(n - 1, n) + ceil_log(2, n)};
  if (name == "rabenseifner-nearest") return halving_and_gather(n);
  if (name == "knomial") return tree(n, kind, kRadix.in(options));
  if (name == "chain") return {n - 2 + s, s * (n - 1), Rational(n - 2 + s, s)};
  if (name == "mpich" && n < 8) return tree(n, kind, 2);
  if (name == "scatter-allgather" || name == "mpich")  // without a size MPICH's choice is for large
    return {ceil_log(2, n) + n - 1, n * n - 1, Rational(2 * (n - 1), n)};
  if (name == "scatter-doubling") {  // its two parts, one after the other
    const Expected gather = doubling(n);
    return {ceil_log(2, n) + gather.steps, n - 1 + gather.messages,
            Rational(n - 1, n) + gather.bandwidth_factor};
  }
  if (name == "local-ring") return local_ring(n, groups_in(options).front());
  if (name == "hierarchical") return hierarchical(n, kind, options);
  return direct(n, kind);
}

Expected expected_allreduce(const std::string& name, std::int64_t n,
                            const AlgorithmOptions& options) {
  if (name == "recursive-doubling") return whole_buffer_doubling(n);
  if (name == "rabenseifner" || name == "rabenseifner-nearest") return rabenseifner(n);
  if (name == "gather-broadcast") return {1 + ceil_log(2, n), 2 * (n - 1), n - 1 + ceil_log(2, n)};
  if (name == "hierarchical")
    return in_segments(twice(local_ring(n, groups_in(options).front())), segments_in(options));
  return twice(expected(name,
                        name == "binomial" ? CollectiveKind::broadcast : CollectiveKind::allgather,
                        n, options));
}

TEST(Formulas, steps_messages_and_bandwidth_factors_are_those_of_the_sources) {
  for (const std::int32_t n : test::samples_between(2, 33)) {
    const Network network = star(n);
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.name == "double-binary-tree") continue;  // below
      for (const auto& [label, schedule, options] : test::schedules_of(algorithm, n)) {
        const CollectiveKind kind = schedule.collective().kind;
        const Expected want = kind == CollectiveKind::allreduce
                                  ? expected_allreduce(algorithm.name, n, options)
                                  : expected(algorithm.name, kind, n, options);
        const Cost cost = schedule::cost(schedule::verify_own(schedule), network);
        EXPECT_EQ(cost.steps, want.steps) << label;
        EXPECT_EQ(cost.messages, want.messages) << label;
        EXPECT_EQ(to_string(cost.bandwidth_factor), to_string(want.bandwidth_factor)) << label;
        EXPECT_GE(cost.bandwidth_factor, schedule.collective().port_bound()) << label;
      }
    }
  }
}

TEST(Formulas, one_rank_needs_no_step) {
  for (const Algorithm& algorithm : algorithms())
    for (const auto& [label, schedule, options] : test::schedules_of(algorithm, 1))
      EXPECT_EQ(schedule.steps(), 0) << label;
}

TEST(Formulas, double_binary_tree_keeps_every_port_busy_in_every_step) {
  // Two steps a level at most; then each further segment is two steps of M / (2 s) per port. So
  // T_B = (T + 2 (s - 1)) / (2 s), T the steps of one segment: close to 1 for many segments.
  for (std::int32_t n = 2; n <= 100; ++n) {
    const auto schedule = build_schedule("double-binary-tree", schedule::broadcast(n, Rank(n / 2)));
    EXPECT_LE(schedule.steps(), 2 * ceil_log(2, n)) << n;
    for (const std::int64_t s : {1, 2, 50}) {
      const auto verified = schedule::verify_own(schedule).with_segments(s);
      EXPECT_EQ(schedule::cost(verified, star(n)).bandwidth_factor,
                Rational(schedule.stored_steps() + 2 * (s - 1), 2 * s))
          << n;
    }
  }
}

TEST(Formulas, double_binary_tree_allreduce_is_near_the_bound_for_many_segments) {
  // 2 T + 2 (s - 1) steps, in each of which a port carries up to two messages of M / (2 s).
  for (const std::int32_t n : {2, 5, 16, 33, 64}) {
    const auto schedule = build_schedule("double-binary-tree", schedule::allreduce(n));
    const std::int64_t phase = schedule.stored_steps() / 2;
    for (const std::int64_t s : {1, 10, 200}) {
      const auto verified = schedule::verify_own(schedule).with_segments(s);
      const Rational factor = schedule::cost(verified, star(n)).bandwidth_factor;
      EXPECT_LE(factor, Rational(2 * (phase + s - 1), s)) << n;
      EXPECT_GE(factor, schedule.collective().port_bound()) << n;
    }
  }
}

TEST(Formulas, double_binary_tree_uses_each_port_once_a_step) {
  // Segments are two steps apart: messages of one rank in steps of equal parity would collide.
  for (std::int32_t n = 2; n <= 200; ++n) {
    const auto schedule = build_schedule("double-binary-tree", schedule::broadcast(n));
    std::vector<int> sends(static_cast<std::size_t>(2 * n)), receives = sends;
    for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
      for (const auto& message : schedule.messages(t)) {
        EXPECT_EQ(++sends[2 * message.from.index() + static_cast<std::size_t>(t % 2)], 1) << n;
        EXPECT_EQ(++receives[2 * message.to.index() + static_cast<std::size_t>(t % 2)], 1) << n;
      }
  }
}

Rational factor_on(const std::string& topology, std::string_view algorithm,
                   CollectiveKind kind = CollectiveKind::allgather,
                   const AlgorithmOptions& options = {}) {
  const Network network = on(topology);
  const Collective collective{.kind = kind, .ranks = network.ranks()};
  return schedule::cost(
             schedule::verify_own(build_schedule(algorithm, collective, &network, options),
                                  &network.topology()),
             network)
      .bandwidth_factor;
}

TEST(Formulas, double_binary_tree_with_children_together_takes_a_step_a_level) {
  for (std::int32_t n = 2; n <= 100; ++n)
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::allreduce})
      for (const int s : {1, 3}) {
        const auto schedule =
            build_schedule("double-binary-tree", {.kind = kind, .ranks = n}, nullptr,
                           {.values = {{"segments", s}, {"children", "together"}}});
        EXPECT_TRUE(schedule::verify(schedule)) << n;
        const int phases = kind == CollectiveKind::allreduce ? 2 : 1;
        EXPECT_LE(schedule.steps(), phases * (ceil_log(2, n) + 1) + s - 1) << n;
      }
  // On the network of its own tree each link carries half of the buffer in each of 2 log2 N steps:
  // T_B = d (1/2) 2 log2 N.
  EXPECT_EQ(factor_on("double-binary-tree:1000", "double-binary-tree", CollectiveKind::allreduce,
                      {.values = {{"children", "together"}}}),
            Rational(40));
}

TEST(Formulas, rings_cost_what_the_contract_says) {
  EXPECT_EQ(factor_on("uniring:16", "ring"), Rational(15, 16));
  EXPECT_EQ(factor_on("ring:16", "ring"), Rational(15, 8));
  for (const int n : {3, 4, 15, 16})
    for (const auto& [kind, times] :
         {std::pair(CollectiveKind::allgather, 1), std::pair(CollectiveKind::reduce_scatter, 1),
          std::pair(CollectiveKind::allreduce, 2)})
      EXPECT_EQ(factor_on(fmt::format("ring:{}", n), "bidirectional-ring", kind),
                Rational(times * (n - 1), n));
}

TEST(Formulas, reduce_scatter_goes_round_a_one_way_ring_forwards) {
  // Each step is one hop of M/16 with B = one link; the wrong way round it would be 15 hops.
  EXPECT_EQ(factor_on("uniring:16", "ring", CollectiveKind::reduce_scatter), Rational(15, 16));
  EXPECT_EQ(factor_on("uniring:16", "ring", CollectiveKind::allreduce), Rational(15, 8));
}

// Equal extents above 2 keep all links busy: (N-1)/N in sum (m_i - 1) steps.
TEST(Formulas, torus_rings_meet_the_bound_on_equal_extents) {
  for (const auto& [topology, steps, nodes] :
       {std::tuple("torus:3x3", 4, 9), std::tuple("torus:5x5", 8, 25),
        std::tuple("torus:4x4x4", 9, 64), std::tuple("torus:3x3x3x3", 8, 81)}) {
    EXPECT_EQ(factor_on(topology, "torus-ring"), Rational(nodes - 1, nodes)) << topology;
    EXPECT_EQ(factor_on(topology, "torus-ring", CollectiveKind::allreduce),
              Rational(2 * (nodes - 1), nodes));
    const Network network = on(topology);
    EXPECT_EQ(build_schedule("torus-ring", schedule::allgather(nodes), &network).steps(), steps);
  }
}

// On 3x2 (degree 3) a block is cut in 4 parts of 1/4. x first (parts x+, x-): two steps of 1/4 on
// each x link, then one step that sends 3 x 1/4 of both parts over the y link. y first: one step of
// 2 x 1/4 over y, then two of 2 x 1/4 on each x link. By step: 1/2 (y: 2/4, x: 1/4), then x: 1/4 +
// 1/2, then y: 6/4 and x: 1/2. The sum, 1/2 + 3/4 + 3/2, times d / N = 3 / 6.
TEST(Formulas, torus_rings_wait_for_each_other_on_unequal_extents) {
  EXPECT_EQ(factor_on("torus:3x2", "torus-ring"), Rational(11, 4) * Rational(3, 6));
}

// All links equally busy: (N-1)/N, in N - 1 or floor(N / 2) steps (direct-connect paper, appendix
// A.2: 2 (N - 1) and 2 floor(N / 2) of an allreduce). n = 3, 4 and 6 have parallel links.
TEST(Formulas, several_rings_at_once_meet_the_bound) {
  for (const int n : {3, 4, 5, 6, 7, 8, 12, 13}) {
    const std::string topology = fmt::format("shifted-ring:{}", n);
    const Network network = on(topology);
    for (const auto& [kind, times] :
         {std::pair(CollectiveKind::allgather, 1), std::pair(CollectiveKind::reduce_scatter, 1),
          std::pair(CollectiveKind::allreduce, 2)}) {
      const Collective collective{.kind = kind, .ranks = n};
      for (const auto& [name, steps] :
           {std::pair("shifted-ring", n - 1), {"ShiftedBFBRing", n / 2}}) {
        EXPECT_EQ(factor_on(topology, name, kind), Rational(times * (n - 1), n))
            << topology << name;
        EXPECT_EQ(build_schedule(name, collective, &network).steps(), times * steps) << n;
      }
    }
  }
}

TEST(Formulas, several_one_way_rings_meet_the_bound_on_parallel_and_directed_links) {
  // 7 nodes with jumps 1 to 5, all coprime to 7.
  for (const char* topology : {"uniring:3,8", "directed-circulant:5", "cayley:Z8;1,3"})
    for (const auto kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter}) {
      const std::int32_t n = on(topology).ranks();
      EXPECT_EQ(factor_on(topology, "multi-ring", kind), Rational(n - 1, n)) << topology;
    }
}

TEST(Formulas, direct_meets_the_bound_on_a_complete_graph) {
  for (const CollectiveKind kind :
       {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
        CollectiveKind::alltoall, CollectiveKind::scatter, CollectiveKind::gather}) {
    const Collective collective{.kind = kind, .ranks = 7};
    EXPECT_EQ(factor_on("complete:7", "direct", kind), collective.port_bound())
        << schedule::name_of(kind);
  }
  EXPECT_EQ(factor_on("complete:7", "direct", CollectiveKind::broadcast), Rational(6));
}

TEST(Formulas, neighbor_exchange_uses_every_second_cable_of_a_ring) {
  // N/2 steps of at most 2 M/N on links of B/2: 2 (1 + 2 (N/2 - 1)) / N.
  EXPECT_EQ(factor_on("ring:8", "neighbor"), Rational(2 * 7, 8));
}

}  // namespace
}  // namespace weft::algorithm
