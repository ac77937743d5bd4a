// How far packets go, and how long a run of such a network has to be.
#pragma once

#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/packet/input_queued/port_wiring.hpp"

namespace weft::simulation::input_queued {

/// Routers entered on a shortest way, the mean over the hosts' routers as ends: exact up to 32
/// such routers, from 32 of them beyond that. Cost: a search of the network from each.
double mean_routers(const PortWiring& wiring);

/// Cycles of a single packet that enters so many routers over links of mean length.
std::int64_t packet_latency(const PortWiring& wiring, const LoadCurveOptions& options,
                            double routers);

/// The cycles of LoadCurveOptions; where they are left open, by its rule.
RunCycles run_cycles(const PortWiring& wiring, const LoadCurveOptions& options, double routers);

}  // namespace weft::simulation::input_queued
