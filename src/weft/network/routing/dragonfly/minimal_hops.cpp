// Dragonfly routings of packets that look at no queue, minimal and Valiant; dragonfly_hops.hpp has
// them.
#include "weft/network/routing/dragonfly/dragonfly_hops.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

struct MinimalRule : ByNoQueues<Detours::never> {
  static constexpr const char* kName = "minimal";
  using ByNoQueues::ByNoQueues;
};
struct ValiantRule : ByNoQueues<Detours::always> {
  static constexpr const char* kName = "valiant";
  using ByNoQueues::ByNoQueues;
};

}  // namespace

std::unique_ptr<HopRouting> make_dragonfly_minimal_hops(const HopContext& context) {
  return std::make_unique<DragonflyHops<MinimalRule>>(context);
}

std::unique_ptr<HopRouting> make_dragonfly_valiant_hops(const HopContext& context) {
  return std::make_unique<DragonflyHops<ValiantRule>>(context);
}

}  // namespace weft::network
