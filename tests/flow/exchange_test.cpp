#include "weft/flow/exchange.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "weft/flow/throughput.hpp"
#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

std::vector<NodeId> hosts_in(const Topology& topology) {
  return {topology.hosts().begin(), topology.hosts().end()};
}

// Where every pair has as much, throughput f per link of 1 GB/s takes bytes / f.
TEST(Exchange, of_equal_amounts_takes_what_the_throughput_says) {
  for (const char* expression : {"ring:5", "mesh:2x3", "kautz:2,2", "hosts(2, ring:3)"}) {
    const Topology topology = make_topology(expression);
    const std::vector<NodeId> hosts = hosts_in(topology);
    const std::vector<std::int64_t> bandwidth_Bps(topology.link_count(), 1'000'000'000);
    const std::vector<std::int64_t> bytes(hosts.size() * hosts.size(), 1000);
    const auto time = exchange_time(topology, hosts, bandwidth_Bps, bytes);
    ASSERT_TRUE(time) << expression;
    const double expected_s = 1000 / 1e9 / all_to_all_throughput(topology).upper_bound;
    EXPECT_NEAR(time->least_s, expected_s, 1e-6 * expected_s) << expression;
    EXPECT_NEAR(time->flows_s, expected_s, 1e-6 * expected_s) << expression;
  }
}

// A ring of four at 1 GB/s: 3000 bytes from 0 to 1 go 1500 by each way round: 1.5 us. Of 3000
// bytes from 0 to 1 and as many from 1 to 2 the direct links carry all but x, and the way back over
// 3 carries both x: 3000 - x = 2 x on the links that both detours share, so 2000 bytes, 2 us.
TEST(Exchange, splits_what_a_pair_has_over_ways) {
  const Topology ring = make_topology("ring:4");
  const std::vector<std::int64_t> bandwidth_Bps(ring.link_count(), 1'000'000'000);
  std::vector<std::int64_t> bytes(16, 0);
  bytes[0 * 4 + 1] = 3000;
  EXPECT_NEAR(exchange_time(ring, hosts_in(ring), bandwidth_Bps, bytes)->least_s, 1.5e-6, 1e-12);
  bytes[1 * 4 + 2] = 3000;
  EXPECT_NEAR(exchange_time(ring, hosts_in(ring), bandwidth_Bps, bytes)->least_s, 2e-6, 1e-12);
}

TEST(Exchange, proves_what_its_flows_take) {
  std::mt19937_64 random(3);
  for (const char* expression : {"ring:6", "hypercube:3", "diamond", "mesh:2x4"}) {
    const Topology topology = make_topology(expression);
    const std::vector<NodeId> hosts = hosts_in(topology);
    std::vector<std::int64_t> bandwidth_Bps, bytes;
    for (std::int64_t l = 0; l < topology.link_count(); ++l)
      bandwidth_Bps.push_back(1'000'000'000 * (1 + static_cast<std::int64_t>(random() % 4)));
    for (std::size_t b = 0; b < hosts.size() * hosts.size(); ++b)
      bytes.push_back(static_cast<std::int64_t>(random() % 100'000) *
                      static_cast<std::int64_t>(random() % 2));
    const auto time = exchange_time(topology, hosts, bandwidth_Bps, bytes);
    ASSERT_TRUE(time);
    EXPECT_LE(time->least_s, time->flows_s * (1 + 1e-9)) << expression;
    EXPECT_GE(time->least_s, time->flows_s * (1 - 1e-6)) << expression;
  }
}

TEST(Exchange, is_left_out_where_it_is_large_and_nothing_where_nothing_is_sent) {
  const Topology ring = make_topology("ring:4");
  const std::vector<std::int64_t> bandwidth_Bps(ring.link_count(), 1'000'000'000);
  std::vector<std::int64_t> bytes(16, 5);
  EXPECT_FALSE(exchange_time(ring, hosts_in(ring), bandwidth_Bps, bytes, 31));  // 4 * 8 flows
  bytes.assign(16, 0);
  EXPECT_EQ(exchange_time(ring, hosts_in(ring), bandwidth_Bps, bytes)->least_s, 0);
}

}  // namespace
}  // namespace weft::flow
