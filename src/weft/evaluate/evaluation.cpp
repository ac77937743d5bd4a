#include "weft/evaluate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weft/analysis/bounds.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/bounds/port_bound.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/graph/sense.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/allocation.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/reach.hpp"

namespace weft::evaluate {

namespace {

// Links on the shortest way that data of a root has to take at least; rank 0 is the root where no
// rank is.
std::int64_t root_eccentricity(const Collective& collective, IdSpan<Rank, const NodeId> places,
                               const Topology& topology) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  const bool towards_root = traits.to_root();
  const NodeId root = places[collective.root];
  const auto distances = towards_root ? analysis::distances_to(topology, root)
                                      : analysis::distances_from(topology, root);
  const auto distance = [&](NodeId node) -> std::int64_t {
    require(distances[node.index()] != analysis::kUnreachable,
            "node {} and node {} of {} are not connected; a collective needs paths between all "
            "its ranks",
            root.value(), node.value(), topology.name());
    return distances[node.index()];
  };
  if (traits.between_two()) return distance(places[collective.peer]);
  std::int64_t farthest = 0;
  for (const NodeId node : places) farthest = std::max(farthest, distance(node));
  return farthest;
}

// On a Cayley graph with a rank on each node every rank sees what rank 0 sees.
bool one_root_tells_all(const Collective& collective, IdSpan<Rank, const NodeId> places,
                        const Topology& topology) {
  if (schedule::traits_of(collective.kind).by_pair() || topology.has_switches()) return false;
  const std::set<NodeId> distinct(places.begin(), places.end());
  return distinct.size() == static_cast<std::size_t>(topology.node_count()) &&
         topology::as_cayley(topology).has_value();
}

// Two places between which no way leads from the first to the second; nothing where there are none.
std::optional<std::pair<NodeId, NodeId>> parted(const Topology& topology,
                                                std::span<const NodeId> places) {
  WEFT_ASSERT(!places.empty());
  const NodeId first = places.front();
  const auto missed = [&](graph::Sense sense) {
    const auto search = topology::reached_from(topology, first, sense);
    return std::ranges::find_if_not(places,
                                    [&](NodeId place) { return search.reached(place.value()); });
  };
  if (const auto not_reached = missed(graph::Sense::along); not_reached != places.end())
    return std::pair(first, *not_reached);
  if (const auto not_back = missed(graph::Sense::against); not_back != places.end())
    return std::pair(*not_back, first);
  return std::nullopt;
}

// The most places that reach each other.
std::vector<NodeId> largest_part(const Topology& topology, std::span<const NodeId> places) {
  const std::set<NodeId> distinct(places.begin(), places.end());
  std::vector<NodeId> left(distinct.begin(), distinct.end()), largest;
  while (left.size() > largest.size()) {
    const auto from = topology::reached_from(topology, left.front(), graph::Sense::along);
    const auto to = topology::reached_from(topology, left.front(), graph::Sense::against);
    std::vector<NodeId> part, others;
    for (const NodeId place : left) {
      const bool is_both = from.reached(place.value()) && to.reached(place.value());
      (is_both ? part : others).push_back(place);
    }
    if (part.size() > largest.size()) largest = std::move(part);
    left = std::move(others);
  }
  return largest;
}

void require_all_reached(const Topology& topology, std::span<const NodeId> places) {
  const auto apart = parted(topology, places);
  if (!apart) return;
  constexpr std::size_t kLongest = 400;  // of what a line says
  const std::vector<NodeId> part = largest_part(topology, places);
  const std::string text = topology::hosts_text(topology, part);
  const bool is_told = part.size() > 1 && text.size() <= kLongest;
  reject(
      "{} is disconnected: node {} does not reach node {}; a collective needs paths "
      "between all its ranks ({})",
      topology.name(), topology::node_text(topology, apart->first),
      topology::node_text(topology, apart->second),
      is_told ? fmt::format("--hosts {} leaves out the disconnected hosts", text)
              : "use --hosts to leave some out");
}

// Bytes per second, by link.
std::vector<std::int64_t> capacities(const Network& network) {
  std::vector<std::int64_t> capacity;
  for (const LinkId link : network.topology().links())
    capacity.push_back(network.fabric().bandwidth_Bps(link));
  return capacity;
}

LowerBounds bounds_of_ports(const Collective& collective, const Network& network) {
  const Topology& topology = network.topology();
  LowerBounds bounds;
  bounds.bandwidth_factor = port_bound(collective, network);
  const std::int64_t nodes = topology.has_switches()
                                 ? static_cast<std::int64_t>(topology.switches().size())
                                 : topology.node_count();
  bounds.moore_steps = analysis::moore_steps(nodes, topology.nominal_degree());
  return bounds;
}

}  // namespace

