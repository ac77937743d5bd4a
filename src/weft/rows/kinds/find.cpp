// Rows of the topology finder: of the Pareto-efficient networks of a size and degree, the one with
// the least time for a buffer.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "weft/analysis/bounds.hpp"
#include "weft/base/error.hpp"
#include "weft/design/find/degree.hpp"
#include "weft/design/find/find_question.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/columns.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/finder.hpp"
#include "weft/topology/expression.hpp"

namespace weft::rows {

namespace {

using search::FoundFront;
using search::FoundTopology;

using search::Searched;

const search::Catalogue& shipped_catalogue(Searched searched) {
  const auto load = [](Searched which) {
    const std::string folder = search::catalogue_folder();
    return folder.empty() ? search::Catalogue::by_rule() : search::Catalogue::load(folder, which);
  };
  if (searched == Searched::without) {
    static const search::Catalogue families = load(Searched::without);
    return families;
  }
  static const search::Catalogue all = load(Searched::with);
  return all;
}

using Fronts = std::vector<FoundFront>;

// All sizes up to a power of two are found at once, and kept for the rows that ask for others.
std::shared_ptr<const Fronts> fronts_with(int nodes, int degree, search::Direction direction,
                                          Searched searched, Workspace& workspace) {
  const int last = std::max(16, static_cast<int>(std::bit_ceil(static_cast<unsigned>(nodes))));
  const std::string key = fmt::format("{} {} {} {}", last, degree, static_cast<int>(direction),
                                      static_cast<int>(searched));
  return workspace.kept<Fronts>(64).get(key, [&] {
    return search::find_topologies(
        shipped_catalogue(searched),
        {.first_nodes = 2, .last_nodes = last, .degree = degree, .direction = direction});
  });
}

void collect(const topology::Expression& expression, std::string& letters, std::string& base) {
  const std::string& name = expression.name;
  if (name == "line") letters += letters.find('L') == std::string::npos ? "L" : "";
  if (name == "power") letters += letters.find('P') == std::string::npos ? "P" : "";
  if (name == "*") letters += letters.find('C') == std::string::npos ? "C" : "";
  if (name == "degree") letters += letters.find('D') == std::string::npos ? "D" : "";
  if (base.empty() && (expression.is_family() || name == "exchange" || name == "splice"))
    base = name;
  for (const topology::Expression& child : expression.children) collect(child, letters, base);
}

std::string expansions_in(const std::string& expression) {
  std::string letters, base;
  collect(topology::parse_expression(expression), letters, base);
  return letters.empty() ? base : letters;
}

std::string wiring_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text, {"one-way", "two-way"});
}

std::string graphs_name(std::string_view name, std::string_view text) {
  return fields::listed_name(name, text, {"all", "families"});
}

constexpr auto kNodes = fields::count<2, search::kMostFinderNodes>("nodes", "", fields::Part::run,
                                                                   fields::Ranges::counts);
constexpr auto kWiring = fields::text<wiring_name>("wiring", "two-way");
constexpr auto kGraphs = fields::text<graphs_name>("graphs", "all");
constexpr auto kMostSteps = fields::count<0>("most-steps", "0");

// The paper's finder knows families and their expansions; ours searched graphs too.
Searched searched_in(const Values& parameters) {
  return kGraphs.in(parameters) == "all" ? Searched::with : Searched::without;
}

// The fastest network of a size and degree, and what bounds it.
struct FastestNetwork {
  const FoundTopology& best;
  design::AllgatherTime time;
  int nodes = 0;
  std::optional<std::int64_t> moore_steps = {};
  std::int64_t lines = 0;

  double bandwidth_bound() const { return static_cast<double>(nodes - 1) / nodes; }
};

