// Ranks as people write them: numbers, ranges, strides and names of hosts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/network/network.hpp"

namespace weft::advise {

/// Ranks of "0-7", "0-56:8" (every eighth), "3,5" or "node[1-4]", which means all ranks on these
/// hosts, of one item after the other. Throws InvalidInput for ranks and hosts that the network
/// does not have, and for a rank that stands there twice.
std::vector<std::int32_t> ranks_in(std::span<const std::string> items, const Network& network);

}  // namespace weft::advise
