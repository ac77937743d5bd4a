#include "weft/network/host_costs.hpp"

#include <gtest/gtest.h>

namespace weft::network {
namespace {

TEST(HostCosts, add_the_startups_of_both_ends) {
  EXPECT_EQ(startups_ps({}), 0);
  EXPECT_EQ(startups_ps({.startup_ps = 700, .startup_receive_ps = 300}), 1000);
}

}  // namespace
}  // namespace weft::network
