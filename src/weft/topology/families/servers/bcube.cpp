// BCube: servers of k + 1 ports and small switches alone; no switch is cabled to another, so that
// messages pass servers.
//
// BCube(n, 0) is n servers on one switch. BCube(n, k) is n networks BCube(n, k-1) and n^k switches
// of level k, of which the i-th joins server i of each. With servers written as words a_k .. a_0
// over n letters, a switch of level l joins the n servers that differ in a_l alone. So the shortest
// way between two servers corrects one letter a hop, a hop being a switch, and the diameter is k +
// 1 hops. Source: Guo, Lu, Li, Wu, Zhang, Shi, Tian, Zhang, Lu, "BCube: A High Performance,
// Server-centric Network Architecture for Modular Data Centers", SIGCOMM 2009.
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

void add_level(TopologyBuilder& builder, std::int64_t servers, int n, std::int64_t stride,
               std::int64_t first_switch, ClassId level) {
  for (std::int64_t server = 0; server < servers; ++server) {
    const std::int64_t low = server % stride, high = server / stride / n;
    builder.add_cable(NodeId(server), NodeId(first_switch + high * stride + low), level);
  }
}

// Each BCube(n, l) in it is a group: n servers, n^2 and so on.
Facets groups(int n, int k) {
  if (k == 0) return {};
  Groups facet{n};
  for (int level = 1, size = n; level <= k && k > 1; ++level, size *= n)
    facet.levels.push_back(size);
  return {{std::move(facet)}, {}};
}

// Servers first, by their words, a_0 fastest; then the switches, level by level.
Topology bcube(int n, int k) {
  Expression name{"bcube", fmt::format("{},{}", n, k), {}};
  require(n >= 2, "n={} is too small for bcube (needs switches with at least 2 ports)", n);
  require(k >= 0, "k={} is too small for bcube (needs 0 or more; servers have k + 1 ports)", k);
  const double most_servers = std::pow(n, k + 1.0);
  require_size(name.to_string(), most_servers * (1.0 + (k + 1.0) / n),
               2 * most_servers * (k + 1.0));
  const auto servers = static_cast<std::int64_t>(most_servers);
  const std::int64_t per_level = servers / n;
  TopologyBuilder builder(servers + (k + 1) * per_level);
  for (std::int64_t node = servers; node < servers + (k + 1) * per_level; ++node)
    builder.set_kind(NodeId(node), NodeKind::switch_node);
  std::int64_t stride = 1;
  for (int level = 0; level <= k; ++level, stride *= n)
    add_level(builder, servers, n, stride, servers + level * per_level,
              builder.link_class(fmt::format("level{}", level)));
  builder.set_nominal_degree(k + 1);
  builder.set_facets(groups(n, k));
  return std::move(builder).build(std::move(name));
}

}  // namespace

Family bcube_family() {
  return make_family("bcube", "n,k",
                     "Servers with k + 1 ports on switches of n ports; servers pass messages on",
                     "bcube:4,1", [](const Parameters& parameters) {
                       const auto values = parameters.integers(2);
                       return bcube(values[0], values[1]);
                     });
}

}  // namespace weft::topology
