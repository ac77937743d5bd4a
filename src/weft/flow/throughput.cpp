#include "weft/flow/throughput.hpp"

#include <array>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/flow/certificate.hpp"
#include "weft/flow/exact_lp.hpp"
#include "weft/flow/flow_graph.hpp"

namespace weft::flow {

namespace {

constexpr std::array<std::string_view, 5> kNames{"auto", "exact", "cayley", "orbits",
                                                 "approximate"};

Throughput solve(const FlowGraph& graph, const ThroughputOptions&) {
  return throughput_by_lp(graph);
}

}  // namespace

std::string_view to_string(ThroughputMethod method) {
  return kNames[static_cast<std::size_t>(method)];
}

ThroughputMethod parse_throughput_method(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<ThroughputMethod>(i);
  const std::vector<std::string> known(kNames.begin(), kNames.end());
  reject("unknown method '{}'; {}", name, suggest(std::string(name), known));
}

Throughput all_to_all_throughput(const Topology& topology, std::span<const std::int64_t> capacity,
                                 const ThroughputOptions& options) {
  require(options.gap >= 0, "gap {} is negative; 0.01 stands for one percent", options.gap);
  require(options.time_limit_s > 0, "time limit {} s is not positive", options.time_limit_s);
  const FlowGraph graph = flow_graph(topology, capacity);
  Throughput result = solve(graph, options);
  const std::vector<std::int64_t> equal(graph.arcs(), 1);
  result.distance_bound = price_bound(graph, equal).value();
  result.hosts = static_cast<Int>(graph.hosts.size());
  return result;
}

}  // namespace weft::flow
