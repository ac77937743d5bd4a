#include "weft/analysis/bounds.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/views.hpp"

namespace weft::analysis {

namespace {

constexpr std::int64_t kManyNodes = std::int64_t{1} << 62;

// min(a * b, kManyNodes), for a, b >= 0.
std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  WEFT_ASSERT(a >= 0 && b >= 0);
  return b != 0 && a > kManyNodes / b ? kManyNodes : a * b;
}

struct NodeCapacity {
  std::vector<std::int64_t> out, in;
};

NodeCapacity node_capacity(const Topology& topology, std::span<const std::int64_t> capacity) {
  WEFT_ASSERT(std::ssize(capacity) == topology.link_count());
  const auto nodes = static_cast<std::size_t>(topology.node_count());
  NodeCapacity sum{std::vector<std::int64_t>(nodes, 0), std::vector<std::int64_t>(nodes, 0)};
  for (LinkId link : topology.links()) {
    const NodeId tail = topology.tail(link), head = topology.head(link);
    if (tail == head) continue;
    sum.out[tail.index()] = checked_add(sum.out[tail.index()], capacity[link.index()]);
    sum.in[head.index()] = checked_add(sum.in[head.index()], capacity[link.index()]);
  }
  return sum;
}

// Whether every host hangs on one switch, so that no way between switches leads through a host.
bool hosts_are_leaves(const Topology& topology) {
  for (NodeId host : topology.hosts()) {
    std::optional<NodeId> leaf;
    for (LinkId link : topology.out_links(host)) {
      const NodeId other = topology.head(link);
      if (topology.is_host(other) || (leaf && *leaf != other)) return false;
      leaf = other;
    }
    for (LinkId link : topology.in_links(host))
      if (topology.tail(link) != leaf) return false;
  }
  return true;
}

std::int64_t capacity_between_switches(const Topology& topology,
                                       std::span<const std::int64_t> capacity) {
  std::int64_t total = 0;
  for (LinkId link : topology.links()) {
    const NodeId tail = topology.tail(link), head = topology.head(link);
    if (tail != head && !topology.is_host(tail) && !topology.is_host(head))
      total = checked_add(total, capacity[link.index()]);
  }
  return total;
}

// Hops between switches over all ordered pairs of hosts: two of a pair's hops are terminal links.
std::int64_t hops_between_switches(const DistanceSummary& distances) {
  std::int64_t hops = 0;
  for (std::size_t k = 3; k < distances.pairs_at.size(); ++k)
    hops = checked_add(hops, static_cast<std::int64_t>(k - 2) * distances.pairs_at[k]);
  return hops;
}

bool on_hosts(const Topology& topology, std::span<const NodeId> places) {
  return std::all_of(places.begin(), places.end(),
                     [&](NodeId node) { return topology.is_host(node); });
}

}  // namespace

std::int64_t moore_bound(int degree, int diameter, Wiring wiring) {
  require(degree >= 0, "degree {} is negative (needs 0 or more)", degree);
  require(diameter >= 0, "diameter {} is negative (needs 0 or more)", diameter);
  std::int64_t nodes = 1, layer = 1;
  for (int level = 1; level <= diameter; ++level) {
    const bool back = wiring == Wiring::two_way && level > 1;
    layer = capped_product(layer, back ? std::max(degree - 1, 0) : degree);
    nodes = std::min(nodes + layer, kManyNodes);
    if (layer == 0 || nodes == kManyNodes) break;
  }
  return nodes;
}

std::optional<int> moore_steps(std::int64_t nodes, int degree, Wiring wiring) {
  require(nodes >= 1, "a network of {} is too small (needs 1 or more)", counted(nodes, "node"));
  require(degree >= 0, "degree {} is negative (needs 0 or more)", degree);
  // Layers that do not grow: paths and rings.
  if (wiring == Wiring::one_way && degree == 1) return static_cast<int>(nodes - 1);
  if (wiring == Wiring::two_way && degree == 2) return static_cast<int>(nodes / 2);
  const int most = degree < 2 ? 1 : 64;
  for (int steps = 0; steps <= most; ++steps)
    if (moore_bound(degree, steps, wiring) >= nodes) return steps;
  return std::nullopt;
}

