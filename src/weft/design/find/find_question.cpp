#include "weft/design/find/find_question.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/base/work/stopwatch.hpp"
#include "weft/design/bounds/curve_steps.hpp"
#include "weft/design/find/alltoall_candidates.hpp"
#include "weft/design/find/degree.hpp"
#include "weft/design/find/fronts.hpp"
#include "weft/design/find/throughput_cache.hpp"
#include "weft/design/find/useful_links.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {

namespace {

using search::FoundTopology;

std::vector<std::int64_t> read_sizes_of_networks(std::string_view, std::string_view text) {
  std::vector<std::int64_t> all =
      parse_counts(std::string(text), "nodes", 2, std::numeric_limits<int>::max());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}
Value show_sizes_of_networks(const std::vector<std::int64_t>& sizes) {
  return fmt::format("{}", fmt::join(sizes, ","));
}

constexpr auto kNodes =
    fields::field<read_sizes_of_networks, show_sizes_of_networks>("nodes", "")
        .helped("Number of nodes: 1024, a list, or a range such as 16:1024 (doubling) or 2..2000");
constexpr auto kPortsOfEach =
    kDegree.helped("Number of links that leave a node, which are its ports if cables are two-way");
constexpr auto kOneWay = fields::truth("one-way").helped(
    "Include networks of one-way links: fewer steps for twice the ports (d to send, d to receive)");
constexpr auto kObjective = fields::choice<parse_objective>("for", "allgather")
                                .helped(
                                    "Goal of the search: allgather (fewest steps, then lowest T_B) "
                                    "or alltoall (highest throughput)");
constexpr auto kThroughput =
    fields::truth("throughput").helped("Print the all-to-all throughput of every network");
constexpr auto kDistances =
    fields::truth("distances")
        .helped("Print diameter and distance bound for a range of sizes, too");
constexpr auto kAllgatherSize =
    fields::bytes("size", "")
        .helped("Size of an allgather over all nodes, such as 1MiB; adds its time [none]");
constexpr auto kSteps = kCurveSteps.helped(
    "Numbers of steps, such as 3..8 or 3.. (and three more), for one size; prints bound and best "
    "schedule of each network [none]");

std::optional<AllgatherTime> allgather_time(const FindQuestion& asked) {
  if (!asked.size_B) return std::nullopt;
  const LinkOptions& links = asked.network.links;
  require(links.by_class.empty(),
          "--link of class {}: weft find supports one class of links; write --link 25Gbps,10us",
          links.by_class.empty() ? "" : links.by_class.begin()->first);
  const LinkSpeed speed = links.all.value_or(LinkSpeed{});
  const HostParameters& host = asked.network.host;
  return AllgatherTime{.step_ps = speed.latency_ps + host.latency_ps + network::startups_ps(host),
                       .size_B = *asked.size_B,
                       .egress_Bps = speed.bandwidth_Bps * asked.degree};
}

// A ranking takes many throughputs that are near each other. Exact methods take seconds for each
// network of 64 nodes without symmetry, the approximate one a tenth of a second for a narrow gap.
flow::ThroughputOptions limits_of(const FindQuestion& asked, int nodes) {
  constexpr int kMostExactNodes = 32, kMostNarrowNodes = 256;
  constexpr double kNarrowGap = 0.002;
  flow::ThroughputOptions limits = asked.limits;
  if (asked.objective != FindObjective::alltoall || nodes <= kMostExactNodes) return limits;
  limits.method = flow::ThroughputMethod::approximate;
  if (nodes <= kMostNarrowNodes) limits.gap = std::min(limits.gap, kNarrowGap);
  return limits;
}

// The throughputs that were found before, and the time that all lines share for theirs.
struct Throughputs {
  ThroughputCache& kept;
  Stopwatch watch;  // since the command began
  std::int64_t lines_left = 0;
  bool found = false;  // one of a line

