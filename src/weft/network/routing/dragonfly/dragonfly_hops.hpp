// Dragonfly routings: minimal, Valiant and those between by a rule: UGAL-L, UGAL-G, progressive
// adaptive (PAR) and others.
//
// Minimal takes at most one local, one global and one local link. Valiant goes minimally to a group
// drawn at random, other than the source's and the destination's, and from where it enters that
// group minimally to the destination: local, global, local, global, local at most; traffic within a
// group is minimal. UGAL draws such a group for each packet at its first router and takes the
// minimal path if
//
//     backlog(minimal) * links(minimal) <= backlog(Valiant) * links(Valiant),
//
// the links those between routers, the backlog being the time until a link has sent what it holds
// and what waits for it: the output link of that router (UGAL-L), or the global link on which the
// path leaves the group, of whichever router (UGAL-G, an ideal that no router can know). PAR
// decides as UGAL-L does and again, with another group drawn, at the router with the global link of
// a minimal path, where a packet may turn off with one more local link.
//
// Channels: the number of global links crossed so far, which orders local 0 < global 0 < local 1 <
// global 1 < local 2. PAR has up to two local links before the first global one: local 0 < local 1
// < global 0 < local 2 < global 1 < local 3.
// Sources: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
// 2008, sections 4.1 and 4.2; Jiang, Kim, Dally, "Indirect Adaptive Routing on Large Scale
// Interconnection Networks", ISCA 2009, section 3.3 (PAR).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/network/dragonfly_map.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

/// When a packet goes round by another group: never, always, or by queues, at its first router or
/// again at the router before the global link.
enum class Detours : std::uint8_t { never, always, by_queues, by_queues_twice };

/// Links between routers on a way, the first of them and the global one.
struct DragonflyWay {
  std::int32_t first = kNone, global = kNone, links = 0;
};

/// What tells the routings apart, made from a HopContext:
///
///   static constexpr const char* kName;
///   static constexpr Detours kDetours;
///
/// and, where it goes by queues,
///
///   static std::int32_t watched(const DragonflyWay& way);  // the link that it looks at
///   bool stays(std::int64_t, const DragonflyWay& minimal, std::int64_t,
///              const DragonflyWay& around) const;
///
/// whether a packet takes the minimal way, each after the backlog of its watched link.
template <class Rule>
class DragonflyHops final : public HopRouting {
 public:
  explicit DragonflyHops(const HopContext& context)
      : map_(map_of(context.wiring.topology)), random_(context.seed), rule_(context) {}

  int vcs() const override {
    if (Rule::kDetours == Detours::never || map_.groups() < 3) return 2;
    return kProgressive ? 4 : 3;
  }

  bool is_adaptive() const override { return kAdaptive; }
  bool looks_at_queues(const PacketState& packet) const override {
    return kAdaptive && decides(packet);
  }

  std::int32_t likely(const PacketState& packet) const override {
    if constexpr (kAdaptive) return Rule::watched(minimal_way(packet.node, packet));
    return kNone;
  }

  Choice choose(PacketState& packet, const QueueView& queues) override {
    const std::int32_t node = packet.node;
    const std::int32_t group = map_.group(node), target = map_.group(packet.router);
    if constexpr (Rule::kDetours != Detours::never)
      if (decides(packet) && group != target) packet.via = first_group(packet, node, queues);
    if (packet.via == group) packet.via = kNone;
    if (packet.via == kNone && group == target)
      return {map_.local_link(node, packet.router), local_channel(packet)};
    const Global global = packet.via == kNone
                              ? best_global(node, target, packet.router, packet)
                              : best_global(node, packet.via, map_.kAnyRouter, packet);
    if (global.gateway != node)
      return {map_.local_link(node, global.gateway), local_channel(packet)};
    return {global.link, packet.phase++};
  }

 private:
  using Global = DragonflyMap::Global;
  using Way = DragonflyWay;
  static constexpr bool kProgressive = Rule::kDetours == Detours::by_queues_twice;
  static constexpr bool kAdaptive = kProgressive || Rule::kDetours == Detours::by_queues;

