// Trees of all ranks at the least T_B that there is.
#include "weft/algorithm/packing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "support/judges/tree_optimum.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using test::on, test::tree_optimum;

Cost cost_of(const Network& network, const Collective& collective, const PackingOptions& options) {
  OptionValues values;
  if (options.segments) values["segments"] = *options.segments;
  if (options.most_trees < schedule::kMaxUnitsPerBlock) values["trees"] = options.most_trees;
  const Schedule schedule =
      build_schedule("packing", collective, &network, {.values = std::move(values)});
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

// Of the trees that are best in many segments, which are deeper than those of few at times.
std::int64_t depth_in_many(const Network& network, const Collective& collective) {
  constexpr std::int64_t kMany = 1'000;
  return cost_of(network, collective, {.segments = kMany}).steps - (kMany - 1);
}

// The optima that others printed or proved: 31/24, 11/9 and 19/20 where breadth-first broadcast has
// 13/8, 5/3 and 1; (N-1)/N on networks whose nodes are alike.
TEST(Packing, reaches_the_optimum) {
  for (const auto& [topology, optimum] :
       test::samples({std::tuple("genkautz:4,32", Rational(31, 24)),
                      {"genkautz:4,12", Rational(11, 9)},
                      {"kautz:4,2", Rational(19, 20)},
                      {"torus:4x4", Rational(15, 16)},
                      {"hypercube:4", Rational(15, 16)},
                      {"hamming:3x4", Rational(11, 12)},
                      {"circulant:15,1,4,5", Rational(14, 15)},
                      {"network:dgx-1", Rational(7, 8)}})) {
    const Network network = on(topology);
    const std::int64_t depth = depth_in_many(network, schedule::allgather(network.ranks()));
    for (const std::int64_t s : {1, 3, 1'000}) {
      const Cost cost = cost_of(network, schedule::allgather(network.ranks()), {.segments = s});
      EXPECT_LE(cost.steps, depth + s - 1) << topology;
      EXPECT_GE(cost.bandwidth_factor, optimum) << topology;
      EXPECT_LE(cost.bandwidth_factor, optimum * Rational(depth + s - 1, s)) << topology;
    }
  }
}

Cost cost_within(const Network& network, const Collective& collective, std::int64_t depth,
                 std::int64_t segments = 1) {
  const Schedule schedule = build_schedule("packing", collective, &network,
                                           {.values = {{"depth", depth}, {"segments", segments}}});
  return schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
}

// No schedule has less than the optimum, breadth-first broadcast is within the diameter, and links
// that are allowed need not be used.
TEST(Packing, falls_with_the_depth_from_bfb_to_the_optimum) {
  for (const auto& [topology, diameter] : test::samples({std::tuple("genkautz:4,12", 2),
                                                         {"kautz:4,2", 2},
                                                         {"mesh:3x3", 4},
                                                         {"torus:4x4", 4},
                                                         {"network:dgx-1", 2}})) {
    SCOPED_TRACE(topology);
    const Network network = on(topology);
    const Collective collective = schedule::allgather(network.ranks());
    const Schedule bfb = build_schedule("bfb", collective, &network);
    Rational last =
        schedule::cost(schedule::verify_own(bfb, &network.topology()), network).bandwidth_factor;
    for (const std::int64_t depth : {diameter, diameter + 1, diameter + 2}) {
      const Cost cost = cost_within(network, collective, depth);
      EXPECT_LE(cost.steps, depth);
      EXPECT_LE(cost.bandwidth_factor, last);
      EXPECT_GE(cost.bandwidth_factor, tree_optimum(network, collective));
      last = cost.bandwidth_factor;
    }
  }
}

TEST(Packing, serves_all_collectives_within_a_depth) {
  for (const char* topology : test::samples(
           {"mesh:2x3", "leaf-spine:leaves=3,spines=2,hosts=2", "without(cable=3, hypercube:3)"})) {
    const Network network = on(topology);
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
          CollectiveKind::broadcast, CollectiveKind::reduce}) {
      SCOPED_TRACE(topology + (" " + std::string(schedule::name_of(kind))));
      Collective collective{.kind = kind, .ranks = network.ranks()};
      if (collective.rooted()) collective.root = Rank(1);
      const std::int64_t depth = 4, halves = kind == CollectiveKind::allreduce ? 2 : 1;
      for (const std::int64_t segments : {1, 20}) {
        const Cost cost = cost_within(network, collective, depth, segments);
        EXPECT_LE(cost.steps, depth * halves + segments - 1);
        EXPECT_GE(cost.bandwidth_factor, tree_optimum(network, collective));
      }
    }
  }
}

