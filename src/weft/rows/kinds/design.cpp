// Rows of the network to build for some nodes and their collectives, as weft design advises it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/design/design_parts.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/price_list.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/finder.hpp"
#include "weft/search/found_graphs.hpp"
#include "weft/search/samples.hpp"

namespace weft::rows {

namespace {

// One for each entry, with its size in bytes and its number of calls.
std::vector<order::MixEntry> read_mix(std::string_view, std::string_view text) {
  return order::parse_mix(text);
}
Value show_mix(const std::vector<order::MixEntry>& mix) {
  std::string text;
  for (const order::MixEntry& entry : mix)
    text += fmt::format("{}{}:{}:{}", text.empty() ? "" : ",", name_of(entry.collective),
                        entry.size_B, entry.calls);
  return text;
}

constexpr auto kMix = fields::field<read_mix, show_mix>("mix", "");
constexpr auto kBuild = fields::choice<design::parse_build>("build", "direct");
// Algorithms have an option `radix`, and kind find a degree with another default.
constexpr auto kNodePorts = fields::count<1, search::kMostFinderDegree>("node-ports", "");
constexpr auto kSwitchPorts = fields::count<2, 4096>("switch-ports", "");
constexpr auto kFinalists = fields::count<1, 100>("finalists", "3");
constexpr auto kHostsPerRack = fields::count<1, 1'000'000>("hosts-per-rack", "32");

constexpr const char* kSpeed = "100Gbps,1us";

design::DesignQuestion asked_in(const Row& row) {
  const Values& parameters = row.parameters;
  const bool one_way = fields::text_in(parameters, "wiring") == "one-way";
  design::DesignQuestion asked{
      .nodes = static_cast<int>(fields::count_in(parameters, "nodes", 2)),
      .ports = static_cast<int>(kNodePorts.in(parameters, 1)),
      .direction = one_way ? search::Direction::one_way : search::Direction::bidirectional,
      .build = kBuild.in(parameters),
      .radix = static_cast<int>(kSwitchPorts.in(parameters, 0)),
      .larger = design::LargerSwitches::considered,
      .calls = kMix.in(parameters),
      .network = fields::network_in(parameters),
      .simulation = fields::simulation_options_in(parameters),
      .prices = price_list_of(row),
      .hosts_per_rack = kHostsPerRack.in(parameters),
      .finalists = static_cast<int>(kFinalists.in(parameters))};
  asked.network.placing = {};  // of ranks on the hosts that are there
  return asked;
}

bool needs_catalogue(const Values& parameters) {
  return kBuild.in(parameters) != design::Build::switches;
}

// As it comes with weft: graphs that a user's searches found would change the rows.
const search::Catalogue& shipped_catalogue() {
  static const search::Catalogue catalogue =
      search::Catalogue::load(search::catalogue_folder(), search::Searched::with);
  return catalogue;
}

design::NetworkDesign design_of(const design::DesignQuestion& asked) {
  if (asked.build == design::Build::switches)
    return design_network(asked, search::Catalogue::by_rule());
  if (asked.nodes <= search::kMostSearchedNodes) return design_network(asked, shipped_catalogue());
  search::Catalogue catalogue =
      search::Catalogue::load(search::catalogue_folder(), search::Searched::with);
  search::add_samples(catalogue, {asked.nodes}, asked.ports);
  return design_network(asked, catalogue);
}

Values answer(const Row& row, Workspace&) {
  const design::NetworkDesign found = design_of(asked_in(row));
  WEFT_ASSERT(found.chosen < found.rows.size());
  return values_of(design::DesignedRow{found, found.rows[found.chosen]}, design::design_row_parts(),
                   design::design_row_columns());
}

void resolve(Row& row, FactsOfNetworks&) {
  Values& parameters = row.parameters;
  const design::Build build = kBuild.in(parameters);
  const bool switched = build == design::Build::switches;
  parameters.try_emplace("node-ports", std::int64_t{design::default_ports(build)});
  if (fields::text_in(parameters, "link").empty())
    parameters["link"] = canonical_value("link", kSpeed);
  require(fields::link_options(parameters).by_class.empty(),
          "link = \"{}\" names a class, but candidate networks have their own link classes; give "
          "one speed for every link, such as 25Gbps,1us",
          fields::text_in(parameters, "link"));
  parameters.erase(switched ? "wiring" : "switch-ports");  // cables of switches are two-way
  require(switched || !search::catalogue_folder().empty(),
          "no catalogue of networks was found (neither ./share/catalogue nor an installed one), "
          "but answers depend on it; set WEFT_CATALOGUE to its folder");
  row.nodes = fields::count_in(parameters, "nodes", 0);
  require_designable(asked_in(row));
}

std::string contents(const Row& row, FactsOfNetworks& facts) {
  std::string text = contents_of_prices(row, facts);
  if (needs_catalogue(row.parameters)) text += contents_of_hash(shipped_catalogue().hash());
  return text;
}

// Tens of candidates with the schedules of each call, and failures of the finalists.
Estimate estimate_of(const Row& row) {
  constexpr double kCandidate_s = 5e-3, kPair_s = 1e-3, kPair_B = 1000;
  const auto nodes = static_cast<double>(row.nodes);
  const auto calls = static_cast<double>(kMix.in(row.parameters).size());
  return {.time_s = kReport_s + calls * (40 * kCandidate_s + nodes * nodes * kPair_s),
          .memory_B = kRow_B + nodes * nodes * kPair_B};
}

const Field* field_called(std::string_view name, const std::vector<const Field*>& fields) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  WEFT_ASSERT(found != fields.end());
  return *found;
}

std::vector<const Field*> fields() {
  const std::vector<const Field*> of_find = find_kind().fields,
                                  of_runs = fields::schedule_fields({.started = true});
  return {field_called("nodes", of_find),
          &kMix,
          &kNodePorts,
          &kBuild,
          &kSwitchPorts,
          field_called("wiring", of_find),
          field_called("link", of_runs),
          field_called("alpha", of_runs),
          &fields::kPrices,
          &kHostsPerRack,
          &kFinalists};
}

}  // namespace

std::vector<ColumnMeaning> design_columns() {
  return meanings_of(design::design_row_parts(), design::design_row_columns());
}

RowKind design_kind() {
  return {.name = "design",
          .subject = Subject::none,
          .fields = fields(),
          .needed = {"nodes", "mix"},
          .measures = measures_of(design::design_row_parts(), design::design_row_columns()),
          .chart = {.x = "nodes", .y = "time", .series = "build"},
          .resolve = resolve,
          .contents = contents,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
