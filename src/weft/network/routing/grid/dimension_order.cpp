// Dimension order: correct the first coordinate, then the second, and so on.
//
// On Hamming networks, HyperX, tori, meshes and hypercubes (with hosts on their nodes or without)
// it is shortest, and free of deadlock on a mesh. On a ring the shorter way is taken. Half-way
// round, half goes either way, as routers do that draw for each message: were it all one way, an
// all-to-all on a torus of even extents would load that way more (4x4x4: 1.5 times as much).
// dimension-order-up sends it up, for those who mean one path a pair. Either way the route depends
// on the difference of the coordinates alone. Destinations share the parallel links of HyperX: the
// switches in turn, and the hosts of each switch in turn. Source: Sullivan, Bashkow, "A Large
// Scale, Homogeneous, Fully Distributed Parallel Machine, I", ISCA 1977 (e-cube routing); Dally,
// Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", IEEE ToC
// C-36(5), 1987.
#include "weft/base/error.hpp"
#include "weft/network/access.hpp"
#include "weft/network/grid.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/entries.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

class DimensionOrder final : public Routing {
 public:
  DimensionOrder(const Fabric& fabric, std::shared_ptr<const Grid> grid, Ties ties)
      : Routing(fabric.topology()),
        latencies_(fabric),
        access_(fabric.topology()),
        grid_(std::move(grid)),
        ties_(ties),
        splits_(ties == Ties::split && grid_->has_ties()) {
    if (grid_->has_parallel_links()) fill_places();
  }

  std::string_view name() const override { return name_of(ties_); }
  bool splits() const override { return splits_; }
  std::int64_t share_denominator() const override { return splits_ ? 2 : 1; }
  bool translation_invariant() const override { return grid_->shape() != GridShape::mesh; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    if (splits_) return split_each(step, routes);
    route_each(step, access_, latencies_, routes, [&](const Flow& flow, NodeId from, NodeId to) {
      grid_->push_by_dimension(from, to, places_.empty() ? 0 : places_[flow.to.index()], routes);
    });
  }

 private:
  void split_each(std::span<const Flow> step, RouteTable& routes) const {
    for (const Flow& flow : step) {
      std::int64_t latency_ps = 0;
      const auto push = [&](LinkId link) {
        routes.push(link, 1);
        latency_ps += latencies_.of(link);
      };
      const Access::End& source = access_[flow.from];
      const Access::End& target = access_[flow.to];
      if (flow.from != flow.to) {
        if (source.leaf) push(source.up);
        latency_ps += grid_->split_by_dimension(source.exit, target.entry, latencies_, routes);
        if (target.leaf) push(target.down);
      }
      routes.finish(latency_ps);
    }
  }

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
  Ties ties_;
  bool splits_;
  std::vector<std::int32_t> places_;  // by node: a host's number on its switch; only for HyperX
};

}  // namespace

std::string_view name_of(Ties ties) {
  return ties == Ties::split ? "dimension-order" : "dimension-order-up";
}

std::shared_ptr<const Routing> make_dimension_order(const Fabric& fabric, Ties ties) {
  auto grid = Grid::of(fabric.topology(), topology::Damage::allowed);
  require(grid != nullptr,
          "dimension-order does not fit {} (needs a Hamming, HyperX, torus or mesh network); use "
          "shortest",
          fabric.topology().name());
  if (fabric.topology().facets().holes)
    return make_damaged_dimension_order(fabric, std::move(grid), ties);
  return std::make_shared<DimensionOrder>(fabric, std::move(grid), ties);
}

RoutingEntry dimension_order_entry() {
  return {
      .info = {.name = std::string(name_of(Ties::split)),
               .summary =
                   "First dimension first; halfway round a ring, half of the traffic goes each way",
               .fits = "Hamming, HyperX, torus, mesh, hypercube, also damaged",
               .hops = HopFace{.channels = "1, on rings 2; with failures as many more as the "
                                           "longest shortest path has links",
                               .deadlock = "dimensions follow in order, a ring's channel falls at "
                                           "its last link (dateline); what leaves the order for a "
                                           "hole climbs channels of its own"}},
      .paths = [](const Fabric& fabric,
                  std::uint64_t) { return make_dimension_order(fabric, Ties::split); },
      .hops = make_dimension_order_hops};
}

RoutingEntry dimension_order_up_entry() {
  return {.info = {.name = std::string(name_of(Ties::up)),
                   .summary = "First dimension first; halfway round a ring, all traffic goes up",
                   .fits = "Hamming, HyperX, torus, mesh, hypercube, also damaged"},
          .paths = [](const Fabric& fabric, std::uint64_t) {
            return make_dimension_order(fabric, Ties::up);
          }};
}

}  // namespace weft::network
