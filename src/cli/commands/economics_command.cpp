// weft economics: what networks cost, and how many endpoints they connect.
#include "weft/advise/economics/economics_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "cli/answers/bisection.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/analysis/economics.hpp"
#include "weft/analysis/report.hpp"
#include "weft/base/error.hpp"
#include "weft/rows/kind.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using advise::EconomicsAsked;
using advise::PricedDesign;
using analysis::NetworkKind;

struct EconomicsCommand {
  Said said;  // topology, prices, and what is asked
  OutputOptions common;

  advise::EconomicsAsked asked() const {
    advise::EconomicsAsked asked;
    set_members(asked, advise::economics_members(), said.values);
    return asked;
  }
};

struct Prices {
  analysis::PriceList list;
  analysis::PriceLines lines;
};

Prices read_prices(const EconomicsCommand& options) {
  analysis::PriceList list = analysis::load_price_list(options.said.text("prices"));
  const analysis::PriceLines lines = analysis::fit_prices(list);
  return {std::move(list), lines};
}

Json json_of(const analysis::PriceLine& line) {
  return {{"slope", line.slope}, {"constant", line.constant}};
}

Json json_of(const Prices& prices) {
  return {{"name", prices.list.name},
          {"source", prices.list.source},
          {"electrical_fit", json_of(prices.lines.electrical)},
          {"optical_fit", json_of(prices.lines.optical)},
          {"switch_fit", json_of(prices.lines.switch_node)}};
}

void add_bill(Json& json, const analysis::Bill& bill) {
  json["switches"] = bill.switches;
  json["cables"] = bill.electrical.count + bill.optical.count;
  json["electrical_cables"] = bill.electrical.count;
  json["electrical_m"] = bill.electrical.metres;
  json["optical_cables"] = bill.optical.count;
  json["optical_m"] = bill.optical.metres;
  json["switch_dollars"] = bill.switch_dollars;
  json["electrical_dollars"] = bill.electrical.dollars;
  json["optical_dollars"] = bill.optical.dollars;
  json["dollars"] = bill.dollars();
}

Json json_of(const analysis::Design& design) {
  return {{"kind", std::string(to_string(design.kind))},
          {"configuration", design.configuration},
          {"routers", design.routers},
          {"ports", design.ports},
          {"endpoints", design.endpoints},
          {"levels", design.levels},
          {"bisection", design.bisection()},
          {"bisection_lower", design.bisection_lower},
          {"bisection_upper", design.bisection_upper}};
}

// Per cent of what half of the endpoints send.
std::string show_bisection(const analysis::Design& design) {
  const auto percent = [](const Rational& value) {
    return fmt::format("{:.1f} %", 100 * value.to_double());
  };
  const std::string lower = percent(design.bisection_lower),
                    upper = percent(design.bisection_upper);
  return lower == upper ? lower : lower + " to " + upper;
}

std::string show_line(const analysis::PriceLine& line) {
  return fmt::format("{:.2f} x + {:.2f}", line.slope, line.constant);
}

int print(const Json& json, const Table& table, const EconomicsCommand& options, Streams& streams) {
  if (options.common.json)
    cli::print(json, streams);
  else
    streams.out << table.text(screen_of(streams));
  return kFine;
}

int run_endpoints(const EconomicsCommand& options, const EconomicsAsked& asked, Streams& streams) {
  const Prices prices = read_prices(options);
  const std::vector<PricedDesign> rows =
      advise::cheapest_of_each(asked.chosen(), *asked.endpoints, prices.list);
  double cheapest = std::numeric_limits<double>::infinity();
  for (const PricedDesign& row : rows) cheapest = std::min(cheapest, row.dollars_per_endpoint());
  Json json = answer("economics", options.common);
  json["prices"] = json_of(prices);
  json["wanted_endpoints"] = *asked.endpoints;
  json["rows"] = Json::array();
  Table table({"kind", "configuration", "endpoints", "switches", "ports", "bisection", "electrical",
               "optical", "optical m", "$", "$/endpoint", "normalized"});
  for (const PricedDesign& row : rows) {
    const auto& [design, bill] = row;
    Json item = json_of(design);
    add_bill(item, bill);
    item["dollars_per_endpoint"] = row.dollars_per_endpoint();
    item["normalized"] = row.dollars_per_endpoint() / cheapest;
    json["rows"].push_back(std::move(item));
    table.add({std::string(to_string(design.kind)), design.configuration,
               fmt::format("{}", design.endpoints), fmt::format("{}", bill.switches),
               fmt::format("{}", design.ports), show_bisection(design),
               fmt::format("{}", bill.electrical.count), fmt::format("{}", bill.optical.count),
               fmt::format("{:.0f}", bill.optical.metres), fmt::format("{:.0f}", bill.dollars()),
               fmt::format("{:.2f}", row.dollars_per_endpoint()),
               fmt::format("{:.2f}", row.dollars_per_endpoint() / cheapest)});
  }
  print(json, table, options, streams);
  if (!options.common.quiet && !options.common.json)
    streams.out << "each kind with a switch at every router and racks laid out in its own way (a "
                   "torus folded, all of its\ncables electrical); named as a topology, a network "
                   "has one switch a rack and other prices\n";
  return kFine;
}

