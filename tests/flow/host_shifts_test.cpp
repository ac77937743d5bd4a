#include "weft/flow/host_shifts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/topology/registry.hpp"

namespace weft::flow {
namespace {

Carrier carrier_on(const char* expression) {
  const Fabric fabric(topology::build_topology(expression));
  const auto hosts = fabric.topology().hosts();
  return carrier_of(fabric, {.places = {hosts.begin(), hosts.end()}});
}

std::int64_t size_of(const std::vector<HostShift>& shifts) {
  std::int64_t size = 1;
  for (const HostShift& shift : shifts) size *= shift.radix;
  return size;
}

// Shifts of as many hosts as lie alike: all of them in most, those of a leaf where a cable of
// another is dead, none on most meshes, on a Dragonfly those of a switch.
TEST(HostShifts, are_as_many_as_hosts_are_alike) {
  const std::pair<const char*, std::int64_t> networks[]{
      {"leaf-spine:leaves=8,spines=8,hosts=16", 128},
      {"fat-tree:4,3", 64},
      {"fat-tree-ports:4", 16},
      {"rail:boxes=8,gpus=4,spines=4", 32},
      {"hosts(4, torus:3x3)", 36},
      {"without(cable=70, leaf-spine:leaves=4,spines=8,hosts=16)", 16},
      {"hosts(4, mesh:3x4)", 4},
      {"hosts(1, mesh:2x3)", 2},
      {"hosts(1, mesh:3x3)", 1},
      {"dragonfly:a=4,p=2,h=2", 2}};
  for (const auto& [expression, size] : networks)
    EXPECT_EQ(size_of(host_shifts(carrier_on(expression))), size) << expression;
}

TEST(HostShifts, keep_arcs_and_move_every_host) {
  for (const auto* expression :
       {"leaf-spine:leaves=3,spines=4,hosts=6", "fat-tree:2,4", "rail:boxes=4,gpus=3,spines=2",
        "hosts(2, hypercube:3)", "leaf-spine:leaves=6,spines=5,hosts=4,uplinks=10"}) {
    SCOPED_TRACE(expression);
    const Carrier carrier = carrier_on(expression);
    const auto shifts = host_shifts(carrier);
    EXPECT_EQ(size_of(shifts), std::ssize(carrier.places));
    for (const HostShift& shift : shifts) {
      for (const std::int32_t place : carrier.places) EXPECT_NE(shift.nodes[place], place);
      std::set<std::int32_t> images;
      for (std::size_t i = 0; i < carrier.arcs.size(); ++i) {
        const auto& arc = carrier.arcs[i];
        const auto& image = carrier.arcs[shift.arcs[i]];
        EXPECT_EQ(image.tail, shift.nodes[arc.tail]);
        EXPECT_EQ(image.head, shift.nodes[arc.head]);
        EXPECT_EQ(image.capacity, arc.capacity);
        images.insert(shift.arcs[i]);
      }
      EXPECT_EQ(images.size(), carrier.arcs.size());
    }
  }
}

}  // namespace
}  // namespace weft::flow
