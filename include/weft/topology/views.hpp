// Views: the structure that a topology has, asked for where an algorithm needs it.
//
// A view is a small struct, or nothing. It speaks of the switches of a network with hosts attached,
// and of the nodes of a network without; node numbers are those of the family (the first extent
// varies fastest: node = a1 + m1 * (a2 + m2 * ...)). A topology may have several: hypercube:3 is
// Hamming {2,2,2} and torus {2,2,2}; complete:5 is Hamming {5}; torus:3x3 is Hamming {3,3}.
// Failures (`without`) remove all views; the last two below speak of what they left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/topology/cayley_view.hpp"
#include "weft/topology/topology.hpp"

namespace weft::topology {

/// Mixed-radix coordinates of a product of small graphs; the first extent varies fastest.
struct Extents {
  std::vector<int> extents;

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
/// kautz:degree,diameter in the arithmetic numbering of Imase and Itoh: u -> -(degree u + j) mod n,
/// j = 1..degree.
struct KautzView {
  int degree = 0, diameter = 0;
};
enum class GlobalArrangement : std::uint8_t { absolute, relative, circulant, codes };
/// g groups of a routers, each with p hosts and h global links. Routers come first: router r of
/// group q is node q * a + r; host i of router s is node g * a + s * p + i.
struct DragonflyView {
  int a = 0, p = 0, h = 0, g = 0;
  GlobalArrangement arrangement = GlobalArrangement::absolute;
};
/// g groups of l leaves with p hosts each and s spines with h global links each. Leaf i of group q
/// is node q * (l + s) + i, spine j is q * (l + s) + l + j; host i of leaf t, counted over all
/// groups, is node g * (l + s) + t * p + i.
struct DragonflyPlusView {
  int l = 0, s = 0, p = 0, h = 0, g = 0;
  int group_size() const { return l + s; }  // switches
};
/// Hamming with parallel[i] cables in dimension i.
struct HyperxView : Extents {
  std::vector<int> parallel;
};
/// The graph of McKay, Miller and Siran: 2 halves of q groups of q nodes; node y of group x of half
/// s is (s * q + x) * q + y.
struct SlimflyView {
  int q = 0;
  int group(std::int64_t node) const { return static_cast<int>(node / q); }  // [0, 2 q)
};
/// The points of PG(2, q), linked where orthogonal: two that are not linked are orthogonal to
/// exactly one, their only common neighbour.
struct PolarflyView {
  int q = 0;
};
/// A lift of the complete graph of degree + 1 nodes: node c of meta-node m is m * copies + c, and
/// any two meta-nodes are joined by a perfect matching.
struct XpanderView {
  int degree = 0, copies = 0;
  int meta_node(std::int64_t node) const { return static_cast<int>(node / copies); }
};
/// XGFT(height; m; w): m[i] children of a node at level i + 1, w[i] parents of a node at level i.
struct XgftView {
  std::vector<int> children, parents;
  /// Node numbers of level l (0 = hosts) are [first_of_level[l], first_of_level[l + 1]).
  std::vector<std::int64_t> first_of_level;
};

std::optional<HammingView> as_hamming(const Topology& topology);
std::optional<TorusView> as_torus(const Topology& topology);
std::optional<MeshView> as_mesh(const Topology& topology);
std::optional<KautzView> as_kautz(const Topology& topology);
std::optional<DragonflyView> as_dragonfly(const Topology& topology);
std::optional<DragonflyPlusView> as_dragonfly_plus(const Topology& topology);
/// Also of a Hamming network, with one cable in each dimension.
std::optional<HyperxView> as_hyperx(const Topology& topology);
std::optional<SlimflyView> as_slimfly(const Topology& topology);
std::optional<PolarflyView> as_polarfly(const Topology& topology);
std::optional<XpanderView> as_xpander(const Topology& topology);
std::optional<XgftView> as_xgft(const Topology& topology);

/// A tree of which nodes, cables or links failed.
struct DamagedXgft {
  XgftView tree;                  // the whole one
  std::vector<std::int32_t> now;  // by node of the whole tree: its number here, -1 where it failed
};
/// Nothing of a whole tree. O(nodes).
std::optional<DamagedXgft> as_damaged_xgft(const Topology& topology);

/// Whether this is a Hamming network, HyperX, torus or mesh of which nodes, cables or links failed.
bool is_damaged_grid(const Topology& topology);

/// The host links of each host's switch: where hosts(k, X) or a family put them; for every host its
/// switch. Nothing unless each host hangs on exactly one switch by one cable.
struct HostAttachment {
  std::vector<NodeId> switch_of;  // by node id; only entries of hosts are meaningful
};
std::optional<HostAttachment> as_attached_hosts(const Topology& topology);

}  // namespace weft::topology
