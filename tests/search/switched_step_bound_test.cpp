// Bounds by steps behind switches. In one step an allgather sends each block to all by itself, as
// an all-to-all of such blocks does: both have the same optimum, which another program finds.
#include <gtest/gtest.h>

#include "weft/flow/throughput.hpp"
#include "weft/search/synthesis.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {
namespace {

Network network_of(const std::string& expression) {
  const Fabric fabric(build_topology(expression), {});
  return {fabric, topology::place(fabric.topology(), {}), {}, make_routing("shortest", fabric, 1)};
}

double all_to_all(const Network& network) {
  const Topology& topology = network.topology();
  const auto found =
      flow::all_to_all_throughput(topology, {}, {.method = flow::ThroughputMethod::exact});
  return 1 / (found.throughput * network.ranks());
}

double in_one_step(const Network& network) {
  const auto bound = bound_in_steps(schedule::allgather(network.ranks()), network, 1, 60);
  return bound ? bound->to_double() : 0;
}

TEST(SwitchedStepBound, is_that_of_all_to_all_in_one_step) {
  for (const char* expression :
       {"leaf-spine:leaves=4,spines=2,hosts=4", "leaf-spine:leaves=3,spines=1,hosts=4",
        "dragonfly:a=2,p=2,h=1", "fat-tree-ports:4", "hosts(2, torus:3x3)", "hosts(3, ring:5)",
        "without(cable=20,leaf-spine:leaves=4,spines=2,hosts=4)",
        "without(cable=45,dragonfly:a=4,p=2,h=1)"}) {
    SCOPED_TRACE(expression);
    const Network network = network_of(expression);
    EXPECT_NEAR(in_one_step(network), all_to_all(network), 1e-8);
  }
}

}  // namespace
}  // namespace weft::search
