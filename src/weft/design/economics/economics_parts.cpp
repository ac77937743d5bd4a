// The tables of weft economics.
#include <fmt/format.h>

#include <functional>

#include "weft/answer/keys.hpp"
#include "weft/design/bisection_parts.hpp"
#include "weft/design/economics/economics_answer.hpp"

namespace weft::design {

using analysis::Bill;
using analysis::CableBill;
using analysis::Design;
using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

Parts<analysis::PriceLine> price_line_parts() {
  constexpr PartOf<analysis::PriceLine> part;
  return {part("slope", "", Unit::none, "dollars a metre or a port", &analysis::PriceLine::slope),
          part("constant", "", Unit::dollars, "price at 0 metres or ports",
               &analysis::PriceLine::constant)};
}

const analysis::PriceLine& electrical_line(const Prices& prices) {
  return prices.lines.electrical;
}
const analysis::PriceLine& optical_line(const Prices& prices) {
  return prices.lines.optical;
}
const analysis::PriceLine& switch_line(const Prices& prices) {
  return prices.lines.switch_node;
}

Parts<Prices> prices_parts() {
  constexpr PartOf<Prices> part;
  const auto line = price_line_parts();
  return {part("name", "", Unit::none, "name of the price list",
               [](const Prices& prices) { return prices.list.name; }),
          part("source", "", Unit::none, "where its prices are from",
               [](const Prices& prices) { return prices.list.source; }),
          part.object("electrical_fit", "price of an electrical cable by metres", electrical_line,
                      line),
          part.object("optical_fit", "price of an optical cable by metres", optical_line, line),
          part.object("switch_fit", "price of a switch by ports", switch_line, line)};
}

// Labels are those of columns; a topology has lines of its own.
Parts<Bill> bill_parts() {
  constexpr PartOf<Bill> part;
  return {part("switches", "switches", Unit::none, "switches of the network", &Bill::switches),
          part(keys::kCables,
               [](const Bill& bill) { return bill.electrical.count + bill.optical.count; }),
          part("electrical_cables", "electrical", Unit::none, "number of electrical cables",
               [](const Bill& bill) { return bill.electrical.count; }),
          part("electrical_m", "", Unit::metres, "length of all electrical cables",
               [](const Bill& bill) { return bill.electrical.metres; }),
          part("optical_cables", "optical", Unit::none, "number of optical cables",
               [](const Bill& bill) { return bill.optical.count; }),
          part("optical_m", "optical m", Unit::metres, "length of all optical cables",
               [](const Bill& bill) { return bill.optical.metres; })
              .decimals(0),
          part("switch_dollars", "", Unit::dollars, "price of all switches", &Bill::switch_dollars),
          part("electrical_dollars", "", Unit::dollars, "price of all electrical cables",
               [](const Bill& bill) { return bill.electrical.dollars; }),
          part("optical_dollars", "", Unit::dollars, "price of all optical cables",
               [](const Bill& bill) { return bill.optical.dollars; }),
          part(keys::kDollars, "$", &Bill::dollars).decimals(0)};
}

// Per cent of the traffic that half of the endpoints send.
std::string show_bisection(const SizedKind& row) {
  if (!row.design) return "";
  const auto percent = [](const Rational& value) {
    return fmt::format("{:.1f} %", 100 * value.to_double());
  };
  const std::string lower = percent(row.design->bisection_lower),
                    upper = percent(row.design->bisection_upper);
  return lower == upper ? lower : lower + " to " + upper;
}

std::string show_configuration(const SizedKind& row) {
  if (row.design) return row.design->configuration;
  return row.fits ? "any size, ports set no limit" : "every size has more ports";
}

bool has_design(const SizedKind& row) {
  return row.design.has_value();
}

// A member of the design, or a function of it.
template <class Get>
auto of_design(Get get) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Get, const Design&>>;
  return [get](const SizedKind& row) {
    return row.design ? std::optional<Result>(std::invoke(get, *row.design)) : std::nullopt;
  };
}

std::string show(const CableBill& cables) {
  return fmt::format("{} cables, {:.0f} m, ${:.2f}", cables.count, cables.metres, cables.dollars);
}

}  // namespace

