// All-to-all throughput: how fast every host can send to every other at once.
//
//   Throughput t = all_to_all_throughput(make_topology("line(bipartite:4,4)"));
//   print(t.throughput, t.upper_bound, t.method);        // 2/35, 2/35, orbits
//
// f is the largest number such that every ordered pair of ranks on different hosts can ship f units
// of flow at once, split over any paths, with no link above its capacity; the fastest link's
// capacity is 1. Links from a node to itself help nobody; parallel links add up; every node passes
// flow on. With a rank on each host, as where nothing else is said, pairs of ranks are those of
// hosts; r ranks on one and q on another ship r q f from one to the other.
//
// Every answer is an interval [throughput, upper_bound]. The lower end is a flow that was checked
// against capacities and demands; the upper one comes from prices p >= 0 on the links, since in any
// flow   f * sum over pairs of dist_p(s, t)  <=  sum over links of capacity * p.
// Where both ends are equal as fractions the answer is exact. docs/explanation/throughput.md has
// the derivations.
//
// Source: Zhao et al., "Efficient Direct-Connect Topologies for Collective Communications",
// appendix A.5, LP (3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/topology.hpp"

namespace weft::flow {

enum class ThroughputMethod : std::uint8_t {
  automatic,    // the first of the others that is exact and quick enough, else approximate
  exact,        // LP (3), all variables
  cayley,       // one price per generator of a Cayley network
  orbits,       // one price per orbit of links under the automorphisms
  approximate,  // flows of all sources balanced link by link, within a gap
};

struct ThroughputOptions {
  ThroughputMethod method = ThroughputMethod::automatic;
  double gap = 0.01;  // approximate: stop once upper_bound / throughput - 1 is this small
  /// Seconds, 0 or more, of all but exact. What was found by then is proven and returned, which
  /// takes shortest paths from every source a few times more. At 0 nothing is searched: the answer
  /// has no flow, and the distance bound as its upper bound.
  double time_limit_s = 60;
  /// The hosts of ranks, each named once for every rank there; empty: a rank on each. Beside
  /// switches the others pass nothing on.
  std::vector<NodeId> places = {};
};

struct Throughput {
  double throughput = 0;   // a flow ships this much between every pair, in capacities of a link;
                           // 0: none was found in the time
  double upper_bound = 0;  // no flow ships more; never above the distance bound
  std::optional<Rational> exact;  // the value itself, where it was proven and its terms fit
  ThroughputMethod method = ThroughputMethod::automatic;  // the one that gave the answer
  /// Sum of capacities / sum of distances: the upper bound by equal prices.
  double distance_bound = 0;
  std::int32_t hosts = 0;  // with ranks
  std::int64_t ranks = 0;
  std::int64_t variables = 0;  // prices (cayley, orbits, approximate) or flows (exact)
  std::int64_t rounds = 0;     // shortest-path rounds, sweeps or pivots
  /// By link, in proportion: those that prove the upper bound; 0 where no flow is of use.
  std::vector<std::int64_t> prices;
  /// By link: what the flow of the lower end puts on it where every pair of ranks ships 1.
  std::vector<double> loads;

  /// Whether a flow was found: if not, the upper bound is all that is known.
  bool has_flow() const { return throughput > 0; }
  /// upper_bound / throughput - 1; infinite without a flow.
  double gap() const { return upper_bound / throughput - 1; }
  /// Whether it is exact or comes that near; if not a time limit came first.
  bool is_within(double most_gap) const { return exact || gap() <= most_gap; }
};

/// The throughput with these link capacities (by link id, positive, any common unit; empty: all
/// alike). Throws InvalidInput for fewer than two hosts with ranks, for hosts that do not reach
/// each other (naming two), and for a method that does not fit the network (saying why). Results do
/// not depend on the number of threads, unless the time limit ends the work.
Throughput all_to_all_throughput(const Topology& topology,
                                 std::span<const std::int64_t> capacity = {},
                                 const ThroughputOptions& options = {});

/// T_B of an all-to-all of so many ranks at a throughput of 1, in M/B with M all that a rank sends,
/// a block for each rank, and B a node's egress: T_B of throughput f is this over f.
Rational factor_at_one(const Fabric& fabric, std::int64_t ranks);

/// "exact", "cayley", ...: the names on the command line and in answers; "auto" for automatic.
std::string_view to_string(ThroughputMethod method);
/// Throws InvalidInput for an unknown name.
ThroughputMethod parse_throughput_method(std::string_view name);

}  // namespace weft::flow
