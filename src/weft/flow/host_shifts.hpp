// Shifts of hosts: the symmetry of networks whose hosts are numbered level by level.
//
// Number the ranks' nodes 0, 1, ... and write such a number in digits of some radixes: the port of
// a leaf, the leaf of a pod, the pod. In most networks that people build, turning one digit, of all
// nodes at once, leaves the network as it was, if switches move along.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/flow/trees/carrier.hpp"

namespace weft::flow {

// Turns a digit of the places' numbers by one.
struct HostShift {
  std::int32_t radix = 1;
  std::int32_t stride = 1;                // of the digit, in places
  std::vector<std::int32_t> nodes, arcs;  // where each goes
};

/// Shifts that keep arcs with their capacities and commute, of different digits, the lowest first:
/// together they make a group of which only the identity keeps any place. The largest such group of
/// those whose shifts are seen from the switches between; none where there are none. O(arcs log
/// arcs) for each two factors of the number of places.
std::vector<HostShift> host_shifts(const Carrier& carrier);

}  // namespace weft::flow
