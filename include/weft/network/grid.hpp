// Grid: Hamming, HyperX, torus and mesh networks as coordinates, on which routes are computed, not
// searched.
//
// A link is found by its tail and a slot: on Hamming networks a slot for each coordinate of each
// dimension (where the link leads; as many as there are parallel links), else two a dimension (down
// and up). A walk then knows every link from coordinates alone and reads no link to find the next
// node.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weft/network/latencies.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/topology.hpp"
#include "weft/topology/views.hpp"

namespace weft::network {

/// What all dimensions of a grid are: complete graphs, rings or paths.
enum class GridShape : std::uint8_t { hamming, torus, mesh };

/// Nodes by their coordinates, and the links between neighbours, for routings by dimension.
class Grid {
 public:
  /// The grid that the topology's switches form, or its nodes where there are none; nullptr where
  /// the views know none. Hamming goes before torus before mesh, where it is several. Where
  /// failures are allowed, nodes are those of the whole grid, and links that failed are left out.
  static std::shared_ptr<const Grid> of(const Topology& topology,
                                        topology::Damage damage = topology::Damage::none);

  GridShape shape() const { return shape_; }

  /// Whether there is one shortest path between any two nodes, and translations of the extents keep
  /// paths: a complete graph or a ring of odd size.
  bool has_unique_invariant_paths() const {
    if (dimensions_.size() != 1 || has_parallel_links_) return false;
    return shape_ == GridShape::hamming ||
           (shape_ == GridShape::torus && dimensions_.front().extent % 2 == 1);
  }

  /// Whether the way round a ring of four or more, half of it, is as long either way.
  bool has_ties() const;

  /// Whether a dimension has several links between two nodes.
  bool has_parallel_links() const { return has_parallel_links_; }

  std::int64_t nodes() const {
    return static_cast<std::int64_t>(coordinates_.size() / dimensions_.size());
  }
  std::size_t dimensions() const { return dimensions_.size(); }
  std::int32_t extent(std::size_t d) const { return dimensions_[d].extent; }
  std::int32_t coordinate(std::int64_t node, std::size_t d) const {
    return coordinates_[static_cast<std::size_t>(node) * dimensions_.size() + d];
  }

  /// The links, parallel ones, from a node towards coordinate `to` of dimension d: the next one of
  /// a ring or path in the direction, to `to` itself on Hamming networks. None where they failed.
  std::span<const LinkId> links(std::int64_t node, std::size_t d, std::int32_t to, bool up) const {
    const Dimension& dimension = dimensions_[d];
    const bool hamming = shape_ == GridShape::hamming;
    const std::int64_t first = node * slots_ + dimension.slot +
                               (hamming ? to * dimension.copies
                                : up    ? 1
                                        : 0);
    std::size_t count = hamming ? dimension.copies : 1;
    if (!found_.empty())
      while (count > 0 && found_[first + count - 1] == 0) --count;
    return {&links_[first], count};
  }

  /// The links straight along dimension d from `node` to coordinate `to`, in the direction, of
  /// parallel ones number `spread` (modulo those there are); none where one of them failed. The
  /// node at the end is `node` moved().
  std::vector<LinkId> line(std::int64_t node, std::size_t d, std::int32_t to, bool up,
                           std::int32_t spread) const;
  /// Whether none of them failed.
  bool leads(std::int64_t node, std::size_t d, std::int32_t to, bool up) const;
  std::int64_t moved(std::int64_t node, std::size_t d, std::int32_t to) const {
    return node + std::int64_t{to - coordinate(node, d)} * dimensions_[d].stride;
  }

  /// Pushes the shortest path by the lowest next node and the lowest of parallel links. The step
  /// that lowers the node number most comes first, else the one that raises it least, and a step in
  /// a dimension moves it by less than any step in a higher one. So: while the number can fall,
  /// from the highest dimension to the lowest; then the rest, from the lowest to the highest.
  void push_lowest(NodeId from, NodeId to, RouteTable& routes) const;

  /// The sum of the coordinates' differences, modulo the extents.
  std::int32_t offsets(std::int64_t from, std::int64_t to) const;

  /// Pushes the path through the first dimension first; half-way round a ring goes up. Of k
  /// parallel links it takes number (o + spread) mod k, o being the offsets(): so the destinations
  /// in one direction share the links, alike from every node.
  void push_by_dimension(NodeId from, NodeId to, std::int32_t spread, RouteTable& routes) const;

  /// Of a torus: the same path with a share of 1 of each link, but half-way round a ring of four or
  /// more 1/2 up and then 1/2 down. Both ways end at one node, so that the rest is as before.
  /// Returns the latency of the longest path.
  std::int64_t split_by_dimension(NodeId from, NodeId to, const Latencies& latencies,
                                  RouteTable& routes) const;

 private:
  struct Dimension {
    std::int32_t extent, stride, slot, copies;
  };
  struct Walk;

  // The coordinate after the next link of a line.
  std::int32_t next(std::int64_t node, std::size_t d, std::int32_t to, bool up) const {
    if (shape_ == GridShape::hamming) return to;
    const std::int32_t extent = dimensions_[d].extent;
    return (coordinate(node, d) + (up ? 1 : extent - 1)) % extent;
  }

  Grid(GridShape shape, const topology::Extents& view, const std::vector<int>& parallel,
       const Topology& topology);
  void fill_links(const Topology& topology);
  void step(const Dimension& dimension, bool up, std::int32_t count, Walk& walk,
            std::size_t d) const;
  void jump(const Dimension& dimension, std::int32_t target, std::int32_t copy, Walk& walk,
            std::size_t d) const;
  void push_lowest_hamming(Walk& walk, NodeId to) const;
  void push_lowest_ring_or_path(Walk& walk, NodeId to) const;

  GridShape shape_;
  std::vector<Dimension> dimensions_;
  std::int32_t slots_ = 0;  // a node
  bool has_parallel_links_ = false;
  std::vector<std::int32_t> coordinates_;  // by node and dimension
  std::vector<LinkId> links_;              // by node and slot
  std::vector<std::uint8_t> found_;        // likewise, whether there is one; empty of a whole grid
};

}  // namespace weft::network
