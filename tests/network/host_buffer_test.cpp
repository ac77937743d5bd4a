#include "weft/network/host_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace weft::network {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(HostBuffer, is_that_of_all_ranks) {
  EXPECT_EQ(host_buffer_B(1'000, 4), 4'000);
  EXPECT_EQ(host_buffer_B(kMost / 3, 3), kMost / 3 * 3);
}

TEST(HostBuffer, stops_at_the_largest_number) {
  EXPECT_EQ(host_buffer_B(kMost / 3 + 1, 3), kMost);
  EXPECT_EQ(host_buffer_B(kMost, 64), kMost);
}

}  // namespace
}  // namespace weft::network
