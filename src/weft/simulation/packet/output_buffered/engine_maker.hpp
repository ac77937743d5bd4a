// WEFT_PACKET_ENGINE: all that a routing's file includes.
#pragma once

#include "weft/simulation/packet/output_buffered/flits.hpp"
#include "weft/simulation/packet/output_buffered/forward.hpp"
#include "weft/simulation/packet/output_buffered/injection.hpp"
#include "weft/simulation/packet/output_buffered/output_buffered.hpp"
#include "weft/simulation/packet/output_buffered/run.hpp"

/// Defines an engine maker: `make_routing(RoutingContext)` gives the routing. Also, with `_alone`
/// behind its name, a maker of the routing without an engine.
#define WEFT_PACKET_ENGINE(function, make_routing)                                             \
  std::unique_ptr<PacketEngine> function(const Fabric& fabric, const PacketOptions& options) { \
    LinkWiring wiring(fabric, options);                                                        \
    auto routing = make_routing(RoutingContext{wiring, fabric, options.seed, options.vcs});    \
    if (options.granularity == Granularity::flit)                                              \
      return std::make_unique<OutputBuffered<decltype(routing), Granularity::flit>>(           \
          std::move(wiring), options, std::move(routing));                                     \
    return std::make_unique<OutputBuffered<decltype(routing), Granularity::packet>>(           \
        std::move(wiring), options, std::move(routing));                                       \
  }                                                                                            \
  std::unique_ptr<LoneRouting> function##_alone(const RoutingContext& context) {               \
    return alone(make_routing(context));                                                       \
  }
