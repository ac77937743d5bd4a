#include "weft/advise/degrade/traffic_layers.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "weft/base/work/time_limit.hpp"

namespace weft::advise {

namespace {

constexpr std::int64_t kMostMessages = std::int64_t{1} << 24;
constexpr std::int64_t kMostCopies = 100'000, kMostArcs = 1'000'000;  // of all layers

using Pair = TrafficLayer::value_type;

// Bytes between two nodes, over all messages of a step.
struct Exchange {
  Pair pair;
  double bytes = 0;
};

std::vector<Exchange> exchanges(const program::StepProgram& step,
                                IdSpan<program::Agent, const NodeId> nodes) {
  std::vector<Exchange> all;
  for (const program::Transfer& transfer : step.transfers)
    if (transfer.from != transfer.to)
      all.push_back({{nodes[transfer.from].value(), nodes[transfer.to].value()},
                     static_cast<double>(transfer.bytes)});
  std::ranges::sort(all, {}, &Exchange::pair);
  std::vector<Exchange> merged;
  for (const Exchange& each : all)
    if (!merged.empty() && merged.back().pair == each.pair)
      merged.back().bytes += each.bytes;
    else
      merged.push_back(each);
  return merged;
}

// Some thousands of routes at a time: those of all may not fit into memory.
void load(std::span<const Exchange> pairs, const network::Routing& routing, Traffic& traffic) {
  constexpr std::size_t kAtOnce = 1 << 14;
  network::RouteTable routes;
  std::vector<network::Flow> flows;
  for (std::size_t first = 0; first < pairs.size(); first += kAtOnce) {
    const auto some = pairs.subspan(first, std::min(kAtOnce, pairs.size() - first));
    flows.clear();
    routes.clear();
    for (const Exchange& each : some)
      flows.push_back({NodeId(each.pair.first), NodeId(each.pair.second)});
    routing.route(flows, routes);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto links = routes.links(static_cast<std::int64_t>(i));
      const auto shares = routes.shares(static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j < links.size(); ++j) {
        traffic.bytes[links[j]] += some[i].bytes * (shares.empty() ? 1 : shares[j].to_double());
        if (shares.empty()) traffic.places[links[j]] += some[i].bytes * static_cast<double>(j + 1);
      }
    }
  }
}

// Of the pairs of two of these nodes, ascending.
TrafficLayer all_but(const TrafficLayer& layer, const std::vector<std::int32_t>& nodes) {
  TrafficLayer others;
  auto next = layer.begin();
  for (const std::int32_t from : nodes)
    for (const std::int32_t to : nodes) {
      if (from == to) continue;
      if (next != layer.end() && *next == Pair(from, to))
        ++next;
      else
        others.emplace_back(from, to);
    }
  return others;
}

class Layers {
 public:
  explicit Layers(std::vector<std::int32_t> nodes) : nodes_(std::move(nodes)) {}

  void add(const std::vector<Exchange>& step) {
    std::vector<double> bytes;
    for (const Exchange& each : step) bytes.push_back(each.bytes);
    const std::vector<std::int32_t> sizes = levels(bytes);
    std::map<std::int32_t, TrafficLayer> of_size;
    for (std::size_t i = 0; i < step.size(); ++i) of_size[sizes[i]].push_back(step[i].pair);
    for (auto& [size, layer] : of_size) keep(std::move(layer));
  }

  bool is_too_much() const { return copies_ > kMostCopies || arcs_ > kMostArcs; }
  std::vector<TrafficLayer> all() const { return {layers_.begin(), layers_.end()}; }

 private:
  void keep(TrafficLayer layer) {
    const std::int64_t agents = std::ssize(nodes_);
    if (2 * std::ssize(layer) > agents * (agents - 1)) layer = all_but(layer, nodes_);
    if (layer.empty()) return;
    const auto arcs = std::ssize(layer);
    if (!layers_.insert(std::move(layer)).second) return;
    copies_ += 2 * std::min(arcs, agents);
    arcs_ += arcs;
  }

  std::vector<std::int32_t> nodes_;  // with agents, ascending
  std::set<TrafficLayer> layers_;
  std::int64_t copies_ = 0, arcs_ = 0;
};

}  // namespace

std::optional<Traffic> traffic_of(const Program& program, const Network& network) {
  if (program.route_count() > 0 || network.routing().sees_whole_step() ||
      program.message_count() > kMostMessages)
    return std::nullopt;
  const std::vector<NodeId> nodes = program.nodes_on(network);
  std::vector<std::int32_t> with_agents;
  for (const NodeId node : nodes) with_agents.push_back(node.value());
  std::ranges::sort(with_agents);
  if (std::ranges::adjacent_find(with_agents) != with_agents.end()) return std::nullopt;
  Layers layers(std::move(with_agents));
  Traffic traffic{{},
                  IdVector<LinkId, double>(network.topology().link_count(), 0),
                  IdVector<LinkId, double>(network.topology().link_count(), 0)};
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    TimeLimit::check();
    program.step(t, step, program::Copies::left_out);
    const std::vector<Exchange> pairs =
        exchanges(step, IdSpan<program::Agent, const NodeId>(std::span(nodes)));
    layers.add(pairs);
    if (layers.is_too_much()) return std::nullopt;
    load(pairs, network.routing(), traffic);
  }
  traffic.layers = layers.all();
  return traffic;
}

void add_layers(const std::vector<TrafficLayer>& layers, std::int64_t first_colour,
                graph::ColouredGraph& shape) {
  const auto join = [&](int a, int b) {
    shape.add_arc(a, b);
    shape.add_arc(b, a);
  };
  std::int64_t colour = first_colour;
  for (const TrafficLayer& layer : layers) {
    std::map<std::int32_t, int> senders, receivers;
    const auto copy_of = [&](std::map<std::int32_t, int>& copies, std::int32_t node,
                             std::int64_t of_colour) {
      const auto [copy, is_new] = copies.try_emplace(node, shape.node_count());
      if (is_new) join(shape.add_node(of_colour), node);
      return copy->second;
    };
    for (const auto& [from, to] : layer)
      join(copy_of(senders, from, colour), copy_of(receivers, to, colour + 1));
    colour += 2;
  }
}

std::vector<std::int32_t> levels(const std::vector<double>& values) {
  constexpr double kAlike = 1.001;  // loads that rounding alone tells apart; no times that tie
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<std::int32_t> result(values.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    result[order[i]] =
        result[order[i - 1]] + (values[order[i]] > kAlike * values[order[i - 1]] ? 1 : 0);
  return result;
}

}  // namespace weft::advise
