// Minimal routing on a Dragonfly: at most one local, one global and one local link.
//
// Between groups the route takes a global link that joins the two, by the gateways nearest to the
// ends: of all those links the ones that need the fewest local links, and of those the one that the
// target router's number picks (modulo their count, in link order), which spreads the routers of a
// group over parallel links. Within a group it is the local link. Unlike shortest, it never passes
// through a third group, even where that takes fewer links.
// Source: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
// 2008, section 4.1 (MIN).
#include <cstdint>

#include "weft/network/access.hpp"
#include "weft/network/dragonfly_map.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/minimal.hpp"

namespace weft::network {

namespace {

class MinimalDragonfly final : public Routing {
 public:
  MinimalDragonfly(const Fabric& fabric, const topology::DragonflyView& view)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        map_(fabric.topology(), view) {}

  std::string_view name() const override { return "minimal"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow&, NodeId from, NodeId to) {
      const std::int32_t end = to.value(), group = map_.group(end);
      std::int32_t at = from.value();
      const auto push_local = [&](std::int32_t next) {
        if (at != next) routes.push(LinkId(map_.local_link(at, next)));
      };
      if (map_.group(at) != group) {
        const auto global = map_.best_global(at, group, end, end);
        push_local(global.gateway);
        routes.push(LinkId(global.link));
        at = global.head;
      }
      push_local(end);
    });
  }

 private:
  Latencies latencies_;
  Access access_;
  DragonflyMap map_;
};

}  // namespace

std::shared_ptr<const Routing> make_minimal(const Fabric& fabric,
                                            const topology::DragonflyView& view) {
  return std::make_shared<MinimalDragonfly>(fabric, view);
}

}  // namespace weft::network
