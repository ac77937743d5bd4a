// What collectives of groups cost, and what they cost at least.
#include "weft/training/prices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>

#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/advise/comparison.hpp"

namespace weft::training {
namespace {

std::shared_ptr<const Network> linked(std::string_view topology, std::string_view link,
                                      network::HostParameters host = {}) {
  LinkOptions links;
  topology::parse_link_option(link, links);
  const Fabric fabric(build_topology(topology), links);
  return std::make_shared<Network>(fabric, topology::place(fabric.topology(), {}), host,
                                   make_routing("shortest", fabric));
}

RankGroup all_of(const Network& network) {
  RankGroup group(static_cast<std::size_t>(network.ranks()));
  std::iota(group.begin(), group.end(), 0);
  return group;
}

GroupPrice price_of(const std::shared_ptr<const Network>& network, CollectiveKind kind,
                    std::int64_t size_B, const PriceOptions& options) {
  const RankGroup group = all_of(*network);
  return GroupPrices(network, options).price(kind, std::array{size_B}, std::array{group}).front();
}

// Switches that add up take each host's M once over its port, of 1 GB/s, and give it the sum:
// M / B, where ranks that combine need 2 (15/16) M / B at least. And a link's latency.
TEST(GroupPrices, bounds_switches_that_add_up) {
  const auto network = linked("leaf-spine:leaves=4,spines=2,hosts=4", "1GBps,1us");
  constexpr std::int64_t kSize_B = 16'000'000;
  const GroupPrice in_switches =
      price_of(network, CollectiveKind::allreduce, kSize_B, {.algorithms = {"switch-tree"}});
  EXPECT_NEAR(in_switches.least_s, 16e-3 + 1e-6, 1e-12);
  EXPECT_GT(in_switches.time_s, in_switches.least_s);
  EXPECT_LT(in_switches.time_s, 30e-3);
  const GroupPrice at_ranks =
      price_of(network, CollectiveKind::allreduce, kSize_B, {.algorithms = {"ring"}});
  EXPECT_GE(at_ranks.least_s, 30e-3 + 1e-6);
  // One of each: what both respect.
  const GroupPrice both = price_of(network, CollectiveKind::allreduce, kSize_B,
                                   {.algorithms = {"ring", "switch-tree"}});
  EXPECT_EQ(both.least_s, in_switches.least_s);
  EXPECT_EQ(both.time_s, in_switches.time_s);
}

// Of a byte: a start-up, and the links to the farthest of 8 on a ring.
TEST(GroupPrices, bounds_small_collectives_by_latency) {
  const auto network = linked("ring:8", "1000000GBps,1us", {.startup_ps = 500'000});
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::allgather,
                                    CollectiveKind::alltoall, CollectiveKind::broadcast}) {
    const GroupPrice price = price_of(network, kind, 8, {});
    EXPECT_NEAR(price.least_s, 4.5e-6, 1e-9) << schedule::name_of(kind);
    EXPECT_GE(price.time_s, price.least_s);
  }
}

// Over models, readings, sizes that do not divide and start-ups: no bound above what was reached.
TEST(GroupPrices, are_never_below_their_bounds) {
  using simulation::Model;
  for (const char* topology :
       test::samples({"ring:6", "torus:3x3", "kautz:3,1", "hosts(3, complete:3)",
                      "leaf-spine:leaves=3,spines=2,hosts=3", "genkautz:2,7"}))
    for (const std::int64_t startup_ps : {0, 700'000}) {
      const auto network = linked(topology, "10GBps,1us", {.startup_ps = startup_ps});
      for (const Model model : {Model::alpha_beta, Model::fluid, Model::packet})
        for (const CollectiveKind kind :
             {CollectiveKind::allreduce, CollectiveKind::allgather, CollectiveKind::reduce_scatter,
              CollectiveKind::alltoall, CollectiveKind::broadcast})
          for (const std::int64_t size_B : {7, 100'003}) {
            const GroupPrice price =
                price_of(network, kind, size_B, {.simulation = {.model = model}});
            EXPECT_LE(price.least_s, price.time_s)
                << topology << ' ' << schedule::name_of(kind) << ' ' << size_B << ' '
                << simulation::name_of(model);
            EXPECT_GT(price.least_s, 1e-6);
          }
    }
}

// Of sizes that are asked for twice, and in any order, the price is the same.
TEST(GroupPrices, remember_what_they_know) {
  const auto network = linked("torus:3x4", "1GBps,1us");
  const RankGroup group = all_of(*network);
  const GroupPrices prices(network, {});
  const auto first = prices.price(CollectiveKind::allreduce,
                                  std::array<std::int64_t, 2>{500, 4'000'000}, std::array{group});
  const auto second =
      prices.price(CollectiveKind::allreduce, std::array<std::int64_t, 3>{4'000'000, 70'000, 500},
                   std::array{group});
  ASSERT_EQ(second.size(), 3);
  EXPECT_EQ(second[0].size_B, 4'000'000);
  EXPECT_EQ(second[0].time_s, first[1].time_s);
  EXPECT_EQ(second[1].size_B, 70'000);
  EXPECT_EQ(second[2].time_s, first[0].time_s);
}

// A price depends on its own size alone, to the last bit: of one group, of groups that share links
// and so try but a few together, and of many ranks, of which the fastest are estimated.
TEST(GroupPrices, of_a_size_do_not_depend_on_the_others) {
  const std::vector<std::int64_t> sizes_B = {1'000, 1'000'000, 100'000'007};
  const RankGroup evens = {0, 2, 4, 6, 8, 10}, odds = {1, 3, 5, 7, 9, 11};
  const auto torus = linked("torus:3x4", "1GBps,1us", {.startup_ps = 700'000});
  const auto kautz = linked("genkautz:3,66", "25Gbps,10us");
  const struct {
    std::shared_ptr<const Network> network;
    std::vector<RankGroup> groups;
  } cases[] = {{torus, {all_of(*torus)}}, {torus, {evens, odds}}, {kautz, {all_of(*kautz)}}};
  for (const auto& [network, groups] :
       test::samples(std::vector(std::begin(cases), std::end(cases))))
    for (const auto model : {simulation::Model::alpha_beta, simulation::Model::fluid}) {
      const PriceOptions options{.simulation = {.model = model}};
      const auto all =
          GroupPrices(network, options).price(CollectiveKind::allreduce, sizes_B, groups);
      for (std::size_t i = 0; i < sizes_B.size(); ++i) {
        const GroupPrice one = GroupPrices(network, options)
                                   .price(CollectiveKind::allreduce, std::array{sizes_B[i]}, groups)
                                   .front();
        EXPECT_EQ(one.time_s, all[i].time_s) << network->topology().name() << ' ' << sizes_B[i];
        EXPECT_EQ(one.schedule, all[i].schedule);
        EXPECT_EQ(one.least_s, all[i].least_s);
        EXPECT_EQ(one.class_bytes, all[i].class_bytes);
        EXPECT_EQ(one.not_tried, all[i].not_tried);
      }
    }
}

// Groups that a trace names: rows of a torus, which share no link, cost what one of them does.
TEST(GroupPrices, are_of_any_groups) {
  const auto network = linked("torus:4x4", "1GBps,0s");
  const GroupPrices prices(network, {.algorithms = {"ring"}});
  const std::vector<RankGroup> rows = {{0, 1, 2, 3}, {8, 9, 10, 11}}, one = {{4, 5, 6, 7}};
  const std::array<std::int64_t, 1> size_B = {4'000'000};
  const GroupPrice two = prices.price(CollectiveKind::allreduce, size_B, rows).front();
  EXPECT_EQ(two.groups, 2);
  EXPECT_EQ(two.together, 1);
  EXPECT_EQ(two.time_s, prices.price(CollectiveKind::allreduce, size_B, one).front().time_s);
  // 2 (3/4) M over a link of 1 GB/s.
  EXPECT_NEAR(two.time_s, 6e-3, 1e-5);
}

// Many ranks: what is estimated to be the fastest is what a comparison of all finds.
// Eight groups of eight on a network that they share: whichever of them call, all run it, the time
// is the same, and bytes add up. Trees with tens of thousands of messages are named, not tried.
TEST(GroupPrices, are_those_of_a_party_whoever_calls) {
  const auto network = linked("genkautz:4,64", "25GBps,1us");
  std::vector<RankGroup> groups(8);
  for (std::int32_t rank = 0; rank < 64; ++rank) groups[rank / 8].push_back(rank);
  constexpr std::array kSizes_B = {std::int64_t{1} << 28};
  const GroupPrices prices(network, {});
  const auto price = [&](std::span<const RankGroup> callers, std::span<const RankGroup> beside) {
    return prices.price(CollectiveKind::allreduce, kSizes_B, callers, beside).front();
  };
  const GroupPrice all = price(groups, {});
  EXPECT_EQ(all.together, 8);
  EXPECT_NE(std::ranges::find(all.not_tried, "packing"), all.not_tried.end());
  double sum_B = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::vector<RankGroup> beside = groups;
    beside.erase(beside.begin() + static_cast<std::ptrdiff_t>(i));
    const GroupPrice one = price(std::span(groups).subspan(i, 1), beside);
    EXPECT_EQ(one.time_s, all.time_s);
    EXPECT_EQ(one.schedule, all.schedule);
    for (const auto& [name, bytes] : *one.class_bytes) sum_B += bytes;
  }
  double all_B = 0;
  for (const auto& [name, bytes] : *all.class_bytes) all_B += bytes;
  EXPECT_NEAR(sum_B, all_B, 1e-9 * all_B);
  EXPECT_GE(all_B,
            8 * 8 * 2 * 7. / 8 * kSizes_B[0]);  // each rank sends so much, over a link or more
}

// One contest with one tie rule decides both.
TEST(GroupPrices, are_of_the_winners_of_a_comparison) {
  CompareOptions compared;
  compared.sizes_B = {8, 3'000, 1 << 20, 100'000'007};
  for (const std::string name :
       {"torus:3x4", "hypercube:3", "kautz:2,2", "hosts(3, complete:3)", "bipartite:4,4"}) {
    const auto network = linked(name, "10GBps,1us");
    const std::vector<RankGroup> groups = {all_of(*network)};
    for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::allgather,
                                      CollectiveKind::alltoall, CollectiveKind::broadcast}) {
      const auto prices = GroupPrices(network, {}).price(kind, compared.sizes_B, groups);
      const Comparison all =
          advise::compare({.kind = kind, .ranks = network->ranks()}, *network, compared);
      for (std::size_t i = 0; i < prices.size(); ++i) {
        const ComparisonRow& winner = *all.winners()[i];
        EXPECT_NEAR(prices[i].time_s, winner.result.time_s, 1e-9 * prices[i].time_s)
            << name << ' ' << schedule::name_of(kind) << ' ' << prices[i].size_B;
        EXPECT_EQ(prices[i].schedule, winner.schedule)
            << name << ' ' << schedule::name_of(kind) << ' ' << prices[i].size_B;
      }
    }
  }
}

TEST(GroupPrices, estimate_the_fastest_of_many_ranks) {
  const auto network = linked("genkautz:3,80", "25Gbps,10us");
  const PriceOptions options{.simulation = {.model = simulation::Model::alpha_beta}};
  CompareOptions all_sizes;
  all_sizes.sizes_B = {1'000, 100'000, 100'000'000};
  all_sizes.simulation = options.simulation;
  const RankGroup group = all_of(*network);
  const GroupPrices of_groups(network, options);
  for (const CollectiveKind kind :
       test::samples({CollectiveKind::allreduce, CollectiveKind::broadcast})) {
    const auto prices = of_groups.price(kind, all_sizes.sizes_B, std::array{group});
    const Comparison all = advise::compare({.kind = kind, .ranks = 80}, *network, all_sizes);
    for (std::size_t i = 0; i < prices.size(); ++i) {
      EXPECT_NEAR(prices[i].time_s, all.winners()[i]->result.time_s, 1e-3 * prices[i].time_s)
          << schedule::name_of(kind) << ' ' << prices[i].size_B;
      EXPECT_FALSE(prices[i].not_tried.empty());
    }
  }
}

}  // namespace
}  // namespace weft::training
