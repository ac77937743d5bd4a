// Who has which blocks: the definitions of MPI for each collective, written out for few ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/schedule/collective.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace {

using namespace weft::schedule;
using Blocks = std::vector<std::int64_t>;

Blocks blocks_of(const BlockRuns& runs) {
  Blocks blocks;
  for (std::int64_t position = 0; position < runs.total(); ++position)
    blocks.push_back(block_at(runs, position));
  return blocks;
}

struct Case {
  CollectiveKind kind;
  std::vector<Blocks> at_first, at_end;  // of ranks 0 to 2; the root is 1, the peer 2
  bool reduces, size_is_block, whole_buffer;
};

const std::vector<Case> kCases{
    {CollectiveKind::broadcast,
     {{}, {0, 1, 2}, {}},
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     false,
     false,
     true},
    {CollectiveKind::reduce,
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     {{}, {0, 1, 2}, {}},
     true,
     false,
     true},
    {CollectiveKind::scatter, {{}, {0, 1, 2}, {}}, {{0}, {1}, {2}}, false, true, false},
    {CollectiveKind::gather, {{0}, {1}, {2}}, {{}, {0, 1, 2}, {}}, false, true, false},
    {CollectiveKind::allgather,
     {{0}, {1}, {2}},
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     false,
     true,
     false},
    {CollectiveKind::reduce_scatter,
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     {{0}, {1}, {2}},
     true,
     false,
     false},
    {CollectiveKind::allreduce,
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}},
     true,
     false,
     true},
    {CollectiveKind::alltoall,
     {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}},
     {{0, 3, 6}, {1, 4, 7}, {2, 5, 8}},
     false,
     true,
     false},
    {CollectiveKind::point_to_point, {{}, {0}, {}}, {{}, {}, {0}}, false, false, false},
};

TEST(Collective, has_the_blocks_of_its_definition) {
  ASSERT_EQ(kCases.size(), kCollectiveKinds.size());
  for (const Case& each : kCases) {
    const Collective collective{each.kind, 3, Rank(1), Rank(2)};
    for (std::int32_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(blocks_of(collective.held_at_first(Rank(rank))), each.at_first[rank])
          << name_of(each.kind) << rank;
      EXPECT_EQ(blocks_of(collective.wanted(Rank(rank))), each.at_end[rank])
          << name_of(each.kind) << rank;
    }
    EXPECT_EQ(collective.reduces(), each.reduces) << name_of(each.kind);
    EXPECT_EQ(collective.size_is_block(), each.size_is_block) << name_of(each.kind);
    EXPECT_EQ(collective.whole_buffer(), each.whole_buffer) << name_of(each.kind);
  }
}

// A single rank, the root, begins and ends with the one block that there is.
TEST(Collective, of_one_rank_leaves_its_block_where_it_is) {
  for (const Case& each : kCases) {
    if (each.kind == CollectiveKind::point_to_point) continue;  // it needs two
    const Collective collective{each.kind, 1};
    EXPECT_EQ(collective.blocks(), 1) << name_of(each.kind);
    EXPECT_EQ(blocks_of(collective.held_at_first(Rank(0))), Blocks{0}) << name_of(each.kind);
    EXPECT_EQ(blocks_of(collective.wanted(Rank(0))), Blocks{0}) << name_of(each.kind);
  }
}

TEST(Collective, knows_where_each_block_is) {
  for (const Case& each : kCases) {
    const Collective collective{each.kind, 3, Rank(1), Rank(2)};
    for (std::int32_t rank = 0; rank < 3; ++rank)
      for (const BlockRuns& runs :
           {collective.held_at_first(Rank(rank)), collective.wanted(Rank(rank))}) {
        const Blocks blocks = blocks_of(runs);
        for (std::int64_t block = 0; block < 9; ++block) {
          const auto found = std::ranges::find(blocks, block);
          EXPECT_EQ(position_in(runs, block),
                    found == blocks.end() ? std::nullopt : std::optional(found - blocks.begin()));
        }
      }
    if (each.reduces) continue;
    for (std::int64_t block = 0; block < collective.blocks(); ++block) {
      const Origin from = origin_of(collective, block);
      EXPECT_EQ(position_in(collective.held_at_first(from.rank), block), from.position);
    }
  }
}

// Reversed messages: who sends a block to whom becomes the other way round.
TEST(Collective, has_the_transpose_of_its_definition) {
  using Kind = CollectiveKind;
  EXPECT_EQ(transposed(Kind::broadcast), Kind::reduce);
  EXPECT_EQ(transposed(Kind::scatter), Kind::gather);
  EXPECT_EQ(transposed(Kind::allgather), Kind::reduce_scatter);
  EXPECT_EQ(transposed(Kind::alltoall), Kind::alltoall);
  EXPECT_EQ(transposed(Kind::point_to_point), Kind::point_to_point);
  EXPECT_EQ(transposed(Kind::allreduce), std::nullopt);
  for (const Kind kind : kCollectiveKinds) {
    if (kind == Kind::allreduce) continue;
    EXPECT_EQ(transposed(*transposed(kind)), kind) << name_of(kind);
  }
}

}  // namespace
