// weft list: what there is to choose from, out of the tables that the program itself reads.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/list/listing.hpp"
#include "cli/machine/machine_rows.hpp"
#include "cli/options/options.hpp"
#include "cli/study/claim_rows.hpp"
#include "cli/study/experiments.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/libraries.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/format/format.hpp"
#include "weft/network/routings.hpp"
#include "weft/report/verdict.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/workload/device.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::cli {

namespace {

struct ListCommand {
  std::string what, name;
  Said said;  // of the network of algorithms
  OutputOptions common;
};

Listing networks() {
  Listing listing{{"name", "summary", "source"}, {}};
  for (const topology::MachineInfo& machine : topology::machines())
    listing.rows.push_back({"network:" + machine.name, machine.summary,
                            fmt::format("{}", fmt::join(machine.sources, "; "))});
  return listing;
}

std::string here(const algorithm::LibraryName& name) {
  return fmt::format("{}{}", name.algorithm, name.flat ? " (radix = ranks)" : "");
}

Listing libraries() {
  Listing listing{{"name", "library", "collective", "algorithm", "ranks", "source"}, {}};
  listing.only_in_full = {"source"};
  for (const algorithm::Library& library : algorithm::libraries())
    for (const algorithm::LibraryName& name : library.names)
      listing.rows.push_back({std::string(name.name), std::string(library.name),
                              std::string(name_of(name.collective)), here(name),
                              std::string(name_of(name.ranks)), std::string(library.source)});
  return listing;
}

Listing collectives() {
  Listing listing{{"name", "summary"}, {}};
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    listing.rows.push_back({std::string(name_of(kind)), std::string(schedule::summary_of(kind))});
  for (const CollectiveKind kind : schedule::kCollectiveKinds)
    if (program::takes_block_sizes(kind))
      listing.rows.push_back({advise::unequal_name(kind), advise::unequal_summary(kind)});
  return listing;
}

Listing models() {
  Listing listing{{"name", "summary"}, {}};
  for (const auto& model : simulation::models())
    listing.rows.push_back({model.name, model.summary});
  return listing;
}

Listing routings() {
  Listing listing{{"name", "aliases", "fits", "summary", "channels", "deadlock"}, {}};
  for (const auto& routing : network::routings()) {
    const auto& hops = routing.hops;
    listing.rows.push_back(
        {routing.name, hops ? fmt::format("{}", fmt::join(hops->aliases, " ")) : "", routing.fits,
         routing.summary + (routing.gives_paths ? "" : " (packet and flit models)"),
         hops ? hops->channels : "", hops ? hops->deadlock : ""});
  }
  return listing;
}

Listing traffic() {
  Listing listing{{"name", "summary"}, {}};
  for (const auto& pattern : simulation::traffic_patterns())
    listing.rows.push_back({pattern.name, pattern.summary});
  return listing;
}

Listing formats() {
  Listing listing{{"name", "writes", "reads", "loses", "summary"}, {}};
  for (const format::Format& format : format::formats())
    listing.rows.push_back({format.name, format.what_it_writes(), format.what_it_reads(),
                            format.loses, format.summary});
  return listing;
}

Listing experiments() {
  Listing listing{{"name", "groups", "title", "source", "file"}, {}};
  for (const auto& experiment : all_experiments())
    listing.rows.push_back({experiment.name, fmt::format("{}", fmt::join(experiment.groups, " ")),
                            experiment.title, experiment.source, experiment.path});
  return listing;
}

// Of the named experiments and groups; of all without a name.
Listing claims_of(const std::vector<std::string>& names) {
  return {{"experiment", "mark", "claim", "printed", "ours", "source", "reason"},
          claim_rows(find_experiments(names))};
}

Listing claims() {
  return claims_of({});
}

// A row of items and one of claims for each.
Listing groups() {
  Listing listing{{"name", "experiments", "counted"}, {}};
  for (const report::ClaimMark mark : report::kClaimMarks)
    if (mark != report::ClaimMark::missing) listing.columns.emplace_back(name_of(mark));
  listing.columns.emplace_back("own");
  listing.rows = group_rows(all_experiments());
  return listing;
}

Listing workloads() {
  Listing listing{{"name", "sample", "sample_tokens", "layers", "parameters", "operations",
                   "summary", "source", "note"},
                  {}};
  listing.where_roomy = {"sample", "sample_tokens", "layers", "operations"};
  for (const workload::TrainingModel& model : workload::training_models())
    listing.rows.push_back({model.name, model.sample, fmt::format("{}", model.sample_tokens),
                            fmt::format("{}", model.layers.size()),
                            fmt::format("{}", model.parameters()),
                            fmt::format("{:.0f}", model.operations()), model.summary,
                            fmt::format("{}", fmt::join(model.sources, "; ")), model.note});
  return listing;
}

Listing devices() {
  Listing listing{{"name", "peaks", "memory", "summary", "source", "note"}, {}};
  for (const workload::Device& device : workload::devices()) {
    std::vector<std::string> peaks;
    for (const auto& [precision, operations_per_second] : device.peaks)
      peaks.push_back(fmt::format("{} {:g}T", precision, operations_per_second / 1e12));
    listing.rows.push_back({device.name, fmt::format("{}", fmt::join(peaks, ", ")),
                            device.memory_B ? fmt::format("{:g} GB", *device.memory_B / 1e9) : "",
                            device.summary, fmt::format("{}", fmt::join(device.sources, "; ")),
                            device.note});
  }
  return listing;
}

Listing machines() {
  Listing listing{{"name", "summary", "host", "links", "source", "assumption"}, machine_rows()};
  listing.only_in_full = {"host", "links", "source", "assumption"};
  listing.columns_if_unknown = 100;  // a line for each machine
  return listing;
}

struct Kind {
  std::string name;
  Listing (*list)();
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{{"topologies", list_topologies},
                                     {"networks", networks},
                                     {"placements", list_placements},
                                     {"algorithms", list_algorithms},
                                     {"costs", list_costs},
                                     {"symbols", list_symbols},
                                     {"options", list_options},
                                     {"libraries", libraries},
                                     {"collectives", collectives},
                                     {"models", models},
                                     {"routings", routings},
                                     {"traffic", traffic},
                                     {"formats", formats},
                                     {"experiments", experiments},
                                     {"groups", groups},
                                     {"claims", claims},
                                     {"kinds", list_kinds},
                                     {"fields", list_fields},
                                     {"columns", list_columns},
                                     {"workloads", workloads},
                                     {"devices", devices},
                                     {"machines", machines}};
  return all;
}

const Kind& find_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const Kind& kind : kinds()) {
    if (kind.name == lower(name)) return kind;
    known.push_back(kind.name);
  }
  reject_unknown({"list", name}, known);
}

