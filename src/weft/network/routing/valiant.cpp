// Valiant's routing on any network: by a shortest path to a router drawn at random, then by a
// shortest path on.
//
// The router is drawn for each packet among all that hosts hang on (that are hosts, where there are
// no switches), its own and the destination's too, so that the two halves are each a path of
// uniform traffic whatever the pattern: 2 * mean distance links on a symmetric network, at most. A
// packet that comes by its destination on the first half ends there. It climbs a channel with each
// link: as many are needed as two longest paths have links.
// Source: Valiant, Brebner, "Universal Schemes for Parallel Communication", STOC 1981.
#include "weft/base/random.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"
#include "weft/network/routing/shortest_table.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

class ValiantHops final : public HopRouting {
 public:
  explicit ValiantHops(const HopContext& context)
      : table_(context.wiring, "valiant"),
        vcs_(2 * longest_shortest_path(context.wiring)),
        random_(context.seed) {
    const Wiring& wiring = context.wiring;
    std::vector<char> ends(place(wiring.node_count()), 0);
    for (const NodeId host : wiring.topology.hosts()) ends[place(wiring.router[host.index()])] = 1;
    for (std::int32_t node = 0; node < wiring.node_count(); ++node)
      if (ends[place(node)] != 0) ends_.push_back(node);
  }

  int vcs() const override { return vcs_; }

  Choice choose(PacketState& packet, const QueueView& /*queues*/) override {
    if (packet.routers == 0)
      packet.via = ends_[place(static_cast<std::int32_t>(random_.below(std::ssize(ends_))))];
    if (packet.via == packet.node) packet.via = kNone;
    const std::int32_t target = packet.via == kNone ? packet.router : packet.via;
    return {table_.next(packet.node, target), packet.routers};
  }

 private:
  ShortestTable table_;
  int vcs_;
  Rng random_;
  std::vector<std::int32_t> ends_;  // routers of hosts
};

std::unique_ptr<HopRouting> make_valiant_hops(const HopContext& context) {
  if (topology::as_dragonfly(context.wiring.topology)) return make_dragonfly_valiant_hops(context);
  return std::make_unique<ValiantHops>(context);
}

}  // namespace

RoutingEntry valiant_entry() {
  return {
      .info = {.name = "valiant",
               .summary =
                   "Minimal path to a random group or router, then minimal path to the destination",
               .fits = "any",
               .hops = HopFace{.channels = "on a Dragonfly 3 (2 where there are two groups), else "
                                           "twice the links between routers of the longest "
                                           "shortest path; load curves of grids 2, on rings 4",
                               .deadlock = "a packet's channel rises with each link, on a "
                                           "Dragonfly with each global one",
                               .aliases = {"non-minimal", "nonminimal"},
                               .counts_phases = true,
                               .detour = 1.5}},
      .hops = make_valiant_hops};
}

}  // namespace weft::network
