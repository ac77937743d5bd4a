// Deadlock: packets that wait for each other for ever.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/packet/engine/link_wiring.hpp"

namespace weft::simulation::packet {

/// Channels (link << vc_bits | vc) that wait for each other in a circle, or none. `next` gives for
/// each channel the one that the front of its buffer waits for, or kNone. O(channels).
std::vector<std::int32_t> find_circle(const std::vector<std::int32_t>& next);

/// Throws InvalidInput with a circle of channels, each full of packets that wait for the next one.
[[noreturn]] void report_deadlock(const LinkWiring& wiring, int vc_bits, std::int64_t under_way,
                                  const std::vector<std::int32_t>& cycle);

}  // namespace weft::simulation::packet