int run_routers(const EconomicsCommand& options, const EconomicsAsked& asked, Streams& streams) {
  const std::int64_t routers = *asked.routers;
  Json json = answer("economics", options.common);
  json["wanted_routers"] = routers;
  json["rows"] = Json::array();
  Table table(
      {"kind", "endpoints by formula", "nearest", "routers", "ports", "endpoints", "bisection"});
  for (const analysis::NetworkKind kind : asked.chosen()) {
    const analysis::Design nearest = analysis::nearest_design(kind, routers);
    const double formula = analysis::endpoints_at(kind, static_cast<double>(routers));
    Json item = json_of(nearest);
    item["formula_endpoints"] = formula;
    json["rows"].push_back(std::move(item));
    table.add({std::string(to_string(kind)), fmt::format("{:.0f}", formula), nearest.configuration,
               fmt::format("{}", nearest.routers), fmt::format("{}", nearest.ports),
               fmt::format("{}", nearest.endpoints), show_bisection(nearest)});
  }
  return print(json, table, options, streams);
}

int run_radix(const EconomicsCommand& options, const EconomicsAsked& asked, Streams& streams) {
  Json json = answer("economics", options.common);
  json["radix"] = *asked.radix;
  json["rows"] = Json::array();
  Table table({"kind", "configuration", "routers", "ports", "endpoints", "bisection"});
  for (const analysis::NetworkKind kind : asked.chosen()) {
    const std::string name(to_string(kind));
    if (const auto design = analysis::largest_design(kind, *asked.radix)) {
      json["rows"].push_back(json_of(*design));
      table.add({name, design->configuration, fmt::format("{}", design->routers),
                 fmt::format("{}", design->ports), fmt::format("{}", design->endpoints),
                 show_bisection(*design)});
    } else {
      json["rows"].push_back({{"kind", name}, {"endpoints", nullptr}});
      const bool fits = analysis::smallest_design(kind, 1).ports <= *asked.radix;
      table.add({name, fits ? "any size, ports set no limit" : "every size has more ports", "", "",
                 "", ""});
    }
  }
  return print(json, table, options, streams);
}

std::string show(const analysis::CableBill& cables) {
  return fmt::format("{} cables, {:.0f} m, ${:.2f}", cables.count, cables.metres, cables.dollars);
}

analysis::ReportOptions bisection_alone() {
  analysis::ReportOptions options = analysis::ReportOptions::all(analysis::Measure::never);
  options.distances = analysis::Measure::never;
  options.bisection = analysis::Measure::automatic;
  return options;
}

// What makes the price another than that of the same network asked for in another way.
void add_layout(const Topology& topology, const analysis::RackLayout& layout, Facts& facts) {
  const bool switched = topology.has_switches();
  const char* plural = layout.switches_per_rack == 1 ? "" : switched ? "es" : "s";
  facts.add("layout", fmt::format("racks of {} {}{} in a {} grid (--switches-per-rack, --columns); "
                                  "cables within one are electrical, between them optical",
                                  layout.switches_per_rack, switched ? "switch" : "node", plural,
                                  layout.columns > 0 ? "given" : "square"));
  if (!switched)
    facts.add(
        "not bought",
        fmt::format(
            "switches: nodes are wired to each other; name \"hosts(1, {})\" to buy one for each",
            topology.name()));
  facts.add("other prices",
            "--endpoints N lays each kind out in its own way (a torus folded, all of its cables "
            "electrical)");
}