analysis::CutQuestion cut_question(const Collective& collective, IdSpan<Rank, const NodeId> places,
                                   Combining combining) {
  using analysis::CutDemand;
  using analysis::CutDirection;
  WEFT_ASSERT(places.size() >= collective.ranks);
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  // Where ranks contribute to some results only, those of rank 0 go to all.
  const bool from_first = !collective.rooted() && !traits.is_among_all();
  analysis::CutQuestion question{.demand = traits.by_pair()  ? CutDemand::pairs
                                           : traits.splits() ? CutDemand::lacking
                                                             : CutDemand::whole};
  if (traits.ends_with_own() || traits.from_root() || traits.between_two() || from_first)
    question.direction = CutDirection::out_of;
  else if (traits.begins_with_own() || traits.to_root())
    question.direction = CutDirection::into;
  question.reduces_to_all = traits.reduces_to_all() && combining == Combining::at_ranks;
  if (collective.rooted() || from_first) question.root = places[collective.root];
  if (traits.between_two()) question.peer = places[collective.peer];
  return question;
}

std::optional<analysis::CutBound> cut_bound(const Collective& collective, const Network& network,
                                            Combining combining) {
  WEFT_ASSERT(collective.ranks <= network.ranks());
  const IdSpan<Rank, const NodeId> places(
      std::span(network.placement().nodes).first(collective.ranks));
  return analysis::cut_bound(network.topology(), places, capacities(network),
                             network.fabric().node_egress_Bps(),
                             cut_question(collective, places, combining));
}

void require_connected(const Network& network) {
  require_all_reached(network.topology(), network.placement().nodes);
}

LowerBounds lower_bounds(const Collective& collective, const Network& network, Cuts cuts,
                         Combining combining) {
  const Topology& topology = network.topology();
  WEFT_ASSERT(collective.ranks <= network.ranks());
  const IdSpan<Rank, const NodeId> places(
      std::span(network.placement().nodes).first(collective.ranks));
  const auto check_time = [&] {  // without cuts there is little to do
    if (cuts != Cuts::left_out) TimeLimit::check();
  };
  check_time();
  LowerBounds bounds = bounds_of_ports(collective, network);
  check_time();
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  if (!traits.is_among_all() || one_root_tells_all(collective, places, topology)) {
    bounds.steps = root_eccentricity(collective, places, topology);
  } else {
    const auto distances = analysis::summarize_distances(topology, places);
    if (!distances.connected())
      require_all_reached(topology, std::span(places.begin(), places.end()));
    bounds.steps = distances.diameter();
    if (traits.by_pair())
      bounds.bandwidth_factor =
          analysis::all_to_all_bound(topology, places, distances, capacities(network),
                                     network.fabric().node_egress_Bps())
              .value();
  }
  // A node sends and receives all that is summed once: 2 (N - 1) / N is 1 or more, if not 0.
  const bool sums_to_all = combining == Combining::in_network && traits.reduces_to_all();
  if (sums_to_all) bounds.bandwidth_factor = std::min(bounds.bandwidth_factor, Rational(1));
  WEFT_ASSERT(bounds.steps >= 0 && bounds.bandwidth_factor >= Rational(0));
  bounds.combining = combining;
  if (cuts == Cuts::left_out) return bounds;
  check_time();
  bounds.cut = cut_bound(collective, network, combining);
  TimeLimit::check();
  if (cuts == Cuts::taken || sums_to_all) return bounds;
  bounds.optimum = quick_optimum(collective, network, bounds);
  if (traits.by_pair() && bounds.optimum && all_hosts_pass(network))
    bounds.bandwidth_factor = std::max(bounds.bandwidth_factor, bounds.optimum->bandwidth_factor);
  return bounds;
}

double bytes_of_m(const Collective& collective, std::int64_t size_B) {
  return static_cast<double>(collective.total_bytes(size_B)) /
         static_cast<double>(collective.blocks()) * static_cast<double>(collective.blocks_in_m());
}

double least_time_s(const LowerBounds& bounds, const Collective& collective, const Network& network,
                    std::int64_t size_B) {
  WEFT_ASSERT(bounds.best_bandwidth >= 1);
  return time_of_factor_s(bounds.greatest().to_double(), collective, network, size_B) /
         bounds.best_bandwidth;
}

double time_of_factor_s(double bandwidth_factor, const Collective& collective,
                        const Network& network, std::int64_t size_B) {
  WEFT_ASSERT(bandwidth_factor >= 0);
  return bandwidth_factor * bytes_of_m(collective, size_B) /
         static_cast<double>(network.fabric().node_egress_Bps());
}

}  // namespace weft::evaluate