// Trees of the optimum's own depth are the optimum's: as segments become many, T_B comes to it.
TEST(Packing, is_the_optimum_at_its_own_depth) {
  const Network network = on("genkautz:4,12");
  const Collective collective = schedule::allgather(12);
  const std::int64_t depth = depth_in_many(network, collective);
  const Cost cost = cost_within(network, collective, depth, 1'000);
  EXPECT_LE(cost.bandwidth_factor, Rational(11, 9) * Rational(depth + 999, 1'000));
}

// Where a chain would be the only tree with all that links carry: each host passes on a part alone.
TEST(Packing, is_shallow_behind_switches) {
  for (const char* topology : test::samples(
           {"leaf-spine:leaves=8,spines=4,hosts=8", "fat-tree:4,3", "dragonfly:a=4,p=2,h=2"})) {
    SCOPED_TRACE(topology);
    const Network network = on(topology);
    for (const CollectiveKind kind : {CollectiveKind::broadcast, CollectiveKind::reduce}) {
      const Collective collective{.kind = kind, .ranks = network.ranks(), .root = Rank(5)};
      const Cost cost = cost_of(network, collective, {.segments = 100});
      EXPECT_LE(cost.steps, 99 + 12);
      EXPECT_LE(cost.bandwidth_factor, tree_optimum(network, collective) * Rational(99 + 12, 100));
    }
  }
}

TEST(Packing, refuses_a_depth_below_the_distance) {
  const Network network = on("mesh:3x4");
  for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::allreduce}) try {
      (void)build_schedule("packing", {.kind = kind, .ranks = 12}, &network,
                           {.values = {{"depth", std::int64_t{4}}}});
      FAIL();
    } catch (const InvalidInput& refusal) {
      EXPECT_NE(
          std::string(refusal.what()).find("depth 4 is too small (rank 11 is 5 links from rank 0)"),
          std::string::npos);
    }
}

// Every collective, on direct and switched networks, whole and damaged, with ranks anywhere: the
// verifier passes, and T_B comes to the optimum as segments become many.
TEST(Packing, serves_any_network) {
  using topology::PlacementOptions;
  const std::vector<std::pair<std::string, PlacementOptions>> machines{
      {"kautz:2,2", {}},
      {"uniring:5", {}},
      {"mesh:3x4", {}},
      {"without(cable=3, node=7, torus:4x4)", {}},
      {"dragonfly:a=4,p=2,h=2", {.ranks = 20}},
      {"leaf-spine:leaves=3,spines=2,hosts=4", {}},
      {"without(cable=13, leaf-spine:leaves=3,spines=2,hosts=4)", {}},
      {"hosts(2, torus:3x3)", {.ranks = 11, .policy = "random", .seed = 2}},
      {"boxes(2, network:dgx-a100)", {}},
      {"boxes(2, network:mi250)", {}},
      {"rail:boxes=3,gpus=4,spines=2", {}},
      {"network:dgx-h100", {}}};
  for (const auto& [topology, placement] : test::samples(machines)) {
    const Network network = on(topology, placement);
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce,
          CollectiveKind::broadcast, CollectiveKind::reduce}) {
      SCOPED_TRACE(topology + " " + std::string(schedule::name_of(kind)));
      Collective collective{.kind = kind, .ranks = network.ranks()};
      if (collective.rooted()) collective.root = Rank(1);
      const Rational least = tree_optimum(network, collective);
      const std::int64_t depth = depth_in_many(network, collective);
      const Cost cost = cost_of(network, collective, {.segments = 500});
      EXPECT_GE(cost.bandwidth_factor, least);
      EXPECT_LE(cost.bandwidth_factor, least * Rational(depth + 499, 500));
    }
  }
}

