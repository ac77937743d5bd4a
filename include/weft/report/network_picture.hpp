// A picture of any network: hosts, switches and links, coloured by class or by load.
//
//   const NetworkPicture picture = draw_network(make_topology("torus:4x4"));
//   write_file("net.svg", picture.svg);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/rational.hpp"
#include "weft/topology/topology.hpp"

namespace weft::report {

/// How nodes are placed.
enum class PictureLayout : std::uint8_t {
  automatic,  // the first of those below that fits
  groups,     // groups (parts without the links of class "global") as small circles on a large one
  rows,       // hosts at the bottom, each level of switches above the one that it hangs on
  grid,       // by coordinates, up to three; links around as arcs
  circle,     // nodes (switches) in their order on a circle
  force,      // by Graphviz: neato, and sfdp for large networks
};
/// "auto", "groups", "rows", "grid", "circle", "force".
std::string_view name_of(PictureLayout layout);
/// The names in that order.
std::vector<std::string> picture_layouts();
/// Reads a name. Throws InvalidInput with the nearest ones.
PictureLayout parse_picture_layout(std::string_view name);

/// What links carry, so that they are coloured by it.
struct PictureLoads {
  std::vector<Rational> of_link;  // by link: time that its load takes, in any unit
  std::string title;              // "allreduce by ring"
  std::string busiest;            // what the deepest colour stands for: "3/8 M"
};

struct PictureOptions {
  int size = 1000;  // width in pixels, 200 to 10,000
  PictureLayout layout = PictureLayout::automatic;
};

struct NetworkPicture {
  std::string svg;
  PictureLayout layout = PictureLayout::force;  // the one taken
};

/// The picture; the same input gives the same text (of Graphviz' layouts with the same version of
/// it). Hosts are discs, switches squares with the number of the node where there is room, one-way
/// links arrows; everything names itself under the pointer. Colours follow the reader's light or
/// dark scheme. Throws InvalidInput above 2,000 nodes or 20,000 links, for a layout that does not
/// fit, and where Graphviz is needed and missing. O(nodes^2 + links).
NetworkPicture draw_network(const Topology& topology, const PictureOptions& options = {},
                            const std::optional<PictureLoads>& loads = std::nullopt);

}  // namespace weft::report
