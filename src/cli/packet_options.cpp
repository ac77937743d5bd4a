#include "cli/packet_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/units.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/views.hpp"

namespace weft::cli {

void add_packet_options(CLI::App& app, PacketChoice& choice) {
  const auto add = [&](const char* name, auto& value, const char* help) {
    return app.add_option(name, value, help)->group("Packet and flit models");
  };
  add("--packet-size", choice.packet_size, "Bytes of a packet; a message's last one is short")
      ->capture_default_str();
  add("--flit-size", choice.flit_size, "Bytes of a flit, of --model flit")->capture_default_str();
  add("--switching", choice.switching,
      "cut-through, store-and-forward (packet) or wormhole (flit) [cut-through; flit: wormhole]");
  add("--arbitration", choice.arbitration,
      "Which packet that waits for a channel is next: first-come, round-robin or age")
      ->capture_default_str();
  add("--vcs", choice.vcs, "Virtual channels of a link (0: as many as the routing needs)")
      ->check(CLI::Range(0, 255));
  add("--buffer", choice.buffers,
      "Buffer of a virtual channel, or CLASS=SIZE of a class of links; repeat it "
      "[enough to keep the link busy]")
      ->allow_extra_args(false);
  add("--router-delay", choice.router_delay, "Time to traverse a router")->capture_default_str();
  add("--adapter-delay", choice.adapter_delay, "Time of a packet in the adapter at either end")
      ->capture_default_str();
  add("--credit-delay", choice.credit_delay, "Time a credit takes back [the link's latency]");
  add("--self-messages", choice.self_messages,
      "A rank's message to itself is copied (local) or goes to its router and back (network)")
      ->capture_default_str();
}

PacketOptions make_packet_options(const PacketChoice& choice, simulation::Model model,
                                  const std::string& routing, std::uint64_t seed) {
  PacketOptions options;
  simulation::require_known_routing(routing);
  if (simulation::is_packet_routing(routing)) options.routing = lower_name(routing);
  options.packet_B = parse_size(choice.packet_size);
  options.flit_B = parse_size(choice.flit_size);
  if (!choice.switching.empty())
    options.switching = simulation::parse_switching(choice.switching);
  else if (model == simulation::Model::flit)
    options.switching = simulation::Switching::wormhole;
  options.arbitration = simulation::parse_arbitration(choice.arbitration);
  options.vcs = choice.vcs;
  for (const std::string& buffer : choice.buffers)
    simulation::parse_buffer_option(buffer, options.buffers);
  options.router_delay_ps = parse_time(choice.router_delay);
  options.adapter_delay_ps = parse_time(choice.adapter_delay);
  if (!choice.credit_delay.empty()) options.credit_delay_ps = parse_time(choice.credit_delay);
  options.self_messages = simulation::parse_self_messages(choice.self_messages);
  options.seed = seed;
  return options;
}

NetworkOptions without_packet_routing(NetworkOptions options) {
  if (is_of_packets_only(options.routing)) options.routing = "shortest";
  return options;
}

void fit_routing(PacketOptions& options, const std::string& asked, const Network& network) {
  if (lower_name(asked) == "auto" && simulation::is_packet_routing(network.routing().name()))
    options.routing = network.routing().name();
  if (options.routing == "minimal" && network.routing().name() == "minimal" &&
      !topology::as_dragonfly(network.topology()))
    options.routing.clear();
}

void fit_packets(simulation::SimulationOptions& simulation, const std::string& asked,
                 std::uint64_t seed, const Network& network) {
  if (!simulation::by_packets(simulation.model)) return;
  simulation.packet = make_packet_options({}, simulation.model, asked, seed);
  fit_routing(simulation.packet, asked, network);
}

std::string draw_note(const PacketOptions& options, const Topology& topology) {
  const auto torus = topology::as_torus(topology);
  const auto has_ties = [](int extent) { return extent > 2 && extent % 2 == 0; };
  if (options.routing == "dimension-order" && torus &&
      std::ranges::any_of(torus->extents, has_ties))
    return "half-way round a ring each message draws its way by --seed; the other models split it "
           "evenly over both";
  if (options.routing == "shortest-split")
    return "at each router a packet draws among the shortest ways by --seed; the other models "
           "split each message evenly over all";
  return "";
}

Json json_of(const PacketStatistics& statistics) {
  const auto& traffic = statistics.traffic;
  Json messages = Json::object(), packets = Json::object(), bytes = Json::object(),
       buffered = Json::object();
  for (std::size_t c = 0; c < traffic.classes.size(); ++c) {
    const auto& of_class = traffic.classes[c];
    messages[of_class.name] = of_class.messages;
    packets[of_class.name] = of_class.packets;
    bytes[of_class.name] = of_class.bytes;
    buffered[of_class.name] = statistics.engine.max_buffered_B[c];
  }
  return {{"packets", traffic.packets},
          {"acknowledgements", traffic.acknowledgements},
          {"mean_latency", traffic.packet_latency.mean_s},
          {"p50_latency", traffic.packet_latency.p50_s},
          {"p99_latency", traffic.packet_latency.p99_s},
          {"max_latency", traffic.packet_latency.max_s},
          {"mean_hops", traffic.mean_hops},
          {"link_crossings", messages},
          {"packet_crossings", packets},
          {"class_bytes", bytes},
          {"max_buffered", buffered},
          {"events", statistics.engine.events},
          {"packet_hops", statistics.engine.packet_hops}};
}

void add_facts(const PacketStatistics& statistics, Facts& facts) {
  const auto& traffic = statistics.traffic;
  facts.add("packets",
            fmt::format("{}, {:.2f} hops on average", traffic.packets, traffic.mean_hops));
  const auto& latency = traffic.packet_latency;
  facts.add("packet latency",
            fmt::format("mean {}, 99% within {}, at most {}", format_seconds(latency.mean_s),
                        format_seconds(latency.p99_s), format_seconds(latency.max_s)));
  for (const auto& of_class : traffic.classes)
    facts.add("over " + of_class.name,
              fmt::format("{} messages, {} packets, {:.4g} MB", of_class.messages, of_class.packets,
                          static_cast<double>(of_class.bytes) * 1e-6));
}

}  // namespace weft::cli
