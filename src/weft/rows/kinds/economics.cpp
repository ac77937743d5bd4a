// Rows of a size of a kind of network: what it costs and connects.
#include "weft/analysis/economics.hpp"
#include "weft/base/error.hpp"
#include "weft/design/economics/economics_answer.hpp"
#include "weft/design/economics/size_fields.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
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
  const std::int64_t endpoints = design::kEndpoints.in(row.parameters);
  const std::int64_t routers = design::kRouters.in(row.parameters);
  WEFT_ASSERT((endpoints > 0) != (routers > 0));  // see resolve
  const analysis::PriceList prices = price_list_of(row);
  design::SizedKind sized{.kind = kind,
                          .design = endpoints > 0
                                        ? analysis::cheapest_design(kind, endpoints, prices)
                                        : analysis::nearest_design(kind, routers)};
  WEFT_ASSERT(sized.design.has_value());
  sized.bill = design::priced(*sized.design, analysis::fit_prices(prices)).bill;
  if (routers > 0)
    sized.formula_endpoints = analysis::endpoints_at(kind, static_cast<double>(routers));
  return values_of(sized, design::sized_kind_parts(), design::economics_row_columns());
}

void resolve(Row& row, FactsOfNetworks&) {
  require(row.parameters.contains("endpoints") != row.parameters.contains("routers"),
          "a row of kind economics needs either endpoints or routers");
}

}  // namespace

std::vector<ColumnMeaning> economics_columns() {
  return meanings_of(design::sized_kind_parts(), design::economics_row_columns());
}

RowKind economics_kind() {
  return {.name = "economics",
          .subject = Subject::none,
          .fields = {&kDesign, &design::kEndpoints, &design::kRouters, &fields::kPrices},
          .needed = {"design"},
          .measures = measures_of(design::sized_kind_parts(), design::economics_row_columns()),
          .chart = {.x = "hosts", .y = "dollars", .series = "design"},
          .resolve = resolve,
          .contents = contents_of_prices,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
