// All-to-alls of messages that differ in size.
#include "weft/training/unequal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>

#include "support/network_on.hpp"
#include "weft/base/error.hpp"

namespace weft::training {
namespace {

std::shared_ptr<const Network> linked(std::string_view topology, std::string_view link) {
  LinkOptions links;
  topology::parse_link_option(link, links);
  const Fabric fabric(build_topology(topology), links);
  return std::make_shared<Network>(fabric, topology::place(fabric.topology(), {}),
                                   network::HostParameters{}, make_routing("shortest", fabric));
}

std::vector<RankGroup> everyone(std::int32_t ranks) {
  RankGroup group(static_cast<std::size_t>(ranks));
  std::iota(group.begin(), group.end(), 0);
  return {group};
}

// Complete: a link for each message, so that the largest takes 4 MB / 1 GB/s whichever way.
TEST(UnequalAlltoall, takes_the_largest_message_where_each_has_a_link) {
  const auto network = linked("complete:4", "1GBps,0s");
  const GroupPrices prices(network, {});
  for (const bool back : {false, true}) {
    const GroupPrice price =
        prices.price_unequal({4'000'000, 1'000'000, 2'000'000, 0}, back, everyone(4));
    EXPECT_NEAR(price.time_s, 4e-3, 1e-9);
    EXPECT_EQ(price.schedule, "unequal spread");
    // Three links bring rank 0 its 12 MB, or take as much from it: as long.
    EXPECT_NEAR(price.least_s, 4e-3, 1e-9);
    double sent_B = 0;
    for (const auto& [name, bytes] : *price.class_bytes) sent_B += bytes;
    EXPECT_NEAR(sent_B, 3 * 7e6, 1);
  }
}

// Hosts of one switch: the port of rank 0 takes in 3 * 4 MB, or sends as much on the way back.
TEST(UnequalAlltoall, waits_for_the_busiest_port) {
  const auto network = linked("leaf-spine:leaves=1,spines=1,hosts=4", "1GBps,1us");
  const GroupPrices prices(network, {});
  for (const bool back : {false, true}) {
    const GroupPrice price =
        prices.price_unequal({4'000'000, 1'000'000, 1'000'000, 1'000'000}, back, everyone(4));
    EXPECT_GE(price.time_s, 12e-3 + 1e-6);
    EXPECT_LE(price.time_s, 12e-3 + 1e-5);
    EXPECT_NEAR(price.least_s, 12e-3 + 1e-6, 1e-9);
  }
}

// Even parts: the throughput's own time, by its prices.
TEST(UnequalAlltoall, is_the_even_one_by_prices) {
  for (const char* topology : {"complete:5", "torus:3x3", "genkautz:2,9", "hypercube:3"}) {
    const auto network = linked(topology, "1GBps,1us");
    const GroupPrices prices(network, {.flow_alltoall = true});
    const auto ranks = network->ranks();
    const std::array<std::int64_t, 1> size_B = {1'000'000};
    const double even_s =
        prices.price(CollectiveKind::alltoall, size_B, everyone(ranks)).front().time_s;
    const std::vector<std::int64_t> parts_B(static_cast<std::size_t>(ranks), size_B[0]);
    const GroupPrice price = prices.price_unequal(parts_B, false, everyone(ranks));
    EXPECT_NEAR(price.time_s, even_s, 1e-9 * even_s) << topology;
    EXPECT_EQ(price.schedule, "flow, by prices");
  }
}

// No simulation is faster than the prices allow.
TEST(UnequalAlltoall, is_never_faster_than_its_prices) {
  const std::vector<std::int64_t> parts_B = {900'000, 500'000, 300'000, 200'000, 100'000,
                                             50'000,  0,       7,       1'000};
  for (const char* topology : {"torus:3x3", "genkautz:2,9", "ring:9"}) {
    const auto network = linked(topology, "1GBps,0s");
    for (const bool back : {false, true}) {
      const double flow_s = GroupPrices(network, {.flow_alltoall = true})
                                .price_unequal(parts_B, back, everyone(9))
                                .time_s;
      for (const auto model : {simulation::Model::fluid, simulation::Model::alpha_beta}) {
        const GroupPrice price = GroupPrices(network, {.simulation = {.model = model}})
                                     .price_unequal(parts_B, back, everyone(9));
        EXPECT_GE(price.time_s, flow_s * (1 - 1e-9)) << topology;
        EXPECT_LE(price.least_s, price.time_s);
      }
    }
  }
}

TEST(UnequalAlltoall, is_written_out_for_some_hundred_ranks) {
  const auto network = linked("torus:24x24", "1GBps,0s");
  const std::vector<std::int64_t> parts_B(576, 100);
  EXPECT_THROW(GroupPrices(network, {}).price_unequal(parts_B, false, everyone(576)), InvalidInput);
}

}  // namespace
}  // namespace weft::training