  /// Whether the packet may be sent round by another group from here.
  bool decides(const PacketState& packet) const {
    if (!kProgressive) return packet.routers == 0;
    return packet.routers <= 1 && packet.phase == 0 && packet.via == kNone;
  }

  std::int32_t local_channel(const PacketState& packet) const {
    if (!kProgressive || map_.groups() < 3) return packet.phase;
    return packet.phase == 0 ? packet.routers : packet.phase + 1;
  }

  /// Of equal ones the one of the network's minimal paths, which go by the last router.
  Global best_global(std::int32_t node, std::int32_t group, std::int32_t router,
                     const PacketState& packet) const {
    return map_.best_global(node, group, router, packet.router);
  }

  static DragonflyMap map_of(const Topology& topology) {
    const auto view = topology::as_dragonfly(topology);
    require(view.has_value(), "routing {} needs a Dragonfly, and {} is not one; use shortest",
            Rule::kName, topology.name());
    return {topology, *view};
  }

  Way way(std::int32_t node, const Global& global, std::int32_t rest) const {
    return global.gateway == node
               ? Way{global.link, global.link, 1 + rest}
               : Way{map_.local_link(node, global.gateway), global.link, 2 + rest};
  }
  /// From `node` on.
  Way minimal_way(std::int32_t node, const PacketState& packet) const {
    const std::int32_t target = map_.group(packet.router);
    if (map_.group(node) == target)
      return {kNone, kNone, node == packet.router ? 0 : 1};  // the link is not asked for
    const Global global = best_global(node, target, packet.router, packet);
    return way(node, global, global.head == packet.router ? 0 : 1);
  }

  /// The group through which the packet goes, or kNone for the minimal path.
  std::int32_t first_group(const PacketState& packet, std::int32_t node, const QueueView& queues) {
    if (map_.groups() < 3) return kNone;
    const std::int32_t via = draw_group(map_.group(node), map_.group(packet.router));
    if constexpr (kAdaptive) {
      const Way direct = minimal_way(node, packet);
      const std::int64_t waited = queues.backlog(Rule::watched(direct));
      if (waited == 0) return kNone;
      const Global out = best_global(node, via, map_.kAnyRouter, packet);
      const Way around = way(node, out, minimal_way(out.head, packet).links);
      const std::int64_t elsewhere = queues.backlog(Rule::watched(around));
      if (rule_.stays(waited, direct, elsewhere, around)) return kNone;
    }
    return via;
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
  Rule rule_;
};

/// Without queues.
template <Detours kWhen>
struct ByNoQueues {
  static constexpr Detours kDetours = kWhen;
  explicit ByNoQueues(const HopContext&) {}
};

/// Backlog times links, of the output links of the packet's router.
template <Detours kWhen>
struct ByBacklog {
  static constexpr Detours kDetours = kWhen;
  explicit ByBacklog(const HopContext&) {}
  static std::int32_t watched(const DragonflyWay& way) { return way.first; }
  static bool stays(std::int64_t waited, const DragonflyWay& minimal, std::int64_t elsewhere,
                    const DragonflyWay& around) {
    return waited * minimal.links <= elsewhere * around.links;
  }
};

/// The entry of a rule's routing, whose channels count global links, or each kind of them where
/// it decides twice.
template <class Rule>
RoutingEntry adaptive_entry(const char* summary, std::vector<std::string> aliases = {}) {
  HopFace face{.channels = "3 (2 where there are two groups): global links crossed",
               .deadlock =
                   "a way has local, global, local, global and local links, and its channel "
                   "rises with each global one",
               .aliases = std::move(aliases),
               .counts_phases = true,
               .detour = 1.1};
  if (Rule::kDetours == Detours::by_queues_twice) {
    face.channels = "4 (2 where there are two groups): links of its kind crossed, local or global";
    face.deadlock =
        "a way has local 0, local 1, global 0, local 2, global 1 and local 3 in this order, the "
        "numbers being those of channels";
  }
  return {.info = {.name = Rule::kName,
                   .summary = summary,
                   .fits = "dragonfly",
                   .hops = std::move(face)},
          .hops = [](const HopContext& context) -> std::unique_ptr<HopRouting> {
            return std::make_unique<DragonflyHops<Rule>>(context);
          }};
}

}  // namespace weft::network
