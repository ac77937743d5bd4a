// Views: the structure that a topology has, asked for where an algorithm needs it.
//
// A view is a small struct, or nothing, read off the facets (facets.hpp). It speaks of the switches
// of a network with hosts attached, and of the nodes of a network without; node numbers are those
// of the family (the first extent varies fastest: node = a1 + m1 * (a2 + m2 * ...)). A topology may
// have several: hypercube:3 is Hamming {2,2,2} and torus {2,2,2}; complete:5 is Hamming {5};
// torus:3x3 is Hamming {3,3}. Failures (`without`) take a network's views away, unless the caller
// allows them: then the view speaks of the whole network, and Holes say what is left of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Mixed-radix coordinates of a product of small graphs; the first extent varies fastest.
struct Extents {
  std::vector<int> extents;

  /// The product of the extents.
  std::int64_t size() const;
  int dimensions() const { return static_cast<int>(extents.size()); }
  /// Coordinate of `node` in `dimension`.
  int coordinate(std::int64_t node, int dimension) const;
  std::vector<int> coordinates(std::int64_t node) const;
  std::int64_t node(std::span<const int> coordinates) const;
};

/// Nodes are linked when exactly one coordinate differs. Source: 2dfc is the case of two
/// dimensions.
struct HammingView : Extents {};
/// Every dimension is a ring; one of size 2 is a single bidirectional link.
struct TorusView : Extents {};
/// Every dimension is a path.
struct MeshView : Extents {};
/// Hamming with parallel[i] cables in dimension i.
struct HyperxView : Extents {
  std::vector<int> parallel;
};
/// Whether a view is wanted of the whole network alone, or also of what failures left of it.
enum class Damage : std::uint8_t { none, allowed };

/// What the topology's facets say of it, or nothing.
std::optional<HammingView> as_hamming(const Topology& topology, Damage damage = Damage::none);
std::optional<TorusView> as_torus(const Topology& topology, Damage damage = Damage::none);
std::optional<MeshView> as_mesh(const Topology& topology, Damage damage = Damage::none);
std::optional<KautzView> as_kautz(const Topology& topology);
std::optional<DragonflyView> as_dragonfly(const Topology& topology, Damage damage = Damage::none);
std::optional<DragonflyPlusView> as_dragonfly_plus(const Topology& topology,
                                                   Damage damage = Damage::none);
/// Also of a Hamming network, with one cable in each dimension.
std::optional<HyperxView> as_hyperx(const Topology& topology, Damage damage = Damage::none);
std::optional<SlimflyView> as_slimfly(const Topology& topology);
std::optional<PolarflyView> as_polarfly(const Topology& topology);
std::optional<XpanderView> as_xpander(const Topology& topology);
std::optional<XgftView> as_xgft(const Topology& topology, Damage damage = Damage::none);

/// A tree of which nodes, cables or links failed.
struct DamagedXgft {
  XgftView tree;                  // the whole one
  std::vector<std::int32_t> now;  // by node of the whole tree: its number here, -1 where it failed
};
/// Nothing of a whole tree. O(nodes).
std::optional<DamagedXgft> as_damaged_xgft(const Topology& topology);

/// Which group each host belongs to, of a Dragonfly, a Dragonfly+ or a network of boxes, boards or
/// racks, whole or damaged; a group whose hosts all failed keeps its number. O(hosts).
struct HostGroups {
  std::int32_t count = 0;
  IdVector<NodeId, std::int32_t> of;  // only entries of hosts are meaningful
};
std::optional<HostGroups> as_host_groups(const Topology& topology);

/// The groups of switches of a Dragonfly, or of the Dragonflies that planes or rails are, as the
/// whole network numbers them.
std::optional<SwitchGroups> switch_groups_of(const Topology& topology);

/// Which group each switch of a Dragonfly belongs to, or of the Dragonflies in planes or rails,
/// whole or damaged.
struct GroupsOfSwitches {
  IdVector<NodeId, std::int32_t> of;  // -1: of none

  /// Whether a link leads from a group to another.
  bool are_apart(NodeId tail, NodeId head) const {
    const std::int32_t a = of[tail], b = of[head];
    return a >= 0 && b >= 0 && a != b;
  }
};
/// O(nodes log failed).
std::optional<GroupsOfSwitches> as_groups_of_switches(const Topology& topology);

/// How many hosts, in a row, make a group of each level, ascending, each a multiple of the one
/// before: hosts of a router and of its group, of a box and of its rack, of a tree's switch at each
/// level below the top. Of the whole network; empty where it shows no groups.
std::vector<std::int64_t> nested_group_sizes(const Topology& topology);
/// The groups of each of these levels, as as_host_groups numbers them. O(hosts levels).
std::vector<HostGroups> as_nested_host_groups(const Topology& topology);

/// The host links of each host's switch: where hosts(k, X) or a family put them; for every host its
/// switch. Nothing unless each host hangs on exactly one switch by one cable.
struct HostAttachment {
  IdVector<NodeId, NodeId> switch_of;  // only entries of hosts are meaningful
};
std::optional<HostAttachment> as_attached_hosts(const Topology& topology);

}  // namespace weft::topology
