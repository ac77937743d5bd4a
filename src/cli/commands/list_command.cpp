// weft list: what there is to choose from, out of the tables that the program itself reads.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/list/listing.hpp"
#include "cli/options/options.hpp"
#include "cli/study/claim_rows.hpp"
#include "cli/study/experiments.hpp"
#include "weft/advise/schedule/counts.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/network/routings.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::cli {

namespace {

struct ListCommand {
  std::string what, name;
  GivenFields said;  // of the network of algorithms
  OutputOptions common;
};

const List& find_list(const std::string& name) {
  std::vector<std::string> known;
  for (const List& list : lists()) {
    if (list.name == lower(name)) return list;
    known.emplace_back(list.name);
  }
  reject_unknown({"list", name}, known);
}

// The one entry of this name.
Listing only(Listing listing, const std::string& name, std::string_view list) {
  std::vector<std::string> known;
  for (const auto& row : listing.rows) known.push_back(row.front());
  const auto found = std::ranges::find(known, lower_name(name));
  if (found == known.end()) reject_unknown({"entry", name, fmt::format("in {}", list)}, known);
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
  Listing listing = find_list("algorithms").listing();
  std::erase_if(listing.rows, [&](const ListRow& row) {
    return !algorithm::find_algorithm(row.front()).supports(kind);
  });
  return listing;
}

// What serves the collective on the user's network, and why the others do not.
Listing algorithms_on(const Network& network, const Collective& collective) {
  Listing listing{.columns = fitting_columns(), .rows = {}};
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
                        [](const ListRow& row) { return row[1] == "yes"; });
  return listing;
}

// All rows of this name, which stands in the column.
Listing all_of(Listing listing, std::size_t column, std::string_view name, std::string_view list) {
  std::vector<std::string> known;
  for (const ListRow& row : listing.rows)
    if (known.empty() || known.back() != row[column]) known.push_back(row[column]);
  if (std::ranges::find(known, lower(name)) == known.end())
    reject_unknown({"entry", name, fmt::format("in {}", list)}, known);
  std::erase_if(listing.rows, [&](const ListRow& row) { return row[column] != lower(name); });
  return listing;
}

Listing algorithms_on(const ListCommand& options) {
  require(!options.name.empty() && is_collective(options.name),
          "the collective is missing; write weft list algorithms allreduce --topology {}",
          options.said.text("topology"));
  const Network network = make_network(options.said, options.common.seed);
  Collective collective{advise::kind_scheduled_for(options.name), network.ranks()};
  if (schedule::traits_of(collective.kind).between_two())
    collective.peer = Rank(network.ranks() - 1);
  return algorithms_on(network, collective);
}

Listing listing_of(const ListCommand& options) {
  const List& list = find_list(options.what);
  const bool of_algorithms = list.name == "algorithms";
  if (options.said.of("topology")) {
    require(of_algorithms, "--topology works with weft list algorithms COLLECTIVE, not with {}",
            list.name);
    return algorithms_on(options);
  }
  if (options.name.empty()) return list.listing();
  if (list.name == "claims") {  // of an experiment or a group
    const auto experiments = find_experiments(std::vector{options.name});
    return {list.columns, claim_rows(experiments), list.columns_if_unknown};
  }
  if (of_algorithms && is_collective(options.name))
    return algorithms_for(advise::kind_scheduled_for(options.name));
  if (of_algorithms)
    return only(list.listing(), algorithm::find_algorithm(options.name).name, list.name);
  if (list.name == "libraries" || list.name == "columns")
    return all_of(list.listing(), 1, options.name, list.name);
  if (list.name == "groups" || list.name == "costs" || list.name == "fields")
    return all_of(list.listing(), 0, options.name, list.name);
  const auto* routing = list.name == "routings" ? network::find_routing(options.name) : nullptr;
  return only(list.listing(), routing != nullptr ? routing->name : options.name, list.name);
}

void print_table(const Listing& listing, const Screen& screen, Streams& streams) {
  constexpr int kRoomy = 120;
  std::vector<answer::Column> shown;
  for (const ListColumn& column : listing.columns)
    if (column.shown == Shown::always ||
        (column.shown == Shown::where_roomy && screen.columns >= kRoomy))
      shown.push_back({column.key});
  const answer::Cells cells = answer::cells_of<ListRow>(listing.rows, row_parts(listing.columns),
                                                        shown, answer::Reader::person);
  streams.out << table_of(cells).text(screen);
}

void print_entry(const Listing& listing, const Screen& screen, Streams& streams) {
  Facts facts;
  for (auto& [heading, text] : answer::facts_of(listing.rows[0], row_parts(listing.columns)))
    if (!text.empty()) facts.add(heading, text);
  streams.out << facts.text(screen);
}

int run(const ListCommand& options, Streams& streams) {
  const Listing listing = listing_of(options);
  if (options.common.json)
    print_json("list", listing, listing_parts(find_list(options.what).name, listing.columns),
               options.common, streams);
  else if (!options.name.empty() && listing.rows.size() == 1)
    print_entry(listing, screen_of(streams), streams);
  else
    print_table(listing, screen_of(streams, listing.columns_if_unknown), streams);
  return kFine;
}

}  // namespace

std::vector<answer::Shape> list_shapes() {
  std::vector<answer::Shape> shapes;
  for (const List& list : lists())
    shapes.push_back({std::string(list.name), texts_of(listing_parts(list.name, list.columns))});
  shapes.push_back({"algorithms for a network, of --topology",
                    texts_of(listing_parts("algorithms", fitting_columns()))});
  return shapes;
}

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
  leave_out(command, all_of({host_options(), {"--routing"}}));
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
