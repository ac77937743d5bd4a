// The links of a network as breadth-first broadcast sees them: by receiver, without self-loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/topology/fabric.hpp"

namespace weft::algorithm::bfb {

/// Which way data flows: along the links (allgather, broadcast, scatter), or against them, which is
/// the transpose graph (reduce-scatter, reduce, gather, run backwards in time).
enum class Flow : std::uint8_t { along, against };

/// A link into a node: bit k of a node's masks is its k-th arc.
struct Arc {
  std::int32_t from = 0;  // the node that passes data on
  LinkId link;
  std::int64_t capacity = 1;  // bandwidth, in units of Arcs::unit_Bps
};

class Arcs {
 public:
  Arcs(const Fabric& fabric, Flow flow);

  Flow flow() const { return flow_; }
  std::int32_t nodes() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  std::span<const Arc> into(std::int32_t node) const {
    const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(node)]);
    const auto last = static_cast<std::size_t>(first_[static_cast<std::size_t>(node) + 1]);
    return std::span(arcs_).subspan(first, last - first);
  }
  /// The nodes that these arcs come from, alone: what a search reads.
  std::span<const std::int32_t> sources(std::int32_t node) const {
    const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(node)]);
    const auto last = static_cast<std::size_t>(first_[static_cast<std::size_t>(node) + 1]);
    return std::span(sources_).subspan(first, last - first);
  }
  int largest_degree() const { return largest_degree_; }
  /// Whether all links have the same bandwidth; then every capacity is 1.
  bool uniform() const { return uniform_; }
  /// The bandwidth that a capacity of 1 stands for, bytes per second: the greatest common divisor.
  std::int64_t unit_Bps() const { return unit_Bps_; }
  /// Whether some node has two arcs from the same node.
  bool has_parallel() const { return has_parallel_; }

 private:
  Flow flow_;
  std::vector<std::int32_t> first_;  // nodes + 1
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> sources_;
  std::int64_t unit_Bps_ = 0;
  int largest_degree_ = 0;
  bool uniform_ = true;
  bool has_parallel_ = false;
};

}  // namespace weft::algorithm::bfb
