// Lower bounds: on the diameter of any network (Moore), on the steps of a collective, and on the
// bandwidth factor of all-to-all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "weft/analysis/distances.hpp"
#include "weft/base/rational.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// Whether the links of a network may be one-way, or each is half of a cable.
enum class Wiring { one_way, two_way };

/// The most nodes that a network of this degree and diameter can have: with one-way links
/// 1 + d + d^2 + ... + d^k, with cables 1 + d + d (d - 1) + ... + d (d - 1)^(k - 1), since one of a
/// node's d cables leads back. Capped at 2^62. Throws InvalidInput for negative arguments.
/// Source: Miller and Siran, "Moore graphs and beyond", Electronic J. Combinatorics DS14, 2013.
std::int64_t moore_bound(int degree, int diameter, Wiring wiring);

/// The least diameter that a network of so many nodes and this degree can have by the Moore bound;
/// nothing when no diameter will do (degree 0, or 1 with cables). With one-way links this is
/// T_L*(N, d), by which "Moore optimal" is defined for all networks, bidirectional ones too
/// (direct-connect paper, Definitions 9 and 10): the `moore_steps` of allgather and reduce-scatter.
/// The two-way one is its T_L**, bidirectional Moore optimality (Table 8). Throws InvalidInput
/// below one node.
std::optional<int> moore_steps(std::int64_t nodes, int degree, Wiring wiring = Wiring::one_way);

/// What limits all-to-all: all numbers in units of M/B, M being the N blocks that a rank has for
/// all ranks (its own included) and B the egress bandwidth that the factor refers to.
struct AllToAllBound {
  Rational distance;       // every block occupies a link of its way for each hop
  Rational core_distance;  // the same of the links between switches alone; 0 where it may not hold
  Rational endpoint;       // a node's ranks send and receive all blocks for and from other nodes
  Rational dimension;      // links of one dimension of a Hamming network or HyperX; 0 elsewhere
  Rational value() const { return std::max({distance, endpoint, core_distance, dimension}); }
};

/// Bounds on all-to-all among ranks at these nodes (`places`, several ranks a node allowed), from
/// the capacity of each link and `egress` = B in the same unit. Links from a node to itself help
/// nobody and do not count.
///
/// A block is M/N and crosses at least dist(s, t) links, so the links carry (M/N) sum dist in all;
/// spread evenly that takes (M/N) sum dist / sum capacity, which is (B sum dist) / (N sum capacity)
/// times M/B. On an m x m Hamming network (d = 2(m-1), sum dist = N * 2m(m-1), sum capacity = N B)
/// it is 2(m-1)/m.
///
/// Where every host hangs on one switch, the same holds of the links between switches alone, which
/// says more when terminal links have capacity to spare.
///
/// On a Hamming network or HyperX each dimension is a cut too: a block between ranks that differ in
/// a coordinate crosses a link of its dimension. With a rank a node that is d / min(m), which MD
/// meets.
///
/// Throws InvalidInput when a rank does not reach another. Cost: distances between the places.
AllToAllBound all_to_all_bound(const Topology& topology, std::span<const NodeId> places,
                               std::span<const std::int64_t> capacity, std::int64_t egress);

/// The same with distances already known: `distances` are those between the places.
AllToAllBound all_to_all_bound(const Topology& topology, std::span<const NodeId> places,
                               const DistanceSummary& distances,
                               std::span<const std::int64_t> capacity, std::int64_t egress);

}  // namespace weft::analysis
