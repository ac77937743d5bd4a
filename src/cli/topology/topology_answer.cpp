#include "cli/topology/topology_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/topology/forwarding_answer.hpp"
#include "weft/answer/keys.hpp"
#include "weft/design/bisection_parts.hpp"

namespace weft::cli {

using analysis::TopologyReport;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

// Which nodes distances and edge connectivity are between.
const char* between(const TopologyReport& report) {
  if (report.switches == 0) return "nodes";
  return report.planes > 1 ? "hosts" : "switches";
}

std::vector<std::pair<std::string, std::int64_t>> links_by_class(const Topology& topology) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const std::string& name : topology.class_names()) counts.emplace_back(name, 0);
  for (const LinkId link : topology.links()) ++counts[topology.link_class(link).index()].second;
  return counts;
}

// A value of the report.
template <class Get>
auto of_report(Get get) {
  return [get](const MeasuredNetwork& a) -> decltype(auto) { return std::invoke(get, a.report); };
}

Parts<MeasuredNetwork> size_parts() {
  constexpr PartOf<MeasuredNetwork> part;
  return {
      part(keys::kNetworkName, [](const MeasuredNetwork& a) { return a.topology.name(); }),
      part("nodes", "", Unit::none, "hosts and switches", of_report(&TopologyReport::nodes)),
      part("hosts", "", Unit::none, "hosts", of_report(&TopologyReport::hosts)),
      part("switches", "", Unit::none, "switches", of_report(&TopologyReport::switches)),
      part("links", "", Unit::none, "links, of one direction each",
           of_report(&TopologyReport::links)),
      part("cables", "", Unit::none, "cables", of_report(&TopologyReport::cables)),
      part("degree", "", Unit::none,
           "nominal degree, of switches without their links to hosts; failures do not change it",
           of_report(&TopologyReport::degree)),
      part("diameter", "", Unit::none, "largest distance, or null if not connected or not measured",
           of_report(&TopologyReport::diameter)),
      part("average_distance", "", Unit::none, "mean distance of distinct nodes",
           of_report(&TopologyReport::average_distance)),
      part("host_diameter", "", Unit::none, "largest distance of two hosts behind switches",
           of_report(&TopologyReport::host_diameter)),
      part("host_average_distance", "", Unit::none, "mean distance of two hosts behind switches",
           of_report(&TopologyReport::host_average_distance)),
      part("bidirectional", "", Unit::none, "whether every link has one in the other direction",
           of_report(&TopologyReport::bidirectional)),
      part("vertex_transitive", "", Unit::none, "whether all nodes are equivalent",
           of_report(&TopologyReport::vertex_transitive)),
      part("reverse_symmetric", "", Unit::none,
           "whether the network with all links reversed is the same",
           of_report(&TopologyReport::reverse_symmetric)),
      part("planes", "", Unit::none, "parts that the switches form without the hosts",
           of_report(&TopologyReport::planes))};
}

Parts<MeasuredNetwork> measure_parts() {
  constexpr PartOf<MeasuredNetwork> part;
  return {
      part("between", "", Unit::none,
           "what distances and edge connectivity are between: nodes, hosts or switches",
           of_report(between)),
      part("connected", "", Unit::none, "whether each of them reaches all others",
           of_report(&TopologyReport::connected)),
      part("radius", "", Unit::none, "smallest eccentricity of a node",
           of_report(&TopologyReport::radius)),
      part("pairs_at_distance", "", Unit::none, "ordered pairs by their distance, from 0 on",
           of_report(&TopologyReport::pairs_at_distance)),
      part("min_degree", "", Unit::none, "fewest links of a node",
           of_report([](const TopologyReport& report) {
             return std::min(report.degrees.min_out, report.degrees.min_in);
           })),
      part("max_degree", "", Unit::none, "most links of a node",
           of_report([](const TopologyReport& report) {
             return std::max(report.degrees.max_out, report.degrees.max_in);
           })),
      part("edge_connectivity", "", Unit::none, "fewest links whose loss separates two of them",
           of_report(&TopologyReport::edge_connectivity)),
      part("girth", "", Unit::none, "links of a shortest cycle, or null if there is none",
           of_report(&TopologyReport::girth)),
      part.object("bisection", "cables between two halves of the network, or null",
                  of_report(&TopologyReport::bisection), design::bisection_parts()),
      part("moore_diameter", "", Unit::none, "lower bound on the diameter by size and degree",
           of_report(&TopologyReport::moore_diameter)),
      part("hash", "", Unit::none, "checksum of the network",
           [](const MeasuredNetwork& a) { return fmt::format("{:016x}", a.topology.hash()); }),
      part("links_by_class", "", Unit::none, "links of each class",
           [](const MeasuredNetwork& a) { return links_by_class(a.topology); }),
      part.object(
          "forwarding", "quality of the forwarding tables, or null without tables",
          [](const MeasuredNetwork& a) {
            return a.tables ? std::optional<JudgedTables>({*a.tables, a.topology}) : std::nullopt;
          },
          forwarding_parts())};
}

}  // namespace

Parts<MeasuredNetwork> topology_parts() {
  return join(size_parts(), measure_parts());
}

}  // namespace weft::cli
