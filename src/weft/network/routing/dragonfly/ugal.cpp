// UGAL-L, UGAL-G and progressive adaptive routing on Dragonflies; dragonfly_hops.hpp has them.
#include "weft/network/routing/dragonfly/dragonfly_hops.hpp"

namespace weft::network {

namespace {

struct UgalLocal : ByBacklog<Detours::by_queues> {
  static constexpr const char* kName = "ugal-l";
  using ByBacklog::ByBacklog;
};
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

RoutingEntry ugal_l_entry() {
  return adaptive_entry<UgalLocal>(
      "Minimal or Valiant path, chosen by the queues of the first router", {"adaptive"});
}

RoutingEntry ugal_g_entry() {
  return adaptive_entry<UgalGlobal>(
      "Minimal or Valiant path, chosen by the queues of their first global links");
}

RoutingEntry par_entry() {
  return adaptive_entry<Progressive>(
      "As ugal-l, with a second choice at the router before the global link");
}

}  // namespace weft::network
