// Cheapest paths against every cut and every set of disjoint paths of small networks.
#include "weft/flow/cheapest_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "support/graphs.hpp"
#include "weft/base/random.hpp"

namespace weft::flow {
namespace {

constexpr LinkSpeed kAlike{.bandwidth_Bps = 1, .latency_ps = 1};

/// The least bandwidth of links over any cut: the largest flow, by all sets of nodes.
std::int64_t least_cut(const Fabric& fabric, NodeId from, NodeId to) {
  const Topology& topology = fabric.topology();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t set = 0; set < (1U << topology.node_count()); ++set) {
    const auto inside = [&](NodeId node) { return (set >> node.index() & 1) != 0; };
    if (!inside(from) || inside(to)) continue;
    std::int64_t cut = 0;
    for (const LinkId link : topology.links())
      if (inside(topology.tail(link)) && !inside(topology.head(link)))
        cut += fabric.bandwidth_Bps(link);
    least = std::min(least, cut);
  }
  return least;
}

/// The least total length of k disjoint paths by trying all of them; by k.
std::map<std::size_t, std::size_t> least_lengths(const Topology& topology, NodeId from, NodeId to) {
  std::map<std::size_t, std::size_t> least;
  std::set<LinkId> used;
  std::size_t finished = 0;
  std::vector<bool> on_path;
  const std::function<void(NodeId)> walk = [&](NodeId at) {
    if (at == to) {
      ++finished;
      const auto known = least.find(finished);
      if (known == least.end() || used.size() < known->second) least[finished] = used.size();
      const std::vector<bool> kept = std::exchange(on_path, std::vector<bool>(on_path.size()));
      walk(from);
      on_path = kept;
      --finished;
      return;
    }
    on_path[at.index()] = true;
    for (const LinkId link : topology.out_links(at)) {
      if (on_path[topology.head(link).index()] || !used.insert(link).second) continue;
      walk(topology.head(link));
      used.erase(link);
    }
    on_path[at.index()] = false;
  };
  on_path.assign(static_cast<std::size_t>(topology.node_count()), false);
  walk(from);
  return least;
}

void expect_paths(const std::vector<Path>& paths, const Fabric& fabric, NodeId from, NodeId to) {
  const Topology& topology = fabric.topology();
  std::map<LinkId, std::int64_t> load;
  for (const Path& path : paths) {
    NodeId at = from;
    std::int64_t latency_ps = 0;
    for (const LinkId link : path.links) {
      EXPECT_EQ(topology.tail(link), at);
      at = topology.head(link);
      latency_ps += fabric.latency_ps(link);
      load[link] += path.bandwidth_Bps;
    }
    EXPECT_EQ(at, to);
    EXPECT_EQ(path.latency_ps, latency_ps);
    EXPECT_GT(path.bandwidth_Bps, 0);
  }
  for (const auto& [link, carried] : load) EXPECT_LE(carried, fabric.bandwidth_Bps(link));
}

TEST(CheapestPaths, are_disjoint_and_as_many_as_the_least_cut_has_links) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const int nodes = 2 + static_cast<int>(rng.below(7));
    const Fabric fabric(support::random_arcs(nodes, 3 * nodes, rng), kAlike);
    const NodeId from(0), to(1);
    const auto sets = cheapest_paths(fabric, from, to);
    const std::int64_t cut = least_cut(fabric, from, to);
    ASSERT_EQ(sets.empty() ? 0 : std::ssize(sets.back()), cut) << "seed " << seed;
    for (const auto& paths : sets) expect_paths(paths, fabric, from, to);
  }
}

