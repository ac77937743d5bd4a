// Exchanges: what large messages cost on top where two hosts send each other some in one step.
#pragma once

#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::simulation {

/// Returns the seconds that the exchanges of one call add (HostParameters::exchanges). In each step
/// a host counts the bytes that it exchanges, and the host with most of them sets the time of the
/// step. 0 for programs whose operations are written out. O(messages of a call).
double exchange_s(const program::Program& program, const network::Network& network);

}  // namespace weft::simulation
