// The paths of a message that goes over several at once, and what each of them carries.
#pragma once

#include "cli/output.hpp"
#include "weft/schedule/schedule.hpp"
#include "weft/topology/topology.hpp"

namespace weft::cli {

/// Whether it is a message from one rank to another by routes of its own (`multipath`).
bool has_paths(const schedule::Schedule& schedule);

/// Of such a schedule, an object for each path, in the schedule's order: `share` of the message,
/// exact, and `nodes` from end to end.
Json json_of_paths(const schedule::Schedule& schedule, const Topology& topology);

std::string text_of_paths(const schedule::Schedule& schedule, const Topology& topology,
                          const Screen& screen);

}  // namespace weft::cli
