#include "weft/analysis/forwarding_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "weft/analysis/forwarding/engine_fits.hpp"
#include "weft/analysis/forwarding/other_engines.hpp"
#include "weft/analysis/forwarding/switch_net.hpp"
#include "weft/analysis/forwarding/table_traffic.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/cables.hpp"
#include "weft/topology/facets.hpp"

namespace weft::analysis {

namespace {

// Adds what measure() leaves out.
void finish(const SwitchNet& net, const Destinations& to, const Columns& columns,
            std::int64_t most_walks, Measured& measured) {
  for (const std::int32_t channel : shortest_loop(net, measured.turns))
    measured.traffic.credit_loop.push_back(net.link[channel]);
  measure_shifts(net, to, columns, most_walks, measured.traffic);
}

}  // namespace

TableTraffic traffic_of(const SwitchNet& net, const Destinations& to, const Columns& columns,
                        std::int64_t most_walks) {
  Measured measured = measure(net, to, columns, false);
  finish(net, to, columns, most_walks, measured);
  return std::move(measured.traffic);
}

ForwardingReport forwarding_report(const Topology& topology, const ForwardingOptions& options) {
  WEFT_ASSERT(topology.facets().tables != nullptr);
  const topology::ForwardingTables& tables = *topology.facets().tables;
  const SwitchNet net(topology);
  const Columns columns = columns_of(net, tables);
  const Destinations to = destinations_of(net, tables, columns);
  Measured measured = measure(net, to, columns, true);
  finish(net, to, columns, options.most_walks, measured);
  ForwardingReport report;
  const auto even = std::ranges::max_element(measured.even);
  if (even != measured.even.end() && *even > 0) {
    report.even = *even;
    report.even_link = net.link[even - measured.even.begin()];
  }
  report.has_choice = has_choice(net, to);
  report.fits = engine_fits(net, to, columns, measured.turns, measured.traffic.minimal());
  for (const EngineFit& each : report.fits)
    if (each.fits) report.engines.push_back(each.name);
  report.traffic = std::move(measured.traffic);
  if (options.others) report.others = other_engines(net, to, columns, options.most_walks);
  return report;
}

std::string engines_text(const ForwardingReport& report) {
  if (report.engines.empty()) return "unknown";
  if (!report.has_choice && report.traffic.minimal())
    return "any engine (there is one shortest path everywhere)";
  return fmt::format("{}", fmt::join(report.engines, " or "));
}

const EngineResult* better_engine(const ForwardingReport& report) {
  const auto is_clearly_less = [](std::int64_t a, std::int64_t b) { return 10 * a <= 9 * b; };
  const TableTraffic& now = report.traffic;
  const EngineResult* best = nullptr;
  for (const EngineResult& each : report.others) {
    if (!each.why_not.empty() || (each.may_lock() && now.credit_loop.empty())) continue;
    const TableTraffic& then = each.traffic;
    if (!is_clearly_less(then.busiest, now.busiest) &&
        (then.busiest > now.busiest || !is_clearly_less(then.shift_worst, now.shift_worst)))
      continue;
    if (best == nullptr || std::pair(then.busiest, then.shift_worst) <
                               std::pair(best->traffic.busiest, best->traffic.shift_worst))
      best = &each;
  }
  return best;
}

std::string loop_text(const std::vector<LinkId>& loop, const Topology& topology) {
  std::vector<std::string> cables;
  for (const LinkId link : loop) cables.push_back(topology::cable_text(topology, link));
  return fmt::format("{}", fmt::join(cables, ", "));
}

std::string summary_of(const ForwardingReport& report, const Topology& topology) {
  const TableTraffic& traffic = report.traffic;
  std::string text = fmt::format("forwarding tables: {}; ",
                                 report.engines.empty() ? "the routing engine is unknown"
                                                        : "they fit " + engines_text(report));
  if (traffic.lost > 0)
    text += fmt::format("{} of {} pairs of hosts have no path; ", traffic.lost, traffic.pairs);
  text += traffic.minimal() ? "all paths are shortest; "
                            : fmt::format("{} of {} pairs of hosts take longer paths; ",
                                          traffic.longer, traffic.pairs);
  if (traffic.busiest_link)
    text += fmt::format("the busiest link, {}, carries {:.2f} x an even split; ",
                        topology::cable_text(topology, *traffic.busiest_link), report.ratio());
  return text + (traffic.credit_loop.empty()
                     ? "no credit loop"
                     : fmt::format("a credit loop of {} links", traffic.credit_loop.size()));
}

}  // namespace weft::analysis
