// Where the nodes of a picture stand. Units are arbitrary, y grows downwards.
#pragma once

#include <optional>

#include "weft/base/id_vector.hpp"
#include "weft/report/network_picture.hpp"
#include "weft/topology/topology.hpp"

namespace weft::report {

struct Point {
  double x = 0, y = 0;
};

/// A layout; nothing where it does not fit the network.
struct PlacedNodes {
  IdVector<NodeId, Point> at;
  IdVector<LinkId, double> bow;  // how far its middle is to the left of the straight line from
                                 // its lower-numbered end to the other; empty: all straight
};

/// By the layout that is asked for, or the first that fits; `taken` is told which. Throws
/// InvalidInput where it does not fit.
PlacedNodes place_nodes(const Topology& topology, PictureLayout asked, PictureLayout& taken);

std::optional<PlacedNodes> place_in_groups(const Topology& topology);
std::optional<PlacedNodes> place_in_rows(const Topology& topology);
std::optional<PlacedNodes> place_on_grid(const Topology& topology);
/// `any`: also networks that nothing says belong on a circle.
std::optional<PlacedNodes> place_on_circle(const Topology& topology, bool any);
/// By Graphviz. Throws InvalidInput where it is missing or fails.
PlacedNodes place_by_force(const Topology& topology);

}  // namespace weft::report
