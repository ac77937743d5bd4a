#include "weft/question/find/find_question.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/evaluate/evaluation.hpp"
#include "weft/evaluate/optimum.hpp"
#include "weft/question/bounds/curve_steps.hpp"
#include "weft/question/find/degree.hpp"
#include "weft/question/find/throughput_cache.hpp"
#include "weft/question/run_fields.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

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
    field<read_sizes_of_networks, show_sizes_of_networks>("nodes", "")
        .helped("How many nodes: 1024, a list, or a range: 16:1024 (doubling), 2..2000");
constexpr auto kPortsOfEach =
    kDegree.helped("Links that leave a node: its ports, where cables are two-way");
constexpr auto kOneWay = truth("one-way").helped(
    "Networks of one-way links too: fewer steps, for twice the ports (d to send, d to "
    "receive)");
constexpr auto kThroughput = truth("throughput").helped("All-to-all throughput of every line");
constexpr auto kDistances =
    truth("distances").helped("Diameter and distance bound for a range of sizes too");
constexpr auto kAllgatherSize =
    bytes("size", "").helped("Adds the time of an allgather of so many bytes in all: 1MiB");
constexpr auto kSteps = kCurveSteps.helped(
    "Of one size: for each number of steps, 3..8 or 3.. (and three more), the bound on T_B and the "
    "best schedule known on each network");

std::optional<AllgatherTime> allgather_time(const FindAsked& asked) {
  if (!asked.size_B) return std::nullopt;
  const LinkOptions& links = asked.network.links;
  require(links.by_class.empty(),
          "--link of class {}: a network that is still to be found has one class of links; write "
          "--link 25Gbps,10us",
          links.by_class.empty() ? "" : links.by_class.begin()->first);
  const LinkSpeed speed = links.all.value_or(LinkSpeed{});
  const HostParameters& host = asked.network.host;
  return AllgatherTime{.step_ps = speed.latency_ps + host.startup_ps + host.startup_receive_ps,
                       .size_B = *asked.size_B,
                       .egress_Bps = speed.bandwidth_Bps * asked.degree};
}

std::int64_t useful_links(const Topology& topology) {
  std::int64_t count = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++count;
  return count;
}

void add_throughput(FoundNetwork& network, const Topology& topology, const FindAsked& asked,
                    ThroughputCache& kept) {
  const std::string& expression = network.line.expression;
  network.throughput = kept.find(expression, asked.limits.gap);
  network.throughput_was_stored = network.throughput.has_value();
  if (network.throughput) return;
  const auto result = flow::all_to_all_throughput(topology, {}, asked.limits);
  network.throughput = {result.throughput, result.upper_bound};
  if (result.has_flow()) kept.add(expression, *network.throughput);
}

FoundNetwork measured(const FoundTopology& line, const FindAsked& asked, ThroughputCache& kept) {
  const Topology topology = make_topology(line.expression);
  FoundNetwork network{.line = line,
                       .two_way = analysis::is_bidirectional(topology),
                       .ports = analysis::most_ports(topology)};
  if (const auto time = allgather_time(asked)) network.time_s = time->of_s(line);
  if (!asked.single() && !asked.distances && !asked.throughput) return network;
  const auto distances = analysis::summarize_distances(topology);
  network.diameter = distances.diameter();
  network.distance_bound =
      static_cast<double>(useful_links(topology)) / static_cast<double>(distances.sum());
  if (asked.throughput) add_throughput(network, topology, asked, kept);
  return network;
}

std::vector<StepPoint> curve_of(const FoundTopology& line, const CountRange& steps,
                                double time_limit_s) {
  NetworkSpec spec;
  spec.topology = line.expression;
  const Network network = make_network(spec, build_topology(line.expression), {});
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
std::optional<FindBounds> bounds_of(const FoundSize& size, const FindAsked& asked) {
  if (asked.degree < 2 && size.leaves_ports_idle) return std::nullopt;
  const auto degree = static_cast<int>(asked.degree);
  return FindBounds{
      .steps = search::moore_steps(size.nodes, degree, asked.direction()),
      .bandwidth_factor = Rational(size.nodes - 1, size.nodes),
      .throughput = search::throughput_bound(size.nodes, degree, asked.direction()).to_double()};
}

FoundSize measured(const search::FoundFront& found, const FindAsked& asked, ThroughputCache& kept) {
  const auto degree = static_cast<int>(asked.degree);
  FoundSize size{.nodes = found.nodes,
                 .nearest_without_idle =
                     search::nearest_feasible_nodes(found.nodes, degree, asked.direction())};
  size.leaves_ports_idle = size.nearest_without_idle != found.nodes;
  size.bounds = bounds_of(size, asked);
  for (const FoundTopology& line : found.front) size.front.push_back(measured(line, asked, kept));
  return size;
}

}  // namespace

std::span<const Member<FindAsked>> find_members() {
  static constexpr std::array kMembers = {
      kMember<kNodes, &FindAsked::nodes>,         kMember<kPortsOfEach, &FindAsked::degree>,
      kMember<kOneWay, &FindAsked::one_way>,      kMember<kThroughput, &FindAsked::throughput>,
      kMember<kDistances, &FindAsked::distances>, kMember<kAllgatherSize, &FindAsked::size_B>,
      kMember<kSteps, &FindAsked::steps>};
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

void require_findable(const FindAsked& asked) {
  allgather_time(asked);
  const double gap = asked.limits.gap;
  require(std::isfinite(gap) && gap >= 0, "--gap {} is no gap; 0.01 is one percent", gap);
  require(!asked.steps || (asked.single() && asked.nodes.front() <= kMostCurveNodes),
          "--steps serves one size of up to {} nodes, not {}; weft optimum allgather -t NETWORK "
          "--steps has the curve of one network",
          kMostCurveNodes,
          asked.single() ? fmt::format("{}", asked.nodes.front())
                         : fmt::format("{} sizes", asked.nodes.size()));
}

FindAnswer find(const FindAsked& asked, const search::Catalogue& catalogue) {
  require_findable(asked);
  auto found =
      search::find_topologies(catalogue, {.first_nodes = static_cast<int>(asked.nodes.front()),
                                          .last_nodes = static_cast<int>(asked.nodes.back()),
                                          .degree = static_cast<int>(asked.degree),
                                          .direction = asked.direction()});
  // A list or a doubling range leaves sizes between out.
  std::erase_if(found, [&](const search::FoundFront& front) {
    return !std::ranges::binary_search(asked.nodes, std::int64_t{front.nodes});
  });
  ThroughputCache kept(asked.throughput ? asked.kept_throughputs : "");
  Progress progress("measuring", std::ssize(found));
  FindAnswer answer;
  for (const search::FoundFront& front : found) {
    answer.sizes.push_back(measured(front, asked, kept));
    progress.advance();
  }
  if (asked.steps) add_curves(answer.sizes.front().front, *asked.steps);
  return answer;
}

}  // namespace weft::question
