// Wiring: the network as routers see it, what every simulator of packets and every choice of a
// packet's next link are made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/topology/passing.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

/// No node, link, packet, ...: where 32 bits have to do.
inline constexpr std::int32_t kNone = -1;

inline std::size_t place(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

/// A host with one cable to a switch is a leaf: it has no routing decision to make, and the last
/// router none about it.
struct Leaf {
  std::int32_t up = kNone, down = kNone;  // links
};

/// O(nodes), and what Passing takes.
struct Wiring {
  explicit Wiring(const Fabric& fabric);

  std::int32_t node_count() const { return static_cast<std::int32_t>(router.size()); }

  Topology topology;
  std::vector<std::int32_t> router;  // by node: its switch if it is a leaf, else itself
  std::vector<Leaf> leaves;          // by node
  topology::Passing passing;
};

}  // namespace weft::network
