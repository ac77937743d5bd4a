// NetworkX judges distances and connectivity on every family, and on random networks.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/graphs.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"
#include "weft/analysis/distances.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/topology/registry.hpp"

namespace weft::analysis {
namespace {

using namespace weft::support;

constexpr std::int32_t kMostNodes = 700;  // NetworkX takes a minute above

std::string core_arcs(const Topology& topology) {
  std::vector<int> number(static_cast<std::size_t>(topology.node_count()), -1);
  const auto core = topology.has_switches() ? topology.switches() : topology.hosts();
  for (std::size_t i = 0; i < core.size(); ++i) number[core[i].index()] = static_cast<int>(i);
  std::string text = fmt::format("core {}\n", core.size());
  for (LinkId link : topology.links()) {
    const int tail = number[topology.tail(link).index()];
    const int head = number[topology.head(link).index()];
    if (tail >= 0 && head >= 0) text += fmt::format("arc {} {}\n", tail, head);
  }
  return text;
}

std::string measured(const Topology& topology) {
  const auto distances = summarize_distances(topology);
  std::string pairs;
  for (std::int64_t count : distances.pairs_at) pairs += fmt::format(" {}", count);
  std::string text = fmt::format("value strongly_connected {:d}\n", distances.connected());
  text += fmt::format("value pairs_at_distance{}\n", pairs);
  text += fmt::format("value edge_connectivity {}\n", edge_connectivity(topology));
  if (distances.connected() && distances.places > 1)
    text += fmt::format("value diameter {}\nvalue average_distance {}\n", distances.diameter(),
                        to_string(*distances.average()));
  if (!topology.has_switches())
    text += fmt::format("value reverse_symmetric {:d}\n", is_reverse_symmetric(topology));
  return text;
}

std::string block(const std::string& name, const Topology& topology) {
  return fmt::format("network {}\n{}{}end\n", name, core_arcs(topology), measured(topology));
}

// 0 when NetworkX finds the same values.
int judge(const std::string& networks) {
  const test::ScratchFolder folder;
  const std::string path = folder.file("networks.txt", networks);
  const std::string command = fmt::format(
      "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 '{}/tests/oracle/networkx_metrics.py' '{}'",
      test::source_dir(), path);
  return std::system(command.c_str());
}

TEST(NetworkX, agrees_on_every_family_and_function) {
  std::vector<std::string> names{"kautz:3,4",
                                 "genkautz:4,150",
                                 "debruijn:3,4",
                                 "torus:3x3x3x2",
                                 "2dfc:16x6",
                                 "mesh:7x5",
                                 "uniring:50",
                                 "circulant:60,7,11",
                                 "fat-tree:4,3",
                                 "dragonfly:a=4,p=2,h=2",
                                 "hosts(4, random-regular:64,8,seed=7)"};
  for (const auto& family : topology::standard_registry().families) names.push_back(family.example);
  for (const auto& function : topology::standard_registry().functions)
    names.push_back(function.example);
  std::string networks;
  for (const std::string& name : names) {
    if (name.find("file:") != std::string::npos) continue;  // examples name files of the user's
    const Topology topology = make_topology(name);
    if (topology.node_count() <= kMostNodes) networks += block(name, topology);
  }
  EXPECT_EQ(judge(networks), 0);
}

TEST(NetworkX, agrees_on_random_multigraphs) {
  std::string networks;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Rng rng(seed);
    const int nodes = 1 + static_cast<int>(rng.below(24));
    const int links = static_cast<int>(rng.below(5 * nodes));
    networks +=
        block(fmt::format("random seed {}", seed),
              seed % 2 == 0 ? random_arcs(nodes, links, rng) : random_cables(nodes, links, rng));
  }
  EXPECT_EQ(judge(networks), 0);
}

}  // namespace
}  // namespace weft::analysis
