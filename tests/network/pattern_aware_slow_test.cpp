// Every phase of the optimal exchange on the largest networks of Table 1 (Prisacari et al., 2013)
// is routed without a conflict.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/formulas/exchange_phases.hpp"
#include "support/table_1.hpp"
#include "weft/topology/families/trees/xgft.hpp"

namespace weft::network {
namespace {

/// Messages on the busiest link, counted link by link.
std::int64_t busiest(const Topology& topology, const Routing& routing,
                     const std::vector<Flow>& step) {
  RouteTable routes;
  routing.route(step, routes);
  std::vector<std::int64_t> load(static_cast<std::size_t>(topology.link_count()), 0);
  for (std::int64_t i = 0; i < routes.size(); ++i)
    for (const LinkId link : routes.links(i)) ++load[link.index()];
  return std::ranges::max(load);
}

TEST(PatternAware, has_no_conflicts_in_any_opt_phase_of_table_1) {
  for (const test::Table1Network& network : test::table_1()) {
    const Topology topology = topology::xgft(network.children, network.parents);
    const auto routing = make_routing("pattern-aware", Fabric(topology, LinkSpeed{}));
    const auto to = test::tree_exchange_destinations(network.children);
    std::vector<Flow> step(static_cast<std::size_t>(network.hosts));
    for (std::size_t p = 0; p < step.size(); ++p) {
      for (std::size_t s = 0; s < step.size(); ++s)
        step[s] = {NodeId(static_cast<std::int32_t>(s)), NodeId(to[p * step.size() + s])};
      ASSERT_EQ(busiest(topology, *routing, step), 1) << topology.name() << " phase " << p;
    }
  }
}

}  // namespace
}  // namespace weft::network
