#include "weft/analysis/leaves.hpp"

#include <optional>

#include "weft/base/id_vector.hpp"

namespace weft::analysis {

namespace {

// The only other node that the host has links with, if there is one.
std::optional<NodeId> only_neighbour(const Topology& topology, NodeId host) {
  std::optional<NodeId> only;
  for (const LinkId link : topology.out_links(host)) {
    const NodeId other = topology.head(link);
    if (other == host) continue;
    if (only && *only != other) return std::nullopt;
    only = other;
  }
  for (const LinkId link : topology.in_links(host)) {
    const NodeId other = topology.tail(link);
    if (other == host) continue;
    if (only && *only != other) return std::nullopt;
    only = other;
  }
  return only;
}

}  // namespace

IdVector<NodeId, std::int32_t> leaf_switches(const Topology& topology) {
  IdVector<NodeId, std::int32_t> switch_of(topology.node_count(), -1);
  if (!topology.has_switches()) return switch_of;
  for (const NodeId host : topology.hosts())
    if (const auto only = only_neighbour(topology, host); only && !topology.is_host(*only))
      switch_of[host] = only->value();
  return switch_of;
}

}  // namespace weft::analysis
