// Dragonfly routings that look at queues elsewhere or more than once; dragonfly_routing.hpp has
// them.
#include "weft/simulation/packet/dragonfly_routing.hpp"
#include "weft/simulation/packet/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

auto make_ugal_global(const RoutingContext& context) {
  return DragonflyRouting<DragonflyMode::ugal_global>(context, "ugal-g");
}
auto make_progressive(const RoutingContext& context) {
  return DragonflyRouting<DragonflyMode::progressive>(context, "par");
}

}  // namespace

WEFT_PACKET_ENGINE(make_dragonfly_ugal_global_engine, make_ugal_global)
WEFT_PACKET_ENGINE(make_dragonfly_progressive_engine, make_progressive)

}  // namespace weft::simulation::packet
