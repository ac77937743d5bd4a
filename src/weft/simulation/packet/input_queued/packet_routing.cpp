#include "weft/simulation/packet/input_queued/packet_routing.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::simulation::input_queued {

PacketRoutingPlan::PacketRoutingPlan(const Fabric& fabric, const PortWiring& wiring,
                                     const std::string& routing, const PipelinedRouter& router,
                                     std::vector<std::int32_t> least_room)
    : PacketRoutingPlan(fabric, wiring, routing, router, std::move(least_room), 0,
                        std::vector<Time>(wiring.topology.link_count(), 1)) {}

PacketRoutingPlan::PacketRoutingPlan(const Fabric& fabric, const PortWiring& wiring,
                                     const std::string& routing, const PipelinedRouter& router,
                                     std::vector<std::int32_t> least_room, int path_classes,
                                     std::vector<Time> flit_ps)
    : fabric_(fabric),
      least_room_(std::move(least_room)),
      flit_ps_(std::move(flit_ps)),
      routing_(routing),
      channels_(router.channels),
      ejection_(router.ejection),
      outputs_(least_room_.size(), -1),
      links_(wiring.outputs.size(), kNone) {
  const int channels = router.channels;
  int classes = path_classes;
  if (!routing.empty()) {
    const auto single = network::make_hop_routing(routing, {wiring, fabric, 1, channels});
    require(channels >= single->vcs(),
            "{} on {} needs {} virtual channels to be free of deadlock, but has {}; give --vcs {}",
            routing, fabric.topology().name(), single->vcs(), channels, single->vcs());
    classes = single->looks_for_room() ? channels : std::max(classes, single->vcs());
  }
  masks_ = class_masks(channels, classes);
  vc_bits_ = std::bit_width(static_cast<unsigned>(channels - 1));
  for (const LinkId link : fabric.topology().links()) {
    const std::int32_t output = wiring.port(link);
    outputs_[link.index()] = output;
    if (output >= 0) links_[output] = link.value();
  }
}

HopChoice::HopChoice(const PacketRoutingPlan& plan, const PortWiring& wiring, std::uint64_t seed)
    : plan_(plan),
      wiring_(wiring),
      routing_(plan.routing_.empty()
                   ? nullptr
                   : network::make_hop_routing(plan.routing_,
                                               {wiring, plan.fabric_, seed, plan.channels_})),
      looks_for_room_(routing_ != nullptr && routing_->looks_for_room()),
      waiting_(wiring.outputs.size()),
      loads_(plan.outputs_.size()),
      room_(plan) {}

Route HopChoice::choose(std::int32_t router, const Packet& packet, packet::PacketState& state,
                        const RouterState& now) {
  state.node = wiring_.router_nodes[router].value();
  state.routers = static_cast<std::uint16_t>(packet.hops - 1);
  if (looks_for_room_)
    room_.look(wiring_.first_out[router], wiring_.first_out[static_cast<std::size_t>(router) + 1],
               now);
  const packet::Choice choice = routing_->choose(state, packet::QueueView(loads_, 0, &room_));
  WEFT_ASSERT(plan_.outputs_[choice.link] >= 0);  // a link between routers
  return {plan_.outputs_[choice.link], plan_.masks_[choice.vc]};
}

// A channel that a packet holds has no room, whatever its credits.
void HopChoice::Places::look(std::int32_t first_output, std::int32_t last_output,
                             const RouterState& now) {
  places_.resize(plan_.outputs_.size() << plan_.vc_bits_);
  for (std::int32_t output = first_output; output < last_output; ++output) {
    const std::int32_t link = plan_.links_[output];
    if (link == kNone) continue;
    for (std::int32_t channel = 0; channel < plan_.channels_; ++channel)
      places_[packet::place(link << plan_.vc_bits_ | channel)] = now.credits(output, channel);
  }
}

void PacketRouting::begin(const Packet& packet) {
  if (packet.id >= packets_.size()) packets_.resize(packet.id + packet.id / 2 + 64);
  packet::PacketState& state = packets_[packet.id];
  state = {};
  state.source = wiring_.host_nodes[packet.source_host].value();
  state.destination = wiring_.host_nodes[packet.target_host].value();
  state.router = wiring_.router_nodes[packet.target_router].value();
}

Route PacketRouting::route(std::int32_t router, Packet& packet, Rng& /*rng*/,
                           const RouterState& now) {
  packet::PacketState& state = packets_[packet.id];
  if (router != packet.target_router) return choose(router, packet, state, now);
  return {wiring_.output_to(packet.target_host),
          plan_.ejection_ == Ejection::any ? all_ : plan_.masks_[state.phase]};
}

}  // namespace weft::simulation::input_queued
