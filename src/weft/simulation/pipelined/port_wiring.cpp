#include "weft/simulation/pipelined/port_wiring.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation::pipelined {

namespace {

constexpr int kMaxPorts = 64;  // a router's ports are the bits of one word

}  // namespace

PortWiring::PortWiring(const Topology& wired) : Wiring(wired) {
  number_routers();
  number_ports();
}

void PortWiring::set_cycles(const std::vector<int>& cycles) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    outputs[o].cycles = cycles[o];
    const std::int32_t input =
        outputs[o].input >= 0 ? outputs[o].input : host_inputs[outputs[o].host];
    inputs[input].cycles = cycles[o];
  }
}

void PortWiring::number_routers() {
  const bool switched = topology.has_switches();
  std::vector<std::int32_t> numbers(router.size(), kNone);  // by node
  for (const NodeId node : topology.nodes()) {
    if (switched && topology.is_host(node)) continue;
    numbers[node.index()] = routers();
    router_nodes.push_back(node);
  }
  for (const NodeId host : topology.hosts()) {
    const std::int32_t number = numbers[static_cast<std::size_t>(router[host.index()])];
    require(number != kNone,
            "{} has hosts that hang on several switches or none; load curves need each host on one",
            topology.name());
    host_nodes.push_back(host);
    host_routers.push_back(number);
  }
}

void PortWiring::number_ports() {
  std::vector<std::vector<std::int32_t>> hosts_at(static_cast<std::size_t>(routers()));
  for (std::int32_t h = 0; h < hosts(); ++h) hosts_at[host_routers[h]].push_back(h);
  host_inputs.resize(host_routers.size());
  host_outputs.resize(host_routers.size());
  link_outputs.assign(static_cast<std::size_t>(topology.link_count()), -1);
  std::vector<std::int32_t> link_inputs = link_outputs;
  const auto between_routers = [&](LinkId link) {
    return !topology.has_switches() ||
           (!topology.is_host(topology.tail(link)) && !topology.is_host(topology.head(link)));
  };
  for (std::int32_t r = 0; r < routers(); ++r) {
    const NodeId node = router_nodes[r];
    first_in.push_back(static_cast<std::int32_t>(inputs.size()));
    first_out.push_back(static_cast<std::int32_t>(outputs.size()));
    for (const LinkId link : topology.out_links(node)) {
      if (!between_routers(link)) continue;
      link_outputs[link.index()] = static_cast<std::int32_t>(outputs.size());
      outputs.emplace_back();
    }
    for (const LinkId link : topology.in_links(node)) {
      if (!between_routers(link)) continue;
      link_inputs[link.index()] = static_cast<std::int32_t>(inputs.size());
      inputs.emplace_back();
    }
    for (const std::int32_t h : hosts_at[r]) {
      host_inputs[h] = static_cast<std::int32_t>(inputs.size());
      host_outputs[h] = static_cast<std::int32_t>(outputs.size());
      inputs.push_back({.host = h});
      outputs.push_back({.host = h});
    }
    const auto ports = std::max(outputs.size() - static_cast<std::size_t>(first_out.back()),
                                inputs.size() - static_cast<std::size_t>(first_in.back()));
    require(ports <= kMaxPorts, "router {} of {} has {} ports (load curves take up to {})",
            node.value(), topology.name(), ports, kMaxPorts);
  }
  first_in.push_back(static_cast<std::int32_t>(inputs.size()));
  first_out.push_back(static_cast<std::int32_t>(outputs.size()));
  for (const LinkId link : topology.links()) {
    if (!between_routers(link)) continue;
    outputs[link_outputs[link.index()]].input = link_inputs[link.index()];
    inputs[link_inputs[link.index()]].output = link_outputs[link.index()];
  }
}

}  // namespace weft::simulation::pipelined
