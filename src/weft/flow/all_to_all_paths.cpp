// Flows at the throughput, their average over the symmetry they were solved with, taken apart into
// paths, cut to units.
#include "weft/flow/all_to_all_paths.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/flow/all_to_all/flow_paths.hpp"
#include "weft/flow/all_to_all/shorter_paths.hpp"
#include "weft/flow/all_to_all/unit_shares.hpp"
#include "weft/flow/cayley_orbits.hpp"
#include "weft/flow/throughput/balance.hpp"
#include "weft/flow/throughput/cutting_planes.hpp"
#include "weft/flow/throughput/exact_lp.hpp"
#include "weft/flow/throughput/host_flows.hpp"

namespace weft::flow {

namespace {

constexpr double kMostAverageSteps = 4e9;   // pairs of hosts and arcs, times automorphisms
constexpr double kMostRoundedPaths = 20e6;  // over all numbers of units that are tried
constexpr std::int64_t kMostUnitsTried = 64;

using topology::CayleyView;

// Where one source and its translates are all: nodes are hosts, and the links of a generator alike.
std::optional<CayleyView> translated(const Topology& topology, const FlowGraph& graph,
                                     const AllToAllQuestion& question) {
  if (topology.has_switches() || std::ssize(graph.hosts) != topology.node_count() ||
      !has_equal_ranks(graph))
    return std::nullopt;
  auto view = topology::as_cayley(topology);
  if (!view || question.capacity.empty()) return view;
  for (const LinkId link : topology.links())
    if (question.capacity[link.index()] !=
        question.capacity[view->link(NodeId(0), view->generator(link)).index()])
      return std::nullopt;
  return view;
}

// Taking inverses, about the node that stays.
std::vector<Int> inversion(const CayleyView& view, Int nodes, Int fixed) {
  const Group& group = view.group();
  const Group::Element centre = view.element(NodeId(fixed));
  const Group::Element twice = group.multiply(centre, centre);
  std::vector<Int> images;
  for (Int node = 0; node < nodes; ++node)
    images.push_back(
        view.node(group.multiply(twice, group.inverse(view.element(NodeId(node))))).value());
  return images;
}

struct Solved {
  Throughput throughput;
  HostFlows flows;
};

Solved solve_translated(const FlowGraph& graph, const ArcOrbits& orbits, const CayleyView& view,
                        const Topology& topology, const AllToAllQuestion& question) {
  Found found = throughput_by_orbits(graph, orbits, question.throughput);
  found.throughput.method = ThroughputMethod::cayley;
  std::vector<std::vector<Int>> moves;
  if (inverts(view)) moves.push_back(inversion(view, graph.nodes, orbits.sources[0].host));
  return {found.throughput,
          flows_of_source(graph, orbits, found, moves, topology, question.capacity)};
}

// Exact prices of so many orbits take seconds where there are many hosts; a flow within the gap is
// there in a tenth of one.
bool is_slow_to_find(const FlowGraph& graph, const ArcOrbits& orbits) {
  constexpr Int kMostExactOrbits = 64;
  constexpr std::int64_t kFewFlows = 5000;
  return orbits.count > kMostExactOrbits && lp_variables(graph) > kFewFlows;
}

Solved solve_all(const FlowGraph& graph, const Topology& topology,
                 const AllToAllQuestion& question) {
  std::vector<std::vector<Int>> moves = automorphisms(graph);
  if (static_cast<double>(moves.size()) * static_cast<double>(lp_variables(graph)) >
      kMostAverageSteps)
    moves.clear();
  const ArcOrbits orbits = orbits_under(graph, moves);
  const Found found = is_slow_to_find(graph, orbits)
                          ? throughput_by_balance(graph, orbits, question.throughput)
                          : find_throughput(graph, orbits, question.throughput);
  return {found.throughput, flows_of_all(graph, orbits, found, moves, topology, question.capacity)};
}

std::vector<FlowPath> all_paths(const FlowGraph& graph, const Topology& topology, HostFlows flows) {
  WEFT_ASSERT(flows.parts.size() == flows.sources.size());
  std::vector<std::vector<FlowPath>> of_source(flows.sources.size());
  Progress progress("paths", static_cast<std::int64_t>(of_source.size()));
  parallel_for(static_cast<std::int64_t>(of_source.size()), [&](std::int64_t i) {
    of_source[i] =
        paths_of(graph, topology, flows.sources[i], flows.demand, std::move(flows.parts[i]));
    progress.advance();
  });
  std::vector<FlowPath> paths;
  for (auto& own : of_source)
    paths.insert(paths.end(), std::make_move_iterator(own.begin()),
                 std::make_move_iterator(own.end()));
  return paths;
}

LoadClasses load_classes(const Topology& topology, const std::optional<CayleyView>& view,
                         std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(capacity.empty() || std::ssize(capacity) == topology.link_count());
  LoadClasses classes;
  const auto count = static_cast<std::size_t>(view ? view->degree() : topology.link_count());
  classes.capacity.assign(count, 1);
  for (const LinkId link : topology.links()) {
    classes.of_link.push_back(view ? view->generator(link) : link.value());
    if (!capacity.empty()) classes.capacity[classes.of_link.back()] = capacity[link.index()];
  }
  WEFT_ASSERT(std::ssize(classes.of_link) == topology.link_count());
  return classes;
}

// Those up to the limit that are worth a try where no number of units is exact: all of few, else
// some evenly spaced, as many as take a moment.
std::vector<std::int64_t> numbers_of_units(const AllToAllQuestion& question, std::size_t paths) {
  const std::int64_t most = question.most_units;
  if (question.exactly_so_many) return {most};
  const auto tries = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(kMostRoundedPaths / static_cast<double>(paths)), 1,
      std::min(kMostUnitsTried, most));
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 1; i <= tries; ++i)
    numbers.push_back(most / tries * i + most % tries * i / tries);
  return numbers;
}

