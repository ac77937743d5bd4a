// Dragonfly routings that look at no queue but that of a packet's first router;
// dragonfly_routing.hpp has them.
#include "weft/simulation/packet/dragonfly_routing.hpp"
#include "weft/simulation/packet/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

auto make_minimal(const RoutingContext& context) {
  return DragonflyRouting<DragonflyMode::minimal>(context, "minimal");
}
auto make_valiant(const RoutingContext& context) {
  return DragonflyRouting<DragonflyMode::valiant>(context, "valiant");
}
auto make_ugal(const RoutingContext& context) {
  return DragonflyRouting<DragonflyMode::ugal_local>(context, "ugal-l");
}

}  // namespace

WEFT_PACKET_ENGINE(make_dragonfly_minimal_engine, make_minimal)
WEFT_PACKET_ENGINE(make_dragonfly_valiant_engine, make_valiant)
WEFT_PACKET_ENGINE(make_dragonfly_ugal_engine, make_ugal)

}  // namespace weft::simulation::packet
