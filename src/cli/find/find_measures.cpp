#include "cli/find/find_measures.hpp"

#include <cmath>

#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/question/machine_model.hpp"
#include "weft/question/members.hpp"
#include "weft/topology/fabric.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using search::FoundTopology;

// The model's time of an allgather: every step costs start-up and latency, all data T_B M / B.
struct Pricing {
  std::int64_t size_B = 0, egress_Bps = 0, latency_ps = 0;

  double time_s(const FoundTopology& line) const {
    return static_cast<double>(line.facts.steps) * static_cast<double>(latency_ps) *
               kSecondsPerPicosecond +
           line.facts.bandwidth_factor.to_double() * static_cast<double>(size_B) /
               static_cast<double>(egress_Bps);
  }
};

// All links alike, and what it takes to start a message.
std::optional<Pricing> make_pricing(const FindOptions& options) {
  if (options.size.empty()) return std::nullopt;
  const question::NetworkSpec spec = question::network_in(options.said.values);
  const LinkOptions& links = spec.links;
  if (options.said.machine)
    require(
        links.all.has_value(),
        "{} has no [links.all], and a network that is still to be found has one class of links; "
        "give --link in its place",
        options.said.machine->path);
  else
    require(links.by_class.empty(),
            "--link of class {}: a network that is still to be found has one class of links; write "
            "--link 25Gbps,10us",
            links.by_class.empty() ? "" : links.by_class.begin()->first);
  const LinkSpeed speed = links.all.value_or(LinkSpeed{});
  return Pricing{one_size(options.size), speed.bandwidth_Bps * options.degree(),
                 speed.latency_ps + spec.host.startup_ps + spec.host.startup_receive_ps};
}

flow::ThroughputOptions throughput_options(const FindOptions& options) {
  flow::ThroughputOptions limits;
  set_members(limits, question::throughput_members(), options.said.values);
  return limits;
}

std::int64_t useful_links(const Topology& topology) {
  std::int64_t count = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++count;
  return count;
}

KnownThroughput throughput_of(const std::string& expression, const Topology& topology,
                              const FindOptions& options, ThroughputCache& cache) {
  const flow::ThroughputOptions limits = throughput_options(options);
  if (const auto known = cache.find(expression, limits.gap)) return *known;
  const auto result = flow::all_to_all_throughput(topology, {}, limits);
  const KnownThroughput value{result.throughput, result.upper_bound};
  cache.add(expression, value);
  return value;
}

FoundMeasures measure(const FoundTopology& line, const FindOptions& options, bool distances,
                      ThroughputCache& cache) {
  const Topology topology = make_topology(line.expression);
  FoundMeasures result{.two_way = analysis::is_bidirectional(topology),
                       .ports = analysis::most_ports(topology)};
  if (!distances && !options.throughput) return result;
  const auto summary = analysis::summarize_distances(topology);
  result.diameter = summary.diameter();
  result.distance_bound =
      static_cast<double>(useful_links(topology)) / static_cast<double>(summary.sum());
  if (options.throughput)
    result.throughput = throughput_of(line.expression, topology, options, cache);
  return result;
}

}  // namespace

int FindOptions::degree() const {
  return static_cast<int>(
      std::get<std::int64_t>(question::canonical_value("degree", said.text("degree"))));
}

void check_measures(const FindOptions& options) {
  make_pricing(options);
  const double gap = throughput_options(options).gap;
  require(std::isfinite(gap) && gap >= 0, "--gap {} is no gap; 0.01 is one percent", gap);
}

MeasuredFronts measure_all(const FoundFronts& found, const FindOptions& options, bool distances) {
  const auto pricing = make_pricing(options);
  ThroughputCache cache(options.throughput ? cache_file("throughput.txt") : "");
  Progress progress("measuring", static_cast<std::int64_t>(found.size()));
  MeasuredFronts result;
  for (const search::FoundFront& size : found) {
    auto& lines = result.emplace_back();
    for (const FoundTopology& line : size.front) {
      lines.push_back(measure(line, options, distances, cache));
      if (pricing) lines.back().time_s = pricing->time_s(line);
    }
    progress.advance();
  }
  return result;
}

}  // namespace weft::cli
