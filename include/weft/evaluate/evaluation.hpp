// Evaluation: a schedule beside what no schedule can beat, and the pipelining that suits a size.
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

/// Picks the number of segments of a pipelined schedule for each size: the one with the least
/// steps * longest latency + start-ups * alpha + T_B * M / B + sums, where start-ups (and the
/// receivers') are those of the busiest agent of each step, or one a step. Sums are those of the
/// first segment, the most of a rank in each step, and what each segment more waits for sums: what
/// the cycles of waits (schedule/costs_by_segments.hpp) take longer than a step of the full
/// pipeline does without sums.
///
/// Up to 8 and powers of two are priced exactly. Between two of them steps and start-ups grow by
/// the segment, and so does s T_B of s segments from the pipeline's being full on (each more adds
/// one step with all of it under way; before, nearly): without sums the time is a + b s + c / s,
/// least at sqrt(c / b); with sums it is the greatest of several such times. A power of two that is
/// as good to 0.05 % is taken, since its segments are equal; to 5 % from a quarter of a million
/// messages on, which unlike segments would have simulated one by one.
class SegmentChooser {
 public:
  /// Prices the schedule for 1, 2, ... 8, 16, 32, ... segments, as many as `most`.
  SegmentChooser(const Verified& verified, const Network& network, std::int64_t most = 4096);

  /// Of the schedule in its segments alone.
  static SegmentChooser as_it_is(const Verified& verified, const Network& network);
  /// The same, where its price is known.
  static SegmentChooser as_it_is(const Verified& verified, const Network& network,
                                 const Cost& price);
  /// The price in the fewest segments: one, or the schedule's own where it is taken as it is.
  const Cost& first_price() const;

  struct Choice {
    std::int64_t segments = 1;
    double time_s = 0;     // without sums
    double latency_s = 0;  // of it: steps * longest latency
    double sums_s = 0;     // where segments could be chosen

    double whole_s() const { return time_s + sums_s; }
  };
  /// The best number of segments for --size, and the time with it; no segment smaller than a byte
  /// unless it cannot be chosen.
  Choice choose(std::int64_t size_B) const;
  std::int64_t best(std::int64_t size_B) const { return choose(size_B).segments; }
  /// For hosts of other start-ups, paid by the same; what else hosts cost stays.
  SegmentChooser with_startups(const HostParameters& host) const;

 private:
  struct Pricing;  // what no start-up changes
  explicit SegmentChooser(std::shared_ptr<const Pricing> pricing);

  std::shared_ptr<const Pricing> pricing_;
  double startup_s_ = 0, receive_s_ = 0;
};

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
using evaluate::SegmentChooser;
using evaluate::time_of_factor_s;
}  // namespace weft
