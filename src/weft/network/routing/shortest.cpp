// Shortest: one shortest path per pair, by the lowest next node.
//
// At every hop the route takes, among the next nodes on a path with the fewest links, the lowest,
// and among parallel links the lowest. Three ways give the same route, cheapest first: on grids it
// is computed from coordinates (grid.hpp); to a neighbour it is the link; else it is read from a
// table with one row per destination, the out-port of every node towards it, filled on demand by
// one search. Rows exist for core nodes only, a byte an entry up to out-degree 255: 268 MB for all
// of 16,384 nodes, above which rows are computed again when needed.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weft/network/access.hpp"
#include "weft/network/core_graph.hpp"
#include "weft/network/grid.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/lazy_rows.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

template <class Port>
class ShortestByTable final : public Routing {
 public:
  explicit ShortestByTable(const Fabric& fabric)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        graph_(fabric, access_),
        rows_(graph_.node_count()) {}

  std::string_view name() const override { return "shortest"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    typename LazyRows<Row>::Scratch scratch;
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      const CoreGraph::Core source = graph_.core_of(from), target = graph_.core_of(to);
      const Row* row = rows_.peek(target);
      if (row == nullptr) {
        if (push_neighbour(source, target, routes)) return;
        row = &rows_.get(target, scratch, [&] { return make_row(target); });
      }
      walk(flow, source, target, row->ports.data(), routes);
    });
  }

 private:
  static constexpr Port kNone = std::numeric_limits<Port>::max();

  struct Row {
    std::vector<Port> ports;  // by core node: position among its out-edges
    std::size_t size_B() const { return ports.size() * sizeof(Port); }
  };

  bool push_neighbour(CoreGraph::Core source, CoreGraph::Core target, RouteTable& routes) const {
    for (std::int32_t edge = graph_.first_out(source); edge < graph_.first_out(source + 1); ++edge)
      if (graph_.head(edge) == target) {
        routes.push(graph_.link(edge));
        return true;
      }
    return false;
  }

  Row make_row(CoreGraph::Core target) const {
    Row row{std::vector<Port>(graph_.node_count(), kNone)};
    graph_.search_backwards(target, [&](CoreGraph::Core v, std::int32_t edge, const auto&) {
      row.ports[v] = static_cast<Port>(edge - graph_.first_out(v));
    });
    return row;
  }

  void walk(const Flow& flow, CoreGraph::Core source, CoreGraph::Core target, const Port* ports,
            RouteTable& routes) const {
    if (ports[source] == kNone) reject_unreachable(flow);
    for (CoreGraph::Core at = source; at != target;) {
      const std::int32_t edge = graph_.first_out(at) + static_cast<std::int32_t>(ports[at]);
      routes.push(graph_.link(edge));
      at = graph_.head(edge);
    }
  }

  Latencies latencies_;
  Access access_;
  CoreGraph graph_;
  LazyRows<Row> rows_;
};

class ShortestOnGrid final : public Routing {
 public:
  ShortestOnGrid(const Fabric& fabric, std::shared_ptr<const Grid> grid)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        grid_(std::move(grid)) {}

  std::string_view name() const override { return "shortest"; }
  bool translation_invariant() const override { return grid_->has_unique_invariant_paths(); }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes,
               [&](const Flow&, NodeId from, NodeId to) { grid_->push_lowest(from, to, routes); });
  }

 private:
  Latencies latencies_;
  Access access_;
  std::shared_ptr<const Grid> grid_;
};

std::int32_t max_out_degree(const Topology& topology) {
  std::int32_t most = 0;
  for (NodeId node : topology.nodes()) most = std::max(most, topology.out_degree(node));
  return most;
}

}  // namespace

std::shared_ptr<const Routing> make_shortest(const Fabric& fabric) {
  if (auto grid = Grid::of(fabric.topology()))
    return std::make_shared<ShortestOnGrid>(fabric, std::move(grid));
  const std::int32_t degree = max_out_degree(fabric.topology());
  if (degree <= std::numeric_limits<std::uint8_t>::max())
    return std::make_shared<ShortestByTable<std::uint8_t>>(fabric);
  if (degree <= std::numeric_limits<std::uint16_t>::max())
    return std::make_shared<ShortestByTable<std::uint16_t>>(fabric);
  return std::make_shared<ShortestByTable<std::uint32_t>>(fabric);
}

RoutingEntry shortest_entry() {
  return {
      .info =
          {.name = "shortest",
           .summary =
               "The path with the fewest links; of equal paths the one with the lowest next node",
           .fits = "any"},
      .paths = [](const Fabric& fabric, std::uint64_t) { return make_shortest(fabric); }};
}

}  // namespace weft::network
