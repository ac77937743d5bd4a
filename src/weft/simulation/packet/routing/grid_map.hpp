// GridMap: a torus, mesh, Hamming or HyperX network as coordinates and the links along them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/simulation/packet/engine/pool.hpp"
#include "weft/topology/views.hpp"

namespace weft::simulation::packet {

enum class GridShape : std::uint8_t { hamming, mesh, torus };

class GridMap {
 public:
  /// Throws InvalidInput where the topology is none of them; `routing` names who asks. Hamming goes
  /// before mesh before torus, where it is several: the sooner the fewer channels are needed.
  GridMap(const Wiring& wiring, const char* routing,
          topology::Damage damage = topology::Damage::none);

  GridShape shape() const { return shape_; }
  std::int32_t dimensions() const { return static_cast<std::int32_t>(extents_.size()); }
  std::int32_t extent(std::int32_t d) const { return extents_[place(d)]; }
  std::int32_t coordinate(std::int32_t node, std::int32_t d) const {
    return coordinates_[place(node) * extents_.size() + place(d)];
  }

  /// The links, parallel ones, from a node towards coordinate `to` of a dimension: the next one of
  /// a ring or path in the direction, `to` itself on Hamming networks.
  std::span<const std::int32_t> links(std::int32_t node, std::int32_t d, std::int32_t to,
                                      bool up) const {
    const std::int32_t slot = shape_ == GridShape::hamming ? to : up ? 1 : 0;
    const std::size_t at = place(node) * place(slots_) + place(first_slot_[place(d)] + slot);
    return {&links_[place(first_link_[at])], place(first_link_[at + 1] - first_link_[at])};
  }

  bool has_parallel_links() const { return has_parallel_links_; }
  /// Whether a node or link of the grid failed.
  bool damaged() const { return damaged_; }
  /// Whether the node is of the grid, not a host behind its switches.
  bool has(std::int32_t node) const { return place(node) * extents_.size() < coordinates_.size(); }
  /// Whether all links are there from a node along the dimension to coordinate `to`.
  bool leads(const Topology& topology, std::int32_t node, std::int32_t d, std::int32_t to,
             bool up) const;

 private:
  std::int32_t slot_of(std::int32_t tail, std::int32_t head) const;

  GridShape shape_ = GridShape::hamming;
  bool damaged_ = false, has_parallel_links_ = false;
  std::vector<std::int32_t> extents_, first_slot_;  // by dimension
  std::vector<std::int32_t> coordinates_;           // by node and dimension
  std::int32_t slots_ = 0;                          // of a node
  std::vector<std::int32_t> first_link_, links_;    // by node and slot
};

}  // namespace weft::simulation::packet
