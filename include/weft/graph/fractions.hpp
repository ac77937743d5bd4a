// Fractions behind floating-point numbers, and linear systems in fractions.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weft::graph {

using Fraction = boost::multiprecision::cpp_rational;

/// Integers in the same proportion as the values, and what stands for 1: the values over their
/// common denominator. Nothing where a value is not within 1e-9 of a fraction of denominator up to
/// 10^5, or an integer needs more than 60 bits.
struct CommonFractions {
  std::vector<std::int64_t> numerators;
  std::int64_t denominator = 1;
};
std::optional<CommonFractions> recognised(std::span<const double> values);

/// The same of exact fractions; nothing where an integer needs more than 60 bits.
std::optional<CommonFractions> common_fractions(std::span<const Fraction> values);

/// Solves matrix * x = right side exactly, by elimination: nothing where there is no solution;
/// unknowns that stay free are 0. O(rows * columns * rank) operations on fractions.
std::optional<std::vector<Fraction>> solve_exactly(std::vector<std::vector<Fraction>> matrix,
                                                   std::vector<Fraction> right);

}  // namespace weft::graph
