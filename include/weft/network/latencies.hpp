// Latency of paths: one multiplication where all links are alike.
#pragma once

#include <cstdint>
#include <span>

#include "weft/base/id_vector.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::network {

/// The latencies of a fabric's links, looked up once.
class Latencies {
 public:
  /// O(links).
  explicit Latencies(const Fabric& fabric) {
    const Topology& topology = fabric.topology();
    if (topology.link_count() > 0) common_ps_ = fabric.latency_ps(LinkId(0));
    for (LinkId link : topology.links())
      if (fabric.latency_ps(link) != common_ps_) alike_ = false;
    if (alike_) return;
    for (LinkId link : topology.links()) by_link_ps_.push_back(fabric.latency_ps(link));
  }

  /// Picoseconds.
  std::int64_t of(LinkId link) const { return alike_ ? common_ps_ : by_link_ps_[link]; }

  /// Sum over the links of a path, picoseconds.
  std::int64_t sum(std::span<const LinkId> path) const {
    if (alike_) return common_ps_ * static_cast<std::int64_t>(path.size());
    std::int64_t sum = 0;
    for (LinkId link : path) sum += by_link_ps_[link];
    return sum;
  }

 private:
  bool alike_ = true;
  std::int64_t common_ps_ = 0;
  IdVector<LinkId, std::int64_t> by_link_ps_;
};

}  // namespace weft::network
