#include "weft/libraries/gpu_boxes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "weft/base/suggest.hpp"
#include "weft/libraries/nccl_facts.hpp"
#include "weft/topology/expression.hpp"
#include "weft/topology/machines/machines.hpp"

namespace weft::libraries {

namespace {

/// By node: the least node that links within boxes join it to.
class Boxes {
 public:
  Boxes(const Topology& topology, const std::vector<bool>& inside)
      : parent_(static_cast<std::size_t>(topology.node_count())) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const LinkId link : ids<LinkId>(topology.link_count()))
      if (inside[link.index()]) join(topology.tail(link).value(), topology.head(link).value());
  }
  std::int32_t of(NodeId node) { return root(node.value()); }

 private:
  std::int32_t root(std::int32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::int32_t one, std::int32_t other) {
    one = root(one);
    other = root(other);
    parent_[std::max(one, other)] = std::min(one, other);
  }
  std::vector<std::int32_t> parent_;
};

std::optional<GpuGeneration> generation_in(const std::string& name) {
  struct Known {
    std::string_view text;
    GpuGeneration generation;
  };
  constexpr auto kKnown = std::to_array<Known>({{"v100", GpuGeneration::volta},
                                                {"dgx-1", GpuGeneration::volta},
                                                {"dgx-2", GpuGeneration::volta},
                                                {"a100", GpuGeneration::ampere},
                                                {"a800", GpuGeneration::ampere},
                                                {"h100", GpuGeneration::hopper},
                                                {"h200", GpuGeneration::hopper},
                                                {"h800", GpuGeneration::hopper},
                                                {"b200", GpuGeneration::blackwell},
                                                {"b300", GpuGeneration::blackwell}});
  const std::string text = lower(name);
  for (const Known& known : kKnown)
    if (text.find(known.text) != std::string::npos) return known.generation;
  return std::nullopt;
}

// By the NVLinks of a GPU: the first generation that has as fast ones, since a payload rate lies
// below the line rate; Hopper without NVLink.
GpuGeneration generation_of(std::int64_t nvlink_Bps) {
  constexpr double kRounding = 1.03;
  if (nvlink_Bps == 0) return GpuGeneration::hopper;
  const auto fast_enough = std::ranges::find_if(nccl_facts::kNvlink_GBps, [&](double GBps) {
    return 1e9 * GBps * kRounding >= static_cast<double>(nvlink_Bps);
  });
  return fast_enough == nccl_facts::kNvlink_GBps.end()
             ? GpuGeneration::blackwell
             : static_cast<GpuGeneration>(fast_enough - nccl_facts::kNvlink_GBps.begin());
}

std::optional<AmdGpu> amd_in(const std::string& name) {
  struct Known {
    std::string_view text;
    AmdGpu gpu;
  };
  constexpr auto kKnown = std::to_array<Known>({{"mi250", AmdGpu::mi250},
                                                {"mi300x", AmdGpu::mi300},
                                                {"mi325x", AmdGpu::mi300},
                                                {"mi350x", AmdGpu::mi350},
                                                {"mi355x", AmdGpu::mi350}});
  const std::string text = lower(name);
  for (const Known& known : kKnown)
    if (text.find(known.text) != std::string::npos) return known.gpu;
  return std::nullopt;
}

bool has_class(const Topology& topology, std::string_view name) {
  return std::ranges::find(topology.class_names(), name) != topology.class_names().end();
}

// Of the links out of a box's GPU.
void add_links(const Network& network, const std::vector<bool>& inside, NodeId gpu, GpuBoxes& found,
               std::set<NodeId>& switches, std::int64_t& cards) {
  const Topology& topology = network.topology();
  std::int64_t inside_Bps = 0;
  for (const LinkId link : topology.out_links(gpu)) {
    const std::int64_t bandwidth_Bps = network.fabric().bandwidth_Bps(link);
    if (inside[link.index()]) {
      inside_Bps += bandwidth_Bps;
      found.has_nvswitch |= !topology.is_host(topology.head(link));
    } else if (topology.class_names()[topology.link_class(link)] == topology::kCardClass) {
      switches.insert(topology.head(link));
    } else {
      ++cards;
      found.card_Bps = std::max(found.card_Bps, bandwidth_Bps);
    }
  }
  found.nvlink_Bps = std::max(found.nvlink_Bps, inside_Bps);
}

// Of a box: its links and cards.
void add_box(const Network& network, const std::vector<bool>& inside,
             const std::vector<NodeId>& gpus, GpuBoxes& found) {
  std::int64_t cards = 0;
  std::set<NodeId> switches;  // that cards of several GPUs are
  for (const NodeId gpu : gpus) add_links(network, inside, gpu, found, switches, cards);
  for (const NodeId card : switches)
    for (const LinkId link : network.topology().out_links(card))
      if (!network.topology().is_host(network.topology().head(link)))
        found.card_Bps = std::max(found.card_Bps, network.fabric().bandwidth_Bps(link));
  cards += std::ssize(switches);
  found.cards = std::max(found.cards, static_cast<std::int32_t>(cards));
}

