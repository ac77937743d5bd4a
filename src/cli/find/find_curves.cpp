#include "cli/find/find_curves.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/question/optimum.hpp"
#include "weft/question/step_curve.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

constexpr int kMostNodes = 128;  // minutes for a few times as many

std::vector<question::StepPoint> points_of(const search::FoundTopology& line,
                                           const CountRange& steps, double time_limit_s) {
  question::NetworkSpec spec;
  spec.topology = line.expression;
  const Network network = question::make_network(spec, build_topology(line.expression), {});
  const Collective collective = schedule::allgather(network.ranks());
  const auto least = static_cast<int>(question::lower_bounds(collective, network).steps);
  if (least > steps.last) return {};
  return question::step_curve(collective, network, question::optimum(collective, network),
                              {std::max(least, steps.first), steps.last}, "", time_limit_s)
      .points;
}

}  // namespace

void check_curves(const FindOptions& options, int first_nodes, int last_nodes) {
  require(options.steps_chart.empty() || !options.steps.empty(),
          "--steps-chart has no effect without --steps; write --steps 3..");
  if (options.steps.empty()) return;
  question::parse_steps(options.steps);
  require(options.csv.empty(),
          "--steps has no effect on the lines of --csv; leave it out, or take --json");
  require(first_nodes == last_nodes && last_nodes <= kMostNodes,
          "--steps serves one size of up to {} nodes, not {}; weft optimum allgather -t NETWORK "
          "--steps has the curve of one network",
          kMostNodes, options.nodes);
}

std::vector<NetworkCurve> curves_of(const search::FoundFront& found, const FindOptions& options) {
  constexpr double kMostSeconds = 60;  // of all bounds
  if (options.steps.empty()) return {};
  const CountRange steps = question::parse_steps(options.steps);
  Progress progress("looking for schedules", std::ssize(found.front));
  std::vector<NetworkCurve> curves;
  for (const search::FoundTopology& line : found.front) {
    const double time_limit_s = kMostSeconds / static_cast<double>(found.front.size());
    curves.push_back({line.expression, points_of(line, steps, time_limit_s)});
    progress.advance();
  }
  return curves;
}

}  // namespace weft::cli