  /// What a line may take of the time that is left; none is left where that is 0. The first has
  /// some of any.
  double share_s(double all_s) {
    constexpr double kLeast_s = 1e-6;
    const double left_s =
        std::max(found ? 0.0 : std::min(kLeast_s, all_s), all_s - watch.seconds());
    return left_s / static_cast<double>(lines_left--);
  }
};

void add_throughput(FoundNetwork& network, const Topology& topology, const FindQuestion& asked,
                    Throughputs& throughputs) {
  const std::string& expression = network.line.expression;
  flow::ThroughputOptions limits = limits_of(asked, topology.node_count());
  if (asked.throughputs_s) limits.time_limit_s = throughputs.share_s(*asked.throughputs_s);
  ThroughputCache& kept = throughputs.kept;
  network.throughput = kept.find(expression, limits.gap);
  network.throughput_was_stored = network.throughput.has_value();
  if (network.throughput) return;
  if (asked.throughputs_s && limits.time_limit_s <= 0) {
    network.throughput = {0, *network.distance_bound};
    return;
  }
  throughputs.found = true;
  const auto result = flow::all_to_all_throughput(topology, {}, limits);
  network.throughput = {result.throughput, result.upper_bound};
  if (result.has_flow()) kept.add(expression, *network.throughput);
}

FoundNetwork measured(const FoundTopology& line, const FindQuestion& asked, Throughputs& kept) {
  const Topology topology = make_topology(line.expression);
  FoundNetwork network{.line = line,
                       .two_way = analysis::is_bidirectional(topology),
                       .ports = analysis::most_ports(topology)};
  if (const auto time = allgather_time(asked)) network.time_s = time->of_s(line);
  if (!asked.single() && !asked.distances && !asked.wants_throughput()) return network;
  const auto distances = analysis::summarize_distances(topology);
  network.diameter = distances.diameter();
  network.distance_bound =
      static_cast<double>(useful_links(topology)) / static_cast<double>(distances.sum());
  if (asked.wants_throughput()) add_throughput(network, topology, asked, kept);
  return network;
}

std::vector<StepPoint> curve_of(const FoundTopology& line, const CountRange& steps,
                                double time_limit_s) {
  NetworkSpec spec;
  spec.topology = line.expression;
  const Network network = fields::make_network(spec, build_topology(line.expression), {});
  const Collective collective = schedule::allgather(network.ranks());
  const auto least = static_cast<int>(lower_bounds(collective, network).steps);
  if (least > steps.last) return {};
  return step_curve(collective, network, evaluate::optimum(collective, network),
                    {std::max(least, steps.first), steps.last}, "", time_limit_s)
      .points;
}

void add_curves(std::vector<FoundNetwork>& front, const CountRange& steps) {
  constexpr double kMostSeconds = 60;  // of all bounds
  Progress progress("looking for schedules", std::ssize(front));
  for (FoundNetwork& network : front) {
    network.curve = curve_of(network.line, steps, kMostSeconds / static_cast<double>(front.size()));
    progress.advance();
  }
}

// Rings take two ports of every node, so that from there on every size can be wired.
std::optional<FindBounds> bounds_of(const FoundSize& size, const FindQuestion& asked) {
  if (asked.degree < 2 && size.leaves_ports_idle) return std::nullopt;
  const auto degree = static_cast<int>(asked.degree);
  return FindBounds{
      .steps = search::moore_steps(size.nodes, degree, asked.direction()),
      .bandwidth_factor = Rational(size.nodes - 1, size.nodes),
      .throughput = search::throughput_bound(size.nodes, degree, asked.direction()).to_double()};
}

// Whether both are one network under other numbers; of large ones only whether they have one name.
bool are_same(const FoundNetwork& a, const FoundNetwork& b) {
  constexpr int kMostNodes = 512;
  if (a.line.expression == b.line.expression) return true;
  if (a.distance_bound != b.distance_bound || a.diameter != b.diameter) return false;
  const Topology one = make_topology(a.line.expression), other = make_topology(b.line.expression);
  return one.node_count() <= kMostNodes && analysis::are_isomorphic(one, other);
}

// The highest throughput first; of equals the fewest steps. Networks that are the same under other
// numbers appear once.
void rank_for_alltoall(std::vector<FoundNetwork>& front) {
  constexpr std::size_t kMostLines = 8;
  const auto steps = [](const FoundNetwork& network) {
    constexpr auto kUnknown = std::numeric_limits<std::int64_t>::max();
    return network.line.facts.steps > 0 ? network.line.facts.steps : kUnknown;
  };
  std::ranges::stable_sort(front, [&](const FoundNetwork& a, const FoundNetwork& b) {
    return std::pair(-a.throughput->throughput, steps(a)) <
           std::pair(-b.throughput->throughput, steps(b));
  });
  std::vector<FoundNetwork> best;
  for (FoundNetwork& network : front) {
    if (best.size() == kMostLines) break;
    const auto same = [&](const FoundNetwork& other) { return are_same(other, network); };
    if (std::ranges::none_of(best, same)) best.push_back(std::move(network));
  }
  front = std::move(best);
}

FoundSize measured(const search::FoundFront& found, const FindQuestion& asked, Throughputs& kept) {
  const auto degree = static_cast<int>(asked.degree);
  FoundSize size{.nodes = found.nodes,
                 .nearest_without_idle =
                     search::nearest_feasible_nodes(found.nodes, degree, asked.direction())};
  size.leaves_ports_idle = size.nearest_without_idle != found.nodes;
  size.bounds = bounds_of(size, asked);
  for (const FoundTopology& line : found.front) size.front.push_back(measured(line, asked, kept));
  if (asked.objective == FindObjective::alltoall) rank_for_alltoall(size.front);
  return size;
}

FindAnswer measured(const std::vector<search::FoundFront>& fronts, const FindQuestion& asked,
                    const Stopwatch& watch) {
  ThroughputCache cache(asked.wants_throughput() ? asked.kept_throughputs : "");
  Throughputs kept{.kept = cache, .watch = watch};
  for (const search::FoundFront& front : fronts) kept.lines_left += std::ssize(front.front);
  Progress progress("measuring", std::ssize(fronts));
  FindAnswer answer;
  for (const search::FoundFront& front : fronts) {
    answer.sizes.push_back(measured(front, asked, kept));
    progress.advance();
  }
  if (asked.steps) add_curves(answer.sizes.front().front, *asked.steps);
  return answer;
}

}  // namespace

