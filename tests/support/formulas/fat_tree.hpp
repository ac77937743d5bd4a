// Formulas of fat trees by which tests judge exchanges and networks: what an all-to-all needs of a
// tree, and what a tree saves that has no more.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/rational.hpp"

namespace weft::test {

/// B_min(l) for each level 0 <= l < L of FT(L; M_1, ..., M_L): messages that the link up from a
/// node of level l, and that down to it, have to take in some phase of any all-to-all in phases,
/// each a permutation of the leaves: Pi_l - floor(Pi_l / (M_(l+1) ... M_L)), Pi_l = M_1 ... M_l. A
/// node's leaves send Pi_l (Pi_L - Pi_l) messages out in Pi_L phases, and some phase has no fewer
/// than the mean. Throws InvalidInput unless all numbers are 1 or more.
/// Source: Prisacari, Rodriguez, Minkenberg, Hoefler, "Bandwidth-optimal All-to-all Exchanges in
/// Fat Tree Networks", ICS 2013, Eq. 1.
std::vector<std::int64_t> least_phase_loads(const std::vector<int>& children);

/// Switches of level l, S(l) = w_1 ... w_l m_(l+1) ... m_h, and cables below them, E(l) = S(l) m_l
/// (ibid., section 4.2); entry l - 1 belongs to level l, 1 <= l <= h.
struct TreeParts {
  std::vector<std::int64_t> switches, cables;

  std::int64_t all_switches() const;
  std::int64_t all_cables() const;
};
/// Throws InvalidInput unless there are as many m as w, all 1 or more.
TreeParts tree_parts(const std::vector<int>& children, const std::vector<int>& parents);

/// The w of a tree with full bisection bandwidth: w_1 = 1, w_(l+1) = m_l.
std::vector<int> full_bandwidth_parents(const std::vector<int>& children);

/// The least w_l, level by level from the hosts up, which keep every link group at B_min or above:
/// w_1 ... w_(l+1) >= B_min(l). Table 1's trees keep all lower levels whole and halve the top
/// alone.
std::vector<int> least_parents(const std::vector<int>& children);

struct TreeSavings {
  Rational switches, cables;  // shares that the smaller tree does without
};
/// Of a tree against another. Throws as tree_parts does.
TreeSavings tree_savings(const TreeParts& whole, const TreeParts& slimmed);

}  // namespace weft::test
