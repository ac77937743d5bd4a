#include "support/judges/first_choice.hpp"

#include "weft/simulation/packet/engine/link_wiring.hpp"

namespace weft::simulation {

LinkId first_choice(const Fabric& fabric, const PacketOptions& options, NodeId from, NodeId to,
                    std::initializer_list<Backlog> backlogs) {
  const packet::LinkWiring wiring(fabric, options);
  auto links = wiring.links;
  for (const Backlog& backlog : backlogs)
    links[backlog.link.index()].waiting_ps = backlog.waiting_ps;
  packet::PacketState packet;
  packet.source = from.value();
  packet.destination = to.value();
  packet.node = wiring.router[from.index()];
  packet.router = wiring.router[to.index()];
  const auto routing = network::make_hop_routing(options.routing, {wiring, fabric, options.seed});
  return LinkId(routing->choose(packet, packet::QueueView(links, 0)).link);
}

}  // namespace weft::simulation
