// The step bound of a schedule: the fewest steps that any could take which sends as it does.
//
// What an agent knows at the beginning is known, after s steps in which each sends p messages at
// most, to (p + 1)^s agents at most, and turned: what it knows after s steps in which each receives
// p came from (p + 1)^s. Where messages cross one link, it is known within s links.
#pragma once

#include <cstdint>

#include "weft/network/network.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::evaluate {

struct StepBound {
  std::int64_t steps = 0;    // T_L at least, of segments too
  std::int64_t at_once = 0;  // messages of an agent in a step, at most: sent or received
  bool one_link = false;     // no message crosses more than a link
};

/// For schedules with as many messages of an agent in a step, and over one link where this one's
/// are; `links` is LowerBounds::steps. O(messages of a segment, all orbits included).
StepBound step_bound(const Schedule& schedule, const Network& network, std::int64_t links);

}  // namespace weft::evaluate

namespace weft {
using evaluate::StepBound;
}  // namespace weft
