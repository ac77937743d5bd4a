// Plans written out as schedules.
#pragma once

#include "weft/schedule/schedule.hpp"
#include "weft/search/synthesis/instance.hpp"

namespace weft::search {

/// The plan as an allgather, or, for an instance against the links, as a reduce-scatter: every
/// message back to where it came from, last step first. One message for each arc and step; where
/// links are parallel one for each link, over it. Bound to the network.
schedule::Schedule emit(const Instance& instance, const Plan& plan, graph::Sense sense,
                        const Network& network);

}  // namespace weft::search
