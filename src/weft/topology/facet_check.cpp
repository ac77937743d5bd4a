// A facet fixes its whole network up to the order of links: the family builds it again, and the
// heads of every node's links are compared as multisets. A group is no such facet (it says nothing
// of generators), and as_cayley() holds every link against it anyway.
#include "facet_check.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/topology/families/algebraic/polarfly.hpp"
#include "weft/topology/families/algebraic/slimfly.hpp"
#include "weft/topology/families/dragonfly/dragonfly.hpp"
#include "weft/topology/families/dragonfly/dragonfly_plus.hpp"
#include "weft/topology/families/grids/hyperx.hpp"
#include "weft/topology/families/grids/mesh.hpp"
#include "weft/topology/families/grids/torus.hpp"
#include "weft/topology/families/kautz.hpp"
#include "weft/topology/families/random/xpander.hpp"
#include "weft/topology/families/trees/xgft.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

Topology line_of(const Dimension& dimension) {
  if (dimension.shape == LineShape::complete)
    return hyperx({dimension.extent}, {dimension.parallel});
  require(dimension.parallel == 1, "{} parallel cables are in a dimension that is not complete",
          dimension.parallel);
  return dimension.shape == LineShape::ring ? ring(dimension.extent) : mesh({dimension.extent});
}

struct Whole {
  Topology operator()(const Coordinates& facet) const {
    require(!facet.dimensions.empty(), "coordinates have no dimension");
    std::vector<BuiltTopology> lines;
    for (const Dimension& dimension : facet.dimensions) lines.push_back({line_of(dimension), {}});
    return lines.size() == 1 ? lines.front().topology : cartesian_product(lines).topology;
  }
  Topology operator()(const KautzView& k) const { return kautz(k.degree, k.diameter); }
  Topology operator()(const DragonflyView& d) const {
    return dragonfly({d.a, d.p, d.h, d.g, d.arrangement});
  }
  Topology operator()(const DragonflyPlusView& d) const {
    return dragonfly_plus({d.l, d.s, d.p, d.h, d.g});
  }
  Topology operator()(const SlimflyView& s) const { return slimfly(s.q); }
  Topology operator()(const PolarflyView& p) const { return polarfly(p.q); }
  Topology operator()(const XpanderView& x) const { return xpander(x.degree, x.copies, x.seed); }
  Topology operator()(const XgftView& t) const { return xgft(t.children, t.parents); }
};

// Heads of the links to nodes below `count` by the numbers of the whole network, ascending.
template <class Number>
std::vector<std::int32_t> heads(const Topology& topology, NodeId node, std::int32_t count,
                                Number number) {
  std::vector<std::int32_t> result;
  for (const LinkId link : topology.out_links(node))
    if (const std::int32_t head = number(topology.head(link)); head < count) result.push_back(head);
  std::ranges::sort(result);
  return result;
}

// Links may be missing where there are holes; nodes of the whole network then are, too.
bool is_part_of(const Topology& topology, const Topology& whole,
                const std::optional<Holes>& holes) {
  const std::int32_t count = whole.node_count();
  std::int32_t seen = 0;
  for (const NodeId node : topology.nodes()) {
    const auto number = [&](NodeId n) { return holes ? holes->whole(n.value()) : n.value(); };
    if (number(node) >= count) {  // a host, attached to the network that the facet speaks of
      if (!topology.is_host(node) || whole.has_switches()) return false;
      continue;
    }
    ++seen;
    const NodeId old(number(node));
    const bool attached = topology.has_switches() && !whole.has_switches();
    if (topology.is_host(node) != (attached ? false : whole.is_host(old))) return false;
    const auto here = heads(topology, node, count, number);
    const auto all = heads(whole, old, count, [](NodeId n) { return n.value(); });
    if (holes ? !std::ranges::includes(all, here) : here != all) return false;
  }
  const auto failed = holes ? holes->failed_nodes() : std::span<const std::int32_t>();
  return seen == count - (std::ranges::lower_bound(failed, count) - failed.begin());
}

