#include "weft/base/id_vector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error.hpp"

namespace weft {
namespace {

using Fruit = Id<struct FruitTag>;
using Stone = Id<struct StoneTag>;

template <class Array, class Index>
concept IndexedBy = requires(Array array, Index index) {
  array[index];
};

// What the types are for: neither a number nor the id of something else reads the array.
using Weights = IdVector<Fruit, double>;
static_assert(IndexedBy<Weights, Fruit> && IndexedBy<const Weights, Fruit>);
static_assert(!IndexedBy<Weights, int> && !IndexedBy<Weights, std::size_t>);
static_assert(!IndexedBy<Weights, Stone>);
static_assert(!IndexedBy<IdSpan<Fruit, const double>, int>);
static_assert(!IndexedBy<IdSpan<Fruit, const double>, Stone>);

// A view that could write what is constant must not be had.
static_assert(std::is_convertible_v<const Weights&, IdSpan<Fruit, const double>>);
static_assert(!std::is_convertible_v<const Weights&, IdSpan<Fruit, double>>);
static_assert(std::is_convertible_v<const Weights&, std::span<const double>>);

TEST(id_vector, has_a_value_for_each_id) {
  IdVector<Fruit, int> prices(std::int64_t{3}, 7);
  prices[Fruit(1)] = 5;
  EXPECT_EQ(prices.size(), 3);
  EXPECT_EQ(prices.values(), (std::vector{7, 5, 7}));
  int sum = 0;
  for (const Fruit fruit : prices.ids()) sum += prices[fruit];
  EXPECT_EQ(sum, 19);
  EXPECT_EQ(std::accumulate(prices.begin(), prices.end(), 0), 19);
}

TEST(id_vector, count_alone_makes_default_values_even_of_what_cannot_be_copied) {
  const IdVector<Fruit, std::unique_ptr<int>> owners(2);
  EXPECT_EQ(owners.size(), 2);
  EXPECT_EQ(owners[Fruit(1)], nullptr);
}

TEST(id_vector, braces_list_values_and_parentheses_count) {
  const IdVector<Fruit, int> listed{2, 9}, counted(2, 9);
  EXPECT_EQ(listed.values(), (std::vector{2, 9}));
  EXPECT_EQ(counted.values(), (std::vector{9, 9}));
}

TEST(id_vector, takes_and_gives_a_plain_vector_without_copying) {
  std::vector<int> plain{4, 5, 6};
  const int* const where = plain.data();
  IdVector<Fruit, int> prices = std::move(plain);
  EXPECT_EQ(prices.data(), where);
  const std::vector<int> back = std::move(prices).values();
  EXPECT_EQ(back.data(), where);
}

TEST(id_vector, holds_truth_values) {
  IdVector<Fruit, bool> ripe(2, false);
  ripe[Fruit(1)] = true;
  EXPECT_FALSE(ripe[Fruit(0)]);
  EXPECT_TRUE(std::as_const(ripe)[Fruit(1)]);
}

TEST(id_vector, appending_tells_the_id) {
  IdVector<Fruit, std::string> names;
  EXPECT_TRUE(names.empty());
  EXPECT_EQ(names.push_back("plum"), Fruit(0));
  EXPECT_EQ(names.emplace_back(2, 'x'), Fruit(1));
  EXPECT_EQ(names[Fruit(1)], "xx");
}

TEST(id_vector, changes_its_size) {
  IdVector<Fruit, int> prices(1, 3);
  prices.resize(2, 4);
  EXPECT_EQ(prices, (IdVector<Fruit, int>{3, 4}));
  prices.resize(3);
  EXPECT_EQ(prices, (IdVector<Fruit, int>{3, 4, 0}));
  prices.assign(2, 8);
  EXPECT_EQ(prices, (IdVector<Fruit, int>{8, 8}));
  prices.clear();
  EXPECT_TRUE(prices.empty());
}

TEST(id_vector, ranges_take_it) {
  IdVector<Fruit, int> prices{3, 1, 2};
  std::ranges::sort(prices);
  EXPECT_EQ(prices.values(), (std::vector{1, 2, 3}));
  EXPECT_EQ(*std::ranges::max_element(std::as_const(prices)), 3);
}

TEST(id_span, reads_and_writes_the_array_of_another) {
  IdVector<Fruit, int> prices{3, 1, 2};
  const IdSpan<Fruit, int> writable = prices;
  writable[Fruit(1)] = 6;
  const IdSpan<Fruit, const int> readable = prices;
  EXPECT_EQ(readable[Fruit(1)], 6);
  EXPECT_EQ(readable.data(), prices.data());
  EXPECT_EQ(readable.size(), 3);
  EXPECT_EQ(readable.ids().size(), 3);
  EXPECT_EQ(std::ranges::find(readable, 6) - readable.begin(), 1);
  EXPECT_TRUE((IdSpan<Fruit, const int>().empty()));
}

#ifdef WEFT_ASSERTS
TEST(id_vector, ids_beyond_the_array_and_negative_counts_are_bugs) {
  const IdVector<Fruit, int> prices(2, 0);
  EXPECT_ANY_THROW(static_cast<void>(prices[Fruit(2)]));
  EXPECT_ANY_THROW(static_cast<void>(prices[Fruit(-1)]));
  EXPECT_ANY_THROW((IdVector<Fruit, int>(-1, 0)));
}
#endif

}  // namespace
}  // namespace weft
