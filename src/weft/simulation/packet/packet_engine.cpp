// The engine that options ask for.
#include "weft/simulation/packet_engine.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/simulation/packet/codes/codes_routers.hpp"
#include "weft/simulation/packet/input_queued/input_queued.hpp"
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"

namespace weft::simulation {

std::unique_ptr<PacketEngine> make_packet_engine(const Fabric& fabric,
                                                 const PacketOptions& options) {
  constexpr std::int64_t kLargest = (1 << 24) - 1;
  require(options.packet_B >= 1 && options.packet_B <= kLargest,
          "a packet of {} bytes is out of range (1 to {})", options.packet_B, kLargest);
  require(options.router_delay_ps >= 0 && options.adapter_delay_ps >= 0 &&
              options.credit_delay_ps.value_or(0) >= 0,
          "a delay below zero makes no sense; give 0s or more");
  packet::check_delay(options.router_delay_ps, "delay of a router");
  packet::check_delay(options.adapter_delay_ps, "delay of an adapter");
  require(options.acknowledgement_B >= 1, "an acknowledgement needs a byte at least");
  require(options.granularity == Granularity::packet ||
              (options.flit_B >= 1 && options.flit_B <= options.packet_B),
          "a flit of {} bytes is out of range (1 to the {} of a packet)", options.flit_B,
          options.packet_B);
  const Switching wrong = options.granularity == Granularity::packet ? Switching::wormhole
                                                                     : Switching::store_and_forward;
  require(options.switching != wrong, "{} switching is of granularity {}; choose another",
          name_of(options.switching), wrong == Switching::wormhole ? "flit" : "packet");
  require(options.router != RouterKind::input_queued || options.granularity == Granularity::flit,
          "input-queued routers pass flits on; choose --model flit");
  require(options.router != RouterKind::codes || options.granularity == Granularity::packet,
          "routers of CODES pass chunks on, not flits; choose --model packet");
  require(options.adapter == AdapterKind::pipelined || options.adapter_delay_ps > 0,
          "a {} adapter without a delay holds nothing up; give --adapter-delay, or --adapter "
          "pipelined",
          name_of(options.adapter));
  require(
      options.vc_reuse == ChannelReuse::at_tail || (options.granularity == Granularity::flit &&
                                                    options.router == RouterKind::output_buffered),
      "channels that are taken again once they are empty belong to output-buffered routers "
      "and flits; choose --model flit and --router output-buffered, or --vc-reuse at-tail");
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
