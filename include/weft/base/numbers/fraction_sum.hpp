// Sums of many fractions, exact however many digits they take.
//
//   FractionSum sum;
//   for (const Rational& factor : step_factors) sum.add(factor);
//   const Rational all = sum.total();  // is_long() where 128 bits are too few
#pragma once

#include <vector>

#include "weft/base/rational.hpp"

namespace weft {

class FractionSum {
 public:
  void add(const Rational& value);
  /// Throws std::overflow_error where a term of the sum is longer than 8,192 bits. As many long
  /// additions as it takes where the sum of neighbouring values outgrows 128 bits.
  Rational total() const;

 private:
  std::vector<Rational> full_;  // sums that the next value did not fit into
  Rational last_;
};

}  // namespace weft
