// Who has which blocks: the definitions of MPI for each collective, written out for few ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/schedule/collective.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/contributors.hpp"

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

// By what each rank has in the cases above: the predicates say no more than that.
TEST(Collective, has_the_properties_of_its_blocks) {
  for (const Case& each : kCases) {
    const CollectiveTraits& traits = traits_of(each.kind);
    const auto holders = [](const std::vector<Blocks>& blocks) {
      return std::ranges::count_if(blocks, [](const Blocks& one) { return !one.empty(); });
    };
    const bool one_begins = holders(each.at_first) == 1, one_ends = holders(each.at_end) == 1;
    EXPECT_EQ(traits.between_two(), one_begins && one_ends) << name_of(each.kind);
    EXPECT_EQ(traits.rooted(), one_begins || one_ends) << name_of(each.kind);
    EXPECT_EQ(traits.is_among_all(), !one_begins && !one_ends) << name_of(each.kind);
    EXPECT_EQ(traits.from_root(), one_begins && !one_ends) << name_of(each.kind);
    EXPECT_EQ(traits.to_root(), one_ends && !one_begins) << name_of(each.kind);
    EXPECT_EQ(traits.by_pair(), each.at_first[1] == (Blocks{3, 4, 5})) << name_of(each.kind);
    EXPECT_EQ(traits.begins_with_own(), each.at_first[1] == Blocks{1}) << name_of(each.kind);
    EXPECT_EQ(traits.ends_with_own(), each.at_end[1] == Blocks{1}) << name_of(each.kind);
    const Collective collective{each.kind, 3, Rank(1), Rank(2)};
    EXPECT_EQ(contributors_of(collective, Rank(1)), (RankInterval{0, 3})) << name_of(each.kind);
  }
}

// MPI 4.1, chapter 6.
TEST(Collective, is_known_by_functions_of_mpi) {
  using Kind = CollectiveKind;
  EXPECT_EQ(collective_of_mpi("MPI_Bcast"), Kind::broadcast);
  EXPECT_EQ(collective_of_mpi("MPI_Allgatherv"), Kind::allgather);
  EXPECT_EQ(collective_of_mpi("MPI_Reduce_scatter_block"), Kind::reduce_scatter);
  EXPECT_EQ(collective_of_mpi("MPI_Reduce_scatter"), Kind::reduce_scatter);
  EXPECT_EQ(traits_of(Kind::reduce_scatter).of_mpi_with_counts, "MPI_Reduce_scatter");
  EXPECT_EQ(traits_of(Kind::allreduce).of_mpi_with_counts, "");
  EXPECT_EQ(collective_of_mpi("MPI_Send"), std::nullopt);
  EXPECT_EQ(collective_of_mpi(""), std::nullopt);
}

TEST(ContributorSets, know_what_is_missing_of_an_interval) {
  ContributorSets sets(5);
  const SetId first_two = *sets.disjoint_union(sets.single(0), sets.single(1));
  const SetId with_last = *sets.disjoint_union(first_two, sets.single(4));
  EXPECT_TRUE(sets.has_exactly(first_two, {0, 2}));
  EXPECT_FALSE(sets.has_exactly(with_last, {0, 2}));
  EXPECT_FALSE(sets.has_exactly(first_two, {0, 3}));
  EXPECT_EQ(sets.missing(first_two, {0, 2}), std::nullopt);
  EXPECT_EQ(sets.missing(first_two, {1, 2}), std::nullopt);
  EXPECT_EQ(sets.missing(with_last, {0, 5}), 2);
  EXPECT_EQ(sets.missing(with_last, {3, 5}), 3);
  EXPECT_EQ(sets.missing(sets.single(1), {0, 2}), 0);
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
