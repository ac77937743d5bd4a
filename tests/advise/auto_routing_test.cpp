// The routing `auto` against every other, by the times of the best algorithms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "weft/advise/comparison.hpp"
#include "weft/base/error.hpp"
#include "weft/network/routings.hpp"
#include "weft/topology/registry.hpp"

namespace weft::advise {
namespace {

// Of the best algorithm on ranks in the order of hosts; nothing where the routing does not fit.
std::optional<double> best_time_s(const Fabric& fabric, std::string_view routing,
                                  CollectiveKind kind, std::int64_t size_B) {
  std::shared_ptr<const Routing> made;
  try {
    made = make_routing(routing, fabric);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  const Network network{fabric, topology::place(fabric.topology(), {}), {}, std::move(made)};
  const Comparison found = compare({kind, network.ranks()}, network, {.sizes_B = {size_B}});
  return std::ranges::min_element(found.rows, {},
                                  [](const ComparisonRow& row) { return row.result.time_s; })
      ->result.time_s;
}

class AutoRouting : public testing::TestWithParam<const char*> {};

TEST_P(AutoRouting, is_near_the_best_of_all_routings) {
  const Fabric fabric(build_topology(GetParam()));
  for (const auto& [kind, size_B] : {std::pair(CollectiveKind::alltoall, std::int64_t{1} << 16),
                                     std::pair(CollectiveKind::allreduce, std::int64_t{1} << 24)}) {
    const double time_s = *best_time_s(fabric, "auto", kind, size_B);
    for (const auto& routing : network::routings()) {
      if (!routing.gives_paths || routing.name == "auto" ||
          routing.name == default_routing(fabric.topology()))
        continue;
      const auto other_s = best_time_s(fabric, routing.name, kind, size_B);
      EXPECT_LE(time_s, 1.2 * other_s.value_or(std::numeric_limits<double>::infinity()))
          << name_of(kind) << " by " << routing.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, AutoRouting,
    testing::Values(
        "leaf-spine:leaves=4,spines=4,hosts=4", "leaf-spine:leaves=4,spines=2,hosts=4,uplinks=4",
        "clos:pods=2,leaves=2,spines=2,cores=4,hosts=4", "fat-tree-ports:4", "fat-tree:4,2",
        "xgft:2;8,4;1,4", "rail:boxes=4,gpus=4,spines=2", "rail:boxes=3,gpus=3,spines=0",
        "boxes(4, xgft:1;4;1, leaf-spine:leaves=2,spines=2,hosts=8)",
        "boxes(2, network:dgx-h100, leaf-spine:leaves=2,spines=2,hosts=8)",
        "boxes(4, wiring=rail, xgft:1;4;1)", "planes(2, leaf-spine:leaves=4,spines=2,hosts=4)",
        "network:dgx-a100", "network:mi250", "dragonfly:a=4,p=2,h=2",
        "dragonfly-plus:l=2,s=2,p=2,h=2", "hosts(2, slimfly:3)", "hosts(2, polarfly:3)",
        "hosts(1, polarstar:q=2,iq=3)", "hosts(2, random-regular:16,4,seed=1)", "hyperx:4x4,2",
        "torus:4x4x4", "hosts(2, torus:4x4)", "mesh:4x4", "2dfc:4x4", "hypercube:5",
        "hammingmesh:2x2,2x2", "twisted-torus:4x4x8", "twisted-torus:4x8", "kautz:3,3",
        "circulant:16,3,4", "random-regular:32,4,seed=1", "xpander:3,4", "biring:4,9",
        "shifted-ring:16", "genkautz:4,30", "uniring:4 * uniring:5", "ring:4 * biring:4,5",
        "network:dgx-1", "without(cable=2, network:dgx-1)",
        "without(cable=3, dragonfly:a=4,p=2,h=2)"),
    [](const auto& each) { return fmt::format("network_{}", each.index); });

}  // namespace
}  // namespace weft::advise
