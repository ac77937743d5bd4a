#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

using schedule::allgather;
using schedule::allreduce;
using schedule::alltoall;
using schedule::broadcast;

using test::on;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

std::vector<std::string> names_of(const std::vector<const Algorithm*>& algorithms) {
  std::vector<std::string> names;
  for (const Algorithm* algorithm : algorithms) names.push_back(algorithm->name);
  return names;
}

TEST(Registry, lists_the_algorithms_of_the_contract_in_order) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pairwise",
                                             "shift",
                                             "spread",
                                             "lin",
                                             "xor",
                                             "opt",
                                             "bruck",
                                             "ring",
                                             "pipelined-ring",
                                             "bidirectional-ring",
                                             "neighbor",
                                             "recursive-doubling",
                                             "recursive-halving",
                                             "rabenseifner",
                                             "rabenseifner-nearest",
                                             "binomial",
                                             "binomial-nearest",
                                             "knomial",
                                             "chain",
                                             "gather-broadcast",
                                             "scatter-allgather",
                                             "scatter-doubling",
                                             "mpich",
                                             "double-binary-tree",
                                             "local-ring",
                                             "hierarchical",
                                             "node-lanes",
                                             "torus-ring",
                                             "swing",
                                             "multi-ring",
                                             "multi-ring-bfb",
                                             "direct",
                                             "expand",
                                             "bfb",
                                             "do",
                                             "md",
                                             "do-md",
                                             "kautz-c",
                                             "dragonfly-c",
                                             "multitree",
                                             "disjoint-trees",
                                             "packing",
                                             "flow",
                                             "switch-tree",
                                             "multipath",
                                             "multipath-forward",
                                             "llf",
                                             "llf-rerooted",
                                             "glf",
                                             "forest",
                                             "dragonfly-lanes",
                                             "dragonfly-two-trees"}));
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_FALSE(algorithm.summary.empty() || algorithm.source.empty()) << algorithm.name;
    EXPECT_FALSE(algorithm.collectives.empty()) << algorithm.name;
  }
}

// A declaration stands once, or says the same wherever it stands but for its fallback.
TEST(Registry, declares_each_option_in_one_way) {
  std::vector<std::string_view> names;
  for (const Option& option : options()) names.push_back(option.name);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  for (const Algorithm& algorithm : algorithms())
    for (const Option& own : algorithm.options) {
      const Option& option = *find_option(own.name);
      EXPECT_TRUE(own.type == option.type && own.what == option.what && own.least == option.least &&
                  own.most == option.most)
          << algorithm.name << " " << own.name;
      EXPECT_FALSE(own.what.empty());
      if (!own.fallback.empty()) own.check(own.read(own.fallback), 1);
    }
}

TEST(Registry, makes_the_help_of_options_from_what_is_declared) {
  EXPECT_EQ(help_of(*find_option("radix")),
            "Radix for bruck [2] and knomial [4], 2 or more [with a size, knomial runs the fastest "
            "of 2, 3, 4 and 8]");
  EXPECT_EQ(help_of(*find_option("paths")),
            "Maximum number of paths of multipath, 1 or more [as many as reduce the time]");
  EXPECT_EQ(find_option("comb"), nullptr);
}

TEST(Registry, finds_by_name_or_alias_whatever_the_case) {
  EXPECT_EQ(find_algorithm("Bidirectional_Ring").name, "bidirectional-ring");
  EXPECT_EQ(find_algorithm("TREE").name, "binomial");
}

TEST(Registry, names_the_nearest_of_an_unknown_name) {
  EXPECT_EQ(message_of([] { find_algorithm("brukc"); }),
            "unknown algorithm 'brukc'; did you mean bruck?");
  // No broadcast runs by bruck, so it is no suggestion there.
  EXPECT_EQ(message_of([] { find_algorithm("brukc", CollectiveKind::allgather); }),
            "unknown algorithm 'brukc' of allgather; did you mean bruck?");
  const std::string of_broadcast =
      message_of([] { find_algorithm("brukc", CollectiveKind::broadcast); });
  EXPECT_EQ(of_broadcast.find("bruck?"), std::string::npos) << of_broadcast;
  EXPECT_EQ(of_broadcast.find("pairwise"), std::string::npos) << of_broadcast;
  EXPECT_NE(of_broadcast.find("binomial"), std::string::npos) << of_broadcast;
}

TEST(Registry, every_collective_has_an_algorithm_for_any_ranks) {
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    for (const std::int32_t ranks : {1, 2, 7, 16})
      EXPECT_FALSE(applicable({.kind = kind, .ranks = ranks}, nullptr).empty());
}

