// What a schedule in many segments takes, as a few of its segments tell it.
//
// The size may be moved by less than kMovedSize, to one of which messages have as many bytes in all
// segments: those of one kind then stay alike, which simulations are much faster at. And a few
// segments are simulated where these tell the time (simulation/steady.hpp). Both are right to two
// percent, mostly to half of one: a byte more in some messages lets others pass, and a pipeline may
// settle late.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/evaluate/contest.hpp"
#include "weft/network/network.hpp"
#include "weft/program/lowered.hpp"
#include "weft/simulation/steady.hpp"

namespace weft::evaluate {

/// Sizes with a smaller relative difference count as equal. Ties of times have their own rule
/// (winner.hpp).
inline constexpr double kMovedSize = 1e-3;
/// What a few segments tell is off by no more than this much of the time.
inline constexpr double kFewSegmentsError = 0.02;

/// The nearest size of which all messages are whole numbers of units of as many bytes, or at least
/// all segments have as many, where it is nearer than kMovedSize and segments are many; otherwise
/// the same.
std::int64_t nearest_even_B(const schedule::Schedule& schedule, std::int64_t size_B);

/// Even sizes of a schedule are the multiples of either: of `whole_B` all its messages are whole
/// numbers of units of as many bytes, of `segments_B` its segments have as many.
struct EvenSteps {
  std::int64_t whole_B = 1, segments_B = 1;
};
EvenSteps even_steps(const schedule::Schedule& schedule);

/// The multiple above 0 next to a size.
std::int64_t nearest_multiple(std::int64_t size_B, std::int64_t step_B);

/// A run whose time is asked for. Refers to its parameters.
class SegmentedRun {
 public:
  SegmentedRun(const ContestRun& run, const Network& network,
               const simulation::SimulationOptions& options);

  /// Whether segments are so many that a byte more in some messages hardly matters to the whole.
  bool has_many() const;
  /// The first few segments alone, which the others make no shorter.
  simulation::SimulationResult first() const;
  /// Seconds of all as a few tell them, within kFewSegmentsError; no time where they do not. Ends
  /// after SimulationOptions::most_work, of all tries together.
  simulation::SteadyRun by_few() const;
  /// All segments, each simulated.
  simulation::SimulationResult whole() const;

 private:
  double moved() const;

  const ContestRun& run_;
  const Network& network_;
  const simulation::SimulationOptions& options_;
  program::LowerOptions lowering_;
};

}  // namespace weft::evaluate
