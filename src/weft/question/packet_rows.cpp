#include "weft/question/packet_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/question/members.hpp"
#include "weft/question/run_fields.hpp"
#include "weft/question/setup.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::question {

namespace {

bool has_background(const Values& parameters) {
  const std::string traffic = text_in(parameters, "background");
  return !traffic.empty() && traffic != "none";
}

// The routing of packets that the row names; empty where they follow the network's paths, as under
// "minimal" on what is no Dragonfly.
std::string packet_routing(const Values& parameters) {
  const std::string routing = text_in(parameters, "routing");
  const bool dragonfly = text_in(parameters, "topology").starts_with("dragonfly:");
  if (routing == "minimal" && !dragonfly) return "";
  return simulation::is_packet_routing(routing) ? routing : "";
}

std::int64_t packets_of(const simulation::TrafficStatistics& traffic, std::string_view name) {
  for (const auto& of_class : traffic.classes)
    if (of_class.name == name) return of_class.packets;
  return 0;
}

}  // namespace

bool by_packets(const Values& parameters) {
  const std::string model = text_in(parameters, "model");
  return model == "packet" || model == "flit";
}

void resolve_packets(Values& parameters) {
  if (!by_packets(parameters))
    for (const Field* field : kPacketFields) parameters.erase(std::string(field->name));
  else
    parameters.erase("sharing");
  if (text_in(parameters, "model") != "flit") parameters.erase("flit-size");
  if (has_background(parameters)) return;
  for (const char* name : {"background", "background-size", "background-interval"})
    parameters.erase(name);
}

bool draws_packets(const Values& parameters) {
  if (!by_packets(parameters)) return false;
  return has_background(parameters) || !packet_routing(parameters).empty();
}

std::string network_routing(const Values& parameters) {
  return by_packets(parameters) && !packet_routing(parameters).empty()
             ? "shortest"
             : text_in(parameters, "routing");
}

void add_packet_options(const Values& parameters, simulation::SimulationOptions& options) {
  PacketOptions& packet = options.packet;
  packet.routing = packet_routing(parameters);
  if (options.model == simulation::Model::flit) packet.switching = simulation::Switching::wormhole;
  set_members(packet, packet_members(), parameters);
  packet.seed = seed_in(parameters);
  if (!has_background(parameters)) return;
  options.background.traffic = text_in(parameters, "background");
  options.background.message_B = kBackgroundSize.in(parameters);
  options.background.interval_ps = kBackgroundInterval.in(parameters);
}

void add_packet_measures(const simulation::SimulationResult& result, Values& values) {
  for (const char* name : {"packets", "mean_latency", "p99_latency", "max_latency", "mean_hops",
                           "packet_hops", "global_packets", "local_packets"})
    values[name] = Value();
  if (!result.packet) return;
  const simulation::TrafficStatistics& traffic = result.packet->traffic;
  values["packets"] = traffic.packets;
  values["mean_latency"] = traffic.packet_latency.mean_s;
  values["p99_latency"] = traffic.packet_latency.p99_s;
  values["max_latency"] = traffic.packet_latency.max_s;
  values["mean_hops"] = traffic.mean_hops;
  values["packet_hops"] = result.packet->engine.packet_hops;
  values["global_packets"] = packets_of(traffic, "global");
  values["local_packets"] = packets_of(traffic, "local");
}

}  // namespace weft::question
