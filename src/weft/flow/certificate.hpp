// Proofs of both ends of an answer, by code that knows nothing of how the answer was found.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/flow/flow_graph.hpp"

namespace weft::flow {

__extension__ using Wide = __int128;

/// A fraction whose terms may need more than 64 bits.
struct Bound {
  Wide numerator = 0, denominator = 1;

  double value() const {
    return static_cast<double>(static_cast<long double>(numerator) /
                               static_cast<long double>(denominator));
  }
  /// In lowest terms, where these fit in 64 bits.
  std::optional<Rational> rational() const;
};

/// The upper bound on f by these prices, one for each arc, not negative:
/// sum of capacity * price / (unit * sum of distances between hosts). Exact: prices are integers
/// below 2^40. One search by Dijkstra a host, on all threads.
Bound price_bound(const FlowGraph& graph, std::span<const std::int64_t> price);

/// The same for prices as they come: scaled to integers (rounding costs about 2^-30 of the
/// largest).
Bound price_bound(const FlowGraph& graph, std::span<const double> price);

/// What a flow of one source carries: by arc, for a demand of about 1 at each other host.
using SourceFlow = std::vector<double>;

/// The f that these flows prove, one for each host in order: the least net inflow of any host from
/// any other, over the largest load / capacity (in units of the fastest link). 0 when flow appears
/// from nowhere at a switch or an arc's flow is negative (beyond rounding, 1e-11).
double flow_bound(const FlowGraph& graph, std::span<const SourceFlow> flows);

/// The same in fractions: f, or nothing where a term does not fit in 64 bits.
std::optional<Rational> flow_bound(const FlowGraph& graph,
                                   std::span<const std::vector<Rational>> flows);

}  // namespace weft::flow
