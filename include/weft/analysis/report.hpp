// TopologyReport: all measures of a network together, the costly ones where asked for.
//
//   TopologyReport r = report(make_topology("kautz:4,2"));
//   print(r.nodes, r.diameter, r.edge_connectivity);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/analysis/bounds.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/topology/topology.hpp"

namespace weft::analysis {

/// When a costly measure is taken: on networks of up to ReportOptions::automatic_nodes, and of any
/// size where one node tells it (Cayley graphs by their expression), or as told.
enum class Measure { automatic, always, never };

struct ReportOptions {
  Measure distances = Measure::always;  // diameter, average and distribution; costs nodes * links
  Measure edge_connectivity = Measure::automatic;
  Measure girth = Measure::automatic;
  Measure reverse_symmetric = Measure::automatic;
  Measure vertex_transitive = Measure::automatic;
  Measure bisection = Measure::automatic;  // automatic: a formula is taken on any network
  std::int32_t automatic_nodes = 4000;     // the most nodes for which automatic means yes

  /// All costly measures alike.
  static ReportOptions all(Measure when) {
    return {.edge_connectivity = when,
            .girth = when,
            .reverse_symmetric = when,
            .vertex_transitive = when,
            .bisection = when};
  }
};

/// What is known of a network; empty where a measure was not taken or has no value.
struct TopologyReport {
  std::int32_t nodes = 0, hosts = 0, switches = 0;
  std::int32_t links = 0, cables = 0;
  /// The nominal degree, and the real ones: of the core.
  std::int32_t degree = 0;
  DegreeRange degrees;
  bool bidirectional = false;

  /// The pieces that the switches fall into: 0 without switches, more than 1 where hosts hang on
  /// several rails.
  std::int32_t planes = 0;

  /// Between core nodes, or between hosts over all links where there are several planes: ways
  /// between their switches lead through hosts. Edge connectivity likewise.
  std::optional<bool> connected;
  std::optional<std::int32_t> diameter, radius;  // only when connected
  std::optional<Rational> average_distance;      // only when connected, and of two nodes or more
  std::vector<std::int64_t> pairs_at_distance;   // [k], over ordered pairs of distinct nodes
  /// Where there are switches: between hosts, over all links; empty too where some host does not
  /// reach another.
  std::optional<std::int32_t> host_diameter;
  std::optional<Rational> host_average_distance;
  /// The least diameter for so many core nodes of this degree, of this wiring (one-way or cables).
  std::optional<std::int32_t> moore_diameter;

  std::optional<std::int32_t> edge_connectivity;
  bool girth_taken = false;  // tells "no cycle" from "not looked for"
  std::optional<std::int32_t> girth;
  std::optional<bool> reverse_symmetric;
  std::optional<bool> vertex_transitive;
  std::optional<Bisection> bisection;
};

/// All that `weft topology` says of a network; what an option asks for costs what its own function
/// does, distances O(nodes * links).
TopologyReport report(const Topology& topology, const ReportOptions& options = {});

}  // namespace weft::analysis