TEST(Registry, lists_what_fits_in_its_order) {
  const Network ring = on("ring:5");
  EXPECT_EQ(names_of(applicable(allgather(5), &ring)),
            (std::vector<std::string>{"pairwise", "lin", "bruck", "ring", "bidirectional-ring",
                                      "recursive-doubling", "gather-broadcast", "bfb", "multitree",
                                      "packing"}));
  const Network complete = on("complete:6");
  EXPECT_EQ(names_of(applicable(alltoall(6), &complete)),
            (std::vector<std::string>{"pairwise", "shift", "spread", "lin", "bruck", "direct", "do",
                                      "md", "multitree"}));
}

// Without an expansion to undo, expand is bfb, and would stand beside it with the same times.
TEST(Registry, lists_expand_on_expansions_alone) {
  const auto lists_expand = [](const Network& network) {
    const auto names = names_of(applicable(allgather(network.ranks()), &network));
    return std::ranges::count(names, "expand") > 0;
  };
  EXPECT_FALSE(lists_expand(on("torus:3x3")));
  EXPECT_FALSE(lists_expand(on("2dfc:4x4")));
  EXPECT_TRUE(lists_expand(on("line(complete:3)")));
  EXPECT_TRUE(lists_expand(on("power(2, ring:4)")));
  const Network torus = on("torus:3x3");
  EXPECT_NO_THROW(build_schedule("expand", allgather(9), &torus));  // by name it stays bfb
}

// A ring of 9 shows no groups, but --group 3 does.
TEST(Registry, lists_what_an_option_makes_fit) {
  const Network ring = on("ring:9");
  EXPECT_EQ(std::ranges::count(names_of(applicable(allreduce(9), &ring)), "local-ring"), 0);
  const auto with_group = names_of(applicable(allreduce(9), &ring, {.values = {{"group", 3}}}));
  EXPECT_EQ(std::ranges::count(with_group, "local-ring"), 1);
  EXPECT_THROW(applicable(allreduce(9), &ring, {.values = {{"group", 2}}}), InvalidInput);
}

TEST(Registry, refuses_an_option_that_none_of_a_run_takes) {
  const Network ring = on("ring:9");
  const auto said = [&](const Collective& collective, const AlgorithmOptions& options) {
    const auto run = applicable(collective, &ring);
    return message_of([&] { require_taken(run, {collective, &ring, options}); });
  };
  EXPECT_EQ(said(alltoall(9), {.values = {{"radix", 3}}}), "nothing thrown");  // of bruck
  EXPECT_EQ(said(allreduce(9), {.values = {{"radix", 1}}}),
            "radix 1 is too small (needs 2 or more)");
  const std::string radix = said(allreduce(9), {.values = {{"radix", 3}}});
  EXPECT_NE(radix.find("no algorithm of this run supports option radix (bruck: it supports "),
            std::string::npos)
      << radix;
  EXPECT_NE(radix.find("; leave it out"), std::string::npos) << radix;
  EXPECT_EQ(said(allreduce(9), {.values = {{"group", 3}}}),
            "no algorithm of this run supports option group (local-ring does; hierarchical "
            "does); take local-ring or hierarchical too, or leave it out");
}

TEST(Registry, binds_to_the_network) {
  const Network network = on("torus:3x3", {.ranks = 4});
  const Schedule schedule =
      build_schedule("bruck", allgather(4), &network, {.values = {{"radix", 3}}});
  EXPECT_EQ(schedule.algorithm(), "bruck(radix=3)");
  EXPECT_EQ(schedule.binding().topology, "torus:3x3");
  EXPECT_EQ(schedule.binding().hash, network.topology().hash());
  EXPECT_EQ(schedule.binding().nodes, network.placement().nodes);
  EXPECT_EQ(build_schedule("ring", allgather(4)).binding(), Binding{});
}

TEST(Registry, writes_symmetry_out_when_asked) {
  const Schedule stored = build_schedule("ring", allgather(6));
  const Schedule expanded =
      build_schedule("ring", allgather(6), nullptr, {.symmetries = Symmetries::expand});
  EXPECT_EQ(stored.stored_messages(), 5);
  EXPECT_EQ(expanded.stored_messages(), 30);
  EXPECT_TRUE(expanded.symmetry().is_trivial());
}

