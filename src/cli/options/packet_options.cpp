#include "cli/options/packet_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/units.hpp"
#include "weft/network/routings.hpp"
#include "weft/simulation/routers.hpp"
#include "weft/topology/views.hpp"

namespace weft::cli {

void add_packet_options(Command command, GivenFields& said) {
  const OptionAdder add(command, headings::kPackets);
  for (const auto& [field, set] : fields::packet_members())
    add.field(said, *field, field->name == "vc-buffer" ? "--buffer" : "");
}

simulation::SimulationOptions make_simulation(const GivenFields& said, std::uint64_t seed) {
  simulation::SimulationOptions options = fields::simulation_options_in(said.values);
  if (!simulation::by_packets(options.model)) return options;
  network::require_known_routing(said.text("routing"));
  options.packet.routing = lower_name(said.text("routing"));
  options.packet.seed = seed;
  return options;
}

GivenFields with_model_of_router(GivenFields said) {
  if (said.of("model") || !said.of("router")) return said;
  const auto& router = simulation::router_of(simulation::parse_router_kind(said.text("router")));
  if (router.only) said.values["model"] = std::string(simulation::model_of(*router.only));
  return said;
}

GivenFields without_packet_routing(GivenFields said) {
  if (network::is_of_packets_only(said.text("routing")))
    said.values["routing"] = std::string("shortest");
  return said;
}

void fit_routing(PacketOptions& options, const GivenFields& said, const Network& network) {
  const bool chosen = lower_name(said.text("routing")) == "auto";
  options.routing =
      network::hop_routing(chosen ? network.routing().name() : options.routing, network.topology());
}

std::string draw_note(const PacketOptions& options, const Topology& topology) {
  const auto torus = topology::as_torus(topology);
  const auto has_ties = [](int extent) { return extent > 2 && extent % 2 == 0; };
  if (options.routing == "dimension-order" && torus &&
      std::ranges::any_of(torus->extents, has_ties))
    return "--seed chooses the direction of messages that go half-way round a ring; other models "
           "split them evenly over both directions";
  if (options.routing.ends_with("-split"))
    return "--seed chooses the path of each packet at each router; other models split messages "
           "evenly over all paths of the routing";
  return "";
}

void add_facts(const PacketStatistics& statistics, Facts& facts) {
  const auto& traffic = statistics.traffic;
  if (statistics.router != simulation::routers().front().kind)
    facts.add("routers", std::string(name_of(statistics.router)));
  facts.add("packets",
            fmt::format("{}, {:.2f} hops on average", traffic.packets, traffic.mean_hops));
  const auto& latency = traffic.packet_latency;
  facts.add("packet latency",
            fmt::format("mean {}, 99th percentile {}, maximum {}", format_seconds(latency.mean_s),
                        format_seconds(latency.p99_s), format_seconds(latency.max_s)));
  for (const auto& of_class : traffic.classes)
    facts.add("over " + of_class.name,
              fmt::format("{} messages, {} packets, {:.4g} MB", of_class.messages, of_class.packets,
                          static_cast<double>(of_class.bytes) * 1e-6));
}

}  // namespace weft::cli
