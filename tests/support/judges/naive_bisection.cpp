#include "support/judges/naive_bisection.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <vector>

namespace weft::support {

namespace {

bool is_leaf(const Topology& topology, NodeId node) {
  return topology.has_switches() && topology.is_host(node) && topology.out_degree(node) == 1 &&
         topology.in_degree(node) == 1 &&
         !topology.is_host(topology.head(topology.out_links(node)[0])) &&
         topology.reverse(topology.out_links(node)[0]);
}

// What sets are drawn from: cables between nodes, and the hosts that are or hang on each.
struct Core {
  std::vector<std::vector<int>> cables;
  std::vector<std::int64_t> own;     // 1 for a host, which the set itself places
  std::vector<std::int64_t> leaves;  // hosts that may be parted from it
};

Core core_of(const Topology& topology) {
  std::vector<int> place(static_cast<std::size_t>(topology.node_count()), -1);
  Core core;
  for (NodeId node : topology.nodes()) {
    if (is_leaf(topology, node)) continue;
    place[node.index()] = static_cast<int>(core.own.size());
    core.own.push_back(topology.is_host(node) ? 1 : 0);
  }
  core.leaves.assign(core.own.size(), 0);
  core.cables.assign(core.own.size(), std::vector<int>(core.own.size(), 0));
  for (LinkId link : topology.links()) {
    const auto reverse = topology.reverse(link);
    if (reverse && *reverse < link) continue;
    int u = place[topology.tail(link).index()], v = place[topology.head(link).index()];
    if (u < 0 || v < 0) {
      ++core.leaves[std::max(u, v)];
      continue;
    }
    if (u == v) continue;
    ++core.cables[u][v];
    ++core.cables[v][u];
  }
  return core;
}

}  // namespace

std::int64_t naive_bisection(const Topology& topology) {
  const Core core = core_of(topology);
  const std::size_t n = core.own.size();
  const std::int64_t half = std::ssize(topology.hosts()) / 2;
  std::vector<bool> in(n, false);
  std::int64_t cut = 0, own = 0, leaves = 0, all_leaves = 0;
  for (const std::int64_t count : core.leaves) all_leaves += count;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (std::uint64_t step = 0; step < std::uint64_t{1} << n; ++step) {
    if (step > 0) {  // Gray code: one node changes sides
      const auto v = static_cast<std::size_t>(std::countr_zero(step));
      const int sign = in[v] ? -1 : 1;
      for (std::size_t u = 0; u < n; ++u)
        cut += (in[u] == in[v] ? 1 : -1) * static_cast<std::int64_t>(core.cables[u][v]);
      own += sign * core.own[v];
      leaves += sign * core.leaves[v];
      in[v] = !in[v];
    }
    const std::int64_t wanted = half - own;  // leaves on this side
    if (wanted < 0 || wanted > all_leaves) continue;
    fewest = std::min(fewest, cut + std::abs(leaves - wanted));
  }
  return fewest;
}

}  // namespace weft::support
