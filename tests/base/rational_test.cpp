#include "weft/base/rational.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"

namespace weft {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Rational, is_in_lowest_terms_with_a_positive_denominator) {
  EXPECT_EQ(Rational(6, -8), Rational(-3, 4));
  EXPECT_EQ(Rational(0, -5), Rational(0));
  EXPECT_EQ(Rational(6, 3).denominator(), 1);
  EXPECT_EQ(Rational(kMin, kMin), Rational(1));
}

TEST(Rational, obeys_the_laws_of_a_field) {
  Rng rng(7);
  const auto draw = [&] { return Rational(rng.below(2001) - 1000, 1 + rng.below(1000)); };
  for (int i = 0; i < 2000; ++i) {
    const Rational a = draw(), b = draw(), c = draw();
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ(a - b, a + -b);
    if (b != 0) {
      EXPECT_EQ(a / b * b, a);
    }
    EXPECT_EQ(a < b, a.to_double() < b.to_double()) << to_string(a) << ' ' << to_string(b);
  }
}

TEST(Rational, compares_where_doubles_cannot) {
  EXPECT_LT(Rational(kMax - 1, kMax), Rational(1));
  EXPECT_GT(Rational(1, kMax - 1), Rational(1, kMax));
}

TEST(Rational, refuses_results_that_do_not_fit) {
  EXPECT_THROW(Rational(kMax) + 1, std::overflow_error);
  EXPECT_THROW(Rational(kMin) - 1, std::overflow_error);
  EXPECT_THROW(Rational(1, kMax) * Rational(1, 2), std::overflow_error);
  EXPECT_THROW(Rational(kMin, -1), std::overflow_error);
  EXPECT_THROW(Rational(1, 0), std::domain_error);
  EXPECT_THROW(Rational(1) / 0, std::domain_error);
  Rational value(kMax);
  EXPECT_THROW(value += 1, std::overflow_error);
  EXPECT_EQ(value, Rational(kMax));  // as it was
}

TEST(Rational, reads_back_what_it_writes) {
  for (const Rational& value : {Rational(15, 16), Rational(-3), Rational(0), Rational(kMax, 2)})
    EXPECT_EQ(parse_rational(to_string(value)), value);
  for (const char* text : {"", "1/", "/2", "1/0", "a", "1.5", "1/2/3"})
    EXPECT_THROW(parse_rational(text), InvalidInput) << text;
}

}  // namespace
}  // namespace weft