Parts<SizedKind> sized_kind_parts() {
  constexpr PartOf<SizedKind> part;
  Parts<SizedKind> design{
      part("kind", "kind", Unit::none, "kind of network, such as 2dfc25",
           [](const SizedKind& row) { return to_string(row.kind); }),
      part("configuration", "configuration", Unit::none, "parameters of the size that was taken",
           of_design(&Design::configuration))
          .left_out()
          .shown_as(show_configuration),
      part("routers", "routers", Unit::none, "number of routers", of_design(&Design::routers))
          .left_out(),
      part("ports", "ports", Unit::none, "ports of a switch", of_design(&Design::ports)).left_out(),
      part("endpoints", "endpoints", Unit::none, "endpoints of the size that was taken",
           of_design(&Design::endpoints)),
      part("levels", "", Unit::none, "levels of a fat tree, 1 to 3",
           [](const SizedKind& row) { return row.design->levels; })
          .when(has_design),
      part("bisection", "bisection", Unit::none,
           "cables between two halves over half of the endpoints, where it is exact",
           [](const SizedKind& row) { return row.design->bisection(); })
          .when(has_design)
          .shown_as(show_bisection),
      part("bisection_lower", "", Unit::none,
           "lower bound of the bisection, over half of the endpoints",
           of_design(&Design::bisection_lower))
          .left_out(),
      part("bisection_upper", "", Unit::none,
           "upper bound of the bisection, over half of the endpoints",
           of_design(&Design::bisection_upper))
          .left_out(),
      part("formula_endpoints", "endpoints by formula", Unit::none,
           "with routers: endpoints at exactly this number by the formula",
           &SizedKind::formula_endpoints)
          .left_out()
          .decimals(0)};
  Parts<SizedKind> price{
      part("dollars_per_endpoint", "$/endpoint", Unit::none, "price for each endpoint",
           &SizedKind::dollars_per_endpoint)
          .left_out()
          .decimals(2),
      part("normalized", "normalized", Unit::none,
           "dollars_per_endpoint over that of the cheapest kind", &SizedKind::normalized)
          .left_out()
          .decimals(2)};
  return join(join(std::move(design), part.within(&SizedKind::bill, bill_parts())),
              std::move(price));
}

Parts<PricedTopology> priced_topology_parts() {
  constexpr PartOf<PricedTopology> part;
  Parts<PricedTopology> parts{
      part(keys::kExpression, "topology", &PricedTopology::name),
      part("hosts", "hosts", Unit::none, "hosts of the topology", &PricedTopology::hosts),
      part.object("bisection_cables", "cables between two halves, or null if not looked for",
                  &PricedTopology::bisection, bisection_parts()),
      part.line("bisection", [](const PricedTopology& priced) {
        return priced.bisection ? bisection_text(*priced.bisection)
                                : "not looked for on so large a network";
      })};
  return join(
      join(std::move(parts), part.within(&PricedTopology::bill, without_labels(bill_parts()))),
      {part.line("switches",
                 [](const PricedTopology& priced) {
                   return fmt::format("{}, ${:.2f}", priced.bill.switches,
                                      priced.bill.switch_dollars);
                 }),
       part.line("electrical",
                 [](const PricedTopology& priced) { return show(priced.bill.electrical); }),
       part.line("optical", [](const PricedTopology& priced) { return show(priced.bill.optical); }),
       part.line("total", [](const PricedTopology& priced) {
         return fmt::format("${:.2f}", priced.bill.dollars());
       })});
}

Parts<EconomicsAnswer> economics_parts() {
  using Answer = EconomicsAnswer;
  constexpr PartOf<Answer> part;
  Parts<Answer> parts{
      part.object("prices", "the price list, and lines fitted to it", &Answer::prices,
                  prices_parts())
          .left_out(),
      part("wanted_endpoints", "", Unit::none, "number of endpoints that --endpoints asks for",
           [](const Answer& answer) { return answer.asked.endpoints; })
          .left_out(),
      part("wanted_routers", "", Unit::none, "number of routers that --routers asks for",
           [](const Answer& answer) { return answer.asked.routers; })
          .left_out(),
      part("radix", "", Unit::none, "ports of a switch that --radix asks for",
           [](const Answer& answer) { return answer.asked.radix; })
          .left_out(),
      part.list("rows", "one for each kind of network", &Answer::rows, sized_kind_parts())
          .when([](const Answer& answer) { return !answer.topology; })};
  return join(std::move(parts), part.within(&Answer::topology, priced_topology_parts()));
}

std::vector<Column> economics_columns(const EconomicsQuestion& asked) {
  if (asked.endpoints)
    return {{"kind"},
            {"configuration"},
            {"endpoints"},
            {"switches"},
            {"ports"},
            {"bisection"},
            {"electrical_cables"},
            {"optical_cables"},
            {"optical_m"},
            {"dollars"},
            {"dollars_per_endpoint"},
            {"normalized"}};
  if (asked.routers)
    return {
        {"kind"},      {"formula_endpoints"}, {"configuration", "nearest"}, {"routers"}, {"ports"},
        {"endpoints"}, {"bisection"}};
  return {{"kind"}, {"configuration"}, {"routers"}, {"ports"}, {"endpoints"}, {"bisection"}};
}

std::vector<Column> economics_row_columns() {
  return {{"configuration"},
          {"switches"},
          {"ports"},
          {"endpoints", "hosts"},
          {"formula_endpoints", "formula_hosts"},
          {"bisection"},
          {"bisection_lower"},
          {"bisection_upper"},
          {"electrical_cables"},
          {"optical_cables"},
          {"electrical_m"},
          {"optical_m"},
          {"switch_dollars"},
          {"electrical_dollars"},
          {"optical_dollars"},
          {"dollars"},
          {"dollars_per_endpoint", "dollars_per_host"}};
}

}  // namespace weft::design
