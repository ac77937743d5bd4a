// Access: where hosts hang on switches by one cable, and the loop over the flows of a step.
//
// A host with a single way in and a single way out, both at one switch, is a leaf: its routes are
// those of its switches with a terminal link at either end. Routings therefore deal with the other
// nodes only, the core, and keep no table for leaves.
#pragma once

#include <cstdint>
#include <span>

#include "weft/base/id_vector.hpp"
#include "weft/network/latencies.hpp"
#include "weft/network/routing.hpp"
#include "weft/topology/topology.hpp"

namespace weft::network {

class Access {
 public:
  struct End {
    NodeId exit, entry;  // core nodes where routes from and to this node begin and end
    LinkId up, down;     // terminal links, of a leaf only
    bool leaf = false;
  };

  explicit Access(const Topology& topology);

  const End& operator[](NodeId node) const { return ends_[node]; }
  std::size_t size() const { return ends_.size(); }  // nodes

 private:
  IdVector<NodeId, End> ends_;
};

/// Writes the route of each flow: terminal links where an end is a leaf, and between the core nodes
/// x != y what walk(flow, x, y) pushes.
template <class Walk>
void route_each(std::span<const Flow> step, const Access& access, const Latencies& latencies,
                RouteTable& routes, Walk&& walk) {
  for (const Flow& flow : step) {
    if (flow.from == flow.to) {
      routes.finish(0);
      continue;
    }
    const Access::End& source = access[flow.from];
    const Access::End& target = access[flow.to];
    if (source.leaf) routes.push(source.up);
    if (source.exit != target.entry) walk(flow, source.exit, target.entry);
    if (target.leaf) routes.push(target.down);
    routes.finish(latencies.sum(routes.unfinished()));
  }
}

/// Throws InvalidInput: there is no path for the flow.
[[noreturn]] void reject_unreachable(const Flow& flow);

}  // namespace weft::network
