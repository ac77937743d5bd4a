// BFB on every family of networks up to 60 nodes: the schedule is right, costs what was estimated,
// and the network's symmetry changes no price.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "support/judges/naive_bfb.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using enum CollectiveKind;

constexpr std::int32_t kMostNodes = 60;
constexpr int kMostNaiveDegree = 8;  // all sets of a node's links are tried

// What takes files or builds switches, which bfb does not serve, or has no network so small.
const std::set<std::string> kOthers = {
    "dragonfly",   "dragonfly-plus", "xgft",       "fat-tree", "fat-tree-ports",
    "leaf-spine",  "clos",           "rail",       "network",  "file",
    "hammingmesh", "hosts",          "boxes",      "planes",   "tables",
    "megafly",     "cascade",        "jellyfish",  "bcube",    "flattened-butterfly",
    "dcell",       "bundlefly",      "spectralfly"};

// Beside the examples, for each family and function: least sizes, odd and even, parallel links.
std::vector<std::string> more_networks() {
  std::vector<std::string> all = {"2dfc:3x5",
                                  "2dfc:2x2",
                                  "power(3, ring:3)",
                                  "power(2, diamond)",
                                  "ring:4 * diamond",
                                  "uniring:2,3 * ring:5",
                                  "degree(3, ring:4)",
                                  "degree(2, uniring:5)",
                                  "line(ring:6)",
                                  "line^2(complete:4)",
                                  "line(diamond)",
                                  "bidirectional(genkautz:3,11)",
                                  "transpose(genkautz:3,10)",
                                  "transpose(diamond)",
                                  "bidirectional(diamond)",
                                  "without(link=3, hypercube:4)",
                                  "without(node=2, complete:7)",
                                  "without(cable=1, cable=4, mesh:4x5)",
                                  "splice(link=0, link=5, kautz:2,3)",
                                  "exchange(3, 17, genkautz:2,9)",
                                  "cayley:D7;(1,0),(0,1)",
                                  "cayley:AGL(1,7,3);(1,0),(0,1)",
                                  "cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1)",
                                  "cayley:Z9;1,1,2",
                                  "lift:Z8;0>0:1,0>1:0,1>1:3,1>0:2",
                                  "random-regular:30,3,seed=2",
                                  "random-regular:41,4,seed=3",
                                  "slimfly:3",
                                  "slimfly:5",
                                  "polarfly:4",
                                  "polarstar:q=2,iq=3",
                                  "polarstar:q=2,paley=5",
                                  "hyperx:3x4,2,1",
                                  "xpander:3,5,seed=2",
                                  "hamming:2x3x4",
                                  "torus:2x2x3",
                                  "torus:7x8",
                                  "mesh:9x2",
                                  "mesh:2x3x4",
                                  "bipartite:3,5",
                                  "bipartite:1,4"};
  for (int n = 2; n <= kMostNodes; n += n < 12 ? 1 : 7) {
    for (const char* family : {"ring", "uniring", "complete"})
      if (n <= 16 || family != std::string("complete"))
        all.push_back(fmt::format("{}:{}", family, n));
    if (n >= 3) all.push_back(fmt::format("uniring:3,{}", n));
    if (n >= 3) all.push_back(fmt::format("biring:4,{}", n));
    if (n >= 5) all.push_back(fmt::format("shifted-ring:{}", n));
    if (n >= 5) all.push_back(fmt::format("double-binary-tree:{}", n));
    for (const int degree : {2, 3, 4})
      if (n > degree) all.push_back(fmt::format("genkautz:{},{}", degree, n));
    if (n >= 8) all.push_back(fmt::format("circulant:{},1,3", n));
  }
  for (int n = 1; n <= 5; ++n) all.push_back(fmt::format("hypercube:{}", n));
  for (int n = 3; n <= 5; ++n) all.push_back(fmt::format("twisted-hypercube:{}", n));
  for (int d = 2; d <= 8; ++d) all.push_back(fmt::format("directed-circulant:{}", d));
  for (const char* sizes : {"2x4", "4x2", "3x6", "5x10", "2x2x4", "2x4x4", "3x3x6"})
    all.push_back(fmt::format("twisted-torus:{}", sizes));
  for (const char* sizes : {"2,1", "2,2", "2,3", "2,4", "3,2", "3,3", "4,2", "5,2"}) {
    all.push_back(fmt::format("kautz:{}", sizes));
    if (sizes[2] != '1') all.push_back(fmt::format("debruijn:{}", sizes));
  }
  for (const char* sizes : {"2,3", "2,4", "2,5", "3,2", "3,3"})
    all.push_back(fmt::format("debruijn-mod:{}", sizes));
  for (const char* name :
       {"octahedron", "paley-9", "k5-5-minus-matching", "heawood-distance-3", "line-petersen",
        "4-cube", "line-heawood", "pg-2-3", "ag-2-4-minus-class", "odd-4", "line-tutte-8-cage"})
    all.push_back(fmt::format("distance-regular:{}", name));
  return all;
}

