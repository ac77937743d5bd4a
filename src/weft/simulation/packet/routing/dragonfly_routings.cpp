// Dragonfly routings that look at no queue but that of a packet's first router;
// dragonfly_routing.hpp has them.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/dragonfly_routing.hpp"

namespace weft::simulation::packet {

namespace {

struct Minimal : ByNoQueues<Detours::never> {
  static constexpr const char* kName = "minimal";
  using ByNoQueues::ByNoQueues;
};
struct Valiant : ByNoQueues<Detours::always> {
  static constexpr const char* kName = "valiant";
  using ByNoQueues::ByNoQueues;
};
struct UgalLocal : ByBacklog<Detours::by_queues> {
  static constexpr const char* kName = "ugal-l";
  using ByBacklog::ByBacklog;
};

}  // namespace

WEFT_PACKET_ENGINE(make_dragonfly_minimal_engine, DragonflyRouting<Minimal>)
WEFT_PACKET_ENGINE(make_dragonfly_valiant_engine, DragonflyRouting<Valiant>)
WEFT_PACKET_ENGINE(make_dragonfly_ugal_engine, DragonflyRouting<UgalLocal>)

}  // namespace weft::simulation::packet
