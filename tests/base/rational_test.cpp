#include "weft/base/rational.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "weft/base/error.hpp"
#include "weft/base/numbers/fraction_sum.hpp"
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

TEST(Rational, holds_more_than_64_bits) {
  EXPECT_EQ(Rational(kMax) + 1 - 1, Rational(kMax));
  EXPECT_EQ(to_string(Rational(kMax) + 1), "9223372036854775808");
  EXPECT_EQ(to_string(Rational(kMin) * 3), "-27670116110564327424");
  EXPECT_EQ(Rational(kMin, -1), Rational(kMax) + 1);
  // 1/p + 1/q = (p + q)/(p q), of the primes 2^31 - 1 and 2^61 - 1: a denominator of 92 bits
  const std::int64_t p = 2147483647, q = 2305843009213693951;
  EXPECT_EQ(to_string(Rational(1, p) + Rational(1, q)),
            "2305843011361177598/4951760154835678088235319297");
  EXPECT_EQ(Rational(1, p) + Rational(1, q) - Rational(1, q), Rational(1, p));
  EXPECT_THROW(static_cast<void>((Rational(kMax) + 1).numerator()), std::overflow_error);
  EXPECT_THROW(static_cast<void>((Rational(1, kMax) * Rational(1, 2)).denominator()),
               std::overflow_error);
}

// The terms of neighbours of large fractions multiply to 250 bits; a/b < (a + 1)/(b + 1) where
// 0 < a < b, and the other way round above 1.
TEST(Rational, compares_where_products_do_not_fit) {
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    const Rational a = Rational(kMax - rng.below(1000)) * (kMax - rng.below(1000));
    const Rational b = a + 1 + rng.below(1000);
    const Rational below = a / b, above = (a + 1) / (b + 1);
    EXPECT_LT(below, above);
    EXPECT_GT(-below, -above);
    EXPECT_GT(1 / below, 1 / above);
    EXPECT_LT(below, 1);
    EXPECT_GT(below, Rational(1, 2));
  }
}

TEST(Rational, refuses_results_that_do_not_fit) {
  const Rational large = Rational(kMax) * kMax;  // 2^126 - 2^64 + 1
  EXPECT_THROW(large * 3, std::overflow_error);
  EXPECT_THROW(large + large + large, std::overflow_error);
  EXPECT_THROW(1 / large * Rational(1, 3), std::overflow_error);
  EXPECT_THROW(Rational(1, 0), std::domain_error);
  EXPECT_THROW(Rational(1) / 0, std::domain_error);
  Rational value = large;
  EXPECT_THROW(value *= 5, std::overflow_error);
  EXPECT_EQ(value, large);  // as it was
}

TEST(Rational, reads_back_what_it_writes) {
  for (const Rational& value : {Rational(15, 16), Rational(-3), Rational(0), Rational(kMax, 2),
                                Rational(kMin) * kMax, Rational(7, kMax) / kMax})
    EXPECT_EQ(parse_rational(to_string(value)), value);
  for (const char* text : {"", "1/", "/2", "1/0", "a", "1.5", "1/2/3", "-", "1/-", "--1"})
    EXPECT_THROW(parse_rational(text), InvalidInput) << text;
  EXPECT_THROW(parse_rational(std::string(2'500, '9')), InvalidInput);
}

// Ten primes of ten digits: their reciprocals' sum has the product of all below, 340 bits.
TEST(FractionSum, is_exact_beyond_128_bits) {
  const std::int64_t primes[]{10'000'000'019, 10'000'000'033, 10'000'000'061, 10'000'000'069,
                              10'000'000'097, 10'000'000'103, 10'000'000'121, 10'000'000'141,
                              10'000'000'147, 10'000'000'207};
  FractionSum sum, again, short_of_one;
  for (const std::int64_t prime : primes) {
    sum.add(Rational(prime - 1, prime));
    sum.add(Rational(1, prime));
    again.add(Rational(1, prime));
    if (prime != primes[9]) short_of_one.add(Rational(1, prime));
  }
  EXPECT_EQ(sum.total(), Rational(10));
  const Rational total = again.total();
  EXPECT_TRUE(total.is_long());
  EXPECT_NEAR(total.to_double(), 1e-9, 1e-16);
  EXPECT_DOUBLE_EQ((-total).to_double(), -total.to_double());
  EXPECT_EQ(total - short_of_one.total(), Rational(1, primes[9]));
  EXPECT_EQ(total / total, Rational(1));
  EXPECT_EQ(total * 2 - total, total);
  EXPECT_GT(total, Rational(999'999'980, 1'000'000'000) / Rational(1'000'000'000));
  EXPECT_LT(total, Rational(1, 1'000'000'000));
  EXPECT_EQ(parse_rational(to_string(total)), total);
  EXPECT_THROW(static_cast<void>(total.wide_numerator()), std::overflow_error);
  EXPECT_THROW(static_cast<void>(total.numerator()), std::overflow_error);
}

// The sum of 1/n up to 15,000 has more than 10,000 bits: all primes above 7,500 stay below.
TEST(FractionSum, refuses_what_nobody_would_read) {
  FractionSum sum;
  for (std::int64_t n = 1; n <= 15'000; ++n) sum.add(Rational(1, n));
  EXPECT_THROW(static_cast<void>(sum.total()), std::overflow_error);
}

}  // namespace
}  // namespace weft
