#include "weft/rows/kinds/resolve.hpp"

#include <fmt/format.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/members.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/network/host_costs.hpp"
#include "weft/network/routings.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/placement.hpp"

namespace weft::rows {

namespace {

const std::string kDefaultLink = "100Gbps,1us";

bool is_auto(const Values& parameters, std::string_view name) {
  return fields::text_in(parameters, name) == "auto";
}

// Roots and ends that the collective has not; a kind that goes to every rank has no `to`.
void resolve_ends(Row& row) {
  Values& parameters = row.parameters;
  const CollectiveKind kind = kind_in(parameters);
  const bool between_two = schedule::traits_of(kind).between_two();
  if (!row.kind->has("to")) {
    require(between_two, "rows of kind {} are point-to-point, not {}", row.kind->name,
            name_of(kind));
    parameters.try_emplace("from", std::int64_t{0});
    return;
  }
  if (between_two || !Collective{kind, 1}.rooted()) parameters.erase("root");
  if (!between_two) {
    parameters.erase("from");
    parameters.erase("to");
    return;
  }
  require(parameters.contains("from") && parameters.contains("to"),
          "point-to-point needs both ends; give from and to");
}

// Names of hosts become the ranks on them.
void resolve_names(Values& parameters, FactsOfNetworks& facts) {
  for (const char* end : {"root", "from", "to"}) {
    const auto found = parameters.find(end);
    if (found != parameters.end() && std::holds_alternative<std::string>(found->second))
      found->second = blame(end, [&] { return facts.rank_called(parameters, end); });
  }
}

// Said only where tables would keep messages from their paths.
void resolve_source_routed(Values& parameters) {
  const auto said = parameters.find("source-routed");
  if (said == parameters.end()) return;
  const bool by_tables = fields::text_in(parameters, "routing").starts_with("table");
  if (!by_tables || said->second == Value(false)) parameters.erase(said);
}

}  // namespace

void resolve_topology(Row& row, FactsOfNetworks& facts) {
  const TopologyFacts& topology = facts.topology(fields::text_in(row.parameters, "topology"));
  row.parameters["topology"] = topology.name;
  if (is_auto(row.parameters, "routing")) row.parameters["routing"] = topology.routing;
  resolve_source_routed(row.parameters);
  fields::resolve_hops(row.parameters, topology);
  row.nodes = topology.nodes;
  row.hosts = topology.hosts;
  WEFT_ASSERT(row.hosts >= 1 && row.hosts <= row.nodes);
}

// Links without a speed of the row, of the machine or of the topology's file have the default.
void resolve_link(Values& parameters, const TopologyFacts& topology) {
  const std::string link = fields::text_in(parameters, "link");
  if (topology.speeds && link.empty())
    parameters["link"] = std::string(fields::kSpeedsOfFile);
  else if (!topology.speeds && !fields::has_part_for_all(link) &&
           !fields::has_part_for_all(fields::text_in(parameters, fields::kLinkDefault.name)))
    parameters["link"] = canonical_value("link", kDefaultLink + (link.empty() ? "" : ";" + link));
}

void resolve_placement(Row& row, FactsOfNetworks& facts) {
  Values& parameters = row.parameters;
  const std::string placement = fields::text_in(parameters, "placement");
  const TopologyFacts& topology = facts.topology(fields::text_in(parameters, "topology"));
  const fields::PlacementFacts& placed = facts.placement(parameters);
  WEFT_ASSERT(placed.ranks >= 1);
  parameters["ranks"] = placed.ranks;
  if (!placed.hosts.empty()) parameters["hosts"] = placed.hosts;  // of a file: its numbers
  for (const Field* field : fields::further_placing_fields())
    if (fields::is_default(*field, parameters)) parameters.erase(std::string(field->name));
  const bool drawn = topology::draws(placement) || fields::draws_packets(parameters, topology) ||
                     network::draws_paths(fields::text_in(parameters, "routing"));
  if (!drawn) parameters.erase("seed");
}

void resolve_algorithm(Values& parameters) {
  if (fields::asks_for_best(parameters)) {  // each has its own
    for (const algorithm::Option& option : algorithm::options())
      parameters.erase(std::string(option.name));
    return;
  }
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  for (const algorithm::Option& option : algorithm::options()) {
    const std::string name(option.name);
    const algorithm::Option* own = algorithm.option(name);
    if (own == nullptr)
      parameters.erase(name);
    else if (!own->fallback.empty() && is_auto(parameters, name))
      parameters[name] = canonical_value(name, own->fallback);
  }
}

void resolve_collective(Row& row, FactsOfNetworks& facts) {
  resolve_topology(row, facts);
  resolve_link(row.parameters, facts.topology(fields::text_in(row.parameters, "topology")));
  resolve_placement(row, facts);
  resolve_ends(row);
  resolve_names(row.parameters, facts);
}

void resolve_schedule(Row& row, FactsOfNetworks& facts) {
  require(!fields::asks_for_best(row.parameters) || row.kind->name == "simulate",
          "algorithm = \"best\" works with kind simulate, not {}; name the algorithms, or "
          "write \"all\"",
          row.kind->name);
  resolve_collective(row, facts);
  resolve_algorithm(row.parameters);
}

void resolve_price(Row& row, FactsOfNetworks& facts) {
  resolve_schedule(row, facts);
  if (is_auto(row.parameters, "segments")) row.parameters["segments"] = std::int64_t{1};
}

void resolve_readings(Row& row, FactsOfNetworks& facts, Startups startups) {
  Values& parameters = row.parameters;
  const bool by_formula = fields::text_in(parameters, "model") == "alpha-beta";
  // Who pays says nothing where nothing is paid; alpha-beta has one start-up a step.
  HostParameters host;
  fields::set_members(host, fields::host_members(), parameters);
  if (network::startups_ps(host) == 0 || (startups == Startups::by_model && by_formula))
    parameters.erase("alpha-per");
  const std::string large = fields::text_in(parameters, "copy-large");
  const bool is_free = fields::text_in(parameters, "copy-bandwidth") == "free";
  if (is_free && (large.empty() || large == "none")) parameters.erase("layout");
  fields::resolve_packets(parameters);
  if (fields::by_packets(parameters))
    row.mean_links = facts.mean_links(fields::text_in(parameters, "topology"));
  if (!by_formula) return;
  for (const char* reading : {"sync", "release", "sharing", "cables"}) parameters.erase(reading);
}

void resolve_run(Row& row, FactsOfNetworks& facts) {
  resolve_schedule(row, facts);
  resolve_readings(row, facts, Startups::by_model);
}

void resolve_calls(Values& parameters) {
  for (const Field* field : fields::call_fields())
    if (parameters.at(std::string(field->name)) == field->canonical(field->name, field->fallback))
      parameters.erase(std::string(field->name));
}

std::string contents_of_hash(std::uint64_t hash) {
  return fmt::format("graph={:016x}\n", hash);
}

std::string contents_of_topology(const Row& row, FactsOfNetworks& facts) {
  return contents_of_hash(facts.topology(fields::text_in(row.parameters, "topology")).hash);
}

std::string contents_of_schedule(const Row& row, FactsOfNetworks& facts) {
  const TopologyFacts& topology = facts.topology(fields::text_in(row.parameters, "topology"));
  std::string text = contents_of_hash(topology.hash);
  text += fmt::format("classes={}\n", topology.classes);
  // Speeds of a file count where no speed for all links is given.
  const std::string link = fields::text_in(row.parameters, "link");
  if (topology.speeds && (link == fields::kSpeedsOfFile || !fields::has_part_for_all(link)))
    text += fmt::format("speeds={:08x}\n", *topology.speeds);
  if (topology.tables) text += fmt::format("tables={:08x}\n", *topology.tables);
  if (topology.names && placement_of(row).starts_with("hosts:"))
    text += fmt::format("names={:08x}\n", *topology.names);
  if (const auto content = fields::content_of_placement(placement_of(row)))
    text += fmt::format("placement={:08x}\n", *content);
  return text;
}

}  // namespace weft::rows