TEST(Registry, rejects_options_that_the_algorithm_does_not_take) {
  EXPECT_EQ(message_of([] {
              build_schedule("ring", allgather(4), nullptr, {.values = {{"radix", 3}}});
            }),
            "ring does not support option radix (its options: none)");
  EXPECT_EQ(message_of([] {
              build_schedule("bruck", allgather(4), nullptr, {.values = {{"group", 2}}});
            }),
            "bruck does not support option group (its options: radix)");
}

TEST(Registry, rejects_options_and_values_that_are_none) {
  EXPECT_EQ(message_of([] {
              build_schedule("ring", allgather(4), nullptr, {.values = {{"radx", 3}}});
            }),
            "unknown option 'radx'; did you mean radix?");
  EXPECT_THROW(build_schedule("bruck", allgather(4), nullptr, {.values = {{"radix", "two"}}}),
               InvalidInput);
  EXPECT_THROW(kRadix.read("two"), InvalidInput);
}

TEST(Registry, rejects_options_out_of_range) {
  EXPECT_THROW(build_schedule("bruck", allgather(4), nullptr, {.values = {{"radix", 1}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("chain", broadcast(4), nullptr, {.values = {{"segments", 0}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("local-ring", allreduce(4), nullptr, {.values = {{"group", 3}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("local-ring", allreduce(4), nullptr, {.values = {{"group", 0}}}),
               InvalidInput);
  EXPECT_THROW(build_schedule("binomial", broadcast(4, Rank(4))), InvalidInput);
}

// What goes straight to all takes switches between ranks, but where MPI libraries do without.
TEST(Registry, sends_straight_where_switches_join_ranks) {
  const Network ring = on("ring:5"), tree = on("xgft:2;3,2;1,2");
  for (const Collective& collective :
       {alltoall(5), schedule::allgather(5), schedule::reduce_scatter(5), schedule::allreduce(5)})
    for (const char* name : {"pairwise", "spread"}) {
      const Algorithm& algorithm = find_algorithm(name);
      const bool reduces = collective.kind != CollectiveKind::alltoall &&
                           collective.kind != CollectiveKind::allgather;
      const bool always = collective.kind == CollectiveKind::alltoall ||
                          (name == std::string_view("pairwise") && !reduces);
      EXPECT_EQ(misfit(algorithm, {collective, &ring}).has_value(), !always) << name;
      EXPECT_FALSE(misfit(algorithm, {collective, nullptr})) << name;
      Collective of_tree = collective;
      of_tree.ranks = tree.ranks();
      EXPECT_FALSE(misfit(algorithm, {of_tree, &tree})) << name;
      const auto verified = schedule::verify_own(build_schedule(name, of_tree, &tree));
      const std::int64_t halves = collective.kind == CollectiveKind::allreduce ? 2 : 1;
      EXPECT_EQ(verified.schedule().steps(),
                halves * (name == std::string_view("spread") ? 1 : tree.ranks() - 1));
    }
}

// A one-way path from node 0 to node 2: data gets along it, and not back.
TEST(Registry, names_ranks_that_no_way_joins) {
  const Network path = on("without(link=2, uniring:3)");
  const auto apart = [&](const Collective& collective) {
    const std::string why = ranks_apart(collective, path).value_or("joined");
    return why.substr(0, why.find("; use a connected network"));
  };
  EXPECT_EQ(apart(schedule::broadcast(3)), "joined");
  EXPECT_EQ(apart(schedule::reduce(3, Rank(2))), "joined");
  EXPECT_EQ(apart(schedule::reduce(3)), "no path leads from rank 1 (node 1) to rank 0 (node 0)");
  EXPECT_EQ(apart(schedule::broadcast(3, Rank(1))),
            "no path leads from rank 1 (node 1) to rank 0 (node 0)");
  EXPECT_EQ(apart(allgather(3)), "no path leads from rank 1 (node 1) to rank 0 (node 0)");
}

TEST(Registry, says_what_fits_instead) {
  EXPECT_EQ(message_of([] { build_schedule("ring", alltoall(4)); }),
            "ring cannot run alltoall of 4 ranks (it supports allgather, reduce-scatter, "
            "allreduce); algorithms that fit: pairwise, shift, spread, lin, xor, bruck, direct");
  const Network ring = on("ring:5");
  EXPECT_EQ(message_of([&] { build_schedule("neighbor", allgather(5), &ring); }),
            "neighbor cannot run allgather of 5 ranks on ring:5 (it needs an even number of ranks, "
            "because it pairs them); algorithms that fit: pairwise, lin, bruck, ring, "
            "bidirectional-ring, "
            "recursive-doubling, gather-broadcast, bfb, multitree, packing");
  EXPECT_EQ(message_of([&] { build_schedule("ring", allgather(4), &ring); }),
            "ring cannot run allgather of 4 ranks on ring:5 (the collective has 4 ranks but the "
            "network 5); no algorithm fits");
  const Network parted = on("without(cable=1, mesh:4)");
  EXPECT_EQ(message_of([&] { build_schedule("ring", alltoall(4), &parted); }),
            "ring cannot run alltoall of 4 ranks on without(cable=1, mesh:4) (it supports "
            "allgather, reduce-scatter, allreduce); no algorithm supports it: no path leads from "
            "rank 0 (node 0) to rank 2 (node 2); use a connected network, or limit --hosts to "
            "one connected part");
}

TEST(Registry, huge_radix_is_one_step) {
  EXPECT_EQ(
      build_schedule("bruck", alltoall(9), nullptr, {.values = {{"radix", 2147483647}}}).steps(),
      1);
  EXPECT_EQ(
      build_schedule("knomial", broadcast(9), nullptr, {.values = {{"radix", 2147483647}}}).steps(),
      1);
}

// An algorithm takes the option if and only if its messages may have paths of their own.
TEST(Registry, drops_paths_of_its_own_where_the_network_routes) {
  const AlgorithmOptions over_network{.values = {{"routes", std::string(kNetworkRoutes)}}};
  std::set<std::string> with_paths;
  // Some links of the last two are parallel, so that paths name them.
  for (const char* expression :
       {"torus:4x3", "kautz:2,2", "random-regular:10,3,seed=2",
        "leaf-spine:leaves=2,spines=2,hosts=4", "hypercube:3", "uniring:2,5", "shifted-ring:6"}) {
    const Network network = on(expression);
    for (const schedule::CollectiveKind kind : schedule::kCollectiveKinds)
      for (const Algorithm& each : algorithms()) {
        schedule::Collective collective{.kind = kind, .ranks = network.ranks()};
        if (kind == schedule::CollectiveKind::point_to_point) collective.peer = schedule::Rank(1);
        if (misfit(each, {collective, &network})) continue;
        SCOPED_TRACE(each.name + " of " + std::string(name_of(kind)) + " on " + expression);
        const Schedule own = build_schedule(each.name, collective, &network);
        if (own.route_count() == 0 || own.helpers() > 0) continue;
        with_paths.insert(each.name);
        ASSERT_TRUE(each.takes(kRoutes));
        const Schedule routed = build_schedule(each.name, collective, &network, over_network);
        EXPECT_EQ(routed.route_count(), 0);
        EXPECT_EQ(routed.message_count(), own.message_count());
        EXPECT_EQ(routed.algorithm(), name_over_network(own.algorithm()));
        EXPECT_TRUE(schedule::verify(routed));
      }
  }
  for (const Algorithm& each : algorithms()) {
    if (!each.takes(kRoutes)) continue;
    EXPECT_TRUE(with_paths.contains(each.name)) << each.name;
  }
}

TEST(Direct, needs_a_link_between_every_two_ranks) {
  const auto fits = [](const Network& network) {
    return !misfit(find_algorithm("direct"), {alltoall(network.ranks()), &network});
  };
  EXPECT_TRUE(fits(on("complete:5")));
  EXPECT_TRUE(fits(on("hamming:6")));
  EXPECT_TRUE(fits(on("ring:3")));
  EXPECT_TRUE(fits(on("hamming:4x4", {.ranks = 4})));  // one line of it
  EXPECT_FALSE(fits(on("hamming:4x4", {.ranks = 5})));
  EXPECT_FALSE(fits(on("uniring:3")));
  EXPECT_FALSE(fits(on("ring:4")));
}

TEST(Order, is_kept_by_trees_to_rank_0_and_by_recursive_doubling) {
  for (std::int32_t ranks = 1; ranks <= 33; ++ranks) {
    const auto keeps = [](const Schedule& schedule) { return test::execute(schedule).keeps_order; };
    EXPECT_TRUE(keeps(build_schedule("binomial", schedule::reduce(ranks)))) << ranks;
    EXPECT_TRUE(keeps(build_schedule("knomial", schedule::reduce(ranks)))) << ranks;
    EXPECT_TRUE(keeps(build_schedule("chain", schedule::reduce(ranks)))) << ranks;
    EXPECT_TRUE(keeps(build_schedule("binomial", allreduce(ranks)))) << ranks;
    EXPECT_TRUE(keeps(build_schedule("recursive-doubling", allreduce(ranks)))) << ranks;
  }
}

}  // namespace
}  // namespace weft::algorithm
