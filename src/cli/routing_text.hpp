// How answers name the routing of a network.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "weft/network/network.hpp"

namespace weft::cli {

/// The routing's name, and why it is not the one that the network is known for, where `auto` had to
/// choose another.
std::string routing_text(const Network& network);
/// That reason alone, or null.
Json routing_reason(const Network& network);

}  // namespace weft::cli
