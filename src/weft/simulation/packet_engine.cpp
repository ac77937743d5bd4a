// The engine that options ask for.
#include "weft/simulation/packet_engine.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/simulation/checks.hpp"
#include "weft/simulation/packet/codes/codes_routers.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"

namespace weft::simulation {

std::unique_ptr<PacketEngine> make_packet_engine(const Fabric& fabric,
                                                 const PacketOptions& options) {
  check_packet_size(options);
  require(options.router_delay_ps >= 0 && options.adapter_delay_ps >= 0 &&
              options.credit_delay_ps.value_or(0) >= 0,
          "a delay is below zero (expected 0s or more)");
  packet::check_delay(options.router_delay_ps, "delay of a router");
  packet::check_delay(options.adapter_delay_ps, "delay of an adapter");
  require(options.acknowledgement_B >= 1, "an acknowledgement needs at least one byte");
  check_flit_size(options);
  const Switching wrong = options.granularity == Granularity::packet ? Switching::wormhole
                                                                     : Switching::store_and_forward;
  require(options.switching != wrong, "{} switching needs granularity {}; choose another",
          name_of(options.switching), wrong == Switching::wormhole ? "flit" : "packet");
  require(options.router != RouterKind::input_queued || options.granularity == Granularity::flit,
          "input-queued routers forward flits; choose --model flit");
  require(options.router != RouterKind::codes || options.granularity == Granularity::packet,
          "routers of CODES forward chunks, not flits; choose --model packet");
  check_adapter(options);
  require(
      options.vc_reuse == ChannelReuse::at_tail || (options.granularity == Granularity::flit &&
                                                    options.router == RouterKind::output_buffered),
      "--vc-reuse at-empty needs output-buffered routers and flits; choose --model flit "
      "and --router output-buffered, or --vc-reuse at-tail");
  if (options.router == RouterKind::codes) return codes::make_engine(fabric, options);
  if (options.router == RouterKind::input_queued) return input_queued::make_engine(fabric, options);
  packet::LinkWiring wiring(fabric, options);
  std::unique_ptr<network::HopRouting> routing;
  if (!options.routing.empty())
    routing =
        network::make_hop_routing(options.routing, {wiring, fabric, options.seed, options.vcs});
  return packet::make_output_buffered(std::move(wiring), options, std::move(routing));
}

}  // namespace weft::simulation
