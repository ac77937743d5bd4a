// Evaluation: what no schedule of a collective can beat on a network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/analysis/cut_bound.hpp"
#include "weft/base/rational.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {

/// Which schedules have no less than the optimum: of also_copying_switches all, too, but switches
/// whose links in and out differ may have to copy for it, which none of ours makes them do.
enum class Among : std::uint8_t {
  all_schedules,
  reduce_then_broadcast,
  without_idle_relays,
  also_copying_switches,
};

/// The least T_B of these schedules on a network (evaluate/optimum.hpp).
struct KnownOptimum {
  Rational bandwidth_factor;
  Among among = Among::all_schedules;
};

/// Who combines contributions: ranks alone, or helpers in switches as well. These need no more than
/// one copy of a sum from each side of a cut, where ranks that pass sums on need more.
enum class Combining : std::uint8_t { at_ranks, in_network };

/// In the network where the schedule has helpers.
inline Combining combining_of(const schedule::Schedule& schedule) {
  return schedule.helpers() > 0 ? Combining::in_network : Combining::at_ranks;
}

/// Lower bounds on a collective on a network, by any algorithm.
struct LowerBounds {
  /// Diameter between the ranks' nodes; of rooted collectives the root's eccentricity. In links, so
  /// a bound on the steps of schedules that move data one link a step.
  std::int64_t steps = 0;
  /// Of T_B, in units of M/B: by the ports of the ranks' nodes, for all-to-all also by distances
  /// and capacity, and by its flows where its optimum is known and ranks are on all hosts.
  Rational bandwidth_factor;
  /// The least diameter of any network with so many nodes and this degree (one-way Moore bound),
  /// when there is one.
  std::optional<int> moore_steps;
  /// Of T_B too: by the tightest cut of the network; where it was asked for, and the ranks are on
  /// several nodes.
  std::optional<analysis::CutBound> cut;
  /// Where it was asked for, and is quick to find; of schedules that combine as below.
  std::optional<KnownOptimum> optimum;
  /// In schedules that combine there.
  Combining combining = Combining::at_ranks;
  /// The highest factor of bandwidth by message size that links may have
  /// (simulation::best_factor()): data is that much faster than their bandwidth says.
  double best_bandwidth = 1;

  /// The greatest bound on T_B.
  Rational greatest() const {
    return cut ? std::max(bandwidth_factor, cut->bandwidth_factor) : bandwidth_factor;
  }
};

enum class Cuts : std::uint8_t { left_out, taken, and_optimum };

/// Throws InvalidInput where ranks do not all reach each other, and names the largest part that
/// does. O(links) where they do.
void require_connected(const Network& network);

/// Throws InvalidInput when a rank does not reach another. O(distances between the ranks' nodes),
/// and with cuts what analysis::cut_bound costs; the optimum takes a second at most.
LowerBounds lower_bounds(const Collective& collective, const Network& network,
                         Cuts cuts = Cuts::left_out, Combining combining = Combining::at_ranks);

/// The tightest cut alone; nothing where the ranks share a node. Throws InvalidInput when a rank
/// does not reach another.
std::optional<analysis::CutBound> cut_bound(const Collective& collective, const Network& network,
                                            Combining combining = Combining::at_ranks);

/// What has to cross a cut in this collective; docs/explanation/proofs.md has the proofs.
analysis::CutQuestion cut_question(const Collective& collective, std::span<const NodeId> places,
                                   Combining combining = Combining::at_ranks);

/// Bytes in M, of a call of --size.
double bytes_of_m(const Collective& collective, std::int64_t size_B);

/// Seconds that the collective takes at least for --size by the greatest bound on its bandwidth
/// factor alone, at the best factor by message size: bound * M / (B * best_bandwidth).
double least_time_s(const LowerBounds& bounds, const Collective& collective, const Network& network,
                    std::int64_t size_B);
/// The same by this bandwidth factor.
double time_of_factor_s(double bandwidth_factor, const Collective& collective,
                        const Network& network, std::int64_t size_B);

}  // namespace weft::evaluate

namespace weft {
using evaluate::Among;
using evaluate::bytes_of_m;
using evaluate::Combining;
using evaluate::combining_of;
using evaluate::cut_bound;
using evaluate::cut_question;
using evaluate::Cuts;
using evaluate::KnownOptimum;
using evaluate::least_time_s;
using evaluate::lower_bounds;
using evaluate::LowerBounds;
using evaluate::require_connected;
using evaluate::time_of_factor_s;
}  // namespace weft
