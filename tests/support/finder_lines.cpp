#include "support/finder_lines.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::test {

namespace {

void expect_cost(const Collective& collective, const search::FoundTopology& line,
                 const Network& network) {
  const auto schedule = build_schedule(
      line.algorithm == search::ReachedBy::expand ? "expand" : "bfb", collective, &network);
  const auto cost = schedule::cost(schedule::verify_own(schedule, &network.topology()), network);
  EXPECT_EQ(cost.steps, line.facts.steps) << line.expression;
  EXPECT_EQ(cost.bandwidth_factor, line.facts.bandwidth_factor) << line.expression;
}

}  // namespace

void expect_schedule(const search::FoundTopology& line) {
  const Fabric fabric(build_topology(line.expression));
  EXPECT_EQ(fabric.topology().name(), line.expression);
  EXPECT_EQ(fabric.topology().node_count(), line.facts.nodes) << line.expression;
  EXPECT_EQ(fabric.topology().nominal_degree(), line.facts.degree) << line.expression;
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        network::make_routing("shortest", fabric));
  expect_cost(schedule::allgather(network.ranks()), line, network);
  if (line.facts.reversible) expect_cost(schedule::reduce_scatter(network.ranks()), line, network);
}

}  // namespace weft::test
