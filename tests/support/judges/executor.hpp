// A brute-force executor of schedules: the judge of the verifier, and of every algorithm.
//
// It follows the rules of weft/schedule/schedule.hpp word for word with real integers, one cell for
// each segment, agent and unit, and expands symmetry and segments on its own. It shares no code
// with the verifier and is as slow as it is plain: memory is segments * agents * units *
// contributors.
#pragma once

#include <cstdint>
#include <string>

#include "weft/schedule/schedule.hpp"

namespace weft::test {

struct Execution {
  bool ok = false;
  std::string violation;    // the rule that was broken first; empty when ok
  std::int64_t step = 0;    // where it was broken; stored_steps() for the end state
  bool keeps_order = true;  // every operand of every reduction was an interval of ranks
  bool overwrites = false;  // some copy from another agent landed where data was held before
  explicit operator bool() const { return ok; }
};

/// Runs all steps of all segments on random contributions drawn from `seed`, and compares the end
/// state with what the collective asks for.
Execution execute(const schedule::Schedule& schedule, std::uint64_t seed = 1);

}  // namespace weft::test