void print_json(const Listing& listing, const ListCommand& options, Streams& streams) {
  Json rows = Json::array();
  for (const auto& row : listing.rows) {
    Json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[listing.columns[c]] = row[c];
    rows.push_back(std::move(object));
  }
  Json json = answer("list", options.common);
  json[find_kind(options.what).name] = std::move(rows);
  print(json, streams);
}

// The one entry of this name.
Listing only(Listing listing, const std::string& name, const std::string& kind) {
  std::vector<std::string> known;
  for (const auto& row : listing.rows) known.push_back(row.front());
  const auto found = std::ranges::find(known, lower_name(name));
  if (found == known.end()) reject_unknown({"entry", name, fmt::format("in {}", kind)}, known);
  listing.rows = {listing.rows[found - known.begin()]};
  return listing;
}

bool is_collective(const std::string& name) {
  try {
    static_cast<void>(advise::kind_scheduled_for(name));
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

Listing algorithms_for(CollectiveKind kind) {
  Listing listing = list_algorithms();
  std::erase_if(listing.rows, [&](const auto& row) {
    return !algorithm::find_algorithm(row.front()).supports(kind);
  });
  return listing;
}

// What serves the collective on the user's network, and why the others do not.
Listing algorithms_on(const Network& network, const Collective& collective) {
  Listing listing{{"name", "fits", "why not", "summary"}, {}};
  const std::optional<std::string> apart = algorithm::ranks_apart(collective, network);
  for (const auto& algorithm : algorithm::algorithms()) {
    if (!algorithm.supports(collective.kind)) continue;
    const algorithm::Context context{collective, &network};
    std::optional<std::string> reason = apart ? apart : misfit(algorithm, context);
    if (!reason && algorithm.same_as != nullptr)
      if (const auto other = algorithm.same_as(context))
        reason = fmt::format("it would be {} here", *other);
    if (!reason && algorithm.named_only)
      reason = fmt::format("it runs where it is named: --algorithms {}", algorithm.name);
    if (!reason && algorithm.too_long != nullptr)
      if (const auto why = algorithm.too_long(context))
        reason = fmt::format("{}; name it: --algorithms all,{}", *why, algorithm.name);
    listing.rows.push_back(
        {algorithm.name, reason ? "no" : "yes", reason.value_or(""), algorithm.summary});
  }
  std::stable_partition(listing.rows.begin(), listing.rows.end(),
                        [](const auto& row) { return row[1] == "yes"; });
  return listing;
}

// All rows of this name, which stands in the column.
Listing all_of(Listing listing, std::size_t column, std::string_view name, std::string_view kind) {
  std::vector<std::string> known;
  for (const auto& row : listing.rows)
    if (known.empty() || known.back() != row[column]) known.push_back(row[column]);
  if (std::ranges::find(known, lower(name)) == known.end())
    reject_unknown({"entry", name, fmt::format("in {}", kind)}, known);
  std::erase_if(listing.rows, [&](const auto& row) { return row[column] != lower(name); });
  return listing;
}

Listing algorithms_on(const ListCommand& options) {
  require(!options.name.empty() && is_collective(options.name),
          "the collective is missing; write weft list algorithms allreduce --topology {}",
          options.said.text("topology"));
  const Network network = make_network(options.said, options.common.seed);
  Collective collective{advise::kind_scheduled_for(options.name), network.ranks()};
  if (collective.kind == CollectiveKind::point_to_point)
    collective.peer = Rank(network.ranks() - 1);
  return algorithms_on(network, collective);
}

Listing listing_of(const ListCommand& options) {
  const Kind& kind = find_kind(options.what);
  const bool of_algorithms = kind.name == "algorithms";
  if (options.said.of("topology")) {
    require(of_algorithms, "--topology works with weft list algorithms COLLECTIVE, not with {}",
            kind.name);
    return algorithms_on(options);
  }
  if (options.name.empty()) return kind.list();
  if (kind.name == "libraries") return all_of(kind.list(), 1, options.name, kind.name);
  if (kind.name == "claims") return claims_of({options.name});
  if (kind.name == "groups" || kind.name == "costs" || kind.name == "fields")
    return all_of(kind.list(), 0, options.name, kind.name);
  if (kind.name == "columns") return all_of(kind.list(), 1, options.name, kind.name);
  if (of_algorithms && is_collective(options.name))
    return algorithms_for(advise::kind_scheduled_for(options.name));
  if (of_algorithms)
    return only(kind.list(), algorithm::find_algorithm(options.name).name, kind.name);
  const auto* routing = kind.name == "routings" ? network::find_routing(options.name) : nullptr;
  return only(kind.list(), routing != nullptr ? routing->name : options.name, kind.name);
}

void print_table(const Listing& listing, const Screen& screen, Streams& streams) {
  constexpr int kRoomy = 120;
  std::vector<std::size_t> shown;
  const auto is_any_of = [](const std::string& name, const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  for (std::size_t c = 0; c < listing.columns.size(); ++c)
    if (!is_any_of(listing.columns[c], listing.only_in_full) &&
        (!is_any_of(listing.columns[c], listing.where_roomy) || screen.columns >= kRoomy))
      shown.push_back(c);
  const auto chosen = [&](const std::vector<std::string>& row) {
    std::vector<std::string> fields;
    for (const std::size_t c : shown) fields.push_back(row[c]);
    return fields;
  };
  Table table(chosen(listing.columns));
  for (const auto& row : listing.rows) table.add(chosen(row));
  streams.out << table.text(screen);
}

int run(const ListCommand& options, Streams& streams) {
  const Listing listing = listing_of(options);
  if (options.common.json) {
    print_json(listing, options, streams);
    return kFine;
  }
  const bool one = !options.name.empty() && listing.rows.size() == 1;
  if (one) {  // in full
    Facts facts;
    for (std::size_t c = 0; c < listing.columns.size(); ++c)
      if (!listing.rows[0][c].empty()) facts.add(listing.columns[c], listing.rows[0][c]);
    streams.out << facts.text(screen_of(streams));
    return kFine;
  }
  print_table(listing, screen_of(streams, listing.columns_if_unknown), streams);
  return kFine;
}

}  // namespace

void add_list_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<ListCommand>();
  const Command command = program.add_command(
      "list", "List the topologies, algorithms, machines and other things that weft knows");
  const OptionAdder add(command);
  add("what", options->what,
      "Kind of names: topologies, networks, placements, algorithms, costs, symbols, options, "
      "libraries, collectives, models, routings, traffic, formats, experiments, groups, claims, "
      "kinds, fields, columns, workloads, devices or machines")
      .required();
  add("name", options->name,
      "Name to print in full; for algorithms also a collective, for libraries a library [all]");
  add_network_options(command, options->said, Need::optional);
  leave_out(command, {"--alpha", "--alpha-receive", "--alpha-per", "--ports", "--copy-bandwidth",
                      "--layout", "--reduce-bandwidth", "--routing"});
  command.option("--topology")
      .description(
          "Network of algorithms COLLECTIVE; prints which fit it, and why others do not [none]");
  add_output_options(command, options->common);
  command.footer(
      "Examples:\n"
      "  # Which topologies are there, and which parameters does a torus take?\n"
      "  weft list topologies\n"
      "  weft list topologies torus\n"
      "  # Which allreduces fit this network?\n"
      "  weft list algorithms allreduce -t torus:4x4\n"
      "  # Which machines have known speeds, and what are those of one?\n"
      "  weft list machines\n"
      "  weft list machines dgx-a100");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
