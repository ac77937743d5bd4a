// Networks of every family and function of topology expressions, of at most so many nodes, whole,
// damaged and behind switches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::test {

/// The registry's examples that are no larger, and a smaller member of each family whose example
/// is; a family that is in neither fails the test that calls.
std::vector<std::string> small_networks(std::int32_t most_nodes);

/// Each without one cable in the middle, or one link where they are one-way, and without the last
/// host; and with two hosts on each node, where none is a switch: those of at most so many nodes.
/// Parts may not reach each other.
std::vector<std::string> damaged_or_switched(const std::vector<std::string>& expressions,
                                             std::int32_t most_nodes);

}  // namespace weft::test
