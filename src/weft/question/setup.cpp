#include "weft/question/setup.hpp"

#include <algorithm>

#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/question/members.hpp"
#include "weft/question/packet_rows.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

HostParameters host_in(const Values& parameters) {
  const bool by_formula = text_in(parameters, "model") == "alpha-beta";  // one a step
  HostParameters host{.startup_per = by_formula ? StartupPer::step : StartupPer::message};
  set_members(host, host_members(), parameters);
  return host;
}

}  // namespace

std::uint64_t seed_in(const Values& parameters) {
  return number_in<std::uint64_t>(text_in(parameters, "seed")).value_or(1);
}

LinkOptions link_options(const Values& parameters) {
  const std::string text = text_in(parameters, "link");
  LinkOptions links;
  if (text.empty() || text == kSpeedsOfFile) return links;
  for (const std::string_view option : split(text, ';')) topology::parse_link_option(option, links);
  return links;
}

std::string part_key(const Row& row, std::initializer_list<Part> parts) {
  const auto asked = [&](Part part) { return std::ranges::find(parts, part) != parts.end(); };
  std::string key = asked(Part::network) ? routing_key(row.parameters) + '\n' : "";
  for (const Field* field : row.kind->fields)
    if (asked(field->part))
      if (const auto found = row.parameters.find(field->name); found != row.parameters.end())
        key.append(field->name).append("=").append(to_text(found->second)).append("\n");
  return key;
}

Network make_network(const Values& parameters) {
  const BuiltTopology built = build_topology(text_in(parameters, "topology"));
  const Fabric fabric(built, link_options(parameters));
  const std::uint64_t seed = seed_in(parameters);
  const std::string hosts = text_in(parameters, "hosts");
  Placement placement =
      topology::place(fabric.topology(),
                      {.ranks = count_in(parameters, "ranks", 0),
                       .policy = text_in(parameters, "placement"),
                       .seed = seed},
                      hosts.empty() ? std::vector<std::int32_t>()
                                    : topology::parse_hosts(hosts, fabric.topology()));
  return {fabric, std::move(placement), host_in(parameters),
          make_routing(network_routing(parameters, fabric.topology()), fabric, seed)};
}

Collective make_collective(const Values& parameters, std::int32_t ranks) {
  const auto kind = schedule::parse_collective(text_in(parameters, "collective"));
  Collective collective{kind, ranks};
  if (kind == CollectiveKind::point_to_point) {
    collective.root = Rank(count_in(parameters, "from", 0));
    collective.peer = Rank(count_in(parameters, "to", 0));
  } else {
    collective.root = Rank(count_in(parameters, "root", 0));
  }
  schedule::check(collective);
  return collective;
}

algorithm::AlgorithmOptions make_algorithm_options(const Values& parameters) {
  algorithm::AlgorithmOptions options;
  for (const algorithm::Option& option : algorithm::options()) {
    const std::string text = text_in(parameters, option.name);
    if (!text.empty() && text != "auto") options.values.emplace(option.name, option.read(text));
  }
  return options;
}

simulation::SimulationOptions make_simulation_options(const Values& parameters) {
  simulation::SimulationOptions options;
  set_members(options, reading_members(), parameters);
  if (simulation::by_packets(options.model)) add_packet_options(parameters, options);
  return options;
}

}  // namespace weft::question