bool is_permutation(const std::vector<Group::Element>& elements, std::int32_t order) {
  std::vector<char> seen(order, 0);
  for (const Group::Element each : elements)
    if (each < 0 || each >= order || std::exchange(seen[each], 1) != 0) return false;
  return std::ssize(elements) == order;
}

// Whether groups of all levels are made of whole ones of the level below.
bool nest(const Groups& groups, double nodes) {
  if (groups.levels.empty()) return true;
  int below = 1;
  for (const int hosts : groups.levels) {
    if (hosts < 1 || hosts > nodes || hosts % below != 0) return false;
    below = hosts;
  }
  return std::ranges::adjacent_find(groups.levels, std::greater_equal<>()) == groups.levels.end() &&
         std::ranges::find(groups.levels, groups.hosts) != groups.levels.end();
}

// Of a whole network: any two switches of a group are linked, and any two groups of a Dragonfly.
bool are_linked_as_dragonflies(const SwitchGroups& groups, const Topology& topology) {
  const std::int32_t a = groups.switches, g = groups.groups;
  for (const std::int32_t first : groups.first) {
    std::set<std::pair<std::int32_t, std::int32_t>> local, global;
    for (std::int32_t node = first; node < first + a * g; ++node)
      for (const LinkId link : topology.out_links(NodeId(node))) {
        const std::int32_t head = topology.head(link).value();
        const std::int32_t from = (node - first) / a, to = (head - first) / a;
        if (head < first || to >= g || head == node) continue;
        if (from == to)
          local.emplace(node, head);
        else
          global.emplace(from, to);
      }
    if (std::ssize(local) != std::int64_t{a} * g * (a - 1) ||
        std::ssize(global) != std::int64_t{g} * (g - 1))
      return false;
  }
  return true;
}

// Whether the groups are of switches, and of one Dragonfly after the other.
bool are_switches(const SwitchGroups& groups, const Topology& topology,
                  const std::optional<Holes>& holes) {
  if (groups.switches < 1 || groups.groups < 1 || groups.first.empty()) return false;
  const double size = 1.0 * groups.switches * groups.groups;
  const std::size_t failed = holes ? holes->failed_nodes().size() : 0;
  const double nodes = topology.node_count() + static_cast<double>(failed);
  for (std::size_t i = 0; i < groups.first.size(); ++i) {
    const double end = i + 1 < groups.first.size() ? groups.first[i + 1] : nodes;
    if (groups.first[i] < 0 || groups.first[i] + size > end) return false;
  }
  const bool has_hosts = std::ranges::any_of(topology.hosts(), [&](NodeId host) {
    const std::int32_t whole = holes ? holes->whole(host.value()) : host.value();
    const auto after = std::ranges::upper_bound(groups.first, whole);
    return after != groups.first.begin() && whole < *(after - 1) + size;
  });
  return !has_hosts && (holes || are_linked_as_dragonflies(groups, topology));
}

}  // namespace

Facets checked_facets(Facets facets, const Topology& topology, const std::string& where) {
  const std::size_t failed = facets.holes ? facets.holes->failed_nodes().size() : 0;
  const double nodes = topology.node_count() + static_cast<double>(failed);
  // What failed took its links along, so that the whole network may have many more.
  const SizeLimit limit(64.0 * (nodes + topology.link_count()) + 1000);
  const auto fits = [&]<class F>(F& facet) {
    if constexpr (std::is_same_v<F, Groups>) {
      return facet.hosts >= 1 && facet.hosts <= nodes && nest(facet, nodes);
    } else if constexpr (std::is_same_v<F, SwitchGroups>) {
      return are_switches(facet, topology, facets.holes);
    } else if constexpr (std::is_same_v<F, CayleyGroup>) {
      return facet.group.order() <= nodes &&
             (facet.elements.empty() || is_permutation(facet.elements, facet.group.order()));
    } else {
      const Topology whole = Whole{}(facet);
      if (const F* complete = whole.facets().find<F>()) facet = *complete;
      return is_part_of(topology, whole, facets.holes);
    }
  };
  for (Facet& facet : facets.facets)
    require(std::visit(fits, facet),
            "{}: a facet contradicts the graph; correct the facet or remove it", where);
  return facets;
}

}  // namespace weft::topology