namespace {

/// A block between ranks whose coordinates differ in a dimension crosses a link of that dimension.
/// On an m1 x ... x mn Hamming network with a rank a node that is d / min(m): the largest over
/// dimensions of (N^2 (m - 1) / m) / (N (m - 1)) blocks a link.
Rational dimension_bound(const Topology& topology, std::span<const NodeId> places,
                         std::span<const std::int64_t> capacity, std::int64_t egress) {
  const auto view = topology::as_hyperx(topology);
  if (!view) return 0;
  const auto attached = topology::as_attached_hosts(topology);
  if (topology.has_switches() && !attached) return 0;
  const auto core = [&](NodeId node) {
    return topology.has_switches() && topology.is_host(node) ? attached->switch_of[node] : node;
  };
  const auto ranks = static_cast<std::int64_t>(places.size());
  Rational most = 0;
  for (int d = 0; d < view->dimensions(); ++d) {
    std::vector<std::int64_t> ranks_at(view->extents[d]);
    for (const NodeId node : places) ++ranks_at[view->coordinate(core(node).value(), d)];
    std::int64_t blocks = ranks * ranks;
    for (const std::int64_t count : ranks_at) blocks -= count * count;
    std::int64_t across = 0;
    for (const LinkId link : topology.links()) {
      const NodeId tail = topology.tail(link), head = topology.head(link);
      if (topology.has_switches() && (topology.is_host(tail) || topology.is_host(head))) continue;
      if (view->coordinate(tail.value(), d) != view->coordinate(head.value(), d))
        across = checked_add(across, capacity[link.index()]);
    }
    if (blocks > 0) most = std::max(most, Rational(egress, across) * Rational(blocks, ranks));
  }
  return most;
}

}  // namespace

AllToAllBound all_to_all_bound(const Topology& topology, std::span<const NodeId> places,
                               const DistanceSummary& distances,
                               std::span<const std::int64_t> capacity, std::int64_t egress) {
  WEFT_ASSERT(capacity.size() == static_cast<std::size_t>(topology.link_count()));
  WEFT_ASSERT(distances.places == static_cast<std::int64_t>(places.size()));
  require(distances.connected(),
          "{} is not connected (some rank does not reach another); use a network with paths "
          "between all ranks",
          topology.name());
  const auto ranks = static_cast<std::int64_t>(places.size());
  const NodeCapacity sums = node_capacity(topology, capacity);
  std::vector<std::int64_t> ranks_at(topology.node_count(), 0);
  for (NodeId node : places) ++ranks_at[node.index()];

  AllToAllBound bound;
  std::int64_t total = 0;
  for (NodeId node : topology.nodes()) {
    const std::size_t v = node.index();
    total = checked_add(total, sums.out[v]);
    const std::int64_t leaving = ranks_at[v] * (ranks - ranks_at[v]);  // blocks
    if (leaving == 0) continue;
    const std::int64_t narrow = std::min(sums.out[v], sums.in[v]);
    bound.endpoint = std::max(bound.endpoint, Rational(egress, narrow) * Rational(leaving, ranks));
  }
  if (distances.sum() > 0)
    bound.distance = Rational(egress, total) * Rational(distances.sum(), ranks);
  const std::int64_t core_hops = hops_between_switches(distances);
  if (topology.has_switches() && core_hops > 0 && on_hosts(topology, places) &&
      hosts_are_leaves(topology))
    bound.core_distance = Rational(egress, capacity_between_switches(topology, capacity)) *
                          Rational(core_hops, ranks);
  bound.dimension = dimension_bound(topology, places, capacity, egress);
  return bound;
}

AllToAllBound all_to_all_bound(const Topology& topology, std::span<const NodeId> places,
                               std::span<const std::int64_t> capacity, std::int64_t egress) {
  return all_to_all_bound(topology, places, summarize_distances(topology, places), capacity,
                          egress);
}

}  // namespace weft::analysis
