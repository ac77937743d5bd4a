// Nodes on circles: all on one, or each group on its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "layout.hpp"
#include "weft/analysis/leaves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/union_find.hpp"
#include "weft/topology/views.hpp"

namespace weft::report {

namespace {

constexpr std::size_t kMostGroups = 64;

Point around(Point centre, double radius, double turn) {
  return {centre.x + radius * std::sin(2 * std::numbers::pi * turn),
          centre.y - radius * std::cos(2 * std::numbers::pi * turn)};
}

// Nodes (switches, where there are some) in their order, each with the hosts that hang on it.
struct Ring {
  std::vector<NodeId> nodes;
  std::vector<std::vector<NodeId>> hosts;  // beside `nodes`
};

// Places a ring from the turn `first` on, its hosts outside of it.
void place_ring(const Ring& ring, Point centre, double radius, double outside, double first,
                IdVector<NodeId, Point>& at) {
  WEFT_ASSERT(ring.hosts.size() == ring.nodes.size());
  const auto count = static_cast<double>(ring.nodes.size());
  for (std::size_t i = 0; i < ring.nodes.size(); ++i) {
    const double turn = first + static_cast<double>(i) / count;
    at[ring.nodes[i]] = around(centre, ring.nodes.size() == 1 ? 0 : radius, turn);
    const auto hosts = static_cast<double>(ring.hosts[i].size());
    for (std::size_t j = 0; j < ring.hosts[i].size(); ++j)
      at[ring.hosts[i][j]] =
          around(centre, outside,
                 turn + (static_cast<double>(j) - (hosts - 1) / 2) / std::max(hosts, 1.0) / count);
  }
}

// The core's nodes with their hosts; nothing where a host hangs on several.
std::optional<Ring> whole_ring(const Topology& topology) {
  Ring ring;
  if (!topology.has_switches()) {
    for (const NodeId node : topology.nodes()) ring.nodes.push_back(node);
    ring.hosts.resize(ring.nodes.size());
    return ring;
  }
  const auto switch_of = analysis::leaf_switches(topology);
  std::map<NodeId, std::size_t> place;
  for (const NodeId node : topology.switches()) {
    place[node] = ring.nodes.size();
    ring.nodes.push_back(node);
  }
  ring.hosts.resize(ring.nodes.size());
  for (const NodeId host : topology.hosts()) {
    if (switch_of[host] < 0) return std::nullopt;
    ring.hosts[place[NodeId(switch_of[host])]].push_back(host);
  }
  return ring;
}

// Cyclic groups turn the circle into itself, and Kautz networks have no better place.
bool belongs_on_circle(const Topology& topology) {
  if (topology::as_kautz(topology)) return true;
  if (topology.has_switches() || topology.node_count() > 64) return false;
  // A common move of all nodes: u -> u + 1 takes links to links.
  const std::int32_t n = topology.node_count();
  for (const NodeId node : topology.nodes()) {
    std::multiset<std::int32_t> here, next;
    const NodeId other((node.value() + 1) % n);
    for (const LinkId link : topology.out_links(node))
      here.insert((topology.head(link).value() - node.value() + n) % n);
    for (const LinkId link : topology.out_links(other))
      next.insert((topology.head(link).value() - other.value() + n) % n);
    if (here != next) return false;
  }
  return true;
}

// The number of the group of each node, by links of other classes than "global"; nothing where
// there is no such class.
std::optional<IdVector<NodeId, std::int32_t>> groups_of(const Topology& topology) {
  const auto names = topology.class_names();
  const auto global = std::find(names.begin(), names.end(), "global");
  if (global == names.end()) return std::nullopt;
  const auto apart = static_cast<std::int32_t>(global - names.begin());
  UnionFind joined(topology.node_count());
  for (const LinkId link : topology.links())
    if (topology.link_class(link).value() != apart)
      joined.join(topology.tail(link).value(), topology.head(link).value());
  IdVector<NodeId, std::int32_t> group;
  std::int32_t count = 0;
  for (const NodeId node : topology.nodes()) {
    const NodeId first(joined.find(node.value()));
    group.push_back(first == node ? count++ : group[first]);
  }
  return group;
}

}  // namespace

std::optional<PlacedNodes> place_on_circle(const Topology& topology, bool any) {
  if (!any && !belongs_on_circle(topology)) return std::nullopt;
  const auto ring = whole_ring(topology);
  if (!ring) return std::nullopt;
  PlacedNodes placed{.at = IdVector<NodeId, Point>(topology.node_count()), .bow = {}};
  place_ring(*ring, {0, 0}, 1, 1.25, 0, placed.at);
  return placed;
}

std::optional<PlacedNodes> place_in_groups(const Topology& topology) {
  const auto ring = whole_ring(topology);
  const auto group = groups_of(topology);
  if (!ring || !group) return std::nullopt;
  std::map<std::int32_t, Ring> groups;
  for (std::size_t i = 0; i < ring->nodes.size(); ++i) {
    Ring& own = groups[(*group)[ring->nodes[i]]];
    own.nodes.push_back(ring->nodes[i]);
    own.hosts.push_back(ring->hosts[i]);
  }
  if (groups.size() < 2 || groups.size() > kMostGroups) return std::nullopt;
  PlacedNodes placed{.at = IdVector<NodeId, Point>(topology.node_count()), .bow = {}};
  // Neighbouring groups with their hosts have a fifth of their room between them.
  const auto count = static_cast<double>(groups.size());
  const double room = 0.8 * std::min(1.0, std::sin(std::numbers::pi / std::max(count, 2.0)));
  double turn = 0;
  for (const auto& [number, own] : groups) {
    place_ring(own, around({0, 0}, 1, turn), room / 1.6, room, turn, placed.at);
    turn += 1 / count;
  }
  return placed;
}

}  // namespace weft::report
