// The tables of weft find.
#include "weft/design/find/find_answer.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "weft/answer/keys.hpp"

namespace weft::design {

using answer::Column;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

std::vector<NetworkReport> networks_of(const SizeReport& report) {
  std::vector<NetworkReport> networks;
  for (const FoundNetwork& network : report.size.front) networks.push_back({report, network});
  return networks;
}

std::vector<SizeReport> sizes_of(const FindReport& report) {
  std::vector<SizeReport> sizes;
  for (const FoundSize& size : report.found.sizes) sizes.push_back({report.asked, size});
  return sizes;
}

std::optional<SizeReport> single_of(const FindReport& report) {
  if (!report.asked.single()) return std::nullopt;
  return SizeReport{report.asked, report.found.sizes.front()};
}

const char* wiring_of(const FoundNetwork& network) {
  return network.two_way ? "two-way" : "one-way";
}

// Large networks that are ranked for an all-to-all may have no known allgather.
bool has_allgather(const FoundNetwork& network) {
  return network.line.facts.steps > 0;
}

const char* name_of(search::ReachedBy algorithm) {
  return algorithm == search::ReachedBy::expand ? "expand" : "bfb";
}

// A value of the network, or of its allgather where it has one.
template <class Get>
auto of_network(Get get) {
  return [get](const NetworkReport& report) { return std::invoke(get, report.network); };
}
template <class Get>
auto of_allgather(Get get) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Get, const algorithm::Prediction&>>;
  return [get](const NetworkReport& report) {
    return has_allgather(report.network)
               ? std::optional<Result>(std::invoke(get, report.network.line.facts))
               : std::nullopt;
  };
}

std::optional<double> throughput_of(const NetworkReport& report) {
  const auto& known = report.network.throughput;
  return known && known->has_flow() ? std::optional(known->throughput) : std::nullopt;
}

bool has_throughput(const NetworkReport& report) {
  return report.network.throughput.has_value();
}

// The bound on the throughput of all networks of the size.
std::optional<double> throughput_bound_of(const NetworkReport& report) {
  const auto& bounds = report.of.size.bounds;
  return bounds ? std::optional(bounds->throughput) : std::nullopt;
}

std::string show_share(const NetworkReport& report) {
  const auto throughput = throughput_of(report), bound = throughput_bound_of(report);
  if (!is_for_alltoall(report.of.asked) || !bound || !throughput) return "";
  return fmt::format("{:.1f}%", 100 * *throughput / *bound);
}

std::string show_idle(const NetworkReport& report) {
  const int idle = report.network.line.idle_ports;
  return idle > 0 ? fmt::format("{}", idle) : "";
}

Parts<NetworkReport> network_parts() {
  constexpr PartOf<NetworkReport> part;
  return {
      part(keys::kExpression, "topology",
           [](const NetworkReport& report) { return report.network.line.expression; }),
      part("wiring", "wiring", Unit::none,
           "two-way: every link is one direction of a cable; else one-way", of_network(wiring_of)),
      part("ports", "ports", Unit::none, "ports of a node with a cable",
           of_network(&FoundNetwork::ports)),
      part("idle_ports", "idle", Unit::none, "ports of a node without a cable",
           [](const NetworkReport& report) { return report.network.line.idle_ports; })
          .shown_as(show_idle),
      part("steps", "T_L", Unit::none, "steps of the allgather (T_L)",
           of_allgather(&algorithm::Prediction::steps)),
      part("bandwidth_factor", "T_B", Unit::none, "T_B of the allgather, in units of M/B",
           of_allgather(&algorithm::Prediction::bandwidth_factor)),
      part("diameter", "diameter", Unit::none, "largest distance of two nodes, in links",
           of_network(&FoundNetwork::diameter)),
      part("distance_bound", "distance bound", Unit::none,
           "upper bound of the all-to-all throughput by the mean distance",
           of_network(&FoundNetwork::distance_bound)),
      part("throughput", "throughput", Unit::none,
           "all-to-all throughput: each pair's rate in units of a link's bandwidth", throughput_of)
          .when(has_throughput),
      part(keys::kUpperBound, "upper bound",
           [](const NetworkReport& report) { return report.network.throughput->upper_bound; })
          .when(has_throughput),
      part("throughput_bound", "any network", Unit::none,
           "upper bound of the throughput of any network of this size and degree",
           throughput_bound_of)
          .when([](const NetworkReport& report) { return is_for_alltoall(report.of.asked); }),
      part.line("share", show_share),
      part("time", "time", Unit::seconds, "time of an allgather of --size",
           of_network(&FoundNetwork::time_s))
          .left_out(),
      part("algorithm", "by", Unit::none, "algorithm of the allgather: expand or bfb",
           [](const NetworkReport& report) { return name_of(report.network.line.algorithm); }),
      part("reversible", "", Unit::none,
           "whether a reduce-scatter costs the same, an allreduce twice as much",
           [](const NetworkReport& report) { return report.network.line.facts.reversible; }),
      part("source", "source", Unit::none, "how the costs of the base networks are known",
           [](const NetworkReport& report) { return report.network.line.source; }),
      part.list(keys::kCurve, of_network(&FoundNetwork::curve), step_point_parts())
          .when([](const NetworkReport& report) { return report.of.asked.steps.has_value(); })};
}

