#include "weft/fields/value.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "weft/base/error.hpp"

namespace weft::fields {
namespace {

TEST(Value, is_shown_in_its_shortest_form) {
  EXPECT_EQ(to_text(Value()), "");
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(std::int64_t{-12}), "-12");
  EXPECT_EQ(to_text(1.5e-6), "1.5e-06");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(std::string("15/16")), "15/16");
}

TEST(Value, is_nothing_where_there_is_none) {
  struct Bound {
    Rational factor;
  };
  EXPECT_TRUE(is_nothing(or_nothing(std::optional<int>())));
  EXPECT_EQ(or_nothing(std::optional(7)), Value(std::int64_t{7}));
  EXPECT_EQ(or_nothing(std::optional(true)), Value(true));
  EXPECT_EQ(or_nothing(std::optional(0.5)), Value(0.5));
  EXPECT_EQ(or_nothing(std::optional(Rational(15, 16))), Value(std::string("15/16")));
  EXPECT_EQ(or_nothing(std::optional(Bound{Rational(3, 4)}), &Bound::factor),
            Value(std::string("3/4")));
  EXPECT_TRUE(is_nothing(or_nothing(std::optional<Bound>(), &Bound::factor)));
}

TEST(Value, is_a_number_where_it_is_one) {
  EXPECT_EQ(to_number(std::string("15/16")), 0.9375);
  EXPECT_EQ(to_number(true), 1.0);
  EXPECT_EQ(to_number(std::int64_t{7}), 7.0);
  EXPECT_EQ(to_number(Value()), std::nullopt);
  EXPECT_EQ(to_number(std::string("ring")), std::nullopt);
  EXPECT_EQ(to_number(std::string("1/0")), std::nullopt);
}

TEST(Value, comes_back_from_json_as_it_was) {
  const Values values{{"a", Value()},
                      {"b", true},
                      {"c", std::numeric_limits<std::int64_t>::min()},
                      {"d", 0.1 + 0.2},
                      {"e", std::string("15/16 \"x\" \xc3\xa4")},
                      {"f", 2.0},
                      {"g", 5e-324}};
  EXPECT_EQ(values_from_json(to_json(values)), values);
  EXPECT_EQ(to_json(values_from_json(to_json(values))), to_json(values));
  EXPECT_EQ(to_json({{"b", 1.5}, {"a", std::int64_t{1}}}), R"({"a":1,"b":1.5})");
}

TEST(Value, rejects_json_that_is_no_object_of_values) {
  for (const char* json : {"", "1", "[1]", "{\"a\":", "{\"a\":[1]}", "{\"a\":{}}"})
    EXPECT_THROW(values_from_json(json), InvalidInput) << json;
}

}  // namespace
}  // namespace weft::fields
