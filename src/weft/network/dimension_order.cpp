// Dimension order: correct the first coordinate, then the second, and so on.
//
// On Hamming networks, HyperX, tori, meshes and hypercubes (with hosts on their nodes or without)
// it is shortest, and free of deadlock on a mesh. On a ring the shorter way is taken; half-way
// round goes up, so that the route depends on the difference of the coordinates alone. Destinations
// share the parallel links of HyperX: the switches in turn, and the hosts of each switch in turn.
// Source: Sullivan, Bashkow, "A Large Scale, Homogeneous, Fully Distributed Parallel Machine, I",
// ISCA 1977 (e-cube routing); Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor
// Interconnection Networks", IEEE ToC C-36(5), 1987.
#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/grid.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/makers.hpp"

namespace weft::network {

namespace {

class DimensionOrder final : public Routing {
 public:
  DimensionOrder(const Fabric& fabric, std::shared_ptr<const Grid> grid)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        grid_(std::move(grid)) {
    if (grid_->has_parallel_links()) fill_places();
  }

  std::string_view name() const override { return "dimension-order"; }
  bool translation_invariant() const override { return grid_->shape() != GridShape::mesh; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      grid_->push_by_dimension(from, to, places_.empty() ? 0 : places_[flow.to.index()], routes);
    });
  }

 private:
  void fill_places() {
    places_.assign(access_.size(), 0);
    std::vector<std::int32_t> hosts(access_.size(), 0);  // by switch, so far
    for (std::size_t node = 0; node < access_.size(); ++node)
      if (const Access::End& end = access_[NodeId(static_cast<std::int32_t>(node))]; end.leaf)
        places_[node] = hosts[end.entry.index()]++;
  }

  Latencies latencies_;
  Access access_;
  std::shared_ptr<const Grid> grid_;
  std::vector<std::int32_t> places_;  // by node: a host's number on its switch; only for HyperX
};

}  // namespace

std::shared_ptr<const Routing> make_dimension_order(const Fabric& fabric) {
  auto grid = Grid::of(fabric.topology());
  require(grid != nullptr,
          "dimension-order does not fit {} (needs a Hamming, HyperX, torus or mesh network); use "
          "shortest",
          fabric.topology().name());
  return std::make_shared<DimensionOrder>(fabric, std::move(grid));
}

}  // namespace weft::network
