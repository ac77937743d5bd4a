// PortWiring: routers with numbered ports, what a cycle-driven simulator walks over.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/simulation/wiring.hpp"

namespace weft::simulation::pipelined {

/// A way out of a router: over a link into an input port, or to a host.
struct OutputPort {
  std::int32_t input = -1;  // port at the other end; -1: ejection
  std::int32_t host = -1;   // of an ejection port
  std::int32_t cycles = 1;  // on the wire
};

/// A way into a router: from an output port, or from a host.
struct InputPort {
  std::int32_t output = -1;  // port at the other end; -1: injection
  std::int32_t host = -1;    // of an injection port
  std::int32_t cycles = 1;   // on the wire
};

/// Routers are the switches, or all nodes of a network without; each node of such a network holds
/// its host inside. Ports of all routers stand in one row; those of router r are [first[r],
/// first[r + 1]), links first in the order of the topology, then the hosts.
class PortWiring : public Wiring {
 public:
  /// Throws InvalidInput where a host hangs on several switches, or a router has more than 64
  /// ports.
  explicit PortWiring(const Topology& wired);

  std::int32_t routers() const { return static_cast<std::int32_t>(router_nodes.size()); }
  std::int32_t hosts() const { return static_cast<std::int32_t>(host_routers.size()); }
  /// The output port of a router that a link leaves by.
  std::int32_t port(LinkId link) const { return link_outputs[link.index()]; }

  /// Cycles on the wires, by output port; a host's two wires are alike.
  void set_cycles(const std::vector<int>& cycles);

  std::vector<NodeId> router_nodes;  // by router
  std::vector<std::int32_t> first_in, first_out;
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;
  std::vector<std::int32_t> host_routers, host_inputs, host_outputs;
  std::vector<NodeId> host_nodes;

 private:
  void number_routers();
  void number_ports();

  std::vector<std::int32_t> link_outputs;  // -1 where a terminal link is no output of a router
};

}  // namespace weft::simulation::pipelined
