// Expansions of schedules: the schedule of a large network from that of a small one.
//
//   Network network = ...;  // on line^3(circulant:16,3,4)
//   Schedule schedule = expand(allreduce(1024), network);
//   Prediction cost = predict(network.topology().expression());  // T_L = 6, T_B = 1.020,
//   beforehand
//
// The expression that a topology was built from is taken apart: line(X), degree(n, X), power(n, X),
// transpose(X) and bidirectional(X) turn an allgather of X into one of their own, with the steps
// and the bandwidth factor of expansion_algebra.hpp; all else is a base, scheduled by BFB or by a
// stored schedule that is better. Source: Zhao et al., "Efficient Direct-Connect Topologies for
// Collective Communications", section 5, appendices A.6, B and D.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "weft/algorithm/expansion_algebra.hpp"
#include "weft/graph/sense.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {

/// What is certain of the schedules of bases: data on shortest paths, in the step of their
/// distance, and every step of least cost; only the former; or neither.
enum class BaseQuality : std::uint8_t { best_bfb, bfb, any };

/// The cost of a base's schedule.
struct BaseCost {
  std::int64_t steps = 0;     // T_L
  Rational bandwidth_factor;  // T_B
};

/// Where the schedules of bases come from. All allgather, rank v on node v, one link a message.
struct Bases {
  /// The schedule of a base that no other serves.
  std::function<schedule::Schedule(const Topology&)> general = {};
  BaseQuality quality = BaseQuality::best_bfb;  // of the general ones
  /// What the general schedule costs; null: measured on it.
  std::function<BaseCost(const Topology&)> general_cost = {};
  /// A better one of this topology, transpose(X) too; nothing where there is none. May be null.
  std::function<std::optional<schedule::Schedule>(const Topology&)> known = {};
  /// What expressions are built by.
  const topology::Registry* registry = &topology::standard_registry();
};

/// BFB, and the stored schedules that ship.
Bases shipped_bases();

/// The expanded schedule of an allgather, reduce-scatter or allreduce on a network with one rank on
/// every node. Throws InvalidInput for other collectives and placements, for switches, for a
/// topology that is not what its expression builds, and where chunks would need more than
/// kMaxUnitsPerBlock units or the sends exceed kMostSends. O(messages and pieces).
schedule::Schedule expand(const schedule::Collective& collective, const Network& network,
                          const Bases& bases = shipped_bases());
inline constexpr std::int64_t kMostSends = std::int64_t{1} << 26;

/// What `expand` costs on the topology of the expression: an allgather forward, a reduce-scatter
/// backward, an allreduce both. By the algebra wherever that is exact; else measured on the
/// schedule of as small a part of the expression as serves.
Prediction predict(const topology::Expression& expression, graph::Sense sense = graph::Sense::along,
                   const Bases& bases = shipped_bases());

}  // namespace weft::algorithm
