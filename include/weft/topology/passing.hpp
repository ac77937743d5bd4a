// Passing: through which nodes messages go.
//
// Switches pass everything on, and so do all nodes where there are no switches. Hosts beside
// switches are ends of ways. They are passed in two cases:
//   Hosts that links of their own join, as GPUs of a box or dies of a card, make a mesh, and what
//   goes from one host of it to another keeps to these links, through hosts where it must: to the
//   network that their cards hang on it would be a burden. Meshes too thin for their own messages
//   are none.
//   Any other host is a relay, the last resort (network/relay_search.hpp).
#pragma once

#include <cstdint>

#include "weft/base/id_vector.hpp"
#include "weft/topology/fabric.hpp"

namespace weft::topology {

/// How a way goes on over a link to the node at its other end, and through that.
enum class Step : std::uint8_t {
  none,   // not at all: it would leave the mesh that both its ends are in
  plain,  // to the end of the way, or through a node that passes it on
  relay,  // through a host that would not, were there another way
  enter,  // likewise, and through all hosts after it: those of the target's mesh
};

class Passing {
 public:
  /// What a node is to ways: kSwitch or kAlone, or else the number of its mesh.
  using Place = std::int32_t;
  static constexpr Place kSwitch = -1;  // it passes everything on
  static constexpr Place kAlone = -2;   // a host that no mesh joins to others

  /// O(hosts), and where hosts have links of their own about 64 times as many as these.
  explicit Passing(const Fabric& fabric);

  const Topology& topology() const { return topology_; }
  Place operator[](NodeId node) const { return places_[node]; }

  /// Whether what goes from one node to another passes through a third that is no relay then.
  bool passes(NodeId through, NodeId from, NodeId to) const {
    const Place place = (*this)[through];
    return place == kSwitch || (place != kAlone && place == (*this)[from] && place == (*this)[to]);
  }
  /// From a node to the next, of a way to `target`: one that has come to the target's mesh stays.
  Step step(NodeId at, NodeId next, NodeId target) const {
    return step((*this)[at], (*this)[next], next == target, (*this)[target]);
  }
  /// The relays that a step adds, where it leads to a node so many links from the target.
  static std::int32_t relays(Step step, std::int32_t links) {
    return step == Step::plain ? 0 : step == Step::relay ? 1 : links;
  }
  static Step step(Place at, Place next, bool next_is_target, Place target) {
    const bool inside = at >= 0 && at == target;
    if (inside) return next == target ? Step::plain : Step::none;
    if (next_is_target || next == kSwitch) return Step::plain;
    return next >= 0 && next == target ? Step::enter : Step::relay;
  }

 private:
  Topology topology_;
  IdVector<NodeId, Place> places_;
};

}  // namespace weft::topology
