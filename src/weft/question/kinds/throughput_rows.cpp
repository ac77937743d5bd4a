// Rows of all-to-all throughput.
#include <limits>

#include "weft/analysis/bounds.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/base/units.hpp"
#include "weft/flow/throughput.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/row_measures.hpp"
#include "weft/question/setup.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

// What is certified within a time depends on the machine, and rows must not.
constexpr double kNoLimit_s = 1e8;

// No network of so many nodes and this degree has more: from each node d others are reached in one
// step at best, d^2 in two, and every unit takes a link for each step.
double moore_throughput(std::int64_t nodes, std::int64_t degree) {
  if (degree == 0) return 0;
  double distances = 0, at_this = 1;
  std::int64_t left = nodes - 1;
  for (std::int64_t distance = 1; left > 0; ++distance) {
    at_this = std::min(at_this * static_cast<double>(degree), static_cast<double>(left));
    distances += static_cast<double>(distance) * at_this;
    left -= static_cast<std::int64_t>(at_this);
  }
  return static_cast<double>(degree) / distances;
}

Value count_or_nothing(const std::optional<int>& count) {
  return count ? Value(std::int64_t{*count}) : Value();
}

}  // namespace

Values throughput_row(const Row& row) {
  const Values& parameters = row.parameters;
  const Topology topology = make_topology(text_in(parameters, "topology"));
  contents_of_files(row);
  const flow::ThroughputOptions options{
      .method = flow::parse_throughput_method(text_in(parameters, "method")),
      .gap = to_number(parameters.at("gap")).value(),
      .time_limit_s = kNoLimit_s};
  const flow::Throughput found = flow::all_to_all_throughput(topology, {}, options);
  const std::int64_t hosts = found.hosts, degree = topology.nominal_degree();
  const double moore = moore_throughput(hosts, degree);
  // A block for each host at rate f links of a node's d: M/B times d / (N f).
  const auto factor = [&](double throughput) {
    return static_cast<double>(degree) / (static_cast<double>(hosts) * throughput);
  };
  const double m_s = static_cast<double>(parse_size(text_in(parameters, "buffer"))) /
                     (static_cast<double>(degree) *
                      static_cast<double>(parse_bandwidth(text_in(parameters, "bandwidth"))));
  const auto distances = analysis::summarize_distances(topology);
  return {
      {"throughput", found.throughput},
      {"upper_bound", found.upper_bound},
      {"gap_reached", found.gap()},
      {"exact_throughput", found.exact ? Value(to_string(*found.exact)) : Value()},
      {"method_used", std::string(flow::to_string(found.method))},
      {"distance_bound", found.distance_bound},
      {"moore_bound", moore},
      {"excess", moore / found.throughput - 1},
      {"least_excess", moore / found.upper_bound - 1},
      {"hosts", hosts},
      {"degree", degree},
      {"diameter", std::int64_t{distances.diameter()}},
      {"moore_diameter", count_or_nothing(analysis::moore_steps(hosts, static_cast<int>(degree)))},
      {"bandwidth_factor", factor(found.throughput)},
      {"time", factor(found.throughput) * m_s},
      {"least_time", factor(found.upper_bound) * m_s},
      {"moore_time", factor(moore) * m_s}};
}

}  // namespace weft::question
