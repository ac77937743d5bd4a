// Starts by METIS while others call it.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "weft/search/order_objectives.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

TEST(StartOrder, metis_gives_a_seed_one_order_in_every_thread) {
  const OrderNetwork network(Fabric(build_topology("hosts(1, random-regular:64,8,seed=1)")));
  const auto order = [&](std::uint64_t seed) {
    return start_order(network, {.policy = "metis", .seed = seed});
  };
  const std::vector<Order> alone{order(1), order(2)};
  std::atomic<int> others = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 25; ++round) others += order(1 + t % 2) == alone[t % 2] ? 0 : 1;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace weft::search
