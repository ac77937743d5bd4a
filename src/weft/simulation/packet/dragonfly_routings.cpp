// Dragonfly routings: minimal, Valiant and UGAL-L.
//
// Minimal takes at most one local, one global and one local link. Valiant goes minimally to a group
// drawn at random, other than the source's and the destination's, and from where it enters that
// group minimally to the destination: local, global, local, global, local at most; traffic within a
// group is minimal. UGAL-L draws such a group for each packet at its first router and takes the
// minimal path if
//
//     backlog(minimal) * links(minimal) <= backlog(Valiant) * links(Valiant),
//
// the backlog being the time until the output link of that router has sent what it holds and what
// waits for it, the links those between routers. Channels: the number of global links crossed so
// far, which orders local 0 < global 0 < local 1 < global 1 < local 2.
// Source: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
// 2008, sections 4.1 and 4.2.
#include "weft/base/random.hpp"
#include "weft/simulation/packet/dragonfly.hpp"
#include "weft/simulation/packet/engine_maker.hpp"

namespace weft::simulation::packet {

namespace {

enum class Mode : std::uint8_t { minimal, valiant, ugal_local };

template <Mode kMode>
class DragonflyRouting : public ByHops {
 public:
  DragonflyRouting(const RoutingContext& context, const char* name)
      : map_(context.wiring, name), random_(context.options.seed) {}

  int vcs() const { return kMode == Mode::minimal || map_.groups() < 3 ? 2 : 3; }

  bool looks_at_queues(const PacketState& packet) const {
    return kMode == Mode::ugal_local && packet.routers == 0;
  }

  std::int32_t likely(const PacketState& packet) const {
    return minimal_way(packet.node, packet).first;
  }

  Choice choose(PacketState& packet, const QueueView& queues) {
    const std::int32_t node = packet.node;
    const std::int32_t group = map_.group(node), target = map_.group(packet.router);
    if constexpr (kMode != Mode::minimal)
      if (packet.routers == 0 && group != target) packet.via = first_group(packet, node, queues);
    if (packet.via == group) packet.via = kNone;
    if (packet.via == kNone && group == target)
      return {map_.local_link(node, packet.router), packet.phase};
    const Global global = packet.via == kNone
                              ? best_global(node, target, packet.router, packet.destination)
                              : best_global(node, packet.via, kNone, packet.destination);
    if (global.gateway != node) return {map_.local_link(node, global.gateway), packet.phase};
    return {global.link, packet.phase++};
  }

 private:
  using Global = DragonflyMap::Global;

  /// The global link to a group that needs the fewest local links, at `node` and at `router` (none
  /// counts at the far end); of equal ones by `key`.
  Global best_global(std::int32_t node, std::int32_t group, std::int32_t router,
                     std::int32_t key) const {
    const auto links = map_.globals(map_.group(node), group);
    if (links.size() == 1) return links[0];
    const auto cost = [&](const Global& link) {
      return (link.gateway != node ? 1 : 0) + (router != kNone && link.head != router ? 1 : 0);
    };
    int least = 3, count = 0;
    for (const Global& link : links) {
      if (cost(link) < least) least = cost(link), count = 0;
      count += cost(link) == least ? 1 : 0;
    }
    int skip = key % count;
    for (const Global& link : links)
      if (cost(link) == least && skip-- == 0) return link;
    return links[0];
  }

  /// Links between routers on the minimal path from `node`, and the first of them.
  struct Way {
    std::int32_t first = kNone, links = 0;
  };
  Way way(std::int32_t node, const Global& global, std::int32_t rest) const {
    return global.gateway == node ? Way{global.link, 1 + rest}
                                  : Way{map_.local_link(node, global.gateway), 2 + rest};
  }
  Way minimal_way(std::int32_t node, const PacketState& packet) const {
    const std::int32_t target = map_.group(packet.router);
    if (map_.group(node) == target)
      return {kNone, node == packet.router ? 0 : 1};  // the link is not asked for
    const Global global = best_global(node, target, packet.router, packet.destination);
    return way(node, global, global.head == packet.router ? 0 : 1);
  }

  /// The group through which the packet goes, or kNone for the minimal path.
  std::int32_t first_group(const PacketState& packet, std::int32_t node, const QueueView& queues) {
    if (map_.groups() < 3) return kNone;
    const std::int32_t via = draw_group(map_.group(node), map_.group(packet.router));
    if constexpr (kMode == Mode::valiant) return via;
    const Way direct = minimal_way(node, packet);
    const Time waited = queues.backlog(direct.first);
    if (waited == 0) return kNone;
    const Global out = best_global(node, via, kNone, packet.destination);
    const Way around = way(node, out, minimal_way(out.head, packet).links);
    return waited * direct.links <= queues.backlog(around.first) * around.links ? kNone : via;
  }

  /// A group other than the two, which differ.
  std::int32_t draw_group(std::int32_t source, std::int32_t target) {
    const auto others = static_cast<std::uint64_t>(map_.groups() - 2);
    auto group = static_cast<std::int32_t>(((random_.next() >> 32) * others) >> 32);
    if (group >= std::min(source, target)) ++group;
    if (group >= std::max(source, target)) ++group;
    return group;
  }

  DragonflyMap map_;
  Rng random_;
};

auto make_minimal(const RoutingContext& context) {
  return DragonflyRouting<Mode::minimal>(context, "minimal");
}
auto make_valiant(const RoutingContext& context) {
  return DragonflyRouting<Mode::valiant>(context, "valiant");
}
auto make_ugal(const RoutingContext& context) {
  return DragonflyRouting<Mode::ugal_local>(context, "ugal-l");
}

}  // namespace

WEFT_PACKET_ENGINE(make_dragonfly_minimal_engine, make_minimal)
WEFT_PACKET_ENGINE(make_dragonfly_valiant_engine, make_valiant)
WEFT_PACKET_ENGINE(make_dragonfly_ugal_engine, make_ugal)

}  // namespace weft::simulation::packet