TEST(CheapestPaths, have_the_least_total_length_of_all_sets_of_their_number) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const int nodes = 3 + static_cast<int>(rng.below(3));
    const Fabric fabric(support::random_arcs(nodes, 2 * nodes + 2, rng), kAlike);
    const auto least = least_lengths(fabric.topology(), NodeId(0), NodeId(1));
    for (const auto& [number, length] : least) {
      const auto sets =
          cheapest_paths(fabric, NodeId(0), NodeId(1), {.most_paths = static_cast<int>(number)});
      ASSERT_EQ(sets.back().size(), number) << "seed " << seed;
      std::size_t links = 0;
      for (const Path& path : sets.back()) links += path.links.size();
      EXPECT_EQ(links, length) << "seed " << seed << ", " << number << " paths";
    }
  }
}

TEST(CheapestPaths, fill_the_least_cut_of_unequal_links) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const int nodes = 2 + static_cast<int>(rng.below(6));
    const Topology topology = support::random_arcs(nodes, 3 * nodes, rng);
    topology::FileSpeeds speeds;
    for (int l = 0; l < topology.link_count(); ++l) {
      speeds.bandwidth_Bps.emplace_back(1 + static_cast<std::int64_t>(rng.below(4)));
      speeds.latency_ps.emplace_back(static_cast<std::int64_t>(rng.below(4)));
    }
    const Fabric fabric(BuiltTopology{topology, speeds});
    const auto sets = cheapest_paths(fabric, NodeId(0), NodeId(1));
    std::int64_t bandwidth_Bps = 0;
    for (const auto& paths : sets) expect_paths(paths, fabric, NodeId(0), NodeId(1));
    if (!sets.empty())
      for (const Path& path : sets.back()) bandwidth_Bps += path.bandwidth_Bps;
    EXPECT_EQ(bandwidth_Bps, least_cut(fabric, NodeId(0), NodeId(1))) << "seed " << seed;
  }
}

// 0 -> 1 by 2 links in one way, by 3 in two.
TEST(CheapestPaths, keep_the_limits) {
  const Fabric fabric(
      support::from_arcs(6, {{0, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 1}, {0, 5}, {5, 4}, {4, 1}}),
      kAlike);
  const auto number = [&](const PathLimits& limits) {
    const auto sets = cheapest_paths(fabric, NodeId(0), NodeId(1), limits);
    return sets.empty() ? 0 : std::ssize(sets.back());
  };
  EXPECT_EQ(number({}), 3);
  EXPECT_EQ(number({.most_paths = 2}), 2);
  EXPECT_EQ(number({.most_hops = 3}), 3);
  EXPECT_EQ(number({.most_hops = 2}), 1);
  EXPECT_EQ(number({.most_hops = 1}), 0);
}

// Two links of the shortest path 0-2-3-1 serve two paths of 3 links better: 0-2-5-1 and 0-4-3-1.
TEST(CheapestPaths, turn_aside_a_shorter_path_where_more_fit_then) {
  const Fabric fabric(
      support::from_arcs(6, {{0, 2}, {2, 3}, {3, 1}, {0, 4}, {4, 3}, {2, 5}, {5, 1}}), kAlike);
  const auto sets = cheapest_paths(fabric, NodeId(0), NodeId(1));
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].size(), 1U);
  EXPECT_EQ(sets[1].size(), 2U);
}

// Hosts 0, 1, 2 on switches 3 and 4: from 0 on 3 to 1 on 4 only host 2 would lead.
TEST(CheapestPaths, lead_through_no_host_of_a_network_with_switches) {
  for (const bool linked : {false, true}) {
    TopologyBuilder builder(5);
    builder.set_kind(NodeId(3), NodeKind::switch_node).set_kind(NodeId(4), NodeKind::switch_node);
    builder.add_cable(NodeId(0), NodeId(3));
    builder.add_cable(NodeId(1), NodeId(4));
    builder.add_cable(NodeId(2), NodeId(3));
    builder.add_cable(NodeId(2), NodeId(4));
    if (linked) builder.add_cable(NodeId(3), NodeId(4));
    const Fabric fabric(std::move(builder).build({}), kAlike);
    EXPECT_EQ(cheapest_paths(fabric, NodeId(0), NodeId(1)).empty(), !linked);
  }
}

}  // namespace
}  // namespace weft::flow
