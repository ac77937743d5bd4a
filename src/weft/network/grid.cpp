#include "weft/network/grid.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

namespace {

constexpr std::size_t kMostDimensions = 32;  // of 2 or more, in 2^31 nodes

// The node's number in the whole network.
std::int32_t whole(const Topology& topology, NodeId node) {
  const auto& holes = topology.facets().holes;
  return holes ? holes->whole(node.value()) : node.value();
}

}  // namespace

// Where a walk stands: the node, and the coordinates that it has reached.
struct Grid::Walk {
  RouteTable& routes;
  std::int64_t node;
  std::array<std::int32_t, kMostDimensions> at;
  const Rational* share = nullptr;  // of the links pushed, where routes are split

  void push(LinkId link) {
    if (share == nullptr)
      routes.push(link);
    else
      routes.push(link, *share);
  }
};

std::shared_ptr<const Grid> Grid::of(const Topology& topology, topology::Damage damage) {
  const auto make = [&](GridShape shape, const topology::Extents& view) {
    const std::vector<int> single(view.extents.size(), 1);
    return std::shared_ptr<const Grid>(new Grid(shape, view, single, topology));
  };
  if (const auto view = as_hamming(topology, damage)) return make(GridShape::hamming, *view);
  if (const auto view = as_hyperx(topology, damage))
    return std::shared_ptr<const Grid>(
        new Grid(GridShape::hamming, *view, view->parallel, topology));
  if (const auto view = as_torus(topology, damage)) return make(GridShape::torus, *view);
  if (const auto view = as_mesh(topology, damage)) return make(GridShape::mesh, *view);
  return nullptr;
}

Grid::Grid(GridShape shape, const topology::Extents& view, const std::vector<int>& parallel,
           const Topology& topology)
    : shape_(shape) {
  WEFT_ASSERT(parallel.size() == view.extents.size());
  std::int32_t stride = 1;
  for (std::size_t d = 0; d < view.extents.size(); ++d) {
    const std::int32_t extent = view.extents[d];
    dimensions_.push_back({extent, stride, slots_, parallel[d]});
    slots_ += shape == GridShape::hamming ? extent * parallel[d] : 2;
    stride *= extent;
    has_parallel_links_ = has_parallel_links_ || parallel[d] > 1;
  }
  WEFT_ASSERT(dimensions_.size() <= kMostDimensions);
  const auto nodes = static_cast<std::int32_t>(view.size());
  coordinates_.reserve(static_cast<std::size_t>(nodes) * dimensions_.size());
  for (std::int32_t node = 0; node < nodes; ++node)
    for (const Dimension& dimension : dimensions_)
      coordinates_.push_back(node / dimension.stride % dimension.extent);
  fill_links(topology);
}

void Grid::fill_links(const Topology& topology) {
  WEFT_ASSERT(!dimensions_.empty() && coordinates_.size() % dimensions_.size() == 0);
  const auto nodes = static_cast<std::int32_t>(coordinates_.size() / dimensions_.size());
  links_.resize(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(slots_));
  found_.resize(links_.size(), 0);
  const auto put = [&](std::int32_t tail, std::int32_t slot, std::int32_t copies, LinkId link) {
    auto at = static_cast<std::size_t>(tail) * static_cast<std::size_t>(slots_) +
              static_cast<std::size_t>(slot);
    while (copies > 0 && found_[at] != 0) ++at, --copies;
    if (copies == 0) return;  // one more parallel link, as between the two nodes of a ring of 2
    found_[at] = 1;
    links_[at] = link;
  };
  for (const NodeId node : topology.nodes()) {
    const std::int32_t tail = whole(topology, node);
    if (tail >= nodes) break;  // hosts on the grid's switches
    for (const LinkId link : topology.out_links(node)) {
      const std::int32_t head = whole(topology, topology.head(link));
      if (head >= nodes) continue;
      for (std::size_t d = 0; d < dimensions_.size(); ++d) {
        const Dimension& dimension = dimensions_[d];
        const std::int32_t from = coordinate(tail, d), to = coordinate(head, d);
        if (from == to) continue;
        if (shape_ == GridShape::hamming) {
          put(tail, dimension.slot + to * dimension.copies, dimension.copies, link);
        } else {
          if (to == (from + 1) % dimension.extent) put(tail, dimension.slot + 1, 1, link);
          if (from == (to + 1) % dimension.extent) put(tail, dimension.slot, 1, link);
        }
      }
    }
  }
  if (!topology.facets().holes) found_ = {};
}

std::vector<LinkId> Grid::line(std::int64_t node, std::size_t d, std::int32_t to, bool up,
                               std::int32_t spread) const {
  std::vector<LinkId> line;
  for (; coordinate(node, d) != to; node = moved(node, d, next(node, d, to, up))) {
    const auto there = links(node, d, to, up);
    if (there.empty()) return {};
    line.push_back(there[spread % there.size()]);
  }
  return line;
}

bool Grid::leads(std::int64_t node, std::size_t d, std::int32_t to, bool up) const {
  for (; coordinate(node, d) != to; node = moved(node, d, next(node, d, to, up)))
    if (links(node, d, to, up).empty()) return false;
  return true;
}

void Grid::step(const Dimension& dimension, bool up, std::int32_t count, Walk& walk,
                std::size_t d) const {
  WEFT_ASSERT(count >= 0 && count <= dimension.extent);
  const std::int32_t last = dimension.extent - 1, slot = dimension.slot + (up ? 1 : 0);
  std::int32_t at = walk.at[d];
  const std::int64_t base = walk.node - std::int64_t{at} * dimension.stride;
  for (; count > 0; --count) {
    walk.push(links_[walk.node * slots_ + slot]);
    at = up ? (at == last ? 0 : at + 1) : (at == 0 ? last : at - 1);
    walk.node = base + std::int64_t{at} * dimension.stride;
  }
  walk.at[d] = at;
}

