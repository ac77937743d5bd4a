// Rows under the packet model: their parameters and what they measure.
#pragma once

#include "weft/question/value.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

/// Removes what has no influence: all of it under another model, the traffic's where there is none.
void resolve_packets(Values& parameters);

/// Whether numbers are drawn in the row's run: by the routing of packets, by background traffic.
bool draws_packets(const Values& parameters);

/// Whether the row is run by packets or by flits.
bool by_packets(const Values& parameters);

/// What the network is to route by: "shortest" where packets find their own way.
std::string network_routing(const Values& parameters);

void add_packet_options(const Values& parameters, simulation::SimulationOptions& options);

/// Packets, latencies and hops; empty under another model.
void add_packet_measures(const simulation::SimulationResult& result, Values& values);

}  // namespace weft::question
