// Fractions whose terms outgrow 128 bits, kept for Rational.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "weft/base/rational.hpp"

namespace weft {

struct LongFraction {
  using Integer = boost::multiprecision::cpp_int;
  using Value = boost::multiprecision::cpp_rational;

  static Value value_of(const Rational& value);
  /// Kept if it does not fit in 128 bits. Throws std::overflow_error beyond 8,192 bits.
  static Rational kept(const Value& value);
  static double to_double(const Value& value);
};

}  // namespace weft
