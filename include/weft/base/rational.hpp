// Exact fractions for loads, shares and bandwidth factors.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// A fraction of 128-bit integers in lowest terms, its denominator positive. A result that does not
/// fit throws std::overflow_error. Sums over steps need the width: the denominators of bandwidths
/// such as 85.1 and 97.8 Gbps have no common factor to speak of, and multiply. Where they are many
/// the sum is long: FractionSum makes it (fraction_sum.hpp), and what is computed with it is as
/// long as it has to be, up to 8,192 bits.
class Rational {
 public:
  __extension__ using Wide = __int128;

  constexpr Rational() = default;
  constexpr Rational(std::int64_t value) : numerator_(value) {}  // NOLINT: integers are rationals
  /// numerator / denominator. Throws std::domain_error when the denominator is zero.
  Rational(std::int64_t numerator, std::int64_t denominator);

  /// The terms. Throw std::overflow_error where they do not fit in 64 bits; wide ones in 128.
  std::int64_t numerator() const { return narrow(wide_numerator()); }
  std::int64_t denominator() const { return narrow(wide_denominator()); }
  constexpr Wide wide_numerator() const { return is_long() ? throw_long() : numerator_; }
  constexpr Wide wide_denominator() const { return is_long() ? throw_long() : denominator_; }
  /// Whether the terms do not fit in 128 bits.
  constexpr bool is_long() const { return denominator_ == 0; }
  double to_double() const;

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  Rational& operator/=(const Rational& other);
  Rational operator-() const;

  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  friend constexpr bool operator==(const Rational&, const Rational&) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
  friend std::string to_string(const Rational& value);
  friend Rational parse_rational(std::string_view text);
  friend class FractionSum;
  friend struct LongFraction;

 private:
  static std::int64_t narrow(Wide value) {
    const auto result = static_cast<std::int64_t>(value);
    if (result != value) throw_overflow();
    return result;
  }
  [[noreturn]] static void throw_overflow();
  [[noreturn]] static Wide throw_long();
  void set_reduced(Wide numerator, Wide denominator);

  // Of a long one the denominator is 0 and the numerator says where its terms are kept: once for
  // all that are equal, as long as the program runs, so that fractions are copied as they are.
  Wide numerator_ = 0;
  Wide denominator_ = 1;
};

/// "num/den", or "num" for an integer: the form of exact numbers in JSON.
std::string to_string(const Rational& value);

/// Reads what to_string writes. Throws InvalidInput.
Rational parse_rational(std::string_view text);

}  // namespace weft
