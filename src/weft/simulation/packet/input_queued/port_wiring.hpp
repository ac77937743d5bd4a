// PortWiring: routers with numbered ports, what a cycle-driven simulator walks over.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/engine/pool.hpp"

namespace weft::simulation::input_queued {

/// A way out of a router: over a link into an input port, or to an adapter of a host.
struct OutputPort {
  std::int32_t input = -1;         // port at the other end; -1: ejection
  std::int32_t adapter = -1;       // of an ejection port
  std::int32_t cycles = 1;         // on the wire
  std::int32_t credit_cycles = 1;  // of an ejection port: that a credit is on the wire
  std::int32_t buffer_flits = 0;   // of a virtual channel behind it; 0: as the router has them
  double period = 1;               // cycles from one flit to the next
};

/// A way into a router: from an output port, or from an adapter of a host.
struct InputPort {
  std::int32_t output = -1;        // port at the other end; -1: injection
  std::int32_t adapter = -1;       // of an injection port
  std::int32_t cycles = 1;         // on the wire
  std::int32_t credit_cycles = 1;  // that a credit is on the wire
  std::int32_t buffer_flits = 0;   // of an injection port, likewise
  double period = 1;               // of an injection port, likewise
};

/// How many flits a host sends and takes in a cycle that is a router itself.
enum class Adapters : std::uint8_t {
  one,
  per_link,  // as many as it has links
};

/// Routers are all nodes but leaves, the hosts on one cable to a switch; other hosts are inside of
/// their router. Ports of all routers stand in one row; those of router r are [first[r],
/// first[r + 1]), links first in the order of the topology, then the adapters of hosts.
class PortWiring : public Wiring {
 public:
  /// Throws InvalidInput where a host with one adapter hangs on several switches, or a router has
  /// more than 64 ports.
  explicit PortWiring(const Fabric& fabric, Adapters adapters = Adapters::one);

  std::int32_t routers() const { return static_cast<std::int32_t>(router_nodes.size()); }
  std::int32_t hosts() const { return static_cast<std::int32_t>(host_routers.size()); }
  std::int32_t adapters() const { return static_cast<std::int32_t>(adapter_inputs.size()); }
  /// Of a host with one adapter, or the first.
  std::int32_t output_to(std::int32_t host) const { return adapter_outputs[first_adapter[host]]; }
  /// The output port of a router that a link leaves by.
  std::int32_t port(LinkId link) const { return link_outputs[link]; }

  /// Cycles on the wires, by output port; a host's two wires are alike.
  void set_cycles(const std::vector<int>& cycles);

  std::vector<NodeId> router_nodes;  // by router
  std::vector<std::int32_t> first_in, first_out;
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;
  std::vector<std::int32_t> host_routers;
  std::vector<NodeId> host_nodes;
  std::vector<std::int32_t> first_adapter;  // by host, and the end
  std::vector<std::int32_t> adapter_inputs, adapter_outputs;

 private:
  void number_routers();
  void number_adapters();
  void number_ports();
  bool is_leaf(NodeId node) const { return leaves[node.index()].up != kNone; }

  Adapters adapters_;
  IdVector<LinkId, std::int32_t> link_outputs;  // -1 where a terminal link is no output of a router
};

/// Throws InvalidInput where the channels of all ports, with their buffers, need more memory than
/// the machine has.
void check_memory(const PortWiring& wiring, const PipelinedRouter& router);

}  // namespace weft::simulation::input_queued
