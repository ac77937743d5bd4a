#include "weft/base/rational.hpp"

#include <charconv>
#include <limits>
#include <stdexcept>

#include "weft/base/error.hpp"

namespace weft {

namespace {

__extension__ using Wide = __int128;

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide remainder = a % b;
    a = b;
    b = remainder;
  }
  return a;
}

[[noreturn]] void narrow_failed() {
  throw std::overflow_error("exact fraction does not fit in 64 bits");
}

std::int64_t narrow(Wide value) {
  if (value > std::numeric_limits<std::int64_t>::max() ||
      value < std::numeric_limits<std::int64_t>::min())
    narrow_failed();
  return static_cast<std::int64_t>(value);
}

struct Reduced {
  std::int64_t numerator, denominator;
};

Reduced reduce(Wide numerator, Wide denominator) {
  if (denominator == 0) throw std::domain_error("fraction with denominator zero");
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  return {narrow(numerator / divisor), narrow(denominator / divisor)};
}

std::int64_t parse_integer(std::string_view text, std::string_view whole) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size(),
          "'{}' is no exact number; write an integer or a fraction such as 15/16", whole);
  return value;
}

}  // namespace

Rational::Rational(std::int64_t numerator, std::int64_t denominator) {
  const Reduced r = reduce(numerator, denominator);
  numerator_ = r.numerator;
  denominator_ = r.denominator;
}

double Rational::to_double() const {
  return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

Rational& Rational::operator+=(const Rational& other) {
  if (denominator_ == 1 && other.denominator_ == 1) {  // sums of whole loads need no 128 bits
    std::int64_t sum = 0;
    if (__builtin_add_overflow(numerator_, other.numerator_, &sum)) narrow_failed();
    numerator_ = sum;
    return *this;
  }
  const Reduced r =
      reduce(Wide(numerator_) * other.denominator_ + Wide(other.numerator_) * denominator_,
             Wide(denominator_) * other.denominator_);
  numerator_ = r.numerator;
  denominator_ = r.denominator;
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  const Reduced r =
      reduce(Wide(numerator_) * other.denominator_ - Wide(other.numerator_) * denominator_,
             Wide(denominator_) * other.denominator_);
  numerator_ = r.numerator;
  denominator_ = r.denominator;
  return *this;
}

Rational& Rational::operator*=(const Rational& other) {
  const Reduced r =
      reduce(Wide(numerator_) * other.numerator_, Wide(denominator_) * other.denominator_);
  numerator_ = r.numerator;
  denominator_ = r.denominator;
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  const Reduced r =
      reduce(Wide(numerator_) * other.denominator_, Wide(denominator_) * other.numerator_);
  numerator_ = r.numerator;
  denominator_ = r.denominator;
  return *this;
}

Rational Rational::operator-() const {
  return Rational(0) - *this;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  const Wide left = Wide(a.numerator_) * b.denominator_;
  const Wide right = Wide(b.numerator_) * a.denominator_;
  return left < right
             ? std::strong_ordering::less
             : (left > right ? std::strong_ordering::greater : std::strong_ordering::equal);
}

std::string to_string(const Rational& value) {
  return value.denominator() == 1 ? fmt::format("{}", value.numerator())
                                  : fmt::format("{}/{}", value.numerator(), value.denominator());
}

Rational parse_rational(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_integer(text, text);
  const std::int64_t denominator = parse_integer(text.substr(slash + 1), text);
  require(denominator != 0, "'{}' divides by zero", text);
  return {parse_integer(text.substr(0, slash), text), denominator};
}

}  // namespace weft
