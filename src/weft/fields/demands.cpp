#include "weft/fields/demands.hpp"

#include "weft/base/error.hpp"
#include "weft/fields/members.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/checks.hpp"

namespace weft::fields {

namespace {

PacketOptions packets_of(const Values& said) {
  const simulation::SimulationOptions options = simulation_options_in(said);
  PacketOptions packet = options.packet;
  if (options.model == simulation::Model::flit) packet.granularity = simulation::Granularity::flit;
  return packet;
}

// A packet that holds no flit is too small for flits, too.
void check_packet(const Values& said) {
  simulation::check_packet_size(packets_of(said));
  simulation::check_flit_size(packets_of(said));
}

void check_flit(const Values& said) {
  simulation::check_flit_size(packets_of(said));
}

void check_adapter(const Values& said) {
  simulation::check_adapter(packets_of(said));
}

void check_injection(const Values& said) {
  simulation::check_injection(packets_of(said), simulation_options_in(said).release);
}

void check_steps(const Values& said) {
  simulation::check_steps(simulation_options_in(said), calls_in(said), true);
}

bool has_background(const Values& said) {
  const std::string traffic = text_in(said, kBackground.name);
  return !traffic.empty() && traffic != kBackground.fallback;
}

// Where the routing depends on the network, this tells nothing.
void check_background(const Values& said) {
  const std::string name = text_in(said, "routing");
  const auto* routing = network::find_routing(name);
  if (!has_background(said) || routing == nullptr || routing->name == "auto") return;
  simulation::check_background_routing(routing->hops.has_value(), routing->name);
}

template <const auto& field>
void check_beside_background(const Values& said) {
  require(has_background(said), "--{} requires --background", field.name);
}

}  // namespace

std::span<const Demand> demands() {
  static const std::vector<Demand> all{
      {kFlitSize.name, {kPacketSize.name}, check_flit},
      {kPacketSize.name, {kFlitSize.name}, check_packet},
      {kAdapter.name, {kAdapterDelay.name}, check_adapter},
      {kInjection.name, {kRelease.name}, check_injection},
      {kCalls.name, {kSync.name}, check_steps},
      {kReceives.name, {kSync.name}, check_steps},
      {kEager.name, {kSync.name}, check_steps},
      {kBackground.name, {"routing"}, check_background},
      {kBackgroundSize.name, {kBackground.name}, check_beside_background<kBackgroundSize>},
      {kBackgroundInterval.name, {kBackground.name}, check_beside_background<kBackgroundInterval>},
  };
  return all;
}

}  // namespace weft::fields
