// Shortest-random: each pair of nodes draws one of its shortest paths.
//
// At every hop one of the links on a shortest path is drawn, each as likely (parallel links count
// separately), from a stream that the seed and the pair alone determine: the same pair takes the
// same path in every step and on any number of threads.
#include "weft/base/random.hpp"
#include "weft/network/access.hpp"
#include "weft/network/core_graph.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/near_row.hpp"
#include "weft/network/routing/entries.hpp"

namespace weft::network {

namespace {

class ShortestRandom final : public Routing {
 public:
  ShortestRandom(const Fabric& fabric, std::uint64_t seed)
      : Routing(fabric.topology()),
        seed_(seed),
        latencies_(fabric),
        access_(fabric.topology()),
        graph_(fabric, access_),
        rows_(graph_) {}

  std::string_view name() const override { return "shortest-random"; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    DistanceRows::Scratch scratch;
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      const CoreGraph::Core source = graph_.core_of(from), target = graph_.core_of(to);
      rows_.use(source, target, scratch, [&](const auto& row) {
        if (row[source] == DistanceRow::kUnreachable) reject_unreachable(flow);
        walk(flow, source, target, row, routes);
      });
    });
  }

 private:
  template <class Row>
  void walk(const Flow& flow, CoreGraph::Core source, CoreGraph::Core target, const Row& row,
            RouteTable& routes) const {
    Rng rng = Rng(seed_)
                  .split(static_cast<std::uint64_t>(flow.from.value()))
                  .split(static_cast<std::uint64_t>(flow.to.value()));
    for (CoreGraph::Core at = source; at != target;) {
      std::int64_t choices = 0;
      std::int32_t only = 0;
      each_next_edge(graph_, row, at, [&](std::int32_t edge) {
        ++choices;
        only = edge;
      });
      const std::int32_t edge = choices == 1 ? only : nth_edge(row, at, rng.below(choices));
      routes.push(graph_.link(edge));
      at = graph_.head(edge);
    }
  }

  template <class Row>
  std::int32_t nth_edge(const Row& row, CoreGraph::Core at, std::int64_t n) const {
    std::int32_t chosen = 0;
    each_next_edge(graph_, row, at, [&](std::int32_t edge) {
      if (n-- == 0) chosen = edge;
    });
    return chosen;
  }

  std::uint64_t seed_;
  Latencies latencies_;
  Access access_;
  CoreGraph graph_;
  DistanceRows rows_;
};

}  // namespace

RoutingEntry shortest_random_entry() {
  return {.info = {.name = "shortest-random",
                   .summary = "a shortest path drawn for each pair (by --seed)",
                   .fits = "any",
                   .draws = true},
          .paths = [](const Fabric& fabric, std::uint64_t seed) -> std::shared_ptr<const Routing> {
            return std::make_shared<ShortestRandom>(fabric, seed);
          }};
}

}  // namespace weft::network
