// DCell: servers with k + 1 ports, one to a small switch and the others to servers elsewhere.
//
// DCell(n, 0) is n servers on one switch, t_0 = n. DCell(n, k) is t_(k-1) + 1 networks DCell(n,
// k-1) of which any two are joined by one cable: server j - 1 of network i to server i of network
// j, for i < j. Every server of a network has one of these cables, so that t_k = t_(k-1) (t_(k-1) +
// 1) servers. Counting the way over a switch as one hop, the way over the cable between two
// networks gives the diameter D(k) <= 2 D(k-1) + 1, hence at most 2^(k+1) - 1. Source: Guo, Wu,
// Tan, Shi, Zhang, Lu, "DCell: A Scalable and Fault-Tolerant Network Structure for Data Centers",
// SIGCOMM 2008.
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

// t_0, t_1, .. t_k, or as far as a number too large to build.
std::vector<double> server_counts(int n, int k) {
  constexpr double kEnough = 1e15;
  std::vector<double> counts{1.0 * n};
  while (std::ssize(counts) <= k && counts.back() < kEnough)
    counts.push_back(counts.back() * (counts.back() + 1));
  return counts;
}

// The cables of one network of a level, whose first server is `first`: of `parts` + 1 networks of
// `part` = `parts` servers.
void join_parts(TopologyBuilder& builder, std::int64_t first, std::int64_t part, ClassId level) {
  for (std::int64_t i = 0; i <= part; ++i)
    for (std::int64_t j = i + 1; j <= part; ++j)
      builder.add_cable(NodeId(first + i * part + j - 1), NodeId(first + j * part + i), level);
}

// Each DCell(n, l) in it is a group.
Facets groups(const std::vector<double>& counts) {
  if (counts.size() == 1) return {};
  Groups facet{static_cast<int>(counts.front())};
  for (std::size_t level = 0; level + 1 < counts.size() && counts.size() > 2; ++level)
    facet.levels.push_back(static_cast<int>(counts[level]));
  return {{std::move(facet)}, {}};
}

// Servers first, network by network; then the switches in the order of their servers.
Topology dcell(int n, int k) {
  Expression name{"dcell", fmt::format("{},{}", n, k), {}};
  require(n >= 2, "n={} is too small for dcell (needs 2 or more servers a switch)", n);
  require(k >= 0, "k={} is too small for dcell (needs 0 or more; servers have k + 1 ports)", k);
  const std::vector<double> counts = server_counts(n, k);
  require_size(name.to_string(), counts.back() * (1 + 1.0 / n), counts.back() * (2.0 + k));
  const auto servers = static_cast<std::int64_t>(counts.back());
  TopologyBuilder builder(servers + servers / n);
  const ClassId local = builder.link_class("level0");
  for (std::int64_t server = 0; server < servers; ++server)
    builder.add_cable(NodeId(server), NodeId(servers + server / n), local);
  for (std::int64_t node = servers; node < servers + servers / n; ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (int level = 1; level <= k; ++level) {
    const ClassId links = builder.link_class(fmt::format("level{}", level));
    const auto size = static_cast<std::int64_t>(counts[level]);
    for (std::int64_t first = 0; first < servers; first += size)
      join_parts(builder, first, static_cast<std::int64_t>(counts[level - 1]), links);
  }
  builder.set_nominal_degree(k + 1);
  builder.set_facets(groups(counts));
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family dcell_family() {
  return make_family("dcell", "n,k",
                     "Servers with k + 1 ports: t_0 = n on a switch, t_k = t_(k-1) (t_(k-1) + 1); "
                     "a cable joins any two parts of a level, and servers pass messages on",
                     "dcell:4,1", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return dcell(values[0], values[1]);
                     });
}

}  // namespace weft::topology
