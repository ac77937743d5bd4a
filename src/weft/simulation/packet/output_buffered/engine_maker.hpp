// WEFT_PACKET_ENGINE: all that a routing's file includes.
#pragma once

#include "weft/simulation/packet/output_buffered/flits.hpp"
#include "weft/simulation/packet/output_buffered/forward.hpp"
#include "weft/simulation/packet/output_buffered/injection.hpp"
#include "weft/simulation/packet/output_buffered/output_buffered.hpp"
#include "weft/simulation/packet/output_buffered/run.hpp"

/// Defines an engine maker of the routings of a class. Also, with `_alone` behind its name, a maker
/// of the routing without an engine.
#define WEFT_PACKET_ENGINE(function, Routing)                                                  \
  std::unique_ptr<PacketEngine> function(const Fabric& fabric, const PacketOptions& options) { \
    LinkWiring wiring(fabric, options);                                                        \
    Routing routing(RoutingContext{wiring, fabric, options.seed, options.vcs});                \
    if (options.granularity == Granularity::flit)                                              \
      return std::make_unique<OutputBuffered<Routing, Granularity::flit>>(                     \
          std::move(wiring), options, std::move(routing));                                     \
    return std::make_unique<OutputBuffered<Routing, Granularity::packet>>(                     \
        std::move(wiring), options, std::move(routing));                                       \
  }                                                                                            \
  std::unique_ptr<LoneRouting> function##_alone(const RoutingContext& context) {               \
    return alone(Routing(context));                                                            \
  }
