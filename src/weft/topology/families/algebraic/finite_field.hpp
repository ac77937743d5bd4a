// Arithmetic of GF(q) by tables, for the graphs that are made of its elements.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft::topology {

/// "25 and 27", or one of them: the nearest numbers below and above `q`, at most `most`, of which
/// `fits` is true, for the message that q is wrong.
std::string nearest_fits(int q, int most, const std::function<bool(int)>& fits);

/// GF(q): the elements are 0..q-1, the digits to base p being the coefficients of a polynomial over
/// Z_p (lowest first), so that for a prime q they are the integers modulo q. 0 is zero and 1 is
/// one.
class FiniteField {
 public:
  using Element = int;

  /// `q` is a prime power. O(q log q) in most cases, a few tries of that else.
  explicit FiniteField(int q);

  int size() const { return size_; }
  Element add(Element a, Element b) const;
  Element negative(Element a) const;
  Element multiply(Element a, Element b) const;
  /// The element 1/a; a is not 0.
  Element inverse(Element a) const { return power(size_ - 1 - logarithm(a)); }
  /// The fixed primitive element, raised to `exponent` >= 0: exponents 0..q-2 give every element
  /// but 0 once.
  Element power(std::int64_t exponent) const { return powers_[exponent % (size_ - 1)]; }

 private:
  int logarithm(Element a) const { return logarithms_[a]; }
  bool fill_powers(Element first, Element tail);

  int size_, prime_;
  std::vector<Element> powers_;
  std::vector<int> logarithms_;
};

}  // namespace weft::topology
