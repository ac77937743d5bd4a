// What layouts of blocks copy: formulas of the schedules, and no layout at all by hand.
#include "weft/program/copies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "../../src/weft/program/own_buffers.hpp"
#include "support/network_on.hpp"
#include "support/samples.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::program {
namespace {

using network::BlockLayout;

using test::on;

Verified built(const std::string& algorithm, CollectiveKind kind, const std::string& topology) {
  const Network network = on(topology);
  return schedule::verify_own(
      build_schedule(algorithm, {.kind = kind, .ranks = network.ranks()}, &network),
      &network.topology());
}

/// Bytes that an agent copies, by phase, for blocks of units of one byte.
struct Copied {
  std::int64_t packed = 0, unpacked = 0;

  friend bool operator==(const Copied&, const Copied&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Copied& c) {
    return out << c.packed << " + " << c.unpacked;
  }
};

std::vector<Copied> copied_by_agents(const Verified& verified, BlockLayout layout) {
  const auto plan = plan_copies(verified, layout);
  const Collective& collective = verified.schedule().collective();
  const std::int64_t block_B = verified.schedule().units_per_block();
  const Program program = lower(
      verified,
      {.size_B = block_B * (collective.size_is_block() ? 1 : collective.blocks()), .copies = plan});
  std::vector<Copied> by_agent(static_cast<std::size_t>(program.agents()));
  StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const LocalWork& work : step.work)
      if (work.kind == WorkKind::copy)
        (work.phase == WorkPhase::before_sending ? by_agent[work.at.index()].packed
                                                 : by_agent[work.at.index()].unpacked) +=
            work.bytes;
  }
  return by_agent;
}

/// The most of each.
Copied copied(const Verified& verified, BlockLayout layout) {
  Copied most;
  for (const Copied& agent : copied_by_agents(verified, layout)) {
    most.packed = std::max(most.packed, agent.packed);
    most.unpacked = std::max(most.unpacked, agent.unpacked);
  }
  return most;
}

std::int64_t busiest(const Verified& verified, BlockLayout layout) {
  std::int64_t most = 0;
  for (const Copied& agent : copied_by_agents(verified, layout))
    most = std::max(most, agent.packed + agent.unpacked);
  return most;
}

// Kautz(d, 2), N = d (d + 1). In step 2 a node sends the blocks of its d in-neighbours to each of
// d neighbours, to one of them all but its own: d^2 - 1 blocks, and as many come. In rank order
// all are packed and unpacked (but for runs, which d = 2 has). In the order of messages nothing is
// packed: the node's in-neighbours lie in a row, the one that is left out last. Into the result go
// all N - 1 blocks once.
TEST(Copies, kautz_allgather_needs_no_packing_in_the_order_of_messages) {
  for (const int d : {3, 4, 5, 8}) {
    const Verified kautz =
        built("kautz-c", CollectiveKind::allgather, fmt::format("kautz:{},2", d));
    const std::int64_t n = d * (d + 1);
    EXPECT_EQ(copied(kautz, BlockLayout::rank_order), (Copied{d * d - 1, d * d - 1})) << d;
    EXPECT_EQ(copied(kautz, BlockLayout::combined), (Copied{0, n - 1})) << d;
    EXPECT_EQ(copied(kautz, BlockLayout::kept), (Copied{0, 0})) << d;
    EXPECT_EQ(layout_of(plan_copies(kautz, BlockLayout::best)), BlockLayout::combined);
  }
}

// Transposed: in step 1 a node sends contributions for the d out-neighbours of a neighbour, which
// are d neighbouring ranks and so a run of its input, but for the message that leaves
// out the node itself, d - 1 blocks. What comes is reduced where it should be. A caller who keeps
// blocks in that order copies nothing.
TEST(Copies, kautz_reduce_scatter_copies_scattered_input_alone) {
  for (const int d : {3, 4, 8}) {
    const Verified kautz =
        built("kautz-c", CollectiveKind::reduce_scatter, fmt::format("kautz:{},2", d));
    EXPECT_EQ(copied(kautz, BlockLayout::rank_order), (Copied{d - 1, 0})) << d;
    EXPECT_EQ(copied(kautz, BlockLayout::combined), (Copied{d - 1, 0})) << d;
    EXPECT_EQ(copied(kautz, BlockLayout::kept), (Copied{0, 0})) << d;
  }
}

// m1 x m2, dimension order. Step 2 sends a row of m1 blocks to m2 - 1 nodes: in rank order a run.
TEST(Copies, dimension_order_allgather_sends_runs_of_ranks) {
  const Verified rows = built("do", CollectiveKind::allgather, "hamming:4x6");
  EXPECT_EQ(copied(rows, BlockLayout::rank_order), (Copied{0, 0}));
  EXPECT_EQ(plan_copies(rows, BlockLayout::best), nullptr);
}

// All-to-all on m1 x m2 by dimension order: step 1 sends m2 blocks, a column of destinations, to m1
// - 1 nodes, scattered in input and, among what passes through, at the receiver. Step 2 sends to m2
// - 1 nodes the m1 blocks of a row of sources: scattered, and a run of what is received.
TEST(Copies, dimension_order_alltoall_is_packed_once_where_the_order_is_kept) {
  const int m1 = 4, m2 = 6;
  const Verified grid = built("do", CollectiveKind::alltoall, "hamming:4x6");
  const std::int64_t first = (m1 - 1) * m2, second = (m2 - 1) * m1;
  EXPECT_EQ(copied(grid, BlockLayout::rank_order), (Copied{first + second, first}));
  // Columns come together and rows go on: no order serves both. What came is not unpacked but for
  // one block of each message in step 1, which is at its destination, and the results of step 2
  // are runs.
  EXPECT_EQ(copied(grid, BlockLayout::combined).packed, first + second);
  EXPECT_EQ(copied(grid, BlockLayout::combined).unpacked, m1 - 1);
  EXPECT_EQ(copied(grid, BlockLayout::kept), (Copied{second, 0}));
}

