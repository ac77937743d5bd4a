#include "weft/design/economics/economics_answer.hpp"

#include <algorithm>
#include <limits>

#include "weft/analysis/report.hpp"

namespace weft::design {

using analysis::Design;
using analysis::NetworkKind;

namespace {

Prices read_prices(const std::string& named) {
  analysis::PriceList list = analysis::load_price_list(named);
  const analysis::PriceLines lines = analysis::fit_prices(list);
  return {std::move(list), lines};
}

std::vector<SizedKind> cheapest_rows(const EconomicsQuestion& asked, const Prices& prices) {
  std::vector<SizedKind> rows;
  double cheapest = std::numeric_limits<double>::infinity();
  for (const auto& [design, bill] :
       cheapest_of_each(asked.chosen(), *asked.endpoints, prices.list)) {
    rows.push_back({.kind = design.kind, .design = design, .bill = bill});
    cheapest = std::min(cheapest, *rows.back().dollars_per_endpoint());
  }
  for (SizedKind& row : rows) row.normalized = *row.dollars_per_endpoint() / cheapest;
  return rows;
}

SizedKind nearest_row(NetworkKind kind, std::int64_t routers) {
  return {.kind = kind,
          .design = analysis::nearest_design(kind, routers),
          .formula_endpoints = analysis::endpoints_at(kind, static_cast<double>(routers))};
}

SizedKind largest_row(NetworkKind kind, std::int64_t radix) {
  SizedKind row{.kind = kind, .design = analysis::largest_design(kind, radix)};
  if (!row.design) row.fits = analysis::smallest_design(kind, 1).ports <= radix;
  return row;
}

analysis::ReportOptions bisection_alone() {
  analysis::ReportOptions options = analysis::ReportOptions::all(analysis::Measure::never);
  options.distances = analysis::Measure::never;
  options.bisection = analysis::Measure::automatic;
  return options;
}

}  // namespace

std::optional<double> SizedKind::dollars_per_endpoint() const {
  if (!bill || !design) return std::nullopt;
  return PricedDesign{*design, *bill}.dollars_per_endpoint();
}

EconomicsAnswer price_kinds(const EconomicsQuestion& asked, const std::string& price_list) {
  EconomicsAnswer answer{.asked = asked};
  if (asked.endpoints) {
    answer.prices = read_prices(price_list);
    answer.rows = cheapest_rows(asked, *answer.prices);
    return answer;
  }
  for (const NetworkKind kind : asked.chosen())
    answer.rows.push_back(asked.routers ? nearest_row(kind, *asked.routers)
                                        : largest_row(kind, asked.radix.value()));
  return answer;
}

EconomicsAnswer price_topology(const Topology& topology, const EconomicsQuestion& asked,
                               const std::string& price_list) {
  EconomicsAnswer answer{.prices = read_prices(price_list), .asked = asked};
  answer.topology = {.name = topology.name(),
                     .hosts = std::ssize(topology.hosts()),
                     .bill = price(shopping(topology, asked.layout), answer.prices->lines)};
  answer.topology->bisection = analysis::report(topology, bisection_alone()).bisection;
  return answer;
}

}  // namespace weft::design
