// Shortest paths past a failure: each destination takes one of the equal ones, in turn
// (dealing.hpp).
//
// Where one cable of a switch is dead all its destinations need another first link. Shortest would
// lead them all through the lowest neighbour, whose links then carry twice as much as any other.
#include <vector>

#include "weft/network/access.hpp"
#include "weft/network/core_graph.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/near_row.hpp"
#include "weft/network/routing/dealing.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

class ShortestDealt final : public Routing {
 public:
  explicit ShortestDealt(const Fabric& fabric)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        graph_(fabric, access_),
        rows_(graph_),
        numbers_(number_by_router(fabric.topology().node_count(), [&](std::int32_t node) {
          return access_[NodeId(node)].entry.value();
        })) {}

  std::string_view name() const override { return "shortest"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    DistanceRows::Scratch scratch;
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      const CoreGraph::Core source = graph_.core_of(from), target = graph_.core_of(to);
      rows_.use(source, target, scratch, [&](const auto& row) {
        if (row[source] == DistanceRow::kUnreachable) reject_unreachable(flow);
        walk(numbers_[flow.to.index()], source, row, routes);
      });
    });
  }

 private:
  template <class Row>
  void walk(std::int32_t number, CoreGraph::Core source, const Row& row, RouteTable& routes) const {
    std::vector<std::int32_t> edges;
    for (CoreGraph::Core at = source; at != row.target();) {
      edges.clear();
      each_next_edge(graph_, row, at, [&](std::int32_t edge) { edges.push_back(edge); });
      const std::int32_t edge =
          edges[dealt(number, static_cast<std::int32_t>(edges.size()), row[at])];
      routes.push(graph_.link(edge));
      at = graph_.head(edge);
    }
  }

  Latencies latencies_;
  Access access_;
  CoreGraph graph_;
  DistanceRows rows_;
  std::vector<std::int32_t> numbers_;  // by node
};

}  // namespace

std::shared_ptr<const Routing> make_shortest_dealt(const Fabric& fabric) {
  return std::make_shared<ShortestDealt>(fabric);
}

}  // namespace weft::network