// Bruck's allgather on 8 ranks: rank r sends the blocks r .. r + 2^j - 1 modulo 8, which wrap round
// for the last ranks: rank 7 packs 2 and 4 blocks; what comes wraps in one step at most, 4 blocks.
// Rotated, none is packed.
TEST(Copies, bruck_allgather_packs_what_wraps_round) {
  const Verified bruck = built("bruck", CollectiveKind::allgather, "complete:8");
  EXPECT_EQ(copied(bruck, BlockLayout::rank_order), (Copied{2 + 4, 4}));
  EXPECT_EQ(copied(bruck, BlockLayout::kept), (Copied{0, 0}));
}

// What the planner calls a run is one: buffers are filled message by message, as a run of the
// sender's own buffer that lands as a run of the receiver's, and hold the right cells.
TEST(Copies, runs_carry_the_cells_that_they_should) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"kautz-c", "kautz:3,2"}, {"kautz-c", "kautz:2,3"}, {"kautz-c", "genkautz:3,17"},
      {"do", "hamming:3x4x2"},  {"md", "hamming:3x4"},    {"bruck", "complete:11"},
      {"bfb", "torus:3x4"},     {"multitree", "mesh:3x3"}};
  for (const auto& [algorithm, topology] : cases)
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::alltoall}) {
      if (!find_algorithm(algorithm).supports(kind)) continue;
      const Verified verified = built(algorithm, kind, topology);
      const auto moves = moves_of(verified.schedule(), 1 << 22);
      ASSERT_TRUE(moves.has_value());
      const OwnBuffers buffers = own_buffers(*moves, std::vector<bool>(moves->all.size(), false));
      std::vector<std::int32_t> memory(buffers.entries.size(), -1);
      for (const Move& move : moves->all) {
        std::map<std::int64_t, std::int32_t> from, to;  // cells by place
        for (std::size_t i = move.first_cell; i < move.first_cell + move.cells; ++i) {
          const BufferEntry& source = buffers.entries[buffers.sent[i]];
          const BufferEntry& target = buffers.entries[buffers.received[i]];
          ASSERT_EQ(source.agent, move.from);
          ASSERT_EQ(target.agent, move.to);
          if (!source.landed) memory[source.place] = moves->cell_of[i];
          ASSERT_EQ(memory[source.place], moves->cell_of[i]);
          from[source.place] = to[target.place] = moves->cell_of[i];
        }
        ASSERT_EQ(to.rbegin()->first - to.begin()->first + 1, std::ssize(to));
        EXPECT_EQ(buffers.is_run(move),
                  from.rbegin()->first - from.begin()->first + 1 == std::ssize(from));
        auto source = from.begin();
        for (const auto& [place, cell] : to) {
          EXPECT_EQ(cell, (source++)->second) << algorithm << topology;
          memory[place] = cell;
        }
      }
    }
}

// Single runs are never copied, whatever the layout.
TEST(Copies, runs_are_not_copied) {
  for (const char* algorithm : {"ring", "pairwise", "recursive-doubling"}) {
    const Verified verified = built(algorithm, CollectiveKind::allgather, "complete:8");
    for (const BlockLayout layout : {BlockLayout::best, BlockLayout::rank_order})
      EXPECT_EQ(copied(verified, layout), (Copied{0, 0})) << algorithm;
  }
  const Verified direct = built("direct", CollectiveKind::alltoall, "complete:8");
  EXPECT_EQ(copied(direct, BlockLayout::rank_order), (Copied{0, 0}));
}

TEST(Copies, symmetric_and_expanded_schedules_copy_alike) {
  for (const char* algorithm : {"bruck", "bfb", "ring"}) {
    const Verified verified = built(algorithm, CollectiveKind::allgather, "ring:9");
    const Network network = on("ring:9");
    const Verified expanded = schedule::verify_own(
        schedule::expand_symmetry(verified.schedule(), &network.topology()), &network.topology());
    for (const BlockLayout layout :
         {BlockLayout::rank_order, BlockLayout::combined, BlockLayout::kept})
      EXPECT_EQ(copied(verified, layout), copied(expanded, layout)) << algorithm;
  }
}

TEST(Copies, best_never_copies_more_than_rank_order) {
  for (const char* topology :
       test::samples({"kautz:2,3", "genkautz:3,11", "2dfc:3x4", "complete:6", "ring:7"})) {
    const Network network = on(topology);
    for (const CollectiveKind kind : schedule::kCollectiveKinds) {
      if (kind == CollectiveKind::point_to_point) continue;
      for (const auto* algorithm : applicable({.kind = kind, .ranks = network.ranks()}, &network)) {
        const Verified verified = built(algorithm->name, kind, topology);
        EXPECT_LE(busiest(verified, BlockLayout::best), busiest(verified, BlockLayout::rank_order))
            << algorithm->name << topology;
        EXPECT_EQ(busiest(verified, BlockLayout::best),
                  std::min(busiest(verified, BlockLayout::combined),
                           busiest(verified, BlockLayout::rank_order)))
            << algorithm->name << topology;
      }
    }
  }
}

}  // namespace
}  // namespace weft::program
