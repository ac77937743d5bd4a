// SizeCurve: which sizes of a schedule are simulated, and which lie on a straight line between.
//
// Where no size changes what happens first in a simulation, every time grows in a straight line
// with the bytes. Three sizes on a line (the ends of a range and its middle), for every agent, say
// that it is so from end to end, since the middle is geometric: by doublings from 1 KiB to 64 MiB
// it is 256 KiB, where latencies still count, and a bend on either side moves it off the line.
// Where it is off, the range is halved. A range of 17 doublings takes 3 simulations when it is
// straight.
//
//   SizeCurve curve(sizes);
//   for (auto wanted = curve.wanted(); !wanted.empty(); wanted = curve.wanted())
//     for (std::size_t i : wanted) curve.set(i, simulate(...));
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::evaluate {

class SizeCurve {
 public:
  /// The middle of a range is on the line when it differs by less, relatively: rounding.
  static constexpr double kStraight = 1e-9;

  /// `sizes_B` in increasing order. Sizes of one kind (same schedule, same units, no rounding) may
  /// lie on a line; those of a negative kind are on none.
  SizeCurve(std::span<const std::int64_t> sizes_B, std::span<const std::int64_t> kinds);

  /// Indices of sizes to be simulated next; none when all are known.
  std::vector<std::size_t> wanted() const;
  /// What simulating one of them gave.
  void set(std::size_t index, simulation::SimulationResult result);
  /// Of a size that is known, by simulation or by a line.
  const simulation::SimulationResult& result(std::size_t index) const {
    WEFT_ASSERT(known(index));
    return *results_[index];
  }
  bool interpolated(std::size_t index) const { return interpolated_[index]; }
  bool known(std::size_t index) const { return results_[index].has_value(); }

 private:
  struct Range {
    std::size_t first = 0, last = 0;
    std::size_t middle() const { return (first + last) / 2; }
  };

  void settle();
  bool is_straight(const Range& range) const;
  simulation::SimulationResult between(const Range& range, std::size_t index) const;

  std::vector<std::int64_t> sizes_B_;
  std::vector<std::optional<simulation::SimulationResult>> results_;
  std::vector<bool> interpolated_;
  std::vector<Range> ranges_;  // not settled yet
};

}  // namespace weft::evaluate
