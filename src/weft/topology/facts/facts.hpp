// The facts by kind of network, a file each.
#pragma once

#include <span>

#include "weft/topology/facts/family_facts.hpp"

namespace weft::topology {

std::span<const FamilyFacts> facts_of_graphs();    // whose nodes are equivalent
std::span<const FamilyFacts> facts_of_machines();  // made for machines: switches, groups, boxes

}  // namespace weft::topology
