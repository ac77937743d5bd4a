#include "weft/question/packet_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/question/fields.hpp"
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

simulation::BufferOptions buffers_of(std::string_view text) {
  simulation::BufferOptions buffers;
  for (const std::string_view option : split(text, ';'))
    simulation::parse_buffer_option(option, buffers);
  return buffers;
}

bool by_packets(const Values& parameters) {
  const std::string model = text_in(parameters, "model");
  return model == "packet" || model == "flit";
}

void resolve_packets(Values& parameters) {
  if (!by_packets(parameters))
    for (const std::string_view name : packet_fields()) parameters.erase(std::string(name));
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
  packet.packet_B = parse_size(text_in(parameters, "packet-size"));
  if (options.model == simulation::Model::flit)
    packet.flit_B = parse_size(text_in(parameters, "flit-size"));
  if (const std::string switching = text_in(parameters, "switching"); switching != "auto")
    packet.switching = simulation::parse_switching(switching);
  else if (options.model == simulation::Model::flit)
    packet.switching = simulation::Switching::wormhole;
  packet.arbitration = simulation::parse_arbitration(text_in(parameters, "arbitration"));
  packet.vcs = static_cast<int>(count_in(parameters, "vcs", 0));
  packet.buffers = buffers_of(text_in(parameters, "vc-buffer"));
  packet.router_delay_ps = parse_time(text_in(parameters, "router-delay"));
  packet.adapter_delay_ps = parse_time(text_in(parameters, "adapter-delay"));
  if (const std::string delay = text_in(parameters, "credit-delay"); delay != "link")
    packet.credit_delay_ps = parse_time(delay);
  packet.self_messages = simulation::parse_self_messages(text_in(parameters, "self-messages"));
  packet.seed = seed_in(parameters);
  if (!has_background(parameters)) return;
  options.background.traffic = text_in(parameters, "background");
  options.background.message_B = parse_size(text_in(parameters, "background-size"));
  options.background.interval_ps = parse_time(text_in(parameters, "background-interval"));
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
