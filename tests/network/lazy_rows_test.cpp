#include "../../src/weft/network/lazy_rows.hpp"

#include <gtest/gtest.h>

namespace weft::network {
namespace {

struct Square {
  std::int64_t value = 0;
  std::size_t size_B() const { return 10; }
};

TEST(LazyRows, computes_a_row_once_while_the_budget_lasts) {
  LazyRows<Square> rows(5, 100);
  LazyRows<Square>::Scratch scratch;
  int computed = 0;
  for (int round = 0; round < 3; ++round)
    for (std::int32_t i = 0; i < 5; ++i)
      EXPECT_EQ(rows.get(i, scratch, [&] { return ++computed, Square{i * i}; }).value, i * i);
  EXPECT_EQ(computed, 5);
  EXPECT_NE(rows.peek(4), nullptr);
}

TEST(LazyRows, keeps_no_row_beyond_the_budget_but_the_last_in_scratch) {
  LazyRows<Square> rows(5, 20);  // two rows
  LazyRows<Square>::Scratch scratch;
  int computed = 0;
  for (std::int32_t i : {0, 1, 2, 2, 3, 2, 0})
    EXPECT_EQ(rows.get(i, scratch, [&] { return ++computed, Square{i * i}; }).value, i * i);
  EXPECT_EQ(computed, 5);  // 0, 1, 2, 3 and 2 again
  EXPECT_NE(rows.peek(1), nullptr);
  EXPECT_EQ(rows.peek(2), nullptr);
}

}  // namespace
}  // namespace weft::network