FindObjective parse_objective(std::string_view name) {
  using schedule::CollectiveKind;
  const CollectiveKind kind = schedule::parse_collective(name);
  require(kind == CollectiveKind::allgather || kind == CollectiveKind::alltoall,
          "invalid --for value '{}' (expected 'allgather' or 'alltoall')", name);
  return kind == CollectiveKind::alltoall ? FindObjective::alltoall : FindObjective::allgather;
}

std::string_view name_of(FindObjective objective) {
  return objective == FindObjective::alltoall ? "alltoall" : "allgather";
}

std::span<const Member<FindQuestion>> find_members() {
  static constexpr std::array kMembers = {fields::kMember<kNodes, &FindQuestion::nodes>,
                                          fields::kMember<kPortsOfEach, &FindQuestion::degree>,
                                          fields::kMember<kOneWay, &FindQuestion::one_way>,
                                          fields::kMember<kObjective, &FindQuestion::objective>,
                                          fields::kMember<kThroughput, &FindQuestion::throughput>,
                                          fields::kMember<kDistances, &FindQuestion::distances>,
                                          fields::kMember<kAllgatherSize, &FindQuestion::size_B>,
                                          fields::kMember<kSteps, &FindQuestion::steps>};
  return kMembers;
}

double AllgatherTime::of_s(std::int64_t steps, double bandwidth_factor) const {
  return static_cast<double>(steps) * static_cast<double>(step_ps) * kSecondsPerPicosecond +
         bandwidth_factor * static_cast<double>(size_B) / static_cast<double>(egress_Bps);
}
double AllgatherTime::of_s(const FoundTopology& line) const {
  return of_s(line.facts.steps, line.facts.bandwidth_factor.to_double());
}

bool FindAnswer::none() const {
  return std::ranges::all_of(sizes, [](const FoundSize& size) { return size.front.empty(); });
}

void require_findable(const FindQuestion& asked) {
  allgather_time(asked);
  if (asked.objective == FindObjective::alltoall) {
    require(!asked.size_B, "--size applies to allgather; remove it with --for alltoall");
    require(!asked.steps, "--steps applies to allgather; remove it with --for alltoall");
    require(asked.nodes.size() <= kFewSizes,
            "--for alltoall supports up to {} sizes, not {}; name fewer with --nodes", kFewSizes,
            asked.nodes.size());
  }
  require(!asked.steps || (asked.single() && asked.nodes.front() <= kMostCurveNodes),
          "--steps supports one size of up to {} nodes, not {}; for one network, use weft "
          "optimum allgather -t NETWORK --steps",
          kMostCurveNodes,
          asked.single() ? fmt::format("{}", asked.nodes.front())
                         : fmt::format("{} sizes", asked.nodes.size()));
}

FindAnswer find(const FindQuestion& asked, const search::Catalogue& catalogue) {
  const Stopwatch watch;
  require_findable(asked);
  auto fronts = known_fronts(asked, catalogue);
  if (asked.objective == FindObjective::alltoall)
    for (search::FoundFront& front : fronts)
      front.front = alltoall_candidates(front, asked, catalogue).lines;
  return measured(fronts, asked, watch);
}

FindAnswer find_with_search(const FindQuestion& asked, search::Catalogue& catalogue) {
  if (asked.objective == FindObjective::alltoall) return find(asked, catalogue);
  const Stopwatch watch;
  require_findable(asked);
  auto fronts = known_fronts(asked, catalogue);
  const auto search = search_where_far(asked, catalogue, fronts);
  FindAnswer answer = measured(fronts, asked, watch);
  answer.search = search;
  return answer;
}

}  // namespace weft::design