// All of them that bfb serves here.
std::vector<Topology> networks() {
  std::vector<std::string> names = more_networks();
  for (const auto& family : topology::standard_registry().families)
    if (!kOthers.contains(family.name)) names.push_back(family.example);
  for (const auto& function : topology::standard_registry().functions)
    if (!kOthers.contains(function.name)) names.push_back(function.example);
  std::vector<Topology> result;
  for (const std::string& name : names) {
    Topology topology = build_topology(name).topology;
    if (topology.node_count() <= kMostNodes) result.push_back(std::move(topology));
  }
  return result;
}

std::int32_t largest_in_degree(const Topology& topology) {
  std::int32_t largest = 0;
  for (const NodeId node : topology.nodes()) largest = std::max(largest, topology.in_degree(node));
  return largest;
}

Cost proven_cost(const Fabric& fabric, CollectiveKind kind, const BfbOptions& options) {
  const Network network{fabric,
                        topology::place(fabric.topology(), {}),
                        {},
                        network::make_routing("shortest", fabric)};
  const Schedule schedule = bfb_schedule(fabric, kind, options);
  const auto verified = schedule::verify(schedule, &fabric.topology());
  EXPECT_TRUE(verified) << verified.fault().text;
  return schedule::cost(*verified, network);
}

void expect_same(const BfbCost& estimated, const Cost& cost) {
  EXPECT_EQ(cost.steps, estimated.steps);
  EXPECT_EQ(cost.bandwidth_factor, estimated.bandwidth_factor);
  EXPECT_EQ(cost.step_factors, estimated.step_factors);
}

// Whether an expression with this family or function is among the networks.
bool is_tried(const std::string& name, const std::vector<Topology>& tried) {
  return std::any_of(tried.begin(), tried.end(), [&](const Topology& topology) {
    return (" " + topology.name()).find((name == "*" ? "" : " ") + name) != std::string::npos;
  });
}

TEST(BfbFamilies, all_are_tried) {
  const auto tried = networks();
  EXPECT_GT(tried.size(), 200U);
  for (const auto& family : topology::standard_registry().families)
    EXPECT_TRUE(kOthers.contains(family.name) || is_tried(family.name, tried)) << family.name;
  for (const auto& function : topology::standard_registry().functions)
    EXPECT_TRUE(kOthers.contains(function.name) || is_tried(function.name, tried)) << function.name;
}

TEST(BfbFamilies, schedules_are_right_and_cost_what_was_foretold) {
  for (const Topology& topology : networks())
    for (const CollectiveKind kind : {allgather, reduce_scatter, allreduce})
      for (const std::optional<Chunks>& chunks : {std::optional<Chunks>(), {Chunks{2}}}) {
        SCOPED_TRACE(fmt::format("{} {}", topology.name(), schedule::name_of(kind)));
        const Fabric fabric(topology, LinkSpeed{});
        const BfbOptions plainly{.chunks = chunks, .symmetries = Symmetries::expand};
        const BfbCost plain = bfb_cost(fabric, kind, plainly);
        const BfbCost symmetric = bfb_cost(fabric, kind, {.chunks = chunks});
        ASSERT_EQ(symmetric.step_factors, plain.step_factors);
        ASSERT_TRUE(chunks || plain.bandwidth_factor == plain.exact_bandwidth_factor);
        expect_same(plain, proven_cost(fabric, kind, plainly));
        expect_same(symmetric, proven_cost(fabric, kind, {.chunks = chunks}));
        if (HasFailure()) return;
      }
}

TEST(BfbFamilies, optimum_is_that_of_all_sets_of_links) {
  for (const Topology& topology : networks()) {
    SCOPED_TRACE(topology.name());
    if (largest_in_degree(topology) > kMostNaiveDegree) continue;
    const Fabric fabric(topology, LinkSpeed{});
    ASSERT_EQ(bfb_cost(fabric).exact_bandwidth_factor, support::naive_bfb_factor(fabric));
  }
}

}  // namespace
}  // namespace weft::algorithm