void Grid::jump(const Dimension& dimension, std::int32_t target, std::int32_t copy, Walk& walk,
                std::size_t d) const {
  WEFT_ASSERT(target >= 0 && target < dimension.extent && copy >= 0 && copy < dimension.copies);
  const std::int32_t slot = dimension.slot + target * dimension.copies + copy;
  walk.routes.push(links_[walk.node * slots_ + slot]);
  walk.node += std::int64_t{target - walk.at[d]} * dimension.stride;
  walk.at[d] = target;
}

void Grid::push_lowest(NodeId from, NodeId to, RouteTable& routes) const {
  Walk walk{routes, from.value(), {}};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) walk.at[d] = coordinate(walk.node, d);
  if (shape_ == GridShape::hamming)
    push_lowest_hamming(walk, to);
  else
    push_lowest_ring_or_path(walk, to);
  WEFT_ASSERT(walk.node == to.value());
}

void Grid::push_lowest_hamming(Walk& walk, NodeId to) const {
  for (std::size_t d = dimensions_.size(); d-- > 0;)
    if (const std::int32_t target = coordinate(to.value(), d); target < walk.at[d])
      jump(dimensions_[d], target, 0, walk, d);
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (const std::int32_t target = coordinate(to.value(), d); target > walk.at[d])
      jump(dimensions_[d], target, 0, walk, d);
}

void Grid::push_lowest_ring_or_path(Walk& walk, NodeId to) const {
  std::array<std::int32_t, kMostDimensions> left;
  std::array<bool, kMostDimensions> up;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    const std::int32_t m = dimensions_[d].extent, at = walk.at[d];
    const std::int32_t target = coordinate(to.value(), d);
    if (shape_ == GridShape::mesh) {
      up[d] = target > at;
      left[d] = up[d] ? target - at : at - target;
    } else {
      // Of two equal ways round, the first step down leads lower, except at the ends: from 0 it
      // leads to the top, and from the top the step up leads to 0.
      const std::int32_t ahead = target >= at ? target - at : target - at + m;
      up[d] = 2 * ahead < m || (2 * ahead == m && (at == 0 || at == m - 1));
      left[d] = up[d] ? ahead : m - ahead;
      if (ahead == 0) left[d] = 0;
    }
    const std::int32_t falling = up[d] ? (at == m - 1 ? 1 : 0) : at;
    const std::int32_t now = std::min(left[d], falling);
    step(dimensions_[d], up[d], now, walk, d);
    left[d] -= now;
  }
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    step(dimensions_[d], up[d], left[d], walk, d);
}

std::int32_t Grid::offsets(std::int64_t from, std::int64_t to) const {
  std::int32_t sum = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const std::int32_t ahead = coordinate(to, d) - coordinate(from, d);
    sum += ahead < 0 ? ahead + dimensions_[d].extent : ahead;
  }
  return sum;
}

void Grid::push_by_dimension(NodeId from, NodeId to, std::int32_t spread,
                             RouteTable& routes) const {
  if (has_parallel_links_) spread += offsets(from.value(), to.value());
  Walk walk{routes, from.value(), {}};
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const std::int32_t m = dimensions_[d].extent;
    const std::int32_t at = walk.at[d] = coordinate(from.value(), d);
    const std::int32_t target = coordinate(to.value(), d);
    if (at == target) continue;
    if (shape_ == GridShape::hamming) {
      jump(dimensions_[d], target, spread % dimensions_[d].copies, walk, d);
    } else if (shape_ == GridShape::mesh) {
      step(dimensions_[d], target > at, std::abs(target - at), walk, d);
    } else {
      const std::int32_t ahead = target > at ? target - at : target - at + m;
      const bool up = 2 * ahead <= m;
      step(dimensions_[d], up, up ? ahead : m - ahead, walk, d);
    }
  }
}

bool Grid::has_ties() const {
  return shape_ == GridShape::torus &&
         std::ranges::any_of(dimensions_, [](const Dimension& dimension) {
           return dimension.extent >= 4 && dimension.extent % 2 == 0;
         });
}

std::int64_t Grid::split_by_dimension(NodeId from, NodeId to, const Latencies& latencies,
                                      RouteTable& routes) const {
  static const Rational kWhole(1), kHalf(1, 2);
  Walk walk{routes, from.value(), {}};
  std::int64_t latency_ps = 0;
  const auto go = [&](std::size_t d, bool up, std::int32_t count, const Rational& share) {
    const std::size_t before = routes.unfinished().size();
    walk.share = &share;
    step(dimensions_[d], up, count, walk, d);
    return latencies.sum(routes.unfinished().subspan(before));
  };
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const std::int32_t m = dimensions_[d].extent;
    const std::int32_t at = walk.at[d] = coordinate(from.value(), d);
    const std::int32_t target = coordinate(to.value(), d);
    if (at == target) continue;
    const std::int32_t ahead = target > at ? target - at : target - at + m;
    if (2 * ahead != m || m < 4) {
      const bool up = 2 * ahead <= m;
      latency_ps += go(d, up, up ? ahead : m - ahead, kWhole);
      continue;
    }
    const std::int64_t fork = walk.node;
    const std::int64_t up_ps = go(d, true, ahead, kHalf);
    walk.node = fork;
    walk.at[d] = at;
    latency_ps += std::max(up_ps, go(d, false, ahead, kHalf));
  }
  return latency_ps;
}

}  // namespace weft::network
