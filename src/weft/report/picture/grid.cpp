// Grids by their coordinates: a line of rows, or in three dimensions planes one behind the other.
#include <cmath>
#include <numbers>

#include "layout.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/views.hpp"

namespace weft::report {

namespace {

std::optional<topology::Extents> extents_of(const Topology& topology) {
  if (const auto view = topology::as_mesh(topology)) return *view;
  if (const auto view = topology::as_torus(topology)) return *view;
  if (const auto view = topology::as_hyperx(topology)) return *view;
  return std::nullopt;
}

// Links between neighbours are straight; longer ones pass beside the nodes between their ends.
double bow_of(const topology::Extents& extents, std::int64_t from, std::int64_t to) {
  for (int d = 0; d < extents.dimensions(); ++d) {
    const int across = std::abs(extents.coordinate(from, d) - extents.coordinate(to, d));
    if (across > 1) return (0.2 + 0.04 * std::min(across, 8)) * (d == 1 ? -1 : 1);
  }
  return 0;
}

}  // namespace

std::optional<PlacedNodes> place_on_grid(const Topology& topology) {
  const auto extents = extents_of(topology);
  if (!extents || extents->dimensions() > 3) return std::nullopt;
  const auto depth = extents->dimensions() == 3 ? extents->extents[2] : 1;
  const auto switch_of = analysis::leaf_switches(topology);
  if (topology.has_switches()) {
    if (depth > 1) return std::nullopt;  // no room for the hosts
    for (const NodeId host : topology.hosts())
      if (switch_of[host] < 0) return std::nullopt;
  }
  // Planes behind each other stay within three quarters of the room of a node.
  const double right = depth > 1 ? 0.72 / depth : 0, up = depth > 1 ? 0.56 / depth : 0;
  PlacedNodes placed{.at = IdVector<NodeId, Point>(topology.node_count()),
                     .bow = IdVector<LinkId, double>(topology.link_count(), 0)};
  for (const NodeId node : topology.nodes()) {
    if (topology.has_switches() && topology.is_host(node)) continue;
    const auto coordinate = extents->coordinates(node.value());
    const double x = coordinate[0], y = coordinate.size() > 1 ? coordinate[1] : 0,
                 z = coordinate.size() > 2 ? coordinate[2] : 0;
    placed.at[node] = {x + right * z, y - up * z};
  }
  for (const LinkId link : topology.links()) {
    const auto [from, to] = std::minmax({topology.tail(link), topology.head(link)});
    if (topology.has_switches() && (topology.is_host(from) || topology.is_host(to))) continue;
    placed.bow[link] = bow_of(*extents, from.value(), to.value()) * (depth > 1 ? 0.7 : 1);
  }
  IdVector<NodeId, int> seen(topology.node_count(), 0), all = seen;
  if (topology.has_switches())
    for (const NodeId host : topology.hosts()) ++all[NodeId(switch_of[host])];
  for (const NodeId host : topology.has_switches() ? topology.hosts() : std::span<const NodeId>()) {
    const NodeId at(switch_of[host]);
    // Below on the right, on a quarter of a circle.
    const double share = all[at] == 1 ? 0.5 : static_cast<double>(seen[at]++) / (all[at] - 1);
    const double angle = std::numbers::pi / 2 * (0.18 + 0.64 * share);
    placed.at[host] = {placed.at[at].x + 0.42 * std::sin(angle),
                       placed.at[at].y + 0.42 * std::cos(angle)};
  }
  return placed;
}

}  // namespace weft::report
