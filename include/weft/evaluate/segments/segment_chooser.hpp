// SegmentChooser: the number of segments that suits a size.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/network/network.hpp"
#include "weft/schedule/cost.hpp"

namespace weft::evaluate {

/// Picks the number of segments of a pipelined schedule for each size: the one with the least
/// steps * longest latency + start-ups * alpha + T_B * M / B + sums, where start-ups (and the
/// receivers') are those of the busiest agent of each step, or one a step. Sums are those of the
/// first segment, the most of a rank in each step, and what each segment more waits for sums: what
/// the cycles of waits (schedule/pipeline_sums.hpp) take longer than a step of the full
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
  /// The greatest number of segments that has a price.
  std::int64_t most_segments() const;
  /// In this number of segments, from the fewest to the most that are priced.
  Choice in_segments(std::int64_t size_B, std::int64_t segments) const;
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
using evaluate::SegmentChooser;
}  // namespace weft
