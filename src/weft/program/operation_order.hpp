// An order of a program's operations in which each comes after what it waits for, and the steps
// that they are in.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/program/operations.hpp"

namespace weft::program {

/// Operations by their number over all agents.
struct OperationOrder {
  std::vector<std::int64_t> order;
  /// 2 * step for what comes before the step's sends, and these; 2 * step + 1 for its receives and
  /// work after them.
  std::vector<std::int32_t> half_steps;
};

/// Needs the operations and both ends of messages. Throws InvalidInput where operations wait for
/// each other in a circle. O(operations and waits).
OperationOrder find_order(const Operations& operations);

}  // namespace weft::program
