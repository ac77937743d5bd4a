// Paths of an all-to-all: each pair's units, ways that hang together, and loads at the throughput.
#include "weft/flow/all_to_all_paths.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/graphs.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/registry.hpp"

namespace {

using namespace weft;
using flow::all_to_all_paths;
using flow::AllToAllPaths;
using flow::AllToAllQuestion;
using flow::SharedPath;

// The paths of all sources, those of one moved by the group.
std::vector<SharedPath> all_paths(const Topology& topology, const AllToAllPaths& split) {
  if (!split.of_one_source) return split.paths;
  const auto view = topology::as_cayley(topology);
  std::vector<SharedPath> paths;
  for (Group::Element g = 0; g < view->group().order(); ++g)
    for (const SharedPath& path : split.paths) {
      SharedPath moved{view->translate(g, path.from), view->translate(g, path.to), path.units, {}};
      for (const LinkId link : path.links) moved.links.push_back(view->translate(g, link));
      paths.push_back(std::move(moved));
    }
  return paths;
}

// Checks that every pair of hosts has its units on ways between them, and returns the largest
// load / capacity, in units of a pair and of the fastest link.
double checked_load(const Topology& topology, const AllToAllQuestion& question,
                    const AllToAllPaths& split) {
  std::map<std::pair<NodeId, NodeId>, std::int64_t> units;
  std::vector<double> load(static_cast<std::size_t>(topology.link_count()), 0);
  for (const SharedPath& path : all_paths(topology, split)) {
    EXPECT_GE(path.units, 1);
    units[{path.from, path.to}] += path.units;
    std::set<NodeId> met{path.from};
    NodeId at = path.from;
    for (const LinkId link : path.links) {
      EXPECT_EQ(topology.tail(link), at);
      at = topology.head(link);
      EXPECT_TRUE(met.insert(at).second);
      load[link.index()] += static_cast<double>(path.units);
    }
    EXPECT_EQ(at, path.to);
  }
  std::map<NodeId, std::int64_t> ranks;
  const auto hosts = topology.hosts();
  for (const NodeId place :
       question.places.empty() ? std::vector(hosts.begin(), hosts.end()) : question.places)
    ++ranks[place];
  EXPECT_EQ(units.size(), ranks.size() * (ranks.size() - 1));
  for (const auto& [pair, count] : units)
    EXPECT_EQ(count, split.units_per_pair * ranks[pair.first] * ranks[pair.second]);
  double fastest = 1, most = 0;
  for (const std::int64_t capacity : question.capacity)
    fastest = std::max(fastest, static_cast<double>(capacity));
  for (std::size_t l = 0; l < load.size(); ++l) {
    const double capacity =
        question.capacity.empty() ? 1 : static_cast<double>(question.capacity[l]) / fastest;
    most = std::max(most, load[l] / capacity);
  }
  return most / static_cast<double>(split.units_per_pair);
}

double load_of(const Topology& topology, const AllToAllQuestion& question = {}) {
  return checked_load(topology, question, all_to_all_paths(topology, question));
}

// What units of a block cost above the throughput at the most here, where its shares are none of
// few units.
constexpr double kRounding = 1e-5;

class PathsOnNetworks : public testing::TestWithParam<const char*> {};

// The linear program is solved for the throughput, whatever the paths come from.
TEST_P(PathsOnNetworks, load_links_as_the_linear_program_says) {
  const Topology topology = make_topology(GetParam());
  const double least =
      1 / flow::all_to_all_throughput(topology, {}, {.method = flow::ThroughputMethod::exact})
              .throughput;
  const double load = load_of(topology);
  EXPECT_GE(load, least * (1 - 1e-9));
  EXPECT_LE(load, least * (1 + kRounding));
}

INSTANTIATE_TEST_SUITE_P(Networks, PathsOnNetworks,
                         testing::Values("torus:3x4", "torus:2x5", "uniring:6", "cayley:Z7;1,-1,2",
                                         "circulant:13,1,5", "cayley:D5;(1,0),(0,1)", "kautz:2,3",
                                         "debruijn:2,4", "genkautz:3,17", "mesh:3x4",
                                         "line(complete:4)", "random-regular:14,3,seed=2",
                                         "without(link=0, torus:3x3)", "hosts(2, ring:5)",
                                         "hosts(2, torus:3x3)", "dragonfly:a=2,p=1,h=1,g=3",
                                         "xgft:2;2,2;1,2", "leaf-spine:leaves=3,spines=2,hosts=2",
                                         "network:dgx-1"));

// Known loads, and few units: a one-way cycle of n has one path a pair and n (n - 1) / 2 on each
// link; the 3-cube 4; a complete graph 1.
TEST(Paths, reach_known_loads_in_few_units) {
  const auto known = [](const Topology& topology, double load, std::int64_t most_units) {
    const AllToAllPaths split = all_to_all_paths(topology);
    EXPECT_EQ(checked_load(topology, {}, split), load);
    EXPECT_LE(split.units_per_pair, most_units);
  };
  known(support::one_way_cycle(6), 15, 1);
  known(support::complete_graph(5), 1, 1);
  known(support::binary_cube(3), 4, 6);
  known(make_topology("hypercube:3"), 4, 6);
}

// Between the cables of a path of four the middle is twice as wide: 3 pairs of a capacity of 1 and
// 4 of a capacity of 2; parallel links share what their arc has.
TEST(Paths, follow_capacities_and_parallel_links) {
  EXPECT_EQ(load_of(support::from_cables(4, {{0, 1}, {1, 2}, {1, 2}, {2, 3}})), 3);
  const Topology path = support::from_cables(4, {{0, 1}, {1, 2}, {2, 3}});
  AllToAllQuestion question{.capacity = std::vector<std::int64_t>(6, 25)};
  question.capacity[path.find_link(NodeId(1), NodeId(2))->index()] = 50;
  question.capacity[path.find_link(NodeId(2), NodeId(1))->index()] = 50;
  EXPECT_EQ(load_of(path, question), 6);  // in units of the fastest
}

// Nodes that are not asked for pass on: of a ring of four two opposite ones have two ways.
TEST(Paths, serve_some_hosts_alone) {
  const Topology ring = support::cycle(4);
  EXPECT_EQ(load_of(ring, {.places = {NodeId(2), NodeId(0)}}), 0.5);
}

// The same shares for each of two ranks a host: four times the load of a 3-cube. With 3 ranks
// beside 1 on two hosts that a cable joins, 3 pairs each way.
TEST(Paths, serve_several_ranks_a_host) {
  const Topology cube = support::binary_cube(3);
  std::vector<NodeId> twice(cube.hosts().begin(), cube.hosts().end());
  twice.insert(twice.end(), cube.hosts().begin(), cube.hosts().end());
  EXPECT_EQ(load_of(cube, {.places = twice}), 16);
  const Topology known = make_topology("hypercube:3");
  const AllToAllPaths split = all_to_all_paths(known, {.places = twice});
  EXPECT_TRUE(split.of_one_source);
  EXPECT_EQ(checked_load(known, {.places = twice}, split), 16);
  const Topology pair = support::from_cables(2, {{0, 1}});
  EXPECT_EQ(load_of(pair, {.places = {NodeId(0), NodeId(1), NodeId(0), NodeId(0)}}), 3);
}

// Of K units a pair the fullest link has at least the optimum, and near it even for few.
TEST(Paths, round_to_as_many_units_as_asked) {
  const Topology topology = make_topology("genkautz:4,32");
  const double least = 85.0 / 4;  // 1 / f, by weft throughput of all methods
  for (const std::int64_t units : {1, 4, 7, 64, 1000}) {
    const AllToAllQuestion question{.most_units = units, .exactly_so_many = true};
    const AllToAllPaths split = all_to_all_paths(topology, question);
    EXPECT_EQ(split.units_per_pair, units);
    const double load = checked_load(topology, question, split);
    EXPECT_GE(load, least);
    EXPECT_LE(load, least * (1 + 0.1 / static_cast<double>(units)));
  }
  const AllToAllQuestion best{.most_units = 8};
  const AllToAllPaths split = all_to_all_paths(topology, best);
  EXPECT_LE(split.units_per_pair, 8);
  EXPECT_LE(checked_load(topology, best, split), least * 1.02);
}

TEST(PathsProperty, load_links_as_the_linear_program_says_on_random_networks) {
  Rng rng(11);
  for (int trial = 0; trial < 40; ++trial) {
    const int nodes = 4 + static_cast<int>(rng.below(8));
    SCOPED_TRACE(trial);
    std::vector<support::Ends> arcs;
    for (int v = 0; v < nodes; ++v) arcs.emplace_back(v, (v + 1) % nodes);
    for (int more = static_cast<int>(rng.below(3 * nodes)); more > 0; --more)
      arcs.emplace_back(rng.below(nodes), rng.below(nodes));
    const Topology topology = support::from_arcs(nodes, arcs);
    AllToAllQuestion question;
    if (trial % 2 == 1)
      for (int link = 0; link < topology.link_count(); ++link)
        question.capacity.push_back(1 + static_cast<std::int64_t>(rng.below(4)));
    if (trial % 3 == 0)
      for (int node = 0; node < nodes; ++node)
        question.places.insert(question.places.end(), rng.below(3) + (node < 2 ? 1 : 0),
                               NodeId(node));
    const double least = 1 / flow::all_to_all_throughput(topology, question.capacity,
                                                         {.method = flow::ThroughputMethod::exact,
                                                          .places = question.places})
                                 .throughput;
    const double load = load_of(topology, question);
    EXPECT_GE(load, least * (1 - 1e-9));
    EXPECT_LE(load, least * (1 + kRounding));
  }
}

TEST(Paths, refuse_what_throughput_refuses) {
  EXPECT_THROW(all_to_all_paths(support::from_arcs(3, {{0, 1}, {1, 0}, {2, 0}})), InvalidInput);
  EXPECT_THROW(all_to_all_paths(support::cycle(4), {.places = {NodeId(1)}}), InvalidInput);
  EXPECT_THROW(all_to_all_paths(support::cycle(4), {.most_units = 0}), InvalidInput);
}

}  // namespace
