#include "weft/fields/setup.hpp"

#include <algorithm>

#include "weft/base/invalid_field.hpp"
#include "weft/base/text.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::fields {

std::uint64_t seed_in(const Values& parameters) {
  return number_in<std::uint64_t>(text_in(parameters, "seed")).value_or(1);
}

LinkOptions link_options(const Values& parameters) {
  const std::string text = text_in(parameters, "link");
  LinkOptions options =
      text.empty() || text == kSpeedsOfFile ? LinkOptions() : read_links("link", text);
  if (const std::string defaults = text_in(parameters, kLinkDefault.name); !defaults.empty())
    options.defaults = read_link_defaults(kLinkDefault.name, defaults);
  return options;
}

namespace {

Placement place_ranks(const NetworkSpec& spec, const Topology& topology,
                      std::span<const std::int32_t> hosts, const Schedule* schedule) {
  topology::PlacementOptions options = spec.placing;
  options.seed = spec.seed;
  if (schedule == nullptr) return topology::place(topology, options, hosts);
  const auto ranks = static_cast<std::size_t>(schedule->collective().ranks);
  const Binding& binding = schedule->binding();
  const bool asked = options != topology::PlacementOptions{.seed = spec.seed} || !hosts.empty();
  if (!asked && binding.hash == topology.hash() && binding.nodes.size() >= ranks)
    return {{binding.nodes.begin(), binding.nodes.begin() + static_cast<std::ptrdiff_t>(ranks)}};
  if (options.ranks == 0) options.ranks = schedule->collective().ranks;
  return topology::place(topology, options, hosts);
}

}  // namespace

NetworkSpec network_in(const Values& said) {
  NetworkSpec spec{.seed = seed_in(said)};
  set_members(spec, network_members(), said);
  set_members(spec, job_members(), said);
  if (kModel.in(said, simulation::Model::fluid) == simulation::Model::alpha_beta)
    spec.host.startup_per = StartupPer::step;
  set_members(spec.host, host_members(), said);
  return spec;
}

topology::PlacementOptions placing_in(const Values& said) {
  NetworkSpec spec;
  set_members(spec, placing_members(), said);
  set_members(spec, job_members(), said);
  return spec.placing;
}

Network make_network(const NetworkSpec& spec, const BuiltTopology& built,
                     std::span<const std::int32_t> hosts, const Schedule* schedule) {
  TimeLimit::check();
  const Fabric fabric = blame("link", [&] { return Fabric(built, spec.links); });
  TimeLimit::check();
  return {fabric, place_ranks(spec, fabric.topology(), hosts, schedule), spec.host,
          blame("routing", [&] { return make_routing(spec.routing, fabric, spec.seed); })};
}

Network make_network(const Values& parameters) {
  return make_network(parameters, blame("topology", [&] {
                        return build_topology(text_in(parameters, "topology"));
                      }));
}

Network make_network(const Values& parameters, const BuiltTopology& built) {
  Values said = parameters;
  if (text_in(said, "link") == kSpeedsOfFile) said.erase("link");
  NetworkSpec spec = network_in(said);
  spec.routing = network_routing(parameters, built.topology);
  std::vector<std::int32_t> hosts;
  if (!spec.hosts.empty())
    hosts = blame("hosts", [&] { return topology::parse_hosts(spec.hosts, built.topology); });
  return make_network(spec, built, hosts);
}

Collective make_collective(const CollectiveSpec& spec, std::int32_t ranks) {
  const bool between_two = schedule::traits_of(spec.kind).between_two();
  Collective collective{spec.kind, ranks, Rank(between_two ? spec.from.value_or(0) : spec.root)};
  if (between_two) collective.peer = Rank(spec.to.value_or(0));
  const char* end = !between_two ? "root" : spec.from.value_or(0) >= ranks ? "from" : "to";
  return blame(end, [&] {
    schedule::check(collective);
    return collective;
  });
}

Collective make_collective(const Values& parameters, std::int32_t ranks) {
  CollectiveSpec spec;
  set_members(spec, collective_members(), parameters);
  return make_collective(spec, ranks);
}

algorithm::AlgorithmOptions algorithm_options_in(const Values& said) {
  algorithm::AlgorithmOptions options;
  for (const algorithm::Option& option : algorithm::options()) {
    const std::string text = text_in(said, option.name);
    if (!text.empty() && text != "auto") options.values.emplace(option.name, option.read(text));
  }
  return options;
}

simulation::SimulationOptions simulation_options_in(const Values& said) {
  simulation::SimulationOptions options;
  set_members(options, reading_members(), said);
  set_members(options.call, call_members(), said);
  set_members(options.background, background_members(), said);
  require(options.call.loopback || !options.factors ||
              !options.factors->by_class.contains(simulation::kLoopbackClass),
          "factors of the loopback have no effect without --loopback; leave them out");
  if (!simulation::by_packets(options.model)) return options;
  options.packet.routing = text_in(said, "routing");
  options.packet.seed = seed_in(said);
  if (options.model == simulation::Model::flit)
    options.packet.switching = simulation::Switching::wormhole;
  set_members(options.packet, packet_members(), said);
  return options;
}

}  // namespace weft::fields
