// Schedules as text that people read, edit and read back; docs/reference/schedule-files.md has the
// grammar.
//
//   weft schedule 1
//   collective allgather
//   ranks 3
//   step 0
//     0 > 1 copy 0        # rank 0 sends block 0 to rank 1
//     1 > 2 copy 1
//     2 > 0 copy 2
//   step 1
//     0 > 1 copy 2
//     ...
//
// A schedule whose units move along trees can be written as these trees instead of as steps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// A schedule that was read from text.
struct TextSchedule {
  Schedule schedule;
  /// The line of each stored message, from 1. A message that several trees make has the line of the
  /// first one.
  std::vector<std::int64_t> lines;
};

/// Returns the text of a schedule: `read_text(write_text(s)).schedule == s`. The symmetry is
/// written as its group; expand_symmetry() first writes all messages. O(messages + pieces).
std::string write_text(const Schedule& schedule);

/// Returns the text with a tree for each group of units that take the same way. Reading it gives
/// the same messages in each step, maybe in another order, and joined where they have the same
/// ends. Precondition: the symmetry is trivial. Throws InvalidInput if the copies of a unit are no
/// tree away from one agent, if its reductions are no tree towards one, and for more than 2^24
/// arcs.
std::string write_trees(const Schedule& schedule);

/// Returns the schedule that a text describes. `file` is the name for messages. Nothing is proved:
/// see verify(). Memory is bounded by the length of the text. Throws InvalidInput: FILE:LINE, what
/// is wrong, and what would be right.
TextSchedule read_text(std::string_view text, const std::string& file);

}  // namespace weft::schedule
