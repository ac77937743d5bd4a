// Dimension order: correct the first coordinate, then the second, and so on.
//
// On Hamming networks, tori, meshes and hypercubes (with hosts on their nodes or without) it is
// shortest, and free of deadlock on a mesh. On a ring the shorter way is taken; half-way round goes
// up, so that the route depends on the difference of the coordinates alone.
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
        grid_(std::move(grid)) {}

  std::string_view name() const override { return "dimension-order"; }
  bool translation_invariant() const override { return grid_->shape() != GridShape::mesh; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    route_each(step, access_, latencies_, routes, [&](const Flow&, NodeId from, NodeId to) {
      grid_->push_by_dimension(from, to, routes);
    });
  }

 private:
  Latencies latencies_;
  Access access_;
  std::shared_ptr<const Grid> grid_;
};

}  // namespace

std::shared_ptr<const Routing> make_dimension_order(const Fabric& fabric) {
  auto grid = Grid::of(fabric.topology());
  require(grid != nullptr,
          "dimension-order does not fit {} (needs a Hamming, torus or mesh network); use shortest",
          fabric.topology().name());
  return std::make_shared<DimensionOrder>(fabric, std::move(grid));
}

}  // namespace weft::network
