#include "weft/training/unequal.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/program/operations.hpp"
#include "weft/training/least.hpp"

namespace weft::training {

namespace {

enum class Turns : std::uint8_t { all_at_once, one_by_one };

program::Program exchange(const UnequalParts& parts, Turns turns) {
  WEFT_ASSERT(!parts.bytes.empty());
  const auto ranks = static_cast<std::int32_t>(parts.bytes.size());
  program::ProgramBuilder builder(
      ranks, {.name = turns == Turns::one_by_one ? "unequal shift" : "unequal spread",
              .size_B = *std::ranges::max_element(parts.bytes)});
  std::vector<std::vector<std::int32_t>> before(parts.bytes.size());
  for (std::int32_t turn = 1; turn < ranks; ++turn)
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      const std::int32_t to = (rank + turn) % ranks, from = (rank + ranks - turn) % ranks;
      const program::Provenance origin{.step = turns == Turns::one_by_one ? turn - 1 : 0};
      std::vector<std::int32_t> added;
      const auto add = [&](program::OperationKind kind, std::int32_t peer, std::int64_t bytes) {
        if (bytes == 0) return;
        added.push_back(builder.add(Agent(rank), {.kind = kind,
                                                  .peer = Agent(peer),
                                                  .bytes = bytes,
                                                  .waits = before[static_cast<std::size_t>(rank)],
                                                  .origin = origin}));
      };
      add(program::OperationKind::send, to,
          parts.between(static_cast<std::size_t>(rank), static_cast<std::size_t>(to)));
      add(program::OperationKind::receive, from,
          parts.between(static_cast<std::size_t>(from), static_cast<std::size_t>(rank)));
      if (turns == Turns::one_by_one && !added.empty())
        before[static_cast<std::size_t>(rank)] = std::move(added);
    }
  return std::move(builder).build();
}

double longest_port_s(const UnequalParts& parts, const Network& group) {
  struct Bytes {
    double out = 0, in = 0;
  };
  std::map<NodeId, Bytes> of_nodes;  // that leave and reach the node
  const auto& nodes = group.placement().nodes;
  WEFT_ASSERT(parts.bytes.size() <= nodes.size());
  for (std::size_t from = 0; from < parts.bytes.size(); ++from)
    for (std::size_t to = 0; to < parts.bytes.size(); ++to) {
      if (nodes[from] == nodes[to]) continue;
      const auto bytes = static_cast<double>(parts.between(from, to));
      of_nodes[nodes[from]].out += bytes;
      of_nodes[nodes[to]].in += bytes;
    }
  const Topology& topology = group.topology();
  double longest_s = 0;
  for (const auto& [node, bytes] : of_nodes) {
    double out_Bps = 0, in_Bps = 0;
    for (const LinkId link : topology.out_links(node))
      if (topology.head(link) != node)
        out_Bps += static_cast<double>(group.fabric().bandwidth_Bps(link));
    for (const LinkId link : topology.in_links(node))
      if (topology.tail(link) != node)
        in_Bps += static_cast<double>(group.fabric().bandwidth_Bps(link));
    longest_s = std::max({longest_s, bytes.out / out_Bps, bytes.in / in_Bps});
  }
  return longest_s;
}

// Of the cheapest ways from a node to all others.
std::vector<double> costs_from(NodeId source, const Topology& topology,
                               std::span<const std::int64_t> prices) {
  WEFT_ASSERT(std::ssize(prices) == topology.link_count());
  std::vector<double> costs(static_cast<std::size_t>(topology.node_count()),
                            std::numeric_limits<double>::infinity());
  using Reached = std::pair<double, std::int32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> open;
  costs[source.index()] = 0;
  open.push({0, source.value()});
  while (!open.empty()) {
    const auto [cost, at] = open.top();
    open.pop();
    if (cost > costs[static_cast<std::size_t>(at)]) continue;
    for (const LinkId link : topology.out_links(NodeId(at))) {
      const double there = cost + static_cast<double>(prices[link.index()]);
      const NodeId head = topology.head(link);
      if (there >= costs[head.index()]) continue;
      costs[head.index()] = there;
      open.push({there, head.value()});
    }
  }
  return costs;
}

}  // namespace

TimedSchedule fastest_unequal(const UnequalParts& parts, const std::vector<Network>& groups,
                              std::size_t callers, const PriceOptions& options) {
  WEFT_ASSERT(!groups.empty() && callers >= 1 && callers <= groups.size());
  WEFT_ASSERT(std::ssize(parts.bytes) == groups.front().ranks());
  simulation::SimulationOptions simulation = options.simulation;
  simulation.link_statistics = true;
  TimedSchedule best;
  for (const Turns turns : {Turns::all_at_once, Turns::one_by_one}) {
    const program::Program program = exchange(parts, turns);
    std::vector<simulation::Job> jobs;
    for (const Network& group : groups) jobs.push_back({program, group});
    auto results = simulation::simulate_together(jobs, simulation);
    if (results.front().run_s >= best.time_s) continue;
    best = {results.front().run_s, program.name(), std::move(results.front().link_bytes)};
    if (callers < groups.size()) best.link_bytes = bytes_of(std::vector(callers, program), groups);
  }
  return best;
}

double least_unequal_s(const UnequalParts& parts, const Network& group,
                       const simulation::SimulationOptions& simulation) {
  const double port_s = longest_port_s(parts, group);
  return port_s > 0 ? with_startup_s(port_s, 1, group, simulation) : 0;
}

double flow_unequal_s(const UnequalParts& parts, const Optimum& even, const Network& group) {
  const Topology& topology = group.topology();
  const auto& prices = std::get<flow::Throughput>(even.certificate).prices;
  const auto& nodes = group.placement().nodes;
  WEFT_ASSERT(std::ssize(prices) == topology.link_count() && parts.bytes.size() <= nodes.size());
  double paid = 0, earned = 0;  // price times bytes, and bytes per second
  for (const LinkId link : topology.links())
    earned += static_cast<double>(prices[link.index()]) *
              static_cast<double>(group.fabric().bandwidth_Bps(link));
  for (std::size_t from = 0; from < parts.bytes.size(); ++from) {
    const auto costs = costs_from(nodes[from], topology, prices);
    for (std::size_t to = 0; to < parts.bytes.size(); ++to)
      if (to != from)
        paid += costs[nodes[to].index()] * static_cast<double>(parts.between(from, to));
  }
  return std::max(longest_port_s(parts, group), earned > 0 ? paid / earned : 0);
}

}  // namespace weft::training
