// Other numbers of segments than those that estimates choose.
//
// An estimate takes all ranks to go from step to step together and all blocks to have one size, so
// that it may count waits that the simulation hides. Algorithms without such an estimate are in one
// segment, although sums may overlap with sends in several.
//
// The schedule that leads at a size is simulated in the next powers of two, and in those after them
// for as long as it becomes faster by more than a tie; then from the two powers on both sides of
// each size at which messages begin to cost more, such as a handshake. The others that may become
// faster than it, by their estimates and by what is known of their own segments, are treated in the
// same way. Each run ends as soon as it is known to be no faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "weft/evaluate/budget.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/runner.hpp"

namespace weft::evaluate {

/// What a search for the best number of segments begins with.
struct SegmentStart {
  std::int64_t segments = 1;
  std::int64_t most_B = 0;  // of a message in these segments
};

/// Tries powers of two, from the next ones on for as long as they are faster, then on both sides of
/// each of `limits_B`, the sizes at which costs of messages jump. `is_faster_in`: whether this
/// number of segments is faster than all before.
void search_segments(const SegmentStart& start, std::span<const std::int64_t> limits_B,
                     const std::function<bool(std::int64_t)>& is_faster_in);

/// Puts what is faster into the rows of runners, by the fluid model, where hosts pay for messages.
/// `leaders`: by size, an index of a runner or their number. On all threads. At each size the
/// leader may take four runs as long as its own, three even where these are long, and the others
/// two, from 1 / 200 to 1 / 100 of the usual work.
void try_nearby_segments(std::span<Runner> runners, std::span<const std::size_t> leaders,
                         const Network& network, const simulation::SimulationOptions& options,
                         const ContestRules& rules, Budget& budget);

}  // namespace weft::evaluate
