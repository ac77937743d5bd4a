#include "weft/base/rational.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/numbers/long_fraction.hpp"

namespace weft {

namespace {

using Wide = Rational::Wide;

constexpr std::int64_t kLargest64 = std::numeric_limits<std::int64_t>::max();
constexpr Wide kLeast = Wide(1) << 127;  // no term: it has no negative

[[noreturn]] void overflowed() {
  throw std::overflow_error("exact fraction does not fit in 128 bits");
}

bool is_short(Wide value) {
  return value >= -kLargest64 && value <= kLargest64;
}

template <class Integer>
Integer euclid(Integer a, Integer b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// The greatest common divisor, at least 0. Division of 128 bits is slow: left as soon as it may be.
Wide common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0 && (!is_short(a) || !is_short(b))) a = std::exchange(b, a % b);
  if (b == 0) return a;
  return euclid(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
}

Wide quotient(Wide a, Wide divisor) {
  if (divisor == 1) return a;
  if (is_short(a) && is_short(divisor))
    return static_cast<std::int64_t>(a) / static_cast<std::int64_t>(divisor);
  return a / divisor;
}

Wide product(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result == kLeast) overflowed();
  return result;
}

Wide sum(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_add_overflow(a, b, &result) || result == kLeast) overflowed();
  return result;
}

Wide floor_quotient(Wide a, Wide b) {
  const Wide result = a / b;
  return result * b > a ? result - 1 : result;
}

std::strong_ordering order(Wide a, Wide b) {
  return a < b ? std::strong_ordering::less
               : (a > b ? std::strong_ordering::greater : std::strong_ordering::equal);
}

// a/b and c/d by their continued fractions, for products that do not fit: equal whole parts leave
// the remainders, whose reciprocals compare the other way round.
std::strong_ordering order_of_quotients(Wide a, Wide b, Wide c, Wide d) {
  for (;;) {
    const Wide whole = floor_quotient(a, b), other_whole = floor_quotient(c, d);
    if (whole != other_whole) return order(whole, other_whole);
    a -= whole * b;
    c -= whole * d;
    if (a == 0 || c == 0) return order(a, c);
    std::swap(a, d);  // a/b < c/d exactly when d/c < b/a
    std::swap(b, c);
  }
}

LongFraction::Integer parse_integer(std::string_view text, std::string_view whole) {
  constexpr std::size_t kMostDigits = 2'466;  // of 8,192 bits
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  require(!digits.empty() && digits.size() <= kMostDigits &&
              digits.find_first_not_of("0123456789") == std::string_view::npos,
          "'{}' is not an exact number (expected an integer or a fraction such as 15/16)", whole);
  LongFraction::Integer value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

}  // namespace

void Rational::throw_overflow() {
  throw std::overflow_error("a term of an exact fraction does not fit in 64 bits");
}

Rational::Wide Rational::throw_long() {
  overflowed();
}

// The denominator is not zero.
void Rational::set_reduced(Wide numerator, Wide denominator) {
  const Wide divisor = common_divisor(numerator, denominator);
  numerator_ = quotient(numerator, divisor);
  denominator_ = quotient(denominator, divisor);
  if (denominator_ >= 0) return;
  numerator_ = product(numerator_, -1);
  denominator_ = product(denominator_, -1);
}

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) throw std::domain_error("fraction with denominator zero");
  set_reduced(numerator, denominator);
}

double Rational::to_double() const {
  if (is_long()) return LongFraction::to_double(LongFraction::value_of(*this));
  if (is_short(numerator_) && is_short(denominator_))  // much faster, and the same
    return static_cast<double>(static_cast<std::int64_t>(numerator_)) /
           static_cast<double>(static_cast<std::int64_t>(denominator_));
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

// a/b + c/d = (a (d/g) + c (b/g)) / (b/g d) with g = gcd(b, d); what is left to cancel divides g.
Rational& Rational::operator+=(const Rational& other) {
  if (is_long() || other.is_long())
    return *this =
               LongFraction::kept(LongFraction::value_of(*this) + LongFraction::value_of(other));
  if (denominator_ == other.denominator_) {
    numerator_ = sum(numerator_, other.numerator_);
    if (denominator_ != 1) set_reduced(numerator_, denominator_);
    return *this;
  }
  const Wide common = common_divisor(denominator_, other.denominator_);
  const Wide own = quotient(denominator_, common);
  const Wide numerator = sum(product(numerator_, quotient(other.denominator_, common)),
                             product(other.numerator_, own));
  const Wide left = common_divisor(numerator, common);
  const Wide denominator = product(own, quotient(other.denominator_, left));
  numerator_ = quotient(numerator, left);
  denominator_ = denominator;
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  return *this += -other;
}

// Cancels across first, so that no product is larger than the result.
Rational& Rational::operator*=(const Rational& other) {
  if (is_long() || other.is_long())
    return *this =
               LongFraction::kept(LongFraction::value_of(*this) * LongFraction::value_of(other));
  const Wide first = common_divisor(numerator_, other.denominator_);
  const Wide second = common_divisor(other.numerator_, denominator_);
  const Wide numerator = product(quotient(numerator_, first), quotient(other.numerator_, second));
  denominator_ = product(quotient(denominator_, second), quotient(other.denominator_, first));
  numerator_ = numerator;
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  if (other.numerator_ == 0) throw std::domain_error("fraction with denominator zero");
  if (is_long() || other.is_long())
    return *this =
               LongFraction::kept(LongFraction::value_of(*this) / LongFraction::value_of(other));
  Rational inverse;
  const Wide sign = other.numerator_ < 0 ? -1 : 1;
  inverse.numerator_ = product(other.denominator_, sign);
  inverse.denominator_ = product(other.numerator_, sign);
  return *this *= inverse;
}

Rational Rational::operator-() const {
  if (is_long()) return LongFraction::kept(-LongFraction::value_of(*this));
  Rational result;
  result.numerator_ = product(numerator_, -1);
  result.denominator_ = denominator_;
  return result;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.is_long() || b.is_long())
    return LongFraction::value_of(a).compare(LongFraction::value_of(b)) <=> 0;
  if (a.denominator_ == b.denominator_) return order(a.numerator_, b.numerator_);
  Wide left = 0, right = 0;
  if (__builtin_mul_overflow(a.numerator_, b.denominator_, &left) ||
      __builtin_mul_overflow(b.numerator_, a.denominator_, &right))
    return order_of_quotients(a.numerator_, a.denominator_, b.numerator_, b.denominator_);
  return order(left, right);
}

std::string to_string(const Rational& value) {
  if (value.is_long()) return LongFraction::value_of(value).str();
  return value.denominator_ == 1 ? fmt::format("{}", value.numerator_)
                                 : fmt::format("{}/{}", value.numerator_, value.denominator_);
}

Rational parse_rational(std::string_view text) {
  const std::size_t slash = text.find('/');
  const LongFraction::Integer numerator = parse_integer(text.substr(0, slash), text);
  const LongFraction::Integer denominator =
      slash == std::string_view::npos ? 1 : parse_integer(text.substr(slash + 1), text);
  require(denominator != 0, "'{}' divides by zero", text);
  return LongFraction::kept({numerator, denominator});
}

}  // namespace weft
