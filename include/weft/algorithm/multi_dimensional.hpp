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

/// A share of every block that takes the dimensions in `order`, the j-th of them in step at[j].
struct Route {
  std::vector<int> order, at;
  Rational share;  // > 0

  friend bool operator==(const Route&, const Route&) = default;
};

/// The best shares in a number of steps. `prices`, by step and dimension (those of more than one
/// node), prove it as those of FixedShares do, of all orders in all choices of steps.
struct RouteShares {
  std::vector<Route> routes;
  Rational blocks;  // over the busiest links, summed over steps: T_B = d / N * blocks
  std::vector<std::vector<Rational>> prices;

  int steps() const { return static_cast<int>(prices.size()); }
};

/// What shares that may wait could reach in an allgather: the optima for as many steps as there are
/// dimensions of more than one node, and for one to `more` steps more, up to the first that meets
/// the bound (N-1)/N. Shorter where a fraction does not fit in 64 bits; empty below two and above
/// four dimensions. Exponential in both numbers.
std::vector<RouteShares> md_shares_by_steps(const topology::HammingView& hamming, int more);

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
