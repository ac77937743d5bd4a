// Exact fractions for loads, shares and bandwidth factors.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// A fraction of 64-bit integers in lowest terms, its denominator positive. Intermediates have 128
/// bits; a result that does not fit in 64 throws std::overflow_error.
class Rational {
 public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t value) : numerator_(value) {}  // NOLINT: integers are rationals
  /// numerator / denominator. Throws std::domain_error when the denominator is zero.
  Rational(std::int64_t numerator, std::int64_t denominator);

  constexpr std::int64_t numerator() const { return numerator_; }
  constexpr std::int64_t denominator() const { return denominator_; }
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

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

/// "num/den", or "num" for an integer: the form of exact numbers in JSON.
std::string to_string(const Rational& value);

/// Reads what to_string writes. Throws InvalidInput.
Rational parse_rational(std::string_view text);

}  // namespace weft