// Four hosts on each switch of a torus whose links are a quarter as fast: hosts are the bottleneck,
// T_B 35/36, and no schedule that knows hosts alone comes near it.
TEST(Packing, looks_behind_switches) {
  const BuiltTopology built = topology::build_topology("hosts(4, torus:3x3)");
  topology::LinkOptions speeds;
  topology::parse_link_option("25Gbps,1us", speeds);
  topology::parse_link_option("terminal=100Gbps,500ns", speeds);
  const Fabric fabric(built, speeds);
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        network::make_routing("auto", fabric));
  const Cost cost = cost_of(network, schedule::allgather(36), {.segments = 1'000});
  EXPECT_GE(cost.bandwidth_factor, Rational(35, 36));
  EXPECT_LE(cost.bandwidth_factor, Rational(35, 36) * Rational(102, 100));
}

// One rank's messages are kept, the others' are theirs, moved: (N - 1) / N in as many steps as the
// network is wide, where breadth-first trees are even at each distance with one segment.
TEST(Packing, keeps_the_symmetry_of_a_group) {
  for (const auto& [topology, diameter] : {std::tuple("torus:40x40", 40),
                                           {"hypercube:10", 10},
                                           {"torus:12x10x8", 15},
                                           {"biring:4,8", 4},
                                           {"cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)", 4}}) {
    SCOPED_TRACE(topology);
    const Network network = on(topology);
    const std::int64_t n = network.ranks();
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce}) {
      const Collective collective{.kind = kind, .ranks = network.ranks()};
      const Schedule schedule = packing(network, collective);
      EXPECT_EQ(schedule.symmetry().order(), n);
      const Cost cost = cost_of(network, collective, {.segments = 100'000});
      const std::int64_t halves = kind == CollectiveKind::allreduce ? 2 : 1;
      EXPECT_EQ(schedule.stored_steps(), halves * diameter);
      EXPECT_GE(cost.bandwidth_factor, Rational(halves * (n - 1), n));
      EXPECT_LE(cost.bandwidth_factor,
                Rational(halves * (n - 1), n) * Rational(100'000 + halves * diameter, 100'000));
    }
  }
  const Network torus = on("torus:40x40");
  EXPECT_EQ(cost_of(torus, schedule::allgather(1'600), {}).bandwidth_factor,
            Rational(1'599, 1'600));
}

// Trees of both halves at once, at most K a rank on average, are as good a choice as halves of K:
// T_B* of mesh:4x4 is 5/2 (cuts around ranks), and halves one after the other have 15/8 at least.
TEST(Packing, joins_halves_of_few_trees) {
  for (const auto& [topology, optimum] :
       {std::pair("mesh:4x4", Rational(5, 2)), {"without(link=7, genkautz:3,11)", Rational(3)}})
    for (const std::int64_t trees : {1, 2, 3, 16}) {
      SCOPED_TRACE(fmt::format("{}, {} trees", topology, trees));
      const Network network = on(topology);
      const Collective allreduce = schedule::allreduce(network.ranks());
      const auto found = build_variants("packing", allreduce, &network,
                                        {.values = {{"segments", 4'096}, {"trees", trees}}});
      ASSERT_GE(found.size(), 2U);
      EXPECT_FALSE(joins_halves(found[0]));
      EXPECT_TRUE(joins_halves(found[1]));
      EXPECT_LE(found[1].units_per_block(), trees);
      std::vector<Rational> factors;
      for (const Schedule& each : found)
        factors.push_back(schedule::cost(schedule::verify_own(each, &network.topology()), network)
                              .bandwidth_factor);
      const Cost best = cost_of(network, allreduce, {.segments = 4'096, .most_trees = trees});
      EXPECT_EQ(best.bandwidth_factor, std::min(factors[0], factors[1]));
      EXPECT_GE(best.bandwidth_factor, optimum);
      if (optimum == Rational(5, 2)) {
        EXPECT_LE(best.bandwidth_factor, optimum * Rational(best.steps, 4'096));
      }
    }
}

// Both halves together, of unlike shares, where that is better; and the other way for one segment,
// which is what it is without a number of them.
TEST(Packing, deals_shares_of_an_allreduce_for_both_halves) {
  for (const auto& [topology, best, halves] :
       test::samples({std::tuple("mesh:4x4", Rational(5, 2), Rational(15, 4)),
                      {"genkautz:4,32", Rational(2), Rational(31, 12)},
                      {"without(cable=3, torus:4x4)", Rational(60, 31), Rational(5, 2)}})) {
    SCOPED_TRACE(topology);
    const Network network = on(topology);
    const Collective allreduce = schedule::allreduce(network.ranks());
    const Cost many = cost_of(network, allreduce, {.segments = 5'000});
    EXPECT_GE(many.bandwidth_factor, best);
    EXPECT_LE(many.bandwidth_factor, best * Rational(many.steps, 5'000));
    const Cost one = cost_of(network, allreduce, {.segments = 1});
    EXPECT_GE(one.bandwidth_factor, halves);
    EXPECT_LT(one.steps, many.steps - 4'999);
    EXPECT_EQ(cost_of(network, allreduce, {}).bandwidth_factor, one.bandwidth_factor);
  }
}

// A mesh of switches with a host on each, four times as fast as trunks: 2 (N - 1) B over all
// trunks, where a corner alone takes N - 1 blocks over two of them in each half, 16/9.
TEST(Packing, deals_shares_behind_switches) {
  const BuiltTopology built = topology::build_topology("hosts(1, mesh:3x3)");
  topology::LinkOptions speeds;
  topology::parse_link_option("25Gbps,1us", speeds);
  topology::parse_link_option("terminal=100Gbps,500ns", speeds);
  const Fabric fabric(built, speeds);
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        network::make_routing("auto", fabric));
  const Cost cost = cost_of(network, schedule::allreduce(9), {.segments = 10'000});
  EXPECT_GE(cost.bandwidth_factor, Rational(8, 3));
  EXPECT_LE(cost.bandwidth_factor, Rational(8, 3) * Rational(101, 100));
}

// Ranks in an order of their own have each its trees, as good.
TEST(Packing, serves_ranks_that_are_no_elements) {
  const Network network = on("torus:3x4", {.policy = "random", .seed = 5});
  const Schedule schedule = packing(network, schedule::allgather(12));
  EXPECT_EQ(schedule.symmetry().order(), 1);
  EXPECT_LE(cost_of(network, schedule::allgather(12), {.segments = 1'000}).bandwidth_factor,
            Rational(11, 12) * Rational(1'010, 1'000));
}

TEST(Packing, takes_as_many_trees_as_allowed) {
  const Network network = on("genkautz:4,32");
  const Cost cost =
      cost_of(network, schedule::allgather(32), {.segments = 10'000, .most_trees = 1});
  EXPECT_GE(cost.bandwidth_factor, Rational(11, 8));  // 11 blocks over one link of a node's four
  EXPECT_LE(cost.bandwidth_factor, Rational(11, 8) * Rational(10'010, 10'000));
}

TEST(Packing, refuses_what_it_cannot_serve) {
  const Network network = on("torus:3x3");
  EXPECT_THROW(packing(network, schedule::alltoall(9)), InvalidInput);
  EXPECT_THROW(packing(network, schedule::allgather(9), {.segments = 0}), InvalidInput);
  EXPECT_THROW(packing(network, schedule::allgather(9), {.most_trees = 0}), InvalidInput);
  EXPECT_THROW(build_schedule("packing", schedule::allgather(9), &network,
                              {.values = {{"trees", std::int64_t{0}}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("packing", schedule::allgather(9)), InvalidInput);
}

// All that apply leave it out until it is chosen by size.
// Small networks take a moment, rooted collectives have one rank's trees, and so have symmetric
// networks. Of others pairs of ranks count, and how far apart they are: 128^2 pairs up to 4 links
// apart, 256^2 up to 30.
TEST(Packing, is_among_all_that_apply_where_it_is_quick) {
  const auto is_taken = [](const char* expression, CollectiveKind kind) {
    const Network network = on(expression);
    const auto all = applicable({.kind = kind, .ranks = network.ranks()}, &network);
    return std::ranges::count(all, "packing", &Algorithm::name) == 1;
  };
  EXPECT_TRUE(is_taken("torus:8x8", CollectiveKind::allgather));
  EXPECT_TRUE(is_taken("torus:16x16", CollectiveKind::allgather));
  EXPECT_TRUE(is_taken("hypercube:10", CollectiveKind::allreduce));
  EXPECT_TRUE(is_taken("genkautz:4,128", CollectiveKind::allreduce));
  EXPECT_FALSE(is_taken("mesh:16x16", CollectiveKind::allgather));
  EXPECT_FALSE(is_taken("without(cable=0, torus:20x20)", CollectiveKind::reduce_scatter));
  EXPECT_TRUE(is_taken("torus:8x9", CollectiveKind::broadcast));
  EXPECT_TRUE(is_taken("xgft:2;8,8;1,2", CollectiveKind::allreduce));
  EXPECT_TRUE(is_taken("xgft:2;13,5;1,2", CollectiveKind::allreduce));
  EXPECT_FALSE(is_taken("xgft:2;13,10;1,2", CollectiveKind::allreduce));
  EXPECT_TRUE(is_taken("xgft:2;4,5;1,2", CollectiveKind::reduce));
  EXPECT_TRUE(is_taken("xgft:2;13,5;1,2", CollectiveKind::reduce));
  EXPECT_TRUE(is_taken("xgft:2;16,17;1,2", CollectiveKind::reduce));
  EXPECT_FALSE(is_taken("xgft:2;33,16;1,2", CollectiveKind::reduce));
}

}  // namespace
}  // namespace weft::algorithm
