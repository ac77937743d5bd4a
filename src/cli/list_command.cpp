// weft list: what there is to choose from, out of the tables that the program itself reads.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/experiments.hpp"
#include "cli/options.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/network/routing.hpp"
#include "weft/simulation/packet.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

struct Options {
  std::string what;
  OutputOptions common;
};

// Rows of the same columns, shown as a table or as JSON objects.
struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Listing topologies() {
  Listing listing{{"name", "parameters", "summary", "example"}, {}};
  const topology::Registry& registry = topology::standard_registry();
  for (const auto& family : registry.families)
    listing.rows.push_back({family.name, family.parameters, family.summary, family.example});
  for (const auto& function : registry.functions)
    listing.rows.push_back(
        {function.name, function.parameters, function.summary, function.example});
  return listing;
}

Listing algorithms() {
  Listing listing{{"name", "aliases", "collectives", "options", "summary", "source"}, {}};
  for (const auto& algorithm : algorithm::algorithms()) {
    std::vector<std::string_view> collectives, options;
    for (const CollectiveKind kind : algorithm.collectives) collectives.push_back(name_of(kind));
    for (const algorithm::Option option : algorithm.options)
      options.push_back(algorithm::name_of(option));
    listing.rows.push_back({algorithm.name, fmt::format("{}", fmt::join(algorithm.aliases, " ")),
                            fmt::format("{}", fmt::join(collectives, " ")),
                            fmt::format("{}", fmt::join(options, " ")), algorithm.summary,
                            algorithm.source});
  }
  return listing;
}

Listing collectives() {
  Listing listing{{"name", "summary"}, {}};
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    listing.rows.push_back({std::string(name_of(kind)), std::string(schedule::summary_of(kind))});
  return listing;
}

Listing models() {
  Listing listing{{"name", "summary"}, {}};
  for (const auto& model : simulation::models())
    listing.rows.push_back({model.name, model.summary});
  return listing;
}

Listing routings() {
  Listing listing{{"name", "fits", "summary"}, {}};
  for (const auto& routing : network::routings())
    listing.rows.push_back({routing.name, routing.fits, routing.summary});
  for (const auto& routing : simulation::packet_routings()) {
    const bool listed = std::ranges::any_of(
        listing.rows, [&](const auto& row) { return row.front() == routing.name; });
    if (!listed)
      listing.rows.push_back(
          {routing.name, routing.fits, routing.summary + " (packet and flit models)"});
  }
  return listing;
}

Listing traffic() {
  Listing listing{{"name", "summary"}, {}};
  for (const auto& pattern : simulation::traffic_patterns())
    listing.rows.push_back({pattern.name, pattern.summary});
  return listing;
}

Listing experiments() {
  Listing listing{{"name", "groups", "title", "source", "file"}, {}};
  for (const auto& experiment : all_experiments())
    listing.rows.push_back({experiment.name, fmt::format("{}", fmt::join(experiment.groups, " ")),
                            experiment.title, experiment.source, experiment.path});
  return listing;
}

struct Kind {
  std::string name;
  Listing (*list)();
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{"topologies", topologies},   {"algorithms", algorithms},
                                     {"collectives", collectives}, {"models", models},
                                     {"routings", routings},       {"traffic", traffic},
                                     {"experiments", experiments}};
  return all;
}

const Kind& find_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const Kind& kind : kinds()) {
    if (kind.name == lower(name)) return kind;
    known.push_back(kind.name);
  }
  reject("nothing to list under '{}'; {}", name, suggest(name, known));
}

void print_json(const Listing& listing, const Options& options, Streams& streams) {
  Json rows = Json::array();
  for (const auto& row : listing.rows) {
    Json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[listing.columns[c]] = row[c];
    rows.push_back(std::move(object));
  }
  Json json = answer("list", options.common);
  json[lower(options.what)] = std::move(rows);
  print(json, streams);
}

int run(const Options& options, Streams& streams) {
  const Listing listing = find_kind(options.what).list();
  if (options.common.json) {
    print_json(listing, options, streams);
    return kFine;
  }
  // Sources are long: they stay in the JSON and in docs/algorithms.md.
  const auto shown = static_cast<std::ptrdiff_t>(
      std::find(listing.columns.begin(), listing.columns.end(), "source") -
      listing.columns.begin());
  Table table({listing.columns.begin(), listing.columns.begin() + shown});
  for (const auto& row : listing.rows) table.add({row.begin(), row.begin() + shown});
  streams.out << table.text();
  return kFine;
}

}  // namespace

void add_list_command(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "list", "List topologies, algorithms, collectives, models, routings, traffic or experiments");
  command
      ->add_option(
          "what", options->what,
          "topologies | algorithms | collectives | models | routings | traffic | experiments")
      ->required();
  add_output_options(*command, options->common);
  command->footer(
      "Examples:\n"
      "  weft list topologies\n"
      "  weft list algorithms --json");
  on_chosen(*command, options, run, action);
}

}  // namespace weft::cli
