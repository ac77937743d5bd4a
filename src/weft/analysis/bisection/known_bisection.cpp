// Which formula a topology's structure answers to.
#include "weft/analysis/bisection/known_bisection.hpp"

#include "weft/base/id_vector.hpp"
#include "weft/topology/views.hpp"

namespace weft::analysis {

namespace {

// Nothing where the switches have different numbers of hosts.
std::optional<Size> size_of(const Topology& topology) {
  if (!topology.has_switches()) return Size{topology.node_count(), 0};
  const auto attached = topology::as_attached_hosts(topology);
  if (!attached) return std::nullopt;
  IdVector<NodeId, std::int64_t> hosts(topology.node_count(), 0);
  for (const NodeId host : topology.hosts()) ++hosts[attached->switch_of[host]];
  const std::int64_t first = hosts[topology.switches().front()];
  for (const NodeId node : topology.switches())
    if (hosts[node] != first) return std::nullopt;
  return Size{std::ssize(topology.switches()), first};
}

// Any permutation of the hosts has paths of its own for every message: a half of the hosts is cut
// from the other by no fewer cables than it has hosts, and by its terminal cables.
KnownBisection of_full_tree(const Topology& topology) {
  const std::int64_t half = std::ssize(topology.hosts()) / 2;
  return KnownBisection{.lower = half,
                        .upper = half,
                        .formula = "half of the hosts",
                        .source = "rearrangeable: Clos 1953, Leiserson 1985"};
}

// Leaves of H hosts and S <= H spines. With a leaves on one side a spine cuts the fewer of a and
// L - a cables, and hosts that do not fit on that many leaves one each: S a + (N/2 - a H) at least,
// which falls with a up to L/2. Half of the leaves attain it, and one parted where L is odd.
KnownBisection of_leaves(const topology::XgftView& view) {
  const std::int64_t hosts = view.children[0], leaves = view.children[1], spines = view.parents[1];
  const std::int64_t cut = leaves / 2 * spines + (leaves % 2 == 0 ? 0 : hosts / 2);
  return KnownBisection{.lower = cut,
                        .upper = cut,
                        .formula = "uplinks of half of the leaves",
                        .source = "cut around leaves"};
}

std::optional<KnownBisection> of_tree(const Topology& topology, const topology::XgftView& view) {
  if (view.parents.empty() || view.parents[0] != 1) return std::nullopt;
  bool full = true;
  for (std::size_t level = 1; level < view.parents.size(); ++level)
    full = full && view.parents[level] >= view.children[level - 1];
  if (full) return of_full_tree(topology);
  return view.parents.size() == 2 ? std::optional(of_leaves(view)) : std::nullopt;
}

}  // namespace

std::optional<KnownBisection> known_bisection(const Topology& topology) {
  if (const auto view = as_xgft(topology)) return of_tree(topology, *view);
  const topology::Facets& facets = topology.facets();
  const auto size = size_of(topology);
  if (facets.holes || !size || size->weight() < 2) return std::nullopt;
  for (const topology::Facet& facet : facets.facets)
    if (auto known = known_bisection(*size, facet)) return known;
  return std::nullopt;
}

}  // namespace weft::analysis
