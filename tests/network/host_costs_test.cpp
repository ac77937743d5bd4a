#include "weft/network/host_costs.hpp"

#include <gtest/gtest.h>

namespace weft::network {
namespace {

TEST(HostCosts, add_the_startups_of_both_ends) {
  EXPECT_EQ(startups_ps({}), 0);
  EXPECT_EQ(startups_ps({.startup_ps = 700, .startup_receive_ps = 300}), 1000);
}

TEST(HostCosts, list_the_sizes_at_which_a_message_pays_something_else) {
  constexpr std::int64_t kRate = 1'000'000'000;
  using Limits = std::vector<std::int64_t>;
  EXPECT_EQ(message_limits_B({}), Limits());
  EXPECT_EQ(message_limits_B({.startup_ps = 1, .rendezvous = {4096, 0}}), Limits());
  EXPECT_EQ(message_limits_B({.rendezvous = {4096, 1}, .eager_copies = {4096, kRate}}),
            Limits({4096}));
  EXPECT_EQ(message_limits_B({.exchanges = {8192, kRate}, .rendezvous = {4096, 1}}),
            Limits({4096, 8192}));
}

}  // namespace
}  // namespace weft::network
