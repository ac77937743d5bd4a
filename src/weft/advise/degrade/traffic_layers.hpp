// The messages of a program as arcs between nodes, as far as symmetries must keep them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/graph_solvers/automorphisms.hpp"
#include "weft/network/network.hpp"
#include "weft/program/program.hpp"

namespace weft::advise {

/// Ordered pairs of nodes that exchange as many bytes in a step, or those that do not, ascending.
using TrafficLayer = std::vector<std::pair<std::int32_t, std::int32_t>>;

struct Traffic {
  std::vector<TrafficLayer> layers;  // one for each set of pairs that differs from all others
  /// What the routes put on each link: bytes, and these times their place on the way (from 1),
  /// which tells the dimensions of a grid apart that are crossed in order; 0 of split routes.
  IdVector<LinkId, double> bytes, places;
};
/// Nothing where kinds_under() (kinds.hpp) says so.
std::optional<Traffic> traffic_of(const Program& program, const Network& network);

/// Nodes and arcs of the layers, with colours from `first_colour` on. The shape has the network's
/// nodes first.
void add_layers(const std::vector<TrafficLayer>& layers, std::int64_t first_colour,
                graph::ColouredGraph& shape);

/// By value: the same number where sorted neighbours are within 0.1 % of each other.
std::vector<std::int32_t> levels(const std::vector<double>& values);

}  // namespace weft::advise
