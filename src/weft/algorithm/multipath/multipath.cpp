// Multi-path: a message in parts over several paths, each with its own links.
//
// A shortest path leaves all but one of a node's links idle. Parts over k paths that share no link
// take about 1/k of the time when the message is large, and the further latency of the longer paths
// when it is small, so that the paths and shares that are best depend on the size. The paths are
// those of cheapest flows (cheapest_paths.hpp), the shares make all parts arrive together
// (shares.cpp): no way of sending the message is faster where the network switches through.
//
// multipath-forward is for networks whose nodes pass on whole messages: every hop is a send. There
// all parts move in step, so that equal links carry equal shares; segments make them a pipeline.
// Source: Pham, "Low-Latency Collective Communication for High-Performance Computing Networks", PhD
// thesis, SOKENDAI, 2026, section 3.3.
#include "weft/algorithm/multipath/multipath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "../entries.hpp"
#include "kautz_paths.hpp"
#include "shares.hpp"
#include "weft/base/error.hpp"
#include "weft/network/relay_search.hpp"

namespace weft::algorithm {

using flow::Path;
using flow::PathLimits;

namespace {

bool equally_fast(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links())
    if (fabric.speed(link) != fabric.speed(LinkId(0))) return false;
  return true;
}

/// The thesis's paths, as a set that flow would find; nothing on other networks.
std::optional<std::vector<Path>> paths_on_kautz(const Fabric& fabric, NodeId from, NodeId to,
                                                const PathLimits& limits) {
  const Topology& topology = fabric.topology();
  const auto kautz = topology::as_kautz(topology);
  if (!kautz || kautz->diameter != 2 || topology.has_switches() || !equally_fast(fabric))
    return std::nullopt;
  std::vector<Path> paths;
  for (auto& links : kautz_paths(topology, *kautz, from, to)) {
    const auto hops = static_cast<std::int64_t>(links.size());
    const auto [bandwidth_Bps, latency_ps] = fabric.speed(links.front());
    if (limits.most_paths > 0 && std::ssize(paths) == limits.most_paths) break;
    if (limits.most_hops > 0 && hops > limits.most_hops) break;  // none after it is shorter
    paths.push_back({std::move(links), bandwidth_Bps, hops * latency_ps});
  }
  return paths;
}

struct Ends {
  NodeId from, to;
};

Ends ends_of(const Collective& collective, const Network& network) {
  const auto& nodes = network.placement().nodes;
  return {nodes[collective.root.index()], nodes[collective.peer.index()]};
}

std::vector<std::vector<Path>> path_sets(const Collective& collective, const Network& network,
                                         PathLimits limits) {
  const auto [from, to] = ends_of(collective, network);
  const int ports = network.host().ports;
  if (ports > 0 && (limits.most_paths == 0 || ports < limits.most_paths)) limits.most_paths = ports;
  std::vector<std::vector<Path>> sets;
  if (auto paths = paths_on_kautz(network.fabric(), from, to, limits)) {
    if (!paths->empty()) sets.push_back(std::move(*paths));
  } else {
    sets = flow::cheapest_paths(network.fabric(), from, to, limits);
  }
  if (!sets.empty()) return sets;
  require(limits.most_hops == 0,
          "no path of at most {} hops leads from node {} to node {} of {}; raise --hops",
          limits.most_hops, from.value(), to.value(), network.topology().name());
  reject("node {} does not reach node {} of {}, so no path can be used", from.value(), to.value(),
         network.topology().name());
}

Split split_of(const std::vector<Path>& paths, std::optional<std::int64_t> size_B) {
  WEFT_ASSERT(!paths.empty());
  std::vector<SplitPath> ways;
  for (const Path& path : paths) ways.push_back({path.latency_ps, path.bandwidth_Bps});
  return best_split(ways, size_B);
}

void require_fit(const Collective& collective, const Network& network) {
  schedule::check(collective);
  const auto reason = multipath_misfit(collective, network);
  require(!reason, "multipath cannot run here ({})", reason.value_or(""));
}

}  // namespace

std::optional<std::string> multipath_misfit(const Collective& collective, const Network& network) {
  if (collective.root == collective.peer)
    return fmt::format("rank {} is both ends; paths lead from one rank to another",
                       collective.root.value());
  const auto [from, to] = ends_of(collective, network);
  if (from == to)
    return fmt::format("ranks {} and {} are both on node {}; paths lead from one node to another",
                       collective.root.value(), collective.peer.value(), from.value());
  const Topology& topology = network.topology();
  if (!topology.has_switches()) return std::nullopt;
  const topology::Passing passing(network.fabric());
  const network::RelayDistances distances(passing, to);
  if (distances[from] != network::RelayDistances::kNoWay && distances.relays(from) > 0)
    return fmt::format("only hosts join node {} to node {}; its paths lead through switches",
                       from.value(), to.value());
  return std::nullopt;
}

