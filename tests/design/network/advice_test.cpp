// Which of the judged networks is advised: none that another betters.
#include "weft/design/network/advice.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/base/random.hpp"

namespace weft::design {
namespace {

DesignRow row(double time_s, double dollars, double worst_slowdown = 1, bool finalist = true) {
  DesignRow row;
  row.calls.emplace_back().time_s = time_s;
  row.how_often.push_back(1);
  row.bill.parts.switch_dollars = dollars;
  if (finalist) row.by_cables = Fragility{.worst_slowdown = worst_slowdown};
  return row;
}

std::size_t advised_of(const std::vector<DesignRow>& rows) {
  std::vector<const DesignRow*> pointers;
  for (const DesignRow& each : rows) pointers.push_back(&each);
  return advised(pointers);
}

TEST(DesignAdvice, is_the_cheapest_within_5_percent_of_the_fastest) {
  EXPECT_EQ(advised_of({row(1, 100), row(1.04, 60), row(1.06, 10)}), 1u);
  EXPECT_EQ(advised_of({row(1, 100), row(1.06, 10)}), 0u);
}

// 1.9 % dearer and slower is no equal, whatever a dead cable costs.
TEST(DesignAdvice, counts_failures_among_those_that_nothing_betters) {
  EXPECT_EQ(advised_of({row(1, 100, 2), row(1.01, 101, 1.2)}), 0u);
  EXPECT_EQ(advised_of({row(1, 101, 2), row(1.01, 100, 1.2)}), 1u);
  EXPECT_EQ(advised_of({row(1, 101, 1.2), row(1.01, 100, 2)}), 0u);
  EXPECT_EQ(advised_of({row(1, 101, 1.2), row(1.01, 100, 1.19)}), 0u);  // as much: the faster
}

// The choice is of simulated networks while none that is not betters it.
TEST(DesignAdvice, is_bettered_by_no_other_row) {
  EXPECT_EQ(advised_of({row(1, 100), row(0.9, 110, 1, false)}), 0u);
  EXPECT_EQ(advised_of({row(1, 100), row(0.9, 90, 1, false)}), 1u);
  Rng rng(7);
  for (int instance = 0; instance < 20'000; ++instance) {
    std::vector<DesignRow> rows;
    const std::int64_t count = 1 + rng.below(7);
    for (std::int64_t i = 0; i < count; ++i)
      rows.push_back(row(1 + 0.01 * static_cast<double>(rng.below(9)),
                         100 + static_cast<double>(rng.below(9)),
                         1 + 0.1 * static_cast<double>(rng.below(5)), rng.below(3) > 0));
    const DesignRow& chosen = rows[advised_of(rows)];
    for (const DesignRow& other : rows)
      ASSERT_FALSE(other.time_s() < chosen.time_s() && other.bill.dollars() < chosen.bill.dollars())
          << "instance " << instance;
  }
}

}  // namespace
}  // namespace weft::design
