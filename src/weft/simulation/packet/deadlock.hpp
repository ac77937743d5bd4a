// Deadlock: packets that wait for each other for ever.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/packet/wiring.hpp"

namespace weft::simulation::packet {

/// Throws InvalidInput with a cycle of channels (link << vc_bits | vc), each full of packets that
/// wait for the next one. `next` gives for each channel the one that the front of its buffer waits
/// for, or kNone; some wait, and nothing is left to happen.
[[noreturn]] void report_deadlock(const Wiring& wiring, int vc_bits, std::int64_t waiting,
                                  const std::vector<std::int32_t>& next);

}  // namespace weft::simulation::packet
