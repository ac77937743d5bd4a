// Multi-dimensional (MD): dimension order in several orders at once, on Hamming networks.
#pragma once

#include <vector>

#include "weft/base/rational.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/views.hpp"

namespace weft::algorithm {

/// Shares of every block, each gathered in its own order of the dimensions.
struct OrderShare {
  std::vector<int> order;  // a permutation of the dimensions
  Rational share;          // > 0

  friend bool operator==(const OrderShare&, const OrderShare&) = default;
};

/// Shares with what they cost. `prices`, by step and dimension, prove that no fixed shares of the
/// orders looked at cost less: they are at least 0, add up to 1 in each step, and every order's sum
/// of price * (blocks over a link of its dimension in the step, for share 1) is at least `blocks`.
/// Empty where they follow from a closed form.
struct FixedShares {
  std::vector<OrderShare> orders;
  Rational blocks;  // over the busiest links, summed over steps: T_B = d / N * blocks
  std::vector<std::vector<Rational>> prices;
};

/// The shares that MD uses (multi_dimensional.cpp says why), adding up to 1; none for one node.
/// All-to-all, and the allgather family: the optimum over all orders for up to four dimensions of
/// more than one node where fractions are small enough, else the rotations.
FixedShares md_shares(const topology::HammingView& hamming, schedule::CollectiveKind kind);

/// As many steps as dimension_order, all dimensions busy in each. All-to-all meets its bound
/// d / min(m_i) on any extents; allgather and reduce-scatter meet (N-1)/N on equal ones. Serves
/// all-to-all, allgather, reduce-scatter and allreduce; throws InvalidInput otherwise and as
/// dimension_order does.
schedule::Schedule multi_dimensional(const topology::HammingView& hamming,
                                     const schedule::Collective& collective);

/// Allreduce as a dimension-order reduce-scatter and a multi-dimensional allgather, which the
/// source advises where packing costs more than links.
schedule::Schedule mixed_allreduce(const topology::HammingView& hamming,
                                   const schedule::Collective& collective);

}  // namespace weft::algorithm
