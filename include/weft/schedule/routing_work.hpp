// Whether a routing note has looked at a schedule.
#pragma once

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// False where routing_note() leaves a step out that alone is too large to judge.
bool judges_routing(const Schedule& schedule, const Network& network);

}  // namespace weft::schedule
