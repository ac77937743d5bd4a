// Theorems 5 and 6 of Zhao et al. (appendix C) on schedules of every kind: what makes an allgather
// bandwidth-optimal, and how much a reduce-scatter computes. Loads are counted here from the
// messages themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "support/graphs.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/bfb.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/topology/registry.hpp"

namespace weft::algorithm {
namespace {

using schedule::Agent;

Network network_on(const Topology& topology) {
  const Fabric fabric(topology, LinkSpeed{});
  return {fabric, topology::place(topology, {}), {}, network::make_routing("shortest", fabric)};
}

// d permutations without fixed points: d-regular, parallel links allowed. Nothing when some node
// would be its own neighbour.
std::optional<Topology> random_digraph(int nodes, int degree, Rng& rng) {
  std::vector<support::Ends> arcs;
  for (int i = 0; i < degree; ++i) {
    std::vector<int> image;
    for (int u = 0; u < nodes; ++u) image.push_back(u);
    for (int u = nodes - 1; u > 0; --u) std::swap(image[u], image[rng.below(u + 1)]);
    for (int u = 0; u < nodes; ++u) {
      if (image[u] == u) return std::nullopt;
      arcs.emplace_back(u, image[u]);
    }
  }
  Topology topology = support::from_arcs(nodes, arcs);
  for (const auto& row : support::naive_distances(topology))
    if (std::count(row.begin(), row.end(), support::kFar) > 0) return std::nullopt;
  return topology;
}

// An allgather that need not be good: in every step each link, or nearly each, carries some block
// that its tail holds, mostly one that its head lacks.
Schedule random_allgather(const Topology& topology, Rng& rng) {
  const std::int32_t n = topology.node_count();
  const auto count = static_cast<std::size_t>(n);
  const auto idle = rng.below(3), useless = rng.below(3);  // in 20
  std::vector<NodeId> places;
  for (const NodeId node : topology.nodes()) places.push_back(node);
  ScheduleBuilder builder(schedule::allgather(n),
                          {.binding = {topology.name(), topology.hash(), places}});
  for (const LinkId link : topology.links()) builder.add_route(std::span(&link, 1));
  std::vector<std::vector<char>> holds(count, std::vector<char>(count, 0));
  for (std::size_t v = 0; v < count; ++v) holds[v][v] = 1;
  std::size_t missing = count * (count - 1);
  for (std::int64_t t = 0; missing > 0; ++t) {
    const auto before = holds;
    std::vector<std::vector<char>> lands(count, std::vector<char>(count, 0));
    for (const LinkId link : topology.links()) {
      if (rng.below(20) < idle) continue;
      const std::size_t from = topology.tail(link).index(), to = topology.head(link).index();
      const bool any = rng.below(20) < useless;
      std::vector<std::size_t> choices;
      for (std::size_t v = 0; v < count; ++v)
        if (before[from][v] != 0 && lands[to][v] == 0 && (any || before[to][v] == 0))
          choices.push_back(v);
      if (choices.empty()) continue;
      const std::size_t block = choices[rng.below(static_cast<std::int64_t>(choices.size()))];
      lands[to][block] = 1;
      if (holds[to][block] == 0) --missing;
      holds[to][block] = 1;
      builder.at(t).send(Agent(topology.tail(link).value()), Agent(topology.head(link).value()),
                         builder.block(static_cast<std::int64_t>(block)), Arrival::copy,
                         RouteId(link.value()));
    }
  }
  return std::move(builder).build();
}

// The one link that a message crosses.
LinkId link_of(const Schedule& schedule, const Message& message, const Topology& topology) {
  if (message.route != kRouted) {
    EXPECT_EQ(schedule.route(message.route).size(), 1u);
    return schedule.route(message.route)[0];
  }
  for (const LinkId link : topology.out_links(NodeId(message.from.value())))
    if (topology.head(link).value() == message.to.value()) return link;
  ADD_FAILURE() << "no link from " << message.from.value() << " to " << message.to.value();
  return LinkId(0);
}

std::int64_t units_of(const Schedule& schedule, std::int64_t message) {
  std::int64_t units = 0;
  for (const Piece& piece : schedule.pieces(message)) units += piece.count;
  return units;
}

// Theorem 5's conditions: in each step every link carries the same, and nothing lands where it was.
struct Conditions {
  bool equal_loads = true, nothing_twice = true;
};

Conditions conditions_of(const Schedule& schedule, const Topology& topology) {
  Conditions result;
  std::int64_t landed = 0;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    std::vector<std::int64_t> loads(static_cast<std::size_t>(topology.link_count()), 0);
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      loads[link_of(schedule, schedule.message(m), topology).index()] += units_of(schedule, m);
      landed += units_of(schedule, m);
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    result.equal_loads = result.equal_loads && *least == *most;
  }
  // Every rank needs all blocks but its own: more is something twice.
  result.nothing_twice =
      landed == (schedule.units() - schedule.units_per_block()) * schedule.collective().ranks;
  return result;
}

struct Tally {
  int optimal = 0, uneven = 0, twice = 0;
};

void expect_theorem_5(const Schedule& stored, const Topology& topology, Tally& tally) {
  const Schedule schedule = expand_symmetry(stored, &topology);
  const Cost cost = schedule::cost(schedule::verify_own(schedule, &topology), network_on(topology));
  const std::int64_t n = topology.node_count();
  const bool optimal = cost.bandwidth_factor == Rational(n - 1, n);
  const Conditions conditions = conditions_of(schedule, topology);
  EXPECT_EQ(optimal, conditions.equal_loads && conditions.nothing_twice) << topology.name();
  EXPECT_GE(cost.bandwidth_factor, Rational(n - 1, n));  // Theorem 4
  tally.optimal += optimal;
  tally.uneven += !conditions.equal_loads;
  tally.twice += !conditions.nothing_twice;
}

TEST(Theorem5, holds_for_random_allgathers) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const int nodes = 2 + static_cast<int>(rng.below(5)),
              degree = 1 + static_cast<int>(rng.below(3));
    const auto topology = random_digraph(nodes, degree, rng);
    if (topology) expect_theorem_5(random_allgather(*topology, rng), *topology, tally);
  }
  EXPECT_GT(tally.optimal, 20);
  EXPECT_GT(tally.uneven, 50);
  EXPECT_GT(tally.twice, 20);
}

