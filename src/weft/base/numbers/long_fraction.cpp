// Each value is kept once, for good: sums over steps are few beside what they are made of, and a
// Rational stays two integers, which are equal where the values are.
#include "long_fraction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "weft/base/numbers/fraction_sum.hpp"

namespace weft {

namespace {

using Integer = LongFraction::Integer;
using Value = LongFraction::Value;

constexpr unsigned kMostBits = 8'192, kShortBits = 127;

unsigned bits_of(const Integer& value) {
  return value == 0 ? 0 : msb(abs(value)) + 1;
}

class NumberedValues {
 public:
  /// Its number, from 1 on.
  std::size_t number_of(const Value& value) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = numbers_.try_emplace(value, values_.size() + 1);
    if (is_new) values_.push_back(&place->first);
    return place->second;
  }
  const Value& value(std::size_t number) {
    const std::lock_guard lock(mutex_);
    return *values_[number - 1];
  }

 private:
  std::mutex mutex_;
  std::map<Value, std::size_t> numbers_;  // whose keys stay where they are
  std::vector<const Value*> values_;
};

NumberedValues& numbered_values() {
  static NumberedValues values;
  return values;
}

// With as many bits as a double takes, and more.
double shifted(const Integer& value, unsigned bits) {
  return static_cast<Integer>(value >> bits).convert_to<double>();
}

}  // namespace

Value LongFraction::value_of(const Rational& value) {
  if (!value.is_long()) return {Integer(value.numerator_), Integer(value.denominator_)};
  return numbered_values().value(static_cast<std::size_t>(value.numerator_));
}

Rational LongFraction::kept(const Value& value) {
  const Integer top = numerator(value), bottom = denominator(value);
  Rational result;
  if (std::max(bits_of(top), bits_of(bottom)) <= kShortBits) {
    result.numerator_ = top.convert_to<Rational::Wide>();
    result.denominator_ = bottom.convert_to<Rational::Wide>();
    return result;
  }
  if (std::max(bits_of(top), bits_of(bottom)) > kMostBits)
    throw std::overflow_error("exact fraction does not fit in 8,192 bits");
  result.numerator_ = static_cast<Rational::Wide>(numbered_values().number_of(value));
  result.denominator_ = 0;
  return result;
}

double LongFraction::to_double(const Value& value) {
  constexpr unsigned kPlenty = 128;
  const Integer top = abs(numerator(value)), bottom = denominator(value);
  const unsigned above = std::max(bits_of(top), kPlenty) - kPlenty,
                 below = std::max(bits_of(bottom), kPlenty) - kPlenty;
  const double size = std::ldexp(shifted(top, above) / shifted(bottom, below),
                                 static_cast<int>(above) - static_cast<int>(below));
  return value < 0 ? -size : size;
}

void FractionSum::add(const Rational& value) {
  try {
    if (!last_.is_long() && !value.is_long()) {
      last_ += value;
      return;
    }
  } catch (const std::overflow_error&) {  // the two together are long
  }
  full_.push_back(last_);
  last_ = value;
}

Rational FractionSum::total() const {
  if (full_.empty()) return last_;
  Value sum = LongFraction::value_of(last_);
  for (const Rational& each : full_) sum += LongFraction::value_of(each);
  return LongFraction::kept(sum);
}

}  // namespace weft