Parts<FindBounds> bound_parts() {
  constexpr PartOf<FindBounds> part;
  return {
      part("steps", "", Unit::none, "minimum steps of an allgather", &FindBounds::steps),
      part("bandwidth_factor", "", Unit::none, "minimum T_B of an allgather",
           &FindBounds::bandwidth_factor),
      part("throughput", "", Unit::none, "maximum all-to-all throughput", &FindBounds::throughput)};
}

Parts<SizeReport> nodes_parts() {
  constexpr PartOf<SizeReport> part;
  return {part(keys::kNodes, "nodes", [](const SizeReport& report) { return report.size.nodes; })};
}

// Times and curves are of allgathers, curves of one size alone.
Parts<SizeReport> size_parts(bool single) {
  constexpr PartOf<SizeReport> part;
  const auto for_alltoall = [](const SizeReport& report) { return is_for_alltoall(report.asked); };
  return join(nodes_parts(),
              {part.list("ranking", "up to 8 networks, highest all-to-all throughput first",
                         networks_of, without_keys(network_parts(), {"time", "curve"}))
                   .when(for_alltoall),
               part.list(keys::kPareto, networks_of,
                         without_keys(network_parts(), {"throughput_bound", single ? "" : "curve"}))
                   .when(std::not_fn(for_alltoall)),
               part.object(
                   "bounds", "bounds for any network of this size and degree, or null",
                   [](const SizeReport& report) { return report.size.bounds; }, bound_parts())});
}

// Without the time that it took, so that answers are equal.
Parts<FindSearch> search_parts() {
  constexpr PartOf<FindSearch> part;
  return {
      part("rounds", "", Unit::none, "rounds of candidates", &FindSearch::rounds),
      part("seed", "", Unit::none, "seed of the search", &FindSearch::seed),
      part("time_limit", "", Unit::seconds, "time limit of the search", &FindSearch::time_limit_s),
      part("complete", "", Unit::none, "whether all rounds were done", &FindSearch::complete)};
}

// For people the size and the costs come first, for programs the names.
constexpr auto kForPeople = std::to_array<Column>({{"nodes"},
                                                   {"wiring"},
                                                   {"ports"},
                                                   {"idle_ports"},
                                                   {"steps"},
                                                   {"bandwidth_factor"},
                                                   {"diameter"},
                                                   {"distance_bound"},
                                                   {"throughput"},
                                                   {"upper_bound"},
                                                   {"throughput_bound"},
                                                   {"share"},
                                                   {"time"},
                                                   {"algorithm"},
                                                   {"source"},
                                                   {"topology"}});
constexpr auto kForPrograms = std::to_array<Column>({{"nodes"},
                                                     {"topology"},
                                                     {"steps"},
                                                     {"bandwidth_factor"},
                                                     {"diameter"},
                                                     {"distance_bound"},
                                                     {"throughput"},
                                                     {"upper_bound"},
                                                     {"throughput_bound"},
                                                     {"time"},
                                                     {"algorithm"},
                                                     {"source"},
                                                     {"wiring"},
                                                     {"ports"},
                                                     {"idle_ports"}});

}  // namespace

bool is_for_alltoall(const FindQuestion& asked) {
  return asked.objective == FindObjective::alltoall;
}

Parts<StepPoint> step_point_parts() {
  constexpr PartOf<StepPoint> part;
  return {part("steps", "", Unit::none, "maximum number of steps", &StepPoint::steps),
          part("bandwidth_factor_bound", "", Unit::none, "lower bound of T_B", &StepPoint::bound),
          part("algorithm", "", Unit::none, "algorithm of the best known schedule",
               [](const StepPoint& point) {
                 return point.best ? std::optional(point.best->schedule) : std::nullopt;
               }),
          part("bandwidth_factor", "", Unit::none, "T_B of the best known schedule",
               [](const StepPoint& point) {
                 return point.best ? std::optional(point.best->bandwidth_factor) : std::nullopt;
               })};
}

Parts<FindReport> find_asked_parts() {
  constexpr PartOf<FindReport> part;
  return {part(keys::kDegree, [](const FindReport& report) { return report.asked.degree; }),
          part("objective", "", Unit::none, "allgather or alltoall",
               [](const FindReport& report) { return design::name_of(report.asked.objective); }),
          part("direction", "", Unit::none, "bidirectional or one-way",
               [](const FindReport& report) {
                 return report.asked.one_way ? "one-way" : "bidirectional";
               }),
          part("catalogue", "", Unit::none, "checksum of the catalogue", &FindReport::catalogue)};
}

Parts<FindReport> find_found_parts() {
  constexpr PartOf<FindReport> part;
  return join(
      join({part.object(
               "automatic_search", "the search that ran first, or null",
               [](const FindReport& report) { return report.found.search; }, search_parts())},
           part.within(single_of, size_parts(true))),
      {part.list("sizes", "one for each size of a range", sizes_of, size_parts(false))
           .when([](const FindReport& report) { return !report.asked.single(); })});
}

answer::Cells found_cells(const FindQuestion& asked, const FindAnswer& found,
                          answer::Reader reader) {
  constexpr PartOf<NetworkReport> part;
  std::vector<NetworkReport> networks;
  for (const FoundSize& size : found.sizes)
    for (const NetworkReport& network : networks_of({asked, size})) networks.push_back(network);
  const auto parts = join(part.within(&NetworkReport::of, nodes_parts()), network_parts());
  const std::span<const Column> columns =
      reader == answer::Reader::person ? std::span<const Column>(kForPeople) : kForPrograms;
  return without_empty_columns(answer::cells_of<NetworkReport>(networks, parts, columns, reader));
}

}  // namespace weft::design
