// weft verify --dump: a schedule file for people (text) and for programs (JSON).
#pragma once

#include <vector>

#include "cli/output.hpp"
#include "weft/answer/part.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::cli {

/// The schedule with the messages of all agents, for a dump. Throws InvalidInput where that is more
/// than a file for reading should hold, and where explicit routes need a network that is not there.
Schedule expanded_for_dump(const Schedule& schedule);

/// Prints the schedule: a line for each message, or one JSON object
/// (docs/reference/schedule-files.md), written as
/// it is made, so that it takes no memory of its own.
void dump_schedule(const Schedule& schedule, const OutputOptions& options, Streams& streams);
/// The parts of that object, for weft schema.
std::vector<answer::PartText> dump_parts();

}  // namespace weft::cli
