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
#include "weft/simulation/packet/output_buffered/engine_maker.hpp"
#include "weft/simulation/packet/routing/distances.hpp"
#include "weft/simulation/packet/routing/shortest_table.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

namespace {

class Valiant : public ByHops {
 public:
  explicit Valiant(const RoutingContext& context)
      : table_(context.wiring, "valiant"),
        vcs_(2 * longest_shortest_path(context.wiring)),
        random_(context.seed) {
    const Wiring& wiring = context.wiring;
    std::vector<char> ends(place(wiring.node_count()), 0);
    for (const NodeId host : wiring.topology.hosts()) ends[place(wiring.router[host.index()])] = 1;
    for (std::int32_t node = 0; node < wiring.node_count(); ++node)
      if (ends[place(node)] != 0) ends_.push_back(node);
  }

  int vcs() const { return vcs_; }

  Choice choose(PacketState& packet, const QueueView&) {
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

}  // namespace

WEFT_PACKET_ENGINE(make_any_valiant_engine, Valiant)

std::unique_ptr<PacketEngine> make_valiant_engine(const Fabric& fabric,
                                                  const PacketOptions& options) {
  return (topology::as_dragonfly(fabric.topology()) ? make_dragonfly_valiant_engine
                                                    : make_any_valiant_engine)(fabric, options);
}

std::unique_ptr<LoneRouting> make_valiant_engine_alone(const RoutingContext& context) {
  return (topology::as_dragonfly(context.wiring.topology) ? make_dragonfly_valiant_engine_alone
                                                          : make_any_valiant_engine_alone)(context);
}

}  // namespace weft::simulation::packet
