// The engine that options ask for.
#include "weft/simulation/packet_engine.hpp"

#include <utility>

#include "weft/base/error.hpp"
#include "weft/simulation/checks.hpp"
#include "weft/simulation/packet/engine/link_wiring.hpp"
#include "weft/simulation/routers.hpp"

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
  const Router& router = router_of(options.router);
  if (router.only)
    require(options.granularity == *router.only,
            "{} routers do not fit --model {} ({}); choose --model {}", router.name,
            model_of(options.granularity), router.why_only, model_of(*router.only));
  check_adapter(options);
  require(options.vc_reuse == ChannelReuse::at_tail ||
              (options.granularity == Granularity::flit && router.reuses_empty),
          "--vc-reuse empty needs {0} routers and flits; choose --model flit and --router {0}, or "
          "--vc-reuse at-tail",
          reusing_routers());
  return router.make_engine(fabric, options);
}

}  // namespace weft::simulation