void cut(const Topology& topology, std::span<FlowPath> paths, const LoadClasses& classes,
         const AllToAllQuestion& question, AllToAllPaths& result) {
  const std::int64_t exact = question.exactly_so_many ? 0 : exact_units(paths, question.most_units);
  const auto numbers =
      exact > 0 ? std::vector<std::int64_t>{exact} : numbers_of_units(question, paths.size());
  UnitShares best;
  for (const std::int64_t units : numbers) {
    UnitShares shares = shares_in_units(paths, classes, units);
    if (!best.units.empty() && shares.largest_load >= best.largest_load) continue;
    best = std::move(shares);
    result.units_per_pair = units;
  }
  std::vector<SharedPath> kept;
  for (std::size_t p = 0; p < paths.size(); ++p)
    if (best.units[p] > 0)
      kept.push_back({paths[p].from, paths[p].to, best.units[p], std::move(paths[p].links)});
  result.paths = shorter_paths(topology, classes, std::move(kept));
}

}  // namespace

AllToAllPaths all_to_all_paths(const Topology& topology, const AllToAllQuestion& question) {
  require(question.most_units >= 1, "{} units of a pair are too few (needs 1 or more)",
          question.most_units);
  const FlowGraph graph = flow_graph(topology, question.capacity, question.places);
  std::optional<CayleyView> view = translated(topology, graph, question);
  const auto orbits = view ? cayley_orbits(topology, graph) : std::nullopt;
  if (!orbits) view.reset();
  Solved solved = view ? solve_translated(graph, *orbits, *view, topology, question)
                       : solve_all(graph, topology, question);
  AllToAllPaths result;
  result.throughput = solved.throughput;
  result.throughput.hosts = static_cast<std::int32_t>(graph.hosts.size());
  result.throughput.ranks = all_ranks(graph);
  result.throughput.distance_bound =
      distance_bound(graph, orbits ? *orbits : trivial_orbits(graph));
  result.of_one_source = view.has_value();
  std::vector<FlowPath> paths = all_paths(graph, topology, std::move(solved.flows));
  cut(topology, paths, load_classes(topology, view, question.capacity), question, result);
  return result;
}

}  // namespace weft::flow
