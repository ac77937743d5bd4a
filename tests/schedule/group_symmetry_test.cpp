// Schedules that are symmetric under groups which do not commute: the verifier, the cost, the
// dependencies and files see what they see of the schedule written out.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/judges/executor.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/action.hpp"
#include "weft/schedule/cost.hpp"
#include "weft/schedule/dependencies.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/link_action.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/cayley_view.hpp"
#include "weft/topology/registry.hpp"

namespace weft::schedule {
namespace {

using topology::CayleyView;
using Element = Group::Element;

const char* const kGraphs[] = {
    "cayley:Z16xZ4,k=3;(1,3),(1,0),(6,1),(3,3)",
    "cayley:Z3^2xZ8,A=[[0,1],[1,1]];(1,0,1),(0,0,3)",
    "cayley:Perm[(0 1 2 3),(0 1)];(0 1 2 3),(0 1)",
    "cayley:D5xZ2;(1,0,1),(0,1,0),(-1,0,1)",
    "cayley:AGL(1,7);(1,1),(2,5),(0,3)",
    "cayley:Z7xZ3,k=2;(1,0),(0,1)",
};

using test::on;

// The tree of a breadth-first search from the identity, used by every root: element v = x * s is
// reached from x, so that rank 0 sends block x^-1 to rank s.
Schedule tree_allgather(const CayleyView& view, std::int64_t units = 1) {
  const Group& group = view.group();
  ScheduleBuilder builder(allgather(group.order()),
                          {.units_per_block = units, .symmetry = Symmetry(group)});
  std::vector<int> depth(static_cast<std::size_t>(group.order()), -1);
  std::vector<Element> found{0};
  depth[0] = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Element s : view.generators()) {
      const Element x = found[i], v = group.multiply(x, s);
      if (depth[v] >= 0) continue;
      const int at = depth[x];
      depth[v] = at + 1;
      found.push_back(v);
      builder.at(at).send(Rank(0), Rank(s), builder.block(group.inverse(x)));
    }
  return std::move(builder).build();
}

Schedule spread(const Group& group) {
  const std::int32_t n = group.order();
  ScheduleBuilder builder(alltoall(n), {.symmetry = Symmetry(group)});
  for (int d = 0; d < n; ++d) builder.at(d % 3).send(Rank(0), Rank(d), builder.block(d));
  return std::move(builder).build();
}

std::vector<Schedule> schedules_of(const CayleyView& view) {
  const Schedule gather = tree_allgather(view), scatter = transpose(gather);
  return {gather, tree_allgather(view, 3), scatter, concatenate(scatter, gather),
          spread(view.group())};
}

TEST(GroupSymmetry, verifies_and_costs_like_the_schedule_written_out) {
  for (const char* text : kGraphs) {
    const Network network = on(text);
    const auto view = topology::as_cayley(network.topology());
    ASSERT_TRUE(view);
    for (const Schedule& symmetric : schedules_of(*view)) {
      if (network.ranks() > 24 && symmetric.collective().kind == CollectiveKind::alltoall) continue;
      const Schedule plain = expand_symmetry(symmetric);
      EXPECT_EQ(test::execute(symmetric).violation, "") << text;
      EXPECT_EQ(test::execute(plain).violation, "") << text;
      const auto a = verify(symmetric), b = verify(plain);
      ASSERT_TRUE(a) << text << ": " << a.fault().text;
      ASSERT_TRUE(b) << text << ": " << b.fault().text;
      const Cost shared = cost(*a, network), whole = cost(*b, network);
      EXPECT_EQ(shared.bandwidth_factor, whole.bandwidth_factor) << text;
      EXPECT_EQ(shared.link_loads, whole.link_loads) << text;
      EXPECT_EQ(shared.messages, whole.messages) << text;
      EXPECT_EQ(decode(encode(symmetric)), symmetric) << text;
    }
  }
}

TEST(GroupSymmetry, transposing_twice_gives_the_schedule_back) {
  for (const char* text : kGraphs) {
    const auto view = topology::as_cayley(topology::make_topology(text));
    const Schedule schedule = tree_allgather(*view);
    EXPECT_EQ(transpose(transpose(schedule)), schedule) << text;
  }
}

// Each stored message's dependencies, translated, are those of its translates written out. The
// instance (m, g) is message m * order + g of the expansion.
TEST(GroupSymmetry, dependencies_are_those_of_the_schedule_written_out) {
  for (const char* text : {kGraphs[2], kGraphs[4], kGraphs[5]}) {
    const auto view = topology::as_cayley(topology::make_topology(text));
    const Group& group = view->group();
    const Schedule gather = tree_allgather(*view);
    const Schedule symmetric = concatenate(transpose(gather), gather);
    const Dependencies stored = find_dependencies(verify_own(symmetric));
    const Dependencies plain = find_dependencies(verify_own(expand_symmetry(symmetric)));
    const auto order = std::int64_t{group.order()};
    for (std::int64_t m = 0; m < symmetric.stored_messages(); ++m)
      for (Element g = 0; g < group.order(); ++g) {
        std::vector<std::int64_t> expected, found;
        for (const MessageInstance& each : stored.sources(m))
          expected.push_back(each.message * order + group.multiply(g, each.element));
        for (const MessageInstance& each : plain.sources(m * order + g))
          found.push_back(each.message);
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        ASSERT_EQ(expected, found) << text << " message " << m << " element " << g;
      }
  }
}

TEST(GroupSymmetry, moves_runs_of_ranks_as_it_moves_each_rank) {
  for (const char* text : {"Z8xZ2,k=3", "Z2^2xZ3,A=[[0,1],[1,1]]", "D4xZ2", "Perm[(0 1 2),(0 1)]",
                           "Z3xPerm[(0 1 2)]xZ2", "Z4xZ2,k=1"}) {
    const Symmetry symmetry(Group::parse(text));
    const std::int64_t ranks = 2 * std::int64_t{symmetry.order()};  // two orbits
    for (std::int32_t g = 0; g < symmetry.order(); ++g)
      for (std::int64_t first = 0; first < ranks; ++first)
        for (std::int64_t count = 1; first + count <= ranks; ++count) {
          std::vector<std::int64_t> expected, moved;
          for (std::int64_t r = first; r < first + count; ++r)
            expected.push_back(symmetry.apply(g, Agent(r)).value());
          translate_ranks(symmetry, g, first, count, [&](std::int64_t start, std::int64_t length) {
            for (std::int64_t r = start; r < start + length; ++r) moved.push_back(r);
          });
          std::sort(expected.begin(), expected.end());
          std::sort(moved.begin(), moved.end());
          ASSERT_EQ(moved, expected) << text << " " << g << ": ranks " << first << " + " << count;
        }
  }
}

// Random messages, right or (mostly) wrong: verifier and executor agree, written out or not.
TEST(GroupSymmetry, random_schedules_are_judged_alike) {
  int right = 0;
  const auto seeds = static_cast<std::uint64_t>(test::samples(3'000));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed);
    const Group group = Group::parse(seed % 2 == 0 ? "D3" : "Z2^2xZ3,A=[[0,1],[1,1]]");
    const std::int32_t order = group.order();
    const bool reduces = rng.below(2) == 0;
    const std::int32_t ranks = order * static_cast<std::int32_t>(1 + rng.below(2));
    ScheduleBuilder builder(reduces ? allreduce(ranks) : allgather(ranks),
                            {.units_per_block = 2, .symmetry = Symmetry(group)});
    if (!reduces && rng.below(2) == 0)  // spread everything first, so that some are right
      for (std::int32_t from = 0; from < ranks; from += order)
        for (std::int32_t to = 0; to < ranks; ++to)
          if (to != from) builder.at(0).send(Rank(from), Rank(to), builder.block(from));
    for (std::int64_t i = rng.below(4); i > 0; --i) {
      const std::int64_t line = ranks * 2, first = rng.below(line);
      builder.at(rng.below(3))
          .send(Rank(rng.below(ranks / order) * order), Rank(rng.below(ranks)),
                Piece{first, 1 + rng.below(line - first)},
                rng.below(2) == 0 ? Arrival::copy : Arrival::reduce);
    }
    const Schedule symmetric = std::move(builder).build();
    const Schedule plain = expand_symmetry(symmetric);
    const auto judged = test::execute(symmetric);
    const auto verified = verify(symmetric);
    ASSERT_EQ(static_cast<bool>(verified), judged.ok) << "seed " << seed << judged.violation;
    ASSERT_EQ(static_cast<bool>(verify(plain)), judged.ok) << "seed " << seed;
    ASSERT_EQ(test::execute(plain).ok, judged.ok) << "seed " << seed;
    if (!verified) continue;
    ++right;
    EXPECT_EQ(verified->facts().keeps_order, judged.keeps_order) << "seed " << seed;
    EXPECT_EQ(verified->facts().overwrites, judged.overwrites) << "seed " << seed;
  }
  EXPECT_GT(right, test::samples(100));
}

// The tree allgather, sent on explicit links: each message in as many parts as its generator has
// copies, one on each of the parallel links.
Schedule routed_allgather(const Topology& topology, const CayleyView& view, std::int64_t units) {
  const Group& group = view.group();
  Binding binding{.topology = topology.name(), .hash = topology.hash()};
  for (Element x = 0; x < group.order(); ++x) binding.nodes.push_back(view.node(x));
  ScheduleBuilder builder(
      allgather(group.order()),
      {.units_per_block = units, .symmetry = Symmetry(group), .binding = std::move(binding)});
  const Schedule tree = tree_allgather(view);
  for (std::int64_t t = 0; t < tree.stored_steps(); ++t)
    for (const Message& message : tree.messages(t)) {
      const Piece block = tree.pieces(&message - &tree.message(0))[0];
      std::vector<LinkId> links;
      for (std::int32_t k = 0; k < view.degree(); ++k)
        if (view.generators()[k] == message.to.value()) links.push_back(view.link(view.node(0), k));
      const auto parts = static_cast<std::int64_t>(links.size());
      for (std::int64_t part = 0; part < parts; ++part) {
        const std::int64_t first = units * part / parts, end = units * (part + 1) / parts;
        const RouteId route =
            builder.add_route(std::span(links).subspan(static_cast<std::size_t>(part), 1));
        builder.at(t).send(message.from, message.to,
                           Piece{block.first * units + first, end - first}, Arrival::copy, route);
      }
    }
  return std::move(builder).build();
}

const char* const kParallel[] = {
    "uniring:2,8",
    "biring:4,7",
    "cayley:D4;(1,0),(1,0),(0,1),(-1,0),(-1,0)",
    "bidirectional(uniring:2,5)",
    "transpose(cayley:Z7xZ3,k=2;(1,0),(0,1),(0,1))",
    "twisted-torus:2x4",
};

TEST(GroupSymmetry, explicit_routes_move_with_the_links) {
  for (const char* text : kParallel) {
    const Network network = [&] {
      const Fabric fabric(build_topology(text));
      const auto view = topology::as_cayley(fabric.topology());
      topology::Placement placement{};
      for (Element x = 0; x < view->group().order(); ++x) placement.nodes.push_back(view->node(x));
      return Network(fabric, placement, {}, make_routing("shortest", fabric));
    }();
    const Topology& topology = network.topology();
    const auto view = topology::as_cayley(topology);
    const Schedule symmetric = routed_allgather(topology, *view, 4);
    const Schedule plain = expand_symmetry(symmetric, &topology);
    EXPECT_TRUE(plain.symmetry().is_trivial());
    EXPECT_EQ(test::execute(symmetric).violation, "") << text;
    const auto a = verify(symmetric, &topology), b = verify(plain, &topology);
    ASSERT_TRUE(a) << text << ": " << a.fault().text;
    ASSERT_TRUE(b) << text << ": " << b.fault().text;
    const Cost shared = cost(*a, network), whole = cost(*b, network);
    EXPECT_EQ(shared.bandwidth_factor, whole.bandwidth_factor) << text;
    EXPECT_EQ(shared.link_loads, whole.link_loads) << text;
    EXPECT_EQ(decode(encode(symmetric)), symmetric) << text;
    for (const Model model : {Model::alpha_beta, Model::fluid}) {
      const auto time = [&](const Verified& verified) {
        return simulate(lower(verified, {.size_B = 1 << 20}), network, {.model = model}).time_s;
      };
      EXPECT_DOUBLE_EQ(time(*a), time(*b)) << text;
    }
    if (2 * topology.cable_count() > topology.link_count()) continue;  // one-way
    const Schedule mirror = transpose(symmetric, &topology);
    EXPECT_TRUE(verify(mirror, &topology)) << text;
    EXPECT_EQ(transpose(mirror, &topology), symmetric) << text;
    EXPECT_EQ(cost(verify_own(mirror, &topology), network).bandwidth_factor,
              shared.bandwidth_factor)
        << text;
  }
}

TEST(GroupSymmetry, parallel_links_are_all_used_by_explicit_routes) {
  const Fabric fabric(build_topology("uniring:2,8"));
  const Network network(fabric, topology::place(fabric.topology(), {}), {},
                        make_routing("shortest", fabric));
  const Topology& topology = network.topology();
  const auto view = topology::as_cayley(topology);
  // 7 steps of half a block on each of two links of B/2: T_B = 7/8.
  const Verified both = verify_own(routed_allgather(topology, *view, 2), &topology);
  EXPECT_EQ(cost(both, network).bandwidth_factor, Rational(7, 8));
}

TEST(LinkAction, is_the_translation_of_the_cayley_view) {
  for (const char* text : kParallel) {
    const Topology t = topology::make_topology(text);
    const auto view = topology::as_cayley(t);
    std::vector<NodeId> nodes;
    for (Element x = 0; x < view->group().order(); ++x) nodes.push_back(view->node(x));
    const auto action = LinkAction::of(Symmetry(view->group()), nodes, t);
    ASSERT_TRUE(action) << text;
    for (Element g = 0; g < view->group().order(); ++g)
      for (const LinkId link : t.links())
        ASSERT_EQ(action->translate(g, link), view->translate(g, link)) << text;
  }
}

TEST(GroupSymmetry, explicit_routes_ask_for_automorphisms) {
  const Topology ring = topology::make_topology("uniring:2,6");
  Binding binding{.topology = ring.name(), .hash = ring.hash()};
  for (int x = 0; x < 6; ++x) binding.nodes.push_back(NodeId(x));
  ScheduleBuilder builder(
      allgather(6), {.symmetry = Symmetry::translations({2, 3}), .binding = std::move(binding)});
  const RouteId route = builder.add_route(std::vector<LinkId>{LinkId(0)});
  builder.at(0).send(Rank(0), Rank(1), builder.block(0), Arrival::copy, route);
  const Schedule schedule = std::move(builder).build();
  EXPECT_THROW(static_cast<void>(verify(schedule, &ring)), InvalidInput);
  EXPECT_THROW(expand_symmetry(schedule), InvalidInput);
  EXPECT_THROW(expand_symmetry(schedule, &ring), InvalidInput);
}

}  // namespace
}  // namespace weft::schedule