Schedule multipath(const Collective& collective, const Network& network,
                   const MultipathOptions& options) {
  require_fit(collective, network);
  std::vector<Path> paths;
  Split split;
  for (auto& set : path_sets(collective, network, options.limits)) {
    Split own = split_of(set, options.size_B);
    // Without a size all are done at once, as the bandwidth says; the sets grow.
    if (!paths.empty() && own.finish_ps >= split.finish_ps) continue;
    paths = std::move(set);
    split = std::move(own);
  }
  ScheduleBuilder builder(collective,
                          {.algorithm = "multipath", .units_per_block = split.units_per_block});
  std::int64_t first = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (split.units[i] == 0) continue;
    builder.at(0).send(collective.root, collective.peer, {first, split.units[i]}, Arrival::copy,
                       builder.add_route(paths[i].links));
    first += split.units[i];
  }
  return std::move(builder).build();
}

Schedule multipath_forward(const Collective& collective, const Network& network,
                           const MultipathOptions& options) {
  require_fit(collective, network);
  const std::vector<Path> paths = path_sets(collective, network, options.limits).back();
  const Split split = split_of(paths, std::nullopt);
  std::map<NodeId, Rank> rank_at;
  for (const Rank rank : ids<Rank>(network.ranks()))
    rank_at.emplace(network.placement().nodes[rank.index()], rank);
  rank_at[network.placement().nodes[collective.root.index()]] = collective.root;
  rank_at[network.placement().nodes[collective.peer.index()]] = collective.peer;
  const auto rank_on = [&](NodeId node) {
    const auto found = rank_at.find(node);
    require(found != rank_at.end(),
            "node {} of {} is on a path but has no rank to forward; use multipath", node.value(),
            network.topology().name());
    return found->second;
  };
  ScheduleBuilder builder(collective, {.algorithm = "multipath-forward",
                                       .units_per_block = split.units_per_block,
                                       .segments = {.count = options.segments, .stride = 1}});
  std::int64_t first = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (split.units[i] == 0) continue;
    std::int64_t step = 0;
    for (const LinkId link : paths[i].links)
      builder.at(step++).send(rank_on(network.topology().tail(link)),
                              rank_on(network.topology().head(link)), {first, split.units[i]},
                              Arrival::copy, builder.add_route(std::span(&link, 1)));
    first += split.units[i];
  }
  return std::move(builder).build();
}

namespace {

constexpr CountOption kPaths{{.name = "paths",
                              .what = "Maximum number of paths of multipath",
                              .least = 1,
                              .otherwise = "as many as reduce the time"}};
constexpr CountOption kHops{{.name = "hops",
                             .what = "Maximum number of links in a path of multipath",
                             .least = 1,
                             .otherwise = "no limit"}};

constexpr const char* kSource =
    "Pham, Low-Latency Collective Communication for High-Performance Computing Networks, 2026";

MultipathOptions options_of(const Context& context) {
  return {.limits = {.most_paths = static_cast<int>(kPaths.given(context.options).value_or(0)),
                     .most_hops = static_cast<int>(kHops.given(context.options).value_or(0))},
          .size_B = context.options.size_B,
          .segments = segments_in(context.options)};
}

std::optional<std::string> misfit(const Context& context) {
  if (context.network == nullptr) return "it needs a network";
  return multipath_misfit(context.collective, *context.network);
}

std::optional<std::string> forward_misfit(const Context& context) {
  if (auto reason = misfit(context)) return reason;
  const Topology& topology = context.network->topology();
  if (topology.has_switches()) return "it needs a network without switches";
  const auto& nodes = context.network->placement().nodes;
  if (std::set(nodes.begin(), nodes.end()).size() < topology.hosts().size())
    return "it needs a rank on every node, to forward; use multipath";
  return std::nullopt;
}

}  // namespace

Algorithm multipath_entry() {
  return {
      .name = "multipath",
      .aliases = {},
      .summary = "Parts of a message over edge-disjoint paths, in the best shares for its size",
      .source = kSource,
      .collectives = {CollectiveKind::point_to_point},
      .options = {kPaths, kHops, kRoutes},
      .misfit = misfit,
      .build =
          [](const Context& context) {
            return multipath(context.collective, *context.network, options_of(context));
          },
      .sized = true,
      .by_ports = true,
  };
}

Algorithm multipath_forward_entry() {
  return {
      .name = "multipath-forward",
      .aliases = {},
      .summary =
          "Parts in proportion to bandwidth over edge-disjoint paths, passed from rank to rank",
      .source = kSource,
      .collectives = {CollectiveKind::point_to_point},
      .options = {kSegments, kPaths, kHops, kRoutes},
      .misfit = forward_misfit,
      .build =
          [](const Context& context) {
            return multipath_forward(context.collective, *context.network, options_of(context));
          },
      .by_ports = true,
  };
}

}  // namespace weft::algorithm
