// Rows of a size of a kind of network: what it costs and connects.
#include "weft/analysis/economics.hpp"
#include "weft/advise/economics/economics_question.hpp"
#include "weft/advise/economics/size_fields.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/foretell.hpp"
#include "weft/rows/kinds/price_list.hpp"

namespace weft::rows {

namespace {

Value show_design(const analysis::NetworkKind& kind) {
  return std::string(analysis::to_string(kind));
}

constexpr auto kDesign =
    fields::field<fields::unnamed<analysis::parse_network_kind>, show_design>("design", "");

Values answer(const Row& row, Workspace&) {
  const auto kind = kDesign.in(row.parameters);
  const std::int64_t endpoints = advise::kEndpoints.in(row.parameters);
  const std::int64_t routers = advise::kRouters.in(row.parameters);
  const analysis::PriceList prices = price_list_of(row);
  const analysis::Design design = endpoints > 0 ? analysis::cheapest_design(kind, endpoints, prices)
                                                : analysis::nearest_design(kind, routers);
  const advise::PricedDesign priced = advise::priced(design, analysis::fit_prices(prices));
  const analysis::Bill& bill = priced.bill;
  Values values{
      {"configuration", design.configuration},
      {"switches", bill.switches},
      {"ports", design.ports},
      {"hosts", design.endpoints},
      {"formula_hosts", Value()},
      {"bisection", fields::or_nothing(design.bisection())},
      {"bisection_lower", to_string(design.bisection_lower)},
      {"bisection_upper", to_string(design.bisection_upper)},
      {"electrical_cables", bill.electrical.count},
      {"optical_cables", bill.optical.count},
      {"electrical_m", bill.electrical.metres},
      {"optical_m", bill.optical.metres},
      {"switch_dollars", bill.switch_dollars},
      {"electrical_dollars", bill.electrical.dollars},
      {"optical_dollars", bill.optical.dollars},
      {"dollars", bill.dollars()},
      {"dollars_per_host", priced.dollars_per_endpoint()},
  };
  if (routers > 0)
    values["formula_hosts"] = analysis::endpoints_at(kind, static_cast<double>(routers));
  return values;
}

void resolve(Row& row, FactsOfNetworks&) {
  require(row.parameters.contains("endpoints") != row.parameters.contains("routers"),
          "a row of kind economics needs either endpoints or routers");
}

}  // namespace

Kind economics_kind() {
  return {.name = "economics",
          .subject = Subject::none,
          .fields = {&kDesign, &advise::kEndpoints, &advise::kRouters, &fields::kPrices},
          .needed = {"design"},
          .measures = {"configuration", "switches", "ports", "hosts", "formula_hosts", "bisection",
                       "bisection_lower", "bisection_upper", "electrical_cables", "optical_cables",
                       "electrical_m", "optical_m", "switch_dollars", "electrical_dollars",
                       "optical_dollars", "dollars", "dollars_per_host"},
          .chart = {.x = "hosts", .y = "dollars", .series = "design"},
          .resolve = resolve,
          .contents = contents_of_prices,
          .foretell = foretell_little,
          .answer = answer};
}

}  // namespace weft::rows
