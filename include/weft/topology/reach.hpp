// Which nodes links lead to.
#pragma once

#include "weft/graph/breadth_first.hpp"
#include "weft/graph/sense.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// From `start` on along links, or by the ways that lead there. O(nodes + links).
inline graph::BreadthFirst reached_from(const Topology& topology, NodeId start,
                                        graph::Sense sense) {
  return {topology.node_count(), start.value(), [&](std::int32_t at, auto&& reach) {
            if (sense == graph::Sense::along)
              for (const LinkId link : topology.out_links(NodeId(at)))
                reach(topology.head(link).value());
            else
              for (const LinkId link : topology.in_links(NodeId(at)))
                reach(topology.tail(link).value());
          }};
}

}  // namespace weft::topology