int run_topology(const EconomicsCommand& options, const EconomicsAsked& asked, Streams& streams) {
  const BuiltTopology built = build_topology(options.said.text("topology"));
  const Prices prices = read_prices(options);
  const analysis::Bill bill = price(shopping(built.topology, asked.layout), prices.lines);
  const auto cut = analysis::report(built.topology, bisection_alone()).bisection;
  Record record{answer("economics", options.common)};
  record.json["prices"] = json_of(prices);
  record.add("topology", built.topology.name(), "topology");
  record.add("hosts", built.topology.hosts().size(), "hosts");
  record.add("bisection_cables", cut ? cli::json_of(*cut) : Json(), "bisection",
             cut ? cli::show(*cut) : "not looked for on so large a network");
  add_bill(record.json, bill);
  Facts& facts = record.facts;
  facts.add("switches", fmt::format("{}, ${:.2f}", bill.switches, bill.switch_dollars));
  facts.add("electrical", show(bill.electrical));
  facts.add("optical", show(bill.optical));
  facts.add("total", fmt::format("${:.2f}", bill.dollars()));
  add_layout(built.topology, asked.layout, facts);
  facts.add("price of a cable",
            fmt::format("electrical {}, optical {} (x in metres)",
                        show_line(prices.lines.electrical), show_line(prices.lines.optical)));
  facts.add("price of a switch", show_line(prices.lines.switch_node) + " (x in ports)");
  print(record, options.common, streams, screen_of(streams));
  return kFine;
}

void check(const Given& given, const EconomicsCommand& options) {
  if (!options.said.of("topology"))
    given.refuse({"--columns", "--switches-per-rack"},
                 "on kinds, because it places the racks of a topology; name a topology, such as "
                 "dragonfly:a=4,p=2,h=2");
  const EconomicsAsked asked = options.asked();
  require(!given("--columns") || asked.layout.columns >= 1,
          "{} columns of racks are too few; give 1 or more, or leave --columns out for a square "
          "grid",
          asked.layout.columns);
  if (asked.routers || asked.radix)
    given.refuse(
        {"--prices"},
        "with --routers and --radix, which count endpoints without prices; leave it out, or "
        "use --endpoints N");
}

int run(const EconomicsCommand& options, Streams& streams) {
  const EconomicsAsked asked = options.asked();
  const bool of_topology = options.said.of("topology");
  const auto questions =
      std::ranges::count(std::array{of_topology, asked.endpoints.has_value(),
                                    asked.routers.has_value(), asked.radix.has_value()},
                         true);
  require(questions == 1, "{}; give one of TOPOLOGY, --endpoints N, or --routers N with --radix N",
          questions == 0 ? "no network is given" : "several networks are given");
  require(!of_topology || asked.kinds.empty(),
          "--kinds needs --endpoints or --routers and --radix, not a topology");
  if (asked.endpoints) return run_endpoints(options, asked, streams);
  if (asked.routers) return run_routers(options, asked, streams);
  if (asked.radix) return run_radix(options, asked, streams);
  return run_topology(options, asked, streams);
}

}  // namespace

void add_economics_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<EconomicsCommand>();
  const Command command = program.add_command(
      "economics",
      "Compute the price of a network, or compare kinds of networks by price and size");
  const OptionAdder add(command);
  add.field(options->said, *rows::find_field("topology"), "-t,--topology,expression")
      .description("Network to price, such as \"hosts(73, 2dfc:37x37)\"; see weft list topologies");
  add.members(options->said, advise::economics_members());
  add.field(options->said, *rows::find_field("prices"));
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  # Which kind of network is cheapest for 100,000 endpoints?\n"
      "  weft economics --endpoints 100000\n"
      "  # What do the cables and switches of a network cost?\n"
      "  weft economics dragonfly:a=4,p=2,h=2 --switches-per-rack 4\n"
      "  # How many endpoints can 64-port routers connect?\n"
      "  weft economics --radix 64 --kinds 2dfc50,dragonfly");
  draws_nothing(command);
  on_chosen(command, options, run, action, check);
}

}  // namespace weft::cli
