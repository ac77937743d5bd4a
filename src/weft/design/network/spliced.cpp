// A regular network of N - 1 nodes and degree d has (N - 1) d / 2 cables. Where the last node is
// put into (d - 1) / 2 of them, all others keep their d cables and it has d - 1, so that one port
// is free, the least that is possible: N d is odd.
//
// Which cables matters: they share no end, or two cables would join the same nodes, and the less
// alike their ends are, the nearer the last node is to all. So cables are drawn, for each of the
// finder's networks and of random regular ones in turn, and what comes out is costed whole: the
// edit leaves no symmetry to do that by a part of the nodes. Where that takes too long, the first
// random one does.
#include "weft/design/network/spliced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "weft/algorithm/bfb.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/search/finder.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

namespace {

std::int64_t draws_of(int nodes, int ports) {
  constexpr std::int64_t kWork = std::int64_t{1} << 22;  // links that are looked at from all nodes
  constexpr std::int64_t kMost = 128;
  return std::clamp<std::int64_t>(kWork / (std::int64_t{nodes} * nodes * ports), 1, kMost);
}

CandidateNetwork random_base(int nodes, int ports, std::int64_t seed) {
  return {fmt::format("random-regular:{},{},seed={}", nodes, ports, seed),
          "random regular, spliced"};
}

// Of so many nodes, every port of which has a cable.
std::vector<CandidateNetwork> bases_of(int nodes, int ports, const search::Catalogue& catalogue,
                                       std::int64_t draws) {
  constexpr std::int64_t kDrawsOfBase = 8;
  std::vector<CandidateNetwork> bases;
  const auto found =
      search::find_topologies(catalogue, {.first_nodes = nodes,
                                          .last_nodes = nodes,
                                          .degree = ports,
                                          .direction = search::Direction::bidirectional});
  for (const search::FoundFront& size : found)
    for (const search::FoundTopology& line : size.front)
      if (line.idle_ports == 0) bases.push_back({line.expression, "spliced"});
  for (std::int64_t seed = 1; seed <= draws / kDrawsOfBase + 1; ++seed)
    bases.push_back(random_base(nodes, ports, seed));
  return bases;
}

// Cables no two of which share an end; fewer where the draw got stuck.
std::vector<std::int64_t> draw_apart(const Topology& base, int count, Rng rng) {
  std::vector<LinkId> order;
  for (const LinkId link : base.links())
    if (base.reverse(link) && link < *base.reverse(link)) order.push_back(link);
  rng.shuffle(order);
  IdVector<NodeId, char> is_end(base.node_count(), 0);
  std::vector<std::int64_t> drawn;
  for (const LinkId link : order) {
    const NodeId tail = base.tail(link), head = base.head(link);
    if (std::ssize(drawn) == count) break;
    if (is_end[tail] != 0 || is_end[head] != 0 || tail == head) continue;
    is_end[tail] = is_end[head] = 1;
    drawn.push_back(base.cable(link).value());
  }
  std::ranges::sort(drawn);
  return drawn;
}

// The base with one more node in so many cables, or nothing where too few lie apart.
std::optional<Topology> splice_into(const topology::BuiltTopology& base, int cut, Rng rng) {
  std::vector<std::int64_t> cables = draw_apart(base.topology, cut, rng);
  if (std::ssize(cables) < cut) return std::nullopt;
  return topology::splice_node({.links = {}, .cables = std::move(cables)}, base).topology;
}

std::optional<SplicedNetwork> cost_of(const Topology& spliced, const std::string& origin) {
  const analysis::DistanceSummary distances = analysis::summarize_distances(spliced);
  if (!distances.connected()) return std::nullopt;
  const algorithm::BfbCost cost = algorithm::bfb_cost(spliced);
  return SplicedNetwork{.topology = spliced.name(),
                        .origin = origin,
                        .bandwidth_factor = cost.exact_bandwidth_factor,
                        .steps = cost.steps,
                        .distances = distances.sum()};
}

// The best of each kind, the first of those that are as good.
std::vector<SplicedNetwork> best_of(const std::vector<SplicedNetwork>& drawn) {
  std::vector<SplicedNetwork> best;
  const auto add_least = [&](auto measures) {
    const SplicedNetwork& least = *std::ranges::min_element(drawn, {}, measures);
    if (std::ranges::count(best, least.topology, &SplicedNetwork::topology) == 0)
      best.push_back(least);
  };
  add_least(
      [](const SplicedNetwork& d) { return std::tuple(d.bandwidth_factor, d.steps, d.distances); });
  add_least(
      [](const SplicedNetwork& d) { return std::tuple(d.steps, d.bandwidth_factor, d.distances); });
  add_least(
      [](const SplicedNetwork& d) { return std::tuple(d.distances, d.bandwidth_factor, d.steps); });
  return best;
}

}  // namespace

std::vector<SplicedNetwork> spliced_networks(int nodes, int ports,
                                             const search::Catalogue& catalogue,
                                             std::int64_t draws) {
  WEFT_ASSERT(nodes % 2 == 1 && ports % 2 == 1 && ports >= 3 && nodes > ports + 1 && draws >= 1);
  const int cut = ports / 2;
  const std::vector<CandidateNetwork> bases = bases_of(nodes - 1, ports, catalogue, draws);
  std::vector<topology::BuiltTopology> built;
  built.reserve(bases.size());
  for (const CandidateNetwork& base : bases)
    built.push_back(topology::build_topology(base.topology));
  std::vector<std::optional<SplicedNetwork>> results(static_cast<std::size_t>(draws));
  parallel_for(draws, [&](std::int64_t i) {
    const auto draw = static_cast<std::size_t>(i), base = draw % bases.size();
    if (const auto spliced = splice_into(built[base], cut, Rng(1).split(draw)))
      results[draw] = cost_of(*spliced, bases[base].origin);
  });
  std::vector<SplicedNetwork> drawn;
  for (std::optional<SplicedNetwork>& each : results)
    if (each) drawn.push_back(*std::move(each));
  return drawn.empty() ? drawn : best_of(drawn);
}

std::vector<CandidateNetwork> spliced_candidates(int nodes, int ports,
                                                 const search::Catalogue& catalogue) {
  WEFT_ASSERT(nodes % 2 == 1 && ports % 2 == 1 && ports >= 3 && nodes > ports + 1);
  const std::int64_t draws = draws_of(nodes, ports);
  if (draws == 1) {
    const CandidateNetwork base = random_base(nodes - 1, ports, 1);
    const auto only = splice_into(topology::build_topology(base.topology), ports / 2, Rng(1));
    return only ? std::vector{CandidateNetwork{only->name(), base.origin}}
                : std::vector<CandidateNetwork>{};
  }
  std::vector<CandidateNetwork> candidates;
  for (const SplicedNetwork& spliced : spliced_networks(nodes, ports, catalogue, draws))
    candidates.push_back({spliced.topology, spliced.origin});
  return candidates;
}

}  // namespace weft::design