// Whether links within the box join each of these GPUs to each other.
bool is_mesh(const Topology& topology, const std::vector<bool>& inside,
             const std::vector<NodeId>& gpus) {
  for (const NodeId gpu : gpus) {
    std::set<NodeId> reached{gpu};
    for (const LinkId link : topology.out_links(gpu))
      if (inside[link.index()]) reached.insert(topology.head(link));
    if (!std::ranges::includes(reached, gpus)) return false;
  }
  return true;
}

// Of a GPU's links to the other ones, where the job has not all GPUs of the box.
std::int64_t rate_among_Bps(const Network& network, const std::vector<bool>& inside,
                            const std::vector<NodeId>& gpus) {
  std::int64_t most_Bps = 0;
  for (const NodeId gpu : gpus) {
    std::int64_t own_Bps = 0;
    for (const LinkId link : network.topology().out_links(gpu))
      if (inside[link.index()] && std::ranges::binary_search(gpus, network.topology().head(link)))
        own_Bps += network.fabric().bandwidth_Bps(link);
    most_Bps = std::max(most_Bps, own_Bps);
  }
  return most_Bps;
}

// From a GPU of one box to one of another, its start-up included.
double crossing_us(const Network& network, NodeId from, NodeId to) {
  network::RouteTable routes;
  const std::array step{network::Flow{from, to}};
  network.routing().route(step, routes);
  const HostParameters& host = network.host();
  return 1e-6 * static_cast<double>(routes.latency_ps(0) + host.send_ps() + host.latency_ps);
}

}  // namespace

// In a rail:... network GPUs join the switch of their box by cables of class "box".
std::vector<bool> links_in_boxes(const Topology& topology) {
  // A box of a plain mesh: its cables are "link", or "box" where there are several boxes.
  const std::string_view of_mesh = !amd_in(topology.name())     ? ""
                                   : has_class(topology, "box") ? "box"
                                                                : "link";
  std::vector<bool> inside;
  for (const LinkId link : topology.links()) {
    const std::string name = lower(topology.class_names()[topology.link_class(link)]);
    const int gpus =
        int{topology.is_host(topology.tail(link))} + int{topology.is_host(topology.head(link))};
    inside.push_back(name.find("nvlink") != std::string::npos ||
                     name.find("xgmi") != std::string::npos || (gpus == 2 && name == of_mesh) ||
                     (gpus == 1 && name == "box"));
  }
  return inside;
}

std::vector<std::int32_t> box_of_ranks(const Network& network) {
  Boxes boxes(network.topology(), links_in_boxes(network.topology()));
  std::vector<std::int32_t> of_rank;
  for (const NodeId node : network.placement().nodes) of_rank.push_back(boxes.of(node));
  return of_rank;
}

GpuBoxes gpu_boxes(const Network& network) {
  std::map<std::int32_t, std::vector<NodeId>> gpus;  // of the ranks, by box
  const std::vector<std::int32_t> box = box_of_ranks(network);
  for (std::size_t r = 0; r < box.size(); ++r) gpus[box[r]].push_back(network.placement().nodes[r]);
  const std::vector<bool> inside = links_in_boxes(network.topology());
  GpuBoxes found;
  found.amd = amd_in(network.topology().name());
  found.mesh = found.amd.has_value();
  found.boxes = static_cast<std::int32_t>(gpus.size());
  found.per_box = 0;
  std::int64_t among_Bps = 0;
  for (auto& [which, own] : gpus) {
    const auto count = static_cast<std::int32_t>(own.size());
    found.equal = found.equal && (found.per_box == 0 || found.per_box == count);
    found.per_box = std::max(found.per_box, count);
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    add_box(network, inside, own, found);
    found.mesh = found.mesh && std::ssize(own) == count && is_mesh(network.topology(), inside, own);
    if (found.mesh) among_Bps = std::max(among_Bps, rate_among_Bps(network, inside, own));
  }
  if (found.mesh) found.nvlink_Bps = among_Bps;
  found.generation =
      generation_in(network.topology().name()).value_or(generation_of(found.nvlink_Bps));
  if (gpus.size() > 1) {
    const NodeId from = gpus.begin()->second.front(), to = std::next(gpus.begin())->second.front();
    found.slow_network_us = std::max(0.0, crossing_us(network, from, to) - nccl_facts::kCounted);
  }
  return found;
}

}  // namespace weft::libraries
