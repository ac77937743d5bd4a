// Proofs of both ends of an answer, by code that knows nothing of how the answer was found.
//
// What is trusted is the symmetry alone: that the orbits are those of a group of automorphisms.
// Then one source speaks for its orbit, and flows may be averaged over the group, which spreads the
// load of an orbit evenly over its arcs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/flow/flow_graph.hpp"
#include "weft/flow/orbits.hpp"

namespace weft::flow {

__extension__ using Wide = __int128;

/// A fraction in lowest terms, not negative, which may need more than 64 bits.
struct Bound {
  Wide numerator = 0, denominator = 1;

  static Bound reduced(Wide numerator, Wide denominator);
  double value() const {
    return static_cast<double>(static_cast<long double>(numerator) /
                               static_cast<long double>(denominator));
  }
  /// The least double that is not below it: an upper bound stays one.
  double value_rounded_up() const;
  /// Nothing where a term does not fit in 64 bits.
  std::optional<Rational> rational() const;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// The upper bound on f by these prices, one for each orbit, not negative, below 2^62 together:
/// sum of capacity * price / (unit * sum of distances between ranks). Exact. One search by Dijkstra
/// a source, on all threads.
Bound price_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                  std::span<const std::int64_t> price);

/// Prices as integers of which the largest is 2^36; rounding costs the bound about 2^-36 of it.
std::vector<std::int64_t> integer_prices(std::span<const double> price);

/// Prices of orbits by link: 0 where no arc stands for it.
std::vector<std::int64_t> link_prices(const FlowGraph& graph, const ArcOrbits& orbits,
                                      std::span<const std::int64_t> price);

/// What these flows, one for each source in order, put on the arc of each link where every pair of
/// ranks ships 1, spread evenly over an orbit: 0 where no arc stands for it.
std::vector<double> link_loads(const FlowGraph& graph, const ArcOrbits& orbits,
                               std::span<const std::vector<double>> flows);
std::vector<double> link_loads(const FlowGraph& graph, const ArcOrbits& orbits,
                               std::span<const std::vector<Wide>> flows);

/// The f that these flows prove, one for each source in order, by arc, of a demand of each rank:
/// the least net inflow a rank of any host from any source, over the largest load / capacity of an
/// orbit (in units of the fastest link). What comes from nowhere at a switch is not counted as
/// delivered; 0 when an arc's flow is negative. Proven for the flows rounded to multiples of 2^-72
/// of the largest, which it computes with as integers; the answer is rounded down.
double flow_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                  std::span<const std::vector<double>> flows);

/// The same in integers.
Bound flow_bound(const FlowGraph& graph, const ArcOrbits& orbits,
                 std::span<const std::vector<Wide>> flows);

}  // namespace weft::flow
