// Rows under the packet model: their parameters and what they measure.
#pragma once

#include "weft/fields/topology_facts.hpp"
#include "weft/fields/value.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::fields {

/// Names the routing by which packets choose their links there, where it is another.
void resolve_hops(Values& parameters, const TopologyFacts& topology);

/// Removes what has no influence: all of it under another model, the traffic's where there is none.
void resolve_packets(Values& parameters);

/// Whether numbers are drawn in the row's run: by packets that choose their links, by background
/// traffic, by routers whose times are drawn.
bool draws_packets(const Values& parameters, const TopologyFacts& topology);

/// Whether the row is run by packets or by flits.
bool by_packets(const Values& parameters);

/// What the network is to route by: "shortest" where packets choose their links.
std::string network_routing(const Values& parameters, const Topology& topology);

/// Differs where network_routing() does on some networks.
std::string routing_key(const Values& parameters);

}  // namespace weft::fields
