// weft economics: what networks cost, and how many endpoints they connect.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "weft/analysis/economics.hpp"
#include "weft/base/error.hpp"
#include "weft/design/economics/economics_answer.hpp"
#include "weft/rows/kind.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using design::EconomicsAnswer;
using design::EconomicsQuestion;
using design::SizedKind;

struct EconomicsCommand {
  GivenFields said;  // topology, prices, and what is asked
  OutputOptions common;

  design::EconomicsQuestion asked() const {
    design::EconomicsQuestion asked;
    set_members(asked, design::economics_members(), said.values);
    return asked;
  }
};

std::string show_line(const analysis::PriceLine& line) {
  return fmt::format("{:.2f} x + {:.2f}", line.slope, line.constant);
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

void add_lines(const analysis::PriceLines& lines, Facts& facts) {
  facts.add("price of a cable", fmt::format("electrical {}, optical {} (x in metres)",
                                            show_line(lines.electrical), show_line(lines.optical)));
  facts.add("price of a switch", show_line(lines.switch_node) + " (x in ports)");
}

int run_topology(const EconomicsCommand& options, const EconomicsQuestion& asked,
                 Streams& streams) {
  const BuiltTopology built = build_topology(options.said.text("topology"));
  const EconomicsAnswer priced =
      design::price_topology(built.topology, asked, options.said.text("prices"));
  if (options.common.json) {
    print_json("economics", priced, design::economics_parts(), options.common, streams);
    return kFine;
  }
  Facts facts = facts_from(*priced.topology, design::priced_topology_parts());
  add_layout(built.topology, asked.layout, facts);
  add_lines(priced.prices->lines, facts);
  streams.out << facts.text(screen_of(streams));
  return kFine;
}

int run_kinds(const EconomicsCommand& options, const EconomicsQuestion& asked, Streams& streams) {
  const EconomicsAnswer priced = design::price_kinds(asked, options.said.text("prices"));
  if (options.common.json) {
    print_json("economics", priced, design::economics_parts(), options.common, streams);
    return kFine;
  }
  const answer::Cells cells =
      answer::cells_of<SizedKind>(priced.rows, design::sized_kind_parts(),
                                  design::economics_columns(asked), answer::Reader::person);
  streams.out << table_of(cells).text(screen_of(streams));
  if (asked.endpoints && !options.common.quiet)
    streams.out << "each kind with a switch at every router and racks laid out in its own way (a "
                   "torus folded, all of its\ncables electrical); named as a topology, a network "
                   "has one switch a rack and other prices\n";
  return kFine;
}

void check(const Given& given, const EconomicsCommand& options) {
  if (!options.said.of("topology"))
    given.refuse({"--columns", "--switches-per-rack"},
                 "on kinds, because it places the racks of a topology; name a topology, such as "
                 "dragonfly:a=4,p=2,h=2");
  const EconomicsQuestion asked = options.asked();
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
  const EconomicsQuestion asked = options.asked();
  const bool of_topology = options.said.of("topology");
  const auto questions =
      std::ranges::count(std::array{of_topology, asked.endpoints.has_value(),
                                    asked.routers.has_value(), asked.radix.has_value()},
                         true);
  require(questions == 1, "{}; give one of TOPOLOGY, --endpoints N, or --routers N with --radix N",
          questions == 0 ? "no network is given" : "several networks are given");
  require(!of_topology || asked.kinds.empty(),
          "--kinds needs --endpoints or --routers and --radix, not a topology");
  return of_topology ? run_topology(options, asked, streams) : run_kinds(options, asked, streams);
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
  add.members(options->said, design::economics_members());
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
