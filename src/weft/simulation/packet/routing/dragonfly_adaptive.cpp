// Dragonfly routings that look at queues elsewhere or more than once; dragonfly_routing.hpp has
// them.
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/dragonfly_routing.hpp"

namespace weft::simulation::packet {

namespace {

struct UgalGlobal : ByBacklog<Detours::by_queues> {
  static constexpr const char* kName = "ugal-g";
  using ByBacklog::ByBacklog;
  static std::int32_t watched(const DragonflyWay& way) { return way.global; }
};
struct Progressive : ByBacklog<Detours::by_queues_twice> {
  static constexpr const char* kName = "par";
  using ByBacklog::ByBacklog;
};

}  // namespace

WEFT_PACKET_ENGINE(make_dragonfly_ugal_global_engine, DragonflyRouting<UgalGlobal>)
WEFT_PACKET_ENGINE(make_dragonfly_progressive_engine, DragonflyRouting<Progressive>)

}  // namespace weft::simulation::packet