answer::Parts<FastestNetwork> fastest_parts() {
  constexpr answer::PartOf<FastestNetwork> part;
  using answer::Unit;
  return {
      part("best", "", Unit::none, "expression of the network",
           [](const FastestNetwork& found) { return found.best.expression; }),
      part("family", "", Unit::none,
           "how it is made: L, P, C, D for line graph, power, product, degree; else its family",
           [](const FastestNetwork& found) { return expansions_in(found.best.expression); }),
      part("steps", "", Unit::none, "steps of an allgather (T_L)",
           [](const FastestNetwork& found) { return found.best.facts.steps; }),
      part("bandwidth_factor", "", Unit::none, "T_B: bandwidth cost in units of M/B, a fraction",
           [](const FastestNetwork& found) { return found.best.facts.bandwidth_factor; }),
      part("bound_ratio", "", Unit::none, "bandwidth_factor over (N - 1)/N",
           [](const FastestNetwork& found) {
             return found.best.facts.bandwidth_factor.to_double() / found.bandwidth_bound();
           }),
      part("steps_above_moore", "", Unit::none, "steps - moore_steps",
           [](const FastestNetwork& found) -> std::optional<std::int64_t> {
             if (!found.moore_steps) return std::nullopt;
             return found.best.facts.steps - *found.moore_steps;
           }),
      part("time", "", Unit::seconds, "time of an allgather or reduce-scatter of the buffer",
           [](const FastestNetwork& found) { return found.time.of_s(found.best); }),
      part("allreduce_time", "", Unit::seconds, "twice the time of an allgather",
           [](const FastestNetwork& found) { return 2 * found.time.of_s(found.best); }),
      part("least_allreduce_time", "", Unit::seconds,
           "minimum time of an allreduce at the Moore bound",
           [](const FastestNetwork& found) -> std::optional<double> {
             if (!found.moore_steps) return std::nullopt;
             return 2 * found.time.of_s(*found.moore_steps, found.bandwidth_bound());
           }),
      part("lines", "", Unit::none, "number of Pareto-efficient networks", &FastestNetwork::lines)};
}

Values answer(const Row& row, Workspace& workspace) {
  const Values& parameters = row.parameters;
  const auto nodes = static_cast<int>(kNodes.in(parameters));
  const auto degree = static_cast<int>(design::kDegree.in(parameters));
  const auto direction = kWiring.in(parameters) == "two-way" ? search::Direction::bidirectional
                                                             : search::Direction::one_way;
  const std::int64_t most_steps = kMostSteps.in(parameters);
  const design::AllgatherTime time{.step_ps = fields::kAlpha.in(parameters),
                                   .size_B = fields::kBuffer.in(parameters),
                                   .egress_Bps = degree * fields::kRate.in(parameters)};
  const auto fronts = fronts_with(nodes, degree, direction, searched_in(parameters), workspace);
  const auto found_front = std::ranges::find(*fronts, nodes, &FoundFront::nodes);
  WEFT_ASSERT(found_front != fronts->end());  // all sizes up to the last have one
  const auto& front = found_front->front;
  const FoundTopology* best = nullptr;
  for (const FoundTopology& line : front)
    if ((most_steps == 0 || line.facts.steps <= most_steps) &&
        (best == nullptr || time.of_s(line) < time.of_s(*best)))
      best = &line;
  require(best != nullptr, "no network of {} nodes and degree {} is known with at most {} steps",
          nodes, degree, most_steps);
  FastestNetwork found{.best = *best, .time = time, .nodes = nodes, .lines = std::ssize(front)};
  if (const auto moore = analysis::moore_steps(nodes, degree)) found.moore_steps = *moore;
  const auto parts = fastest_parts();
  return values_of(found, parts, all_columns(parts));
}

void resolve(Row& row, FactsOfNetworks&) {
  require(!search::catalogue_folder().empty(),
          "no catalogue of networks was found (neither ./share/catalogue nor an installed "
          "one), but answers depend on it; set WEFT_CATALOGUE to its folder");
  row.nodes = kNodes.in(row.parameters);
}

std::string contents(const Row& row, FactsOfNetworks&) {
  return contents_of_hash(shipped_catalogue(searched_in(row.parameters)).hash());
}

}  // namespace

std::vector<ColumnMeaning> find_columns() {
  const auto parts = fastest_parts();
  return meanings_of(parts, all_columns(parts));
}

RowKind find_kind() {
  return {.name = "find",
          .subject = Subject::none,
          .fields = {&fields::kAlpha, &fields::kRate, &fields::kBuffer, &kNodes, &design::kDegree,
                     &kWiring, &kGraphs, &kMostSteps},
          .needed = {"nodes"},
          .measures = measures_of(fastest_parts(), all_columns(fastest_parts())),
          .chart = {.x = "nodes", .y = "bandwidth_factor", .series = "degree"},
          .resolve = resolve,
          .contents = contents,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
