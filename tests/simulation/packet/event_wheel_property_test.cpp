// EventWheel against a sorted list: the order of (time, sequence), whatever the delays.
#include "weft/simulation/packet/engine/event_wheel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/random.hpp"

namespace weft::simulation::packet {
namespace {

/// Delays from now: none, within a bucket, within the calendar, beyond its end.
Time delay(Rng& rng) {
  switch (rng.below(6)) {
    case 0:
    case 1:
      return 0;
    case 2:
      return rng.below(16);
    case 3:
      return rng.below(5'000);
    case 4:
      return rng.below(200'000);
    default:
      return rng.below(400'000'000);
  }
}

TEST(EventWheel, keeps_the_order_of_time_and_sequence) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    EventWheel wheel(static_cast<int>(4 + rng.below(9)));
    std::multimap<Time, std::uint32_t> naive;  // equal times in the order of insertion
    std::uint32_t next_id = 0;
    const auto push = [&](Time time) {
      wheel.push({time, next_id, 0});
      naive.emplace(time, next_id++);
    };
    const auto most = static_cast<std::uint32_t>(1 + rng.below(3'000));
    for (int i = 0; i < 5; ++i) push(delay(rng));
    Event event{};
    while (wheel.pop(event)) {
      ASSERT_FALSE(naive.empty()) << seed;
      ASSERT_EQ(std::pair(event.time, event.id),
                std::pair(naive.begin()->first, naive.begin()->second))
          << "seed " << seed;
      naive.erase(naive.begin());
      const std::int64_t more =
          std::min<std::int64_t>(rng.below(4), most - std::min(most, next_id));
      for (std::int64_t i = 0; i < more; ++i) push(event.time + delay(rng));
    }
    EXPECT_TRUE(naive.empty()) << seed;
  }
}

}  // namespace
}  // namespace weft::simulation::packet
