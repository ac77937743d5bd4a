// Which agents of a program wait for each other if sends wait for their receivers.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/program/operations.hpp"

namespace weft::program {

struct BlockedSends {
  /// Agents of one circle, each of which waits for the next; empty if none wait.
  std::vector<Agent> agents;
  /// The least bytes of a send on the circle: a limit above it lets this one go.
  std::int64_t least_B = 0;
};

/// A send of at least `eager_B` bytes ends once its receive has started; a smaller one ends by
/// itself. An operation starts once those of its agent that it waits for have ended. Operations
/// that can never start contain a circle, whatever the times. O(operations + waits).
BlockedSends blocked_sends(const Operations& operations, std::int64_t eager_B);

}  // namespace weft::program
