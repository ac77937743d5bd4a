// What a call takes at each rank before its first message.
#pragma once

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::simulation {

/// Seconds of one call: its launch, the skew of its ranks, and the first touch of new buffers.
/// simulate() adds them; simulate_together() does not, where a job can start that much later.
double call_s(const Program& program, const Network& network);

}  // namespace weft::simulation