TEST(Theorem5, holds_for_breadth_first_schedules) {
  Tally tally;
  for (const char* name : {"torus:4x3", "hypercube:3", "hamming:3x3", "uniring:5", "ring:6",
                           "kautz:2,2", "kautz:3,2", "circulant:15,1,4,5", "circulant:12,2,3",
                           "circulant:18,1,5,6", "bipartite:3,3", "line(complete:4)"}) {
    const Fabric fabric(build_topology(name));
    expect_theorem_5(bfb_schedule(fabric), fabric.topology(), tally);
  }
  EXPECT_EQ(tally.optimal, 7);  // not Kautz, line graphs and circulants with three jumps
  EXPECT_EQ(tally.twice, 0);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    const auto topology = random_digraph(3 + static_cast<int>(rng.below(8)), 2, rng);
    if (topology) expect_theorem_5(bfb_schedule(Fabric(*topology, LinkSpeed{})), *topology, tally);
  }
}

// Of each step, the most that one node receives and so reduces; summed, in units of M.
Rational computation(const Schedule& schedule) {
  Rational sum;
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    std::vector<std::int64_t> reduced(static_cast<std::size_t>(schedule.agents()), 0);
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m)
      reduced[schedule.message(m).to.index()] += units_of(schedule, m);
    sum += Rational(*std::max_element(reduced.begin(), reduced.end()), schedule.units());
  }
  return sum;
}

// Theorem 6: T_C <= T_B as multiples of M; equal where both are optimal (Corollary 6.1).
void expect_theorem_6(const Schedule& stored, const Topology& topology) {
  const Schedule schedule = expand_symmetry(stored, &topology);
  const Cost cost = schedule::cost(schedule::verify_own(schedule, &topology), network_on(topology));
  const Rational computed = computation(schedule),
                 least(topology.node_count() - 1, topology.node_count());
  EXPECT_LE(computed, cost.bandwidth_factor) << topology.name();
  EXPECT_GE(computed, least) << topology.name();
  if (cost.bandwidth_factor == least) {
    EXPECT_EQ(computed, least) << topology.name();
  }
}

TEST(Theorem6, holds_for_reduce_scatters) {
  for (const char* name : {"torus:4x3", "uniring:5", "kautz:2,2", "kautz:3,2", "genkautz:4,12",
                           "circulant:15,1,4,5", "bipartite:3,3", "mesh:3x3"}) {
    const Fabric fabric(build_topology(name));
    expect_theorem_6(bfb_schedule(fabric, CollectiveKind::reduce_scatter), fabric.topology());
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const auto topology =
        random_digraph(3 + static_cast<int>(rng.below(8)), 1 + static_cast<int>(rng.below(4)), rng);
    if (!topology) continue;
    const Fabric fabric(*topology, LinkSpeed{});
    expect_theorem_6(bfb_schedule(fabric, CollectiveKind::reduce_scatter), *topology);
  }
}

}  // namespace
}  // namespace weft::algorithm
