#include "cli/find/find_measures.hpp"

#include "cli/options/options.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
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

// The machine's links, all alike, and what it takes to start a message.
void add_machine(const std::string& file, LinkSpeed& speed) {
  const auto machine = question::parse_machine_model(read_file(file), file);
  const question::NetworkSpec spec = question::network_in(machine.values);
  require(spec.links.all.has_value(),
          "{} has no [links.all], and a network that is still to be found has one class of links; "
          "give --link in its place",
          file);
  speed = *spec.links.all;
  speed.latency_ps += spec.host.startup_ps + spec.host.startup_receive_ps;
}

std::optional<Pricing> make_pricing(const FindOptions& options) {
  if (options.size.empty()) return std::nullopt;
  const std::size_t comma = options.link.find(',');
  require(comma != std::string::npos, "--link {} has no latency; write --link 25Gbps,10us",
          options.link);
  LinkSpeed speed{parse_bandwidth(std::string_view(options.link).substr(0, comma)),
                  parse_time(std::string_view(options.link).substr(comma + 1))};
  if (!options.machine.empty()) add_machine(options.machine, speed);
  return Pricing{one_size(options.size), speed.bandwidth_Bps * options.degree, speed.latency_ps};
}

std::int64_t useful_links(const Topology& topology) {
  std::int64_t count = 0;
  for (const LinkId link : topology.links())
    if (topology.tail(link) != topology.head(link)) ++count;
  return count;
}

KnownThroughput throughput_of(const std::string& expression, const Topology& topology,
                              const FindOptions& options, ThroughputCache& cache) {
  if (const auto known = cache.find(expression, options.gap)) return *known;
  const auto result = flow::all_to_all_throughput(
      topology, {}, {.gap = options.gap, .time_limit_s = parse_seconds(options.time_limit)});
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

void check_measures(const FindOptions& options) {
  make_pricing(options);
  parse_seconds(options.time_limit);
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
