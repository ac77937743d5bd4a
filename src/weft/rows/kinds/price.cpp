// Rows of what the fitted line, or the least or greatest offer, asks for a part; of ports of a
// panel that joins any two of them, what the list asks for each.
#include <algorithm>
#include <cmath>

#include "weft/analysis/economics.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/read_number.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/price_list.hpp"

namespace weft::rows {

namespace {

std::string part_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text,
                             {"electrical", "optical", "switch", "patch-panel", "optical-switch"});
}

std::string quote_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text, {"line", "least", "greatest"});
}

double units_in(std::string_view, std::string_view text) {
  const std::optional<double> units = fields::read_number(text);
  require(units && *units > 0 && *units <= 1e6,
          "invalid number of metres or ports '{}' (expected above 0, at most 1e6)", text);
  return *units;
}

constexpr auto kPart = fields::text<part_name>("part", "");
constexpr auto kUnits = fields::field<units_in, fields::as_is<double>>("units", "");
constexpr auto kQuote = fields::text<quote_name>("quote", "line");

/// Of ports in use: panels that have them all are not counted.
Values price_of_ports(const analysis::PriceList& list, const std::string& panel, double ports,
                      const std::string& quote) {
  const auto offer = std::ranges::find(list.ports, panel, &analysis::PortOffer::panel);
  require(offer != list.ports.end(), "the price list has no [[port]] with panel '{}'; add one",
          panel);
  require(quote == "line", "ports of a {} have one price; remove quote = \"{}\"", panel, quote);
  return {{"dollars", offer->dollars * ports}, {"dollars_per_unit", offer->dollars},
          {"slope", offer->dollars},           {"constant", 0.0},
          {"offers", std::int64_t{1}},         {"most", offer->most}};
}

Values answer(const Row& row, Workspace&) {
  const analysis::PriceList list = price_list_of(row);
  const analysis::PriceLines lines = analysis::fit_prices(list);
  const std::string part = kPart.in(row.parameters), quote = kQuote.in(row.parameters);
  const bool electrical = part == "electrical", optical = part == "optical";
  const auto& offers = electrical ? list.electrical : optical ? list.optical : list.switches;
  const auto& line = electrical ? lines.electrical : optical ? lines.optical : lines.switch_node;
  const double units = kUnits.in(row.parameters);
  if (part == "patch-panel" || part == "optical-switch")
    return price_of_ports(list, part, units, quote);
  std::vector<double> asked;
  for (const analysis::Offer& offer : offers)
    if (std::abs(offer.size - units) < 1e-9) asked.push_back(offer.dollars);
  require(quote == "line" || !asked.empty(), "no offer for {} of {} {}; use quote = \"line\"", part,
          units, part == "switch" ? "ports" : "metres");
  const double dollars = quote == "line"    ? line(units)
                         : quote == "least" ? std::ranges::min(asked)
                                            : std::ranges::max(asked);
  return {{"dollars", dollars},
          {"dollars_per_unit", dollars / units},
          {"slope", line.slope},
          {"constant", line.constant},
          {"offers", std::ssize(asked)}};
}

}  // namespace

RowKind price_kind() {
  return {.name = "price",
          .subject = Subject::none,
          .fields = {&fields::kPrices, &kPart, &kUnits, &kQuote},
          .needed = {"part", "units"},
          .measures = {"dollars", "slope", "constant", "offers", "dollars_per_unit", "most"},
          .chart = {.x = "units", .y = "dollars", .series = "part"},
          .contents = contents_of_prices,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
