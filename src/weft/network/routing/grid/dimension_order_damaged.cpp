// Dimension order on a grid of which nodes, cables or links failed: by dimension where it can, and
// around the hole where it cannot.
//
// In every dimension a message goes the way that dimension order goes on the whole grid, if all
// links of that way are there. Round a ring it goes the other way otherwise, so half-way round it
// is not split where one way is cut. Where neither way of a dimension is whole, or there is no
// other as on meshes and Hamming networks, the message takes no dimension order at all but a
// shortest path in what is left, from its source on. Destinations share the equal ones
// (shortest_dealt.cpp), so that no single neighbour gets all that a dead cable carried.
//
// It stays free of deadlock: either way round a ring is dimension order, with dateline classes as
// on the whole grid, and what left it waits only for channels of its own, one more with each link.
// So a packet's (dimension order or the how-manyth link past it, place in that order) climbs (Dally
// and Seitz, IEEE ToC C-36(5), 1987).
#include <algorithm>
#include <utility>
#include <vector>

#include "weft/network/access.hpp"
#include "weft/network/grid.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing/makers.hpp"

namespace weft::network {

namespace {

class DamagedDimensionOrder final : public Routing {
 public:
  DamagedDimensionOrder(const Fabric& fabric, std::shared_ptr<const Grid> grid, Ties ties)
      : Routing(fabric.topology()),
        topology_(fabric.topology()),
        holes_(*topology_.facets().holes),
        latencies_(fabric),
        access_(topology_),
        grid_(std::move(grid)),
        around_(make_shortest_dealt(fabric)),
        ties_(ties),
        splits_(ties == Ties::split && grid_->has_ties()) {}

  std::string_view name() const override { return name_of(ties_); }
  bool splits() const override { return splits_; }
  std::int64_t share_denominator() const override { return splits_ ? 2 : 1; }

  void route(std::span<const Flow> step, RouteTable& routes) const override {
    Way way;
    for (const Flow& flow : step) {
      const Access::End& source = access_[flow.from];
      const Access::End& target = access_[flow.to];
      std::int64_t latency_ps = 0;
      if (flow.from != flow.to) {
        if (find_way(flow, source.exit, target.entry, way)) {
          if (source.leaf) latency_ps += push({source.up}, 1, routes);
          latency_ps += push(way, routes);
          if (target.leaf) latency_ps += push({target.down}, 1, routes);
        } else {
          latency_ps += push_around(flow, routes);
        }
      }
      routes.finish(latency_ps);
    }
  }

 private:
  using Links = std::vector<LinkId>;
  // Along one dimension; both ways round a ring where a tie is split.
  struct Line {
    Links first, second;
  };
  using Way = std::vector<Line>;

  std::int64_t push(const Links& links, const Rational& share, RouteTable& routes) const {
    for (const LinkId link : links) {
      if (splits_)
        routes.push(link, share);
      else
        routes.push(link);
    }
    return latencies_.sum(links);
  }

  // The latency of the longest path.
  std::int64_t push(const Way& way, RouteTable& routes) const {
    static const Rational kHalf(1, 2);
    std::int64_t latency_ps = 0;
    for (const Line& line : way) {
      const bool both = !line.second.empty();
      const std::int64_t first_ps = push(line.first, both ? kHalf : Rational(1), routes);
      latency_ps += both ? std::max(first_ps, push(line.second, kHalf, routes)) : first_ps;
    }
    return latency_ps;
  }

  // The way by dimension; false where a dimension has none left. A host that lost links of its
  // switch may be no leaf, and then is off the grid.
  bool find_way(const Flow& flow, NodeId from, NodeId to, Way& way) const {
    way.clear();
    std::int64_t at = holes_.whole(from.value());
    const std::int64_t end = holes_.whole(to.value());
    if (at >= grid_->nodes() || end >= grid_->nodes()) return false;
    for (std::size_t d = 0; d < grid_->dimensions(); ++d) {
      const std::int32_t here = grid_->coordinate(at, d), there = grid_->coordinate(end, d);
      if (here == there) continue;
      const std::int32_t m = grid_->extent(d), ahead = (there - here + m) % m;
      const bool ring = grid_->shape() == GridShape::torus;
      const bool up = ring ? 2 * ahead <= m : there > here;
      const bool tie = splits_ && 2 * ahead == m && m >= 4;
      Line line{.first = grid_->line(at, d, there, up, flow.to.value()), .second = {}};
      if (ring && (tie || line.first.empty())) line.second = grid_->line(at, d, there, !up, 0);
      if (line.first.empty()) std::swap(line.first, line.second);
      if (line.first.empty()) return false;
      way.push_back(std::move(line));
      at = grid_->moved(at, d, there);
    }
    return true;
  }

  std::int64_t push_around(const Flow& flow, RouteTable& routes) const {
    RouteTable path;
    around_->route({&flow, 1}, path);
    const auto links = path.links(0);
    return push({links.begin(), links.end()}, 1, routes);
  }

  Topology topology_;
  topology::Holes holes_;
  Latencies latencies_;
  Access access_;
  std::shared_ptr<const Grid> grid_;
  std::shared_ptr<const Routing> around_;
  Ties ties_;
  bool splits_;
};

}  // namespace

std::shared_ptr<const Routing> make_damaged_dimension_order(const Fabric& fabric,
                                                            std::shared_ptr<const Grid> grid,
                                                            Ties ties) {
  return std::make_shared<DamagedDimensionOrder>(fabric, std::move(grid), ties);
}

}  // namespace weft::network
