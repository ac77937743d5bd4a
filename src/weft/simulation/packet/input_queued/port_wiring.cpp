#include "weft/simulation/packet/input_queued/port_wiring.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/memory.hpp"

namespace weft::simulation::input_queued {

namespace {

constexpr int kMaxPorts = 64;  // a router's ports are the bits of one word

}  // namespace

PortWiring::PortWiring(const Fabric& fabric, Adapters adapters)
    : Wiring(fabric), adapters_(adapters) {
  number_routers();
  number_adapters();
  number_ports();
}

void PortWiring::set_cycles(const std::vector<int>& cycles) {
  WEFT_ASSERT(cycles.size() == outputs.size());
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const std::int32_t input =
        outputs[o].input >= 0 ? outputs[o].input : adapter_inputs[outputs[o].adapter];
    outputs[o].cycles = outputs[o].credit_cycles = cycles[o];
    inputs[input].cycles = inputs[input].credit_cycles = cycles[o];
  }
}

void PortWiring::number_routers() {
  std::vector<std::int32_t> numbers(router.size(), kNone);  // by node
  for (const NodeId node : topology.nodes()) {
    if (is_leaf(node)) continue;
    numbers[node.index()] = routers();
    router_nodes.push_back(node);
  }
  for (const NodeId host : topology.hosts()) {
    require(adapters_ == Adapters::per_link || is_leaf(host) || !topology.has_switches(),
            "{} has hosts with several switches or none; load curves need one switch for each "
            "host",
            topology.name());
    host_nodes.push_back(host);
    host_routers.push_back(numbers[static_cast<std::size_t>(router[host.index()])]);
  }
}

void PortWiring::number_adapters() {
  first_adapter.push_back(0);
  for (const NodeId host : host_nodes) {
    const bool several = adapters_ == Adapters::per_link && !is_leaf(host);
    const auto links = std::max(topology.out_degree(host), topology.in_degree(host));
    first_adapter.push_back(first_adapter.back() +
                            (several ? static_cast<std::int32_t>(links) : 1));
  }
  adapter_inputs.resize(first_adapter.back());
  adapter_outputs.resize(adapter_inputs.size());
}

void PortWiring::number_ports() {
  std::vector<std::vector<std::int32_t>> hosts_at(routers());
  for (std::int32_t h = 0; h < hosts(); ++h) hosts_at[host_routers[h]].push_back(h);
  link_outputs.assign(topology.link_count(), -1);
  IdVector<LinkId, std::int32_t> link_inputs = link_outputs;
  const auto between_routers = [&](LinkId link) {
    return !is_leaf(topology.tail(link)) && !is_leaf(topology.head(link));
  };
  for (std::int32_t r = 0; r < routers(); ++r) {
    const NodeId node = router_nodes[r];
    first_in.push_back(static_cast<std::int32_t>(inputs.size()));
    first_out.push_back(static_cast<std::int32_t>(outputs.size()));
    for (const LinkId link : topology.out_links(node)) {
      if (!between_routers(link)) continue;
      link_outputs[link] = static_cast<std::int32_t>(outputs.size());
      outputs.emplace_back();
    }
    for (const LinkId link : topology.in_links(node)) {
      if (!between_routers(link)) continue;
      link_inputs[link] = static_cast<std::int32_t>(inputs.size());
      inputs.emplace_back();
    }
    for (const std::int32_t h : hosts_at[r])
      for (std::int32_t a = first_adapter[h]; a < first_adapter[h + 1]; ++a) {
        adapter_inputs[a] = static_cast<std::int32_t>(inputs.size());
        adapter_outputs[a] = static_cast<std::int32_t>(outputs.size());
        inputs.push_back({.adapter = a});
        outputs.push_back({.adapter = a});
      }
    const auto ports = std::max(outputs.size() - static_cast<std::size_t>(first_out.back()),
                                inputs.size() - static_cast<std::size_t>(first_in.back()));
    require(ports <= kMaxPorts,
            "router {} of {} has {} ports, including those to its hosts (input-queued routers "
            "have at most {})",
            node.value(), topology.name(), ports, kMaxPorts);
  }
  first_in.push_back(static_cast<std::int32_t>(inputs.size()));
  first_out.push_back(static_cast<std::int32_t>(outputs.size()));
  for (const LinkId link : topology.links()) {
    if (!between_routers(link)) continue;
    outputs[link_outputs[link]].input = link_inputs[link];
    inputs[link_inputs[link]].output = link_outputs[link];
  }
}

void check_memory(const PortWiring& wiring, const PipelinedRouter& router) {
  constexpr double kFlit_B = 8, kChannel_B = 40;
  const double channels = static_cast<double>(wiring.inputs.size()) * router.channels;
  require_memory(channels * (router.buffer_flits * kFlit_B + kChannel_B),
                 fmt::format("{:.0f} virtual channels of {} flits", channels, router.buffer_flits),
                 "take a smaller network, fewer channels or a smaller buffer");
}

}  // namespace weft::simulation::input_queued
