// Facets: what a topology knows of its own structure, as typed values that it carries.
//
//   builder.set_facets(Facets{{coordinates({4, 4}, LineShape::ring)}, {}});
//   if (const auto* c = topology.facets().find<Coordinates>()) ...
//
// A family, a function or a file gives them to the builder. They speak of the switches of a network
// with hosts attached, and of the nodes of one without; node numbers are those of the whole network
// (the first extent varies fastest). Nodes, cables and links that failed leave the facets as they
// were and show as holes beside them. Algorithms don't read facets, they ask for views (views.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "weft/topology/group/group.hpp"

namespace weft::topology {

/// The small graph along one dimension.
enum class LineShape : std::uint8_t { complete, ring, path };

/// Two nodes make one cable in every shape, three nodes a triangle in two.
struct Dimension {
  int extent = 2;
  LineShape shape = LineShape::complete;
  int parallel = 1;  // cables where the shape has one

  /// Whether it has that shape; small ones have several.
  bool is(LineShape other) const {
    if (shape == other || extent == 2) return true;
    return extent == 3 && shape != LineShape::path && other != LineShape::path;
  }
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A Cartesian product of lines; the first dimension varies fastest.
struct Coordinates {
  std::vector<Dimension> dimensions;

  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};

/// The same shape in every dimension.
Coordinates coordinates(const std::vector<int>& extents, LineShape shape);

/// Nodes are the elements of a group, and the links of every node those of the identity, moved.
struct CayleyGroup {
  Group group;
  std::vector<Group::Element> elements = {};  // by node; empty: its own number

  friend bool operator==(const CayleyGroup&, const CayleyGroup&) = default;
};

/// kautz:degree,diameter in the arithmetic numbering of Imase and Itoh: u -> -(degree u + j) mod n,
/// j = 1..degree.
struct KautzView {
  int degree = 0, diameter = 0;

  friend bool operator==(const KautzView&, const KautzView&) = default;
};

enum class GlobalArrangement : std::uint8_t { absolute, relative, circulant, codes };

/// g groups of a routers, each with p hosts and h global links. Routers come first: router r of
/// group q is node q * a + r; host i of router s is node g * a + s * p + i.
struct DragonflyView {
  int a = 0, p = 0, h = 0, g = 0;
  GlobalArrangement arrangement = GlobalArrangement::absolute;

  friend bool operator==(const DragonflyView&, const DragonflyView&) = default;
};

/// g groups of l leaves with p hosts each and s spines with h global links each. Leaf i of group q
/// is node q * (l + s) + i, spine j is q * (l + s) + l + j; host i of leaf t, counted over all
/// groups, is node g * (l + s) + t * p + i.
struct DragonflyPlusView {
  int l = 0, s = 0, p = 0, h = 0, g = 0;

  int group_size() const { return l + s; }  // switches
  friend bool operator==(const DragonflyPlusView&, const DragonflyPlusView&) = default;
};

/// The graph of McKay, Miller and Siran: 2 halves of q groups of q nodes; node y of group x of half
/// s is (s * q + x) * q + y.
struct SlimflyView {
  int q = 0;

  int group(std::int64_t node) const { return static_cast<int>(node / q); }  // [0, 2 q)
  friend bool operator==(const SlimflyView&, const SlimflyView&) = default;
};

/// The points of PG(2, q), linked where orthogonal: two that are not linked are orthogonal to
/// exactly one, their only common neighbour.
struct PolarflyView {
  int q = 0;

  friend bool operator==(const PolarflyView&, const PolarflyView&) = default;
};

/// A lift of the complete graph of degree + 1 nodes, drawn by the seed: node c of meta-node m is
/// m * copies + c, and any two meta-nodes are joined by a perfect matching.
struct XpanderView {
  int degree = 0, copies = 0;
  std::uint64_t seed = 1;

  friend bool operator==(const XpanderView&, const XpanderView&) = default;
};

/// XGFT(height; m; w): m[i] children of a node at level i + 1, w[i] parents of a node at level i.
struct XgftView {
  std::vector<int> children, parents;
  /// Node numbers of level l (0 = hosts) are [first_of_level[l], first_of_level[l + 1]).
  std::vector<std::int64_t> first_of_level;

  friend bool operator==(const XgftView&, const XgftView&) = default;
};

/// Boxes, boards or racks: the first `hosts` hosts, the next, and so on.
struct Groups {
  int hosts = 1;
  /// The hosts of a group of each level where groups nest, as boxes in racks and racks in rows:
  /// ascending, each a multiple of the one before, `hosts` among them. Empty: one level.
  std::vector<int> levels = {};

  friend bool operator==(const Groups&, const Groups&) = default;
};

/// Dragonflies that a larger network has in its planes or rails: from each node of `first` on the
/// switches of `groups` groups, `switches` in a row in each.
struct SwitchGroups {
  int switches = 1, groups = 1;
  std::vector<std::int32_t> first;

  friend bool operator==(const SwitchGroups&, const SwitchGroups&) = default;
};

using Facet =
    std::variant<Coordinates, CayleyGroup, Groups, KautzView, DragonflyView, DragonflyPlusView,
                 SlimflyView, PolarflyView, XpanderView, XgftView, SwitchGroups>;

/// What failed of a network that facets speak of. Nodes that stay keep their order, so that the
/// failed ones tell the numbers of all; cables and links that failed are seen in the graph.
class Holes {
 public:
  Holes() = default;
  /// The nodes that failed, ascending, as the whole network numbers them.
  explicit Holes(std::vector<std::int32_t> failed_nodes);

  std::span<const std::int32_t> failed_nodes() const { return failed_; }
  /// The number in the whole network of a node of what is left. O(log failed).
  std::int32_t whole(std::int32_t node) const;
  /// The number in what is left of a node of the whole network, if it is there. O(log failed).
  std::optional<std::int32_t> now(std::int32_t node) const;
  /// The holes once these nodes (ascending, as what is left numbers them) fail too.
  Holes with(std::span<const std::int32_t> nodes) const;

  friend bool operator==(const Holes& a, const Holes& b) { return a.failed_ == b.failed_; }

 private:
  std::vector<std::int32_t> failed_;
  std::vector<std::int32_t> left_before_;  // of each failed node: nodes left below it
};

struct Names;             // names.hpp
struct ImportNote;        // import_notes.hpp
struct ForwardingTables;  // forwarding.hpp

/// One facet of a kind at most. Names and tables speak of the network as it is, without its holes.
struct Facets {
  std::vector<Facet> facets;
  std::optional<Holes> holes = {};                      // nothing: the network is whole
  std::shared_ptr<const Names> names = {};              // nothing: its nodes have numbers alone
  std::shared_ptr<const ForwardingTables> tables = {};  // nothing: nobody said how it routes
  std::shared_ptr<const std::vector<ImportNote>> import_notes = {};  // nothing: none
  /// Data rate of most cables of hosts in an InfiniBand fabric; 0: none, or unknown.
  std::int64_t infiniband_Bps = 0;
  /// The machine that a file names as the network's own; empty: none.
  std::string machine = {};
  bool part_had_tables = false;  // which say nothing of the whole; files do not keep it

  bool has_or_had_tables() const { return tables != nullptr || part_had_tables; }

  /// The facet of this kind, whole or with holes.
  template <class F>
  const F* find() const {
    for (const Facet& facet : facets)
      if (const F* found = std::get_if<F>(&facet)) return found;
    return nullptr;
  }
  /// By value, names and tables too, but for notes, rates of InfiniBand, machines and tables that
  /// parts had.
  friend bool operator==(const Facets& a, const Facets& b);
};

}  // namespace weft::topology
