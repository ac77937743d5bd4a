// What Open MPI and MPICH choose: rows of their own tables, and schedules that do what they should.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/libraries/library.hpp"
#include "weft/libraries/part_schedules.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::libraries {
namespace {

using enum schedule::CollectiveKind;

LibraryCall one_a_node(CollectiveKind kind, std::int32_t ranks, std::int64_t size_B) {
  return {.collective = kind, .ranks = ranks, .nodes = ranks, .per_node = 1, .size_B = size_B};
}

LibraryCall in_nodes(CollectiveKind kind, std::int32_t nodes, std::int32_t per_node,
                     std::int64_t size_B) {
  return {.collective = kind,
          .ranks = nodes * per_node,
          .nodes = nodes,
          .per_node = per_node,
          .size_B = size_B};
}

struct Expected {
  CollectiveKind collective;
  std::int32_t ranks;
  std::int64_t size_B;
  const char* native;
  const char* algorithm;
};

void expect_all(const char* library, const std::vector<Expected>& rows) {
  for (const Expected& row : rows) {
    SCOPED_TRACE(
        fmt::format("{} {} {} {}", library, name_of(row.collective), row.ranks, row.size_B));
    const LibraryChoice choice = choose(library, one_a_node(row.collective, row.ranks, row.size_B));
    EXPECT_EQ(choice.native, row.native);
    EXPECT_EQ(choice.algorithm(), row.algorithm);
  }
}

// Counted on Open MPI 4.1.4 by messages: 8,192 B on 4 ranks is number 6, 8,188 B number 3. The
// others are rows of coll_tuned_decision_fixed.c.
TEST(OpenMpiRules, are_those_of_the_fixed_table) {
  const char* const halving = "rabenseifner-nearest";
  const std::vector<Expected> rows{
      {allreduce, 4, 8188, "recursive doubling (3)", "recursive-doubling"},
      {allreduce, 4, 8192, "reduce-scatter and allgather (6)", halving},
      {allreduce, 16, 64, "recursive doubling (3)", "recursive-doubling"},
      {allreduce, 40, 256, "reduce-scatter and allgather (6)", halving},
      {allreduce, 128, 65536, "reduce and broadcast (2)", "binomial + knomial"},
      {allreduce, 128, 262143, "recursive doubling (3)", "recursive-doubling"},
      {alltoall, 2, 1 << 20, "pairwise (2)", "shift"},
      {alltoall, 64, 1023, "modified Bruck (3)", "bruck"},
      {alltoall, 64, 2047, "linear (1)", "spread"},
      {alltoall, 64, 2048, "linear with sync (4)", "spread"},
      {broadcast, 16, 4095, "k-nomial of 4 (7)", "knomial"},
      {broadcast, 16, 4096, "binomial (6)", "binomial-nearest"},
      {broadcast, 16, 1 << 20, "scatter and allgather (8)", "scatter-doubling"},
      {broadcast, 512, 16384, "split binary tree (4)", "split-binary-tree"},
      {reduce, 8, 8191, "binary tree (4)", "binary-tree"},
      {reduce, 8, 8192, "binomial (5)", "binomial"},
      {reduce_scatter, 16, 262143, "recursive halving (2)", "recursive-halving"},
      {reduce_scatter, 16, 262144, "ring (3)", "ring"},
      {allgather, 2, 1, "two processes (6)", "pairwise"},
      {allgather, 32, 1024, "neighbor exchange (5)", "neighbor"},
      {gather, 64, 100, "binomial (2)", "binomial"},
      {scatter, 64, 16384, "linear (3)", "knomial"},
  };
  expect_all("openmpi-4.1", rows);
  expect_all("openmpi-5.0", rows);  // with one rank a node
}

// coll_base_*.c: what a call does not suit runs as another number.
TEST(OpenMpiRules, replace_what_a_call_does_not_suit) {
  expect_all("openmpi-4.1",
             {{allgather, 6, 64, "Bruck (2)", "bruck"},
              {allgather, 33, 4096, "ring (4)", "ring"},
              {allreduce, 40, 128, "reduce-scatter and allgather (6)", "rabenseifner-nearest"},
              {allreduce, 20, 32, "recursive doubling (3)", "recursive-doubling"}});
}

TEST(OpenMpiRules, of_release_5_work_in_levels_where_nodes_have_several_ranks) {
  const LibraryChoice large = choose("openmpi-5.0", in_nodes(allreduce, 8, 4, 1 << 20));
  EXPECT_EQ(large.segments, 16);  // of 64 KiB
  EXPECT_EQ(large.native,
            "han: node binomial, up reduce-scatter and gather, down chain of 8 KiB, node "
            "linear, in segments of 64 KiB");
  EXPECT_EQ(choose("openmpi-5.0", in_nodes(alltoall, 8, 4, 1024)).native,
            choose("openmpi-4.1", one_a_node(alltoall, 32, 1024)).native);
  EXPECT_EQ(choose("openmpi-4.1", in_nodes(allreduce, 8, 4, 1 << 20)).segments, 1);
}

TEST(MpichRules, are_those_of_its_selection) {
  expect_all("mpich-4.x",
             {{broadcast, 7, 1 << 20, "binomial", "binomial"},
              {broadcast, 16, 12288, "binomial", "binomial"},
              {broadcast, 16, 12289, "scatter_recursive_doubling_allgather", "scatter-doubling"},
              {broadcast, 16, 524289, "scatter_ring_allgather", "scatter-allgather"},
              {broadcast, 12, 12289, "scatter_ring_allgather", "scatter-allgather"},
              {allreduce, 16, 8, "recursive_doubling", "recursive-doubling"},
              {allreduce, 16, 60, "recursive_doubling", "recursive-doubling"},
              {allreduce, 16, 64, "reduce_scatter_allgather", "rabenseifner-nearest"},
              {reduce, 16, 2048, "binomial", "binomial"},
              {reduce, 16, 2052, "reduce_scatter_gather", "rabenseifner-nearest"},
              {allgather, 16, 32767, "recursive_doubling", "recursive-doubling"},
              {allgather, 16, 32768, "ring", "ring"},
              {allgather, 10, 8191, "brucks", "bruck"},
              {allgather, 10, 8192, "ring", "ring"},
              {reduce_scatter, 16, 524287, "recursive_halving", "recursive-halving"},
              {reduce_scatter, 16, 524288, "pairwise", "lin"},
              {alltoall, 7, 256, "scattered", "spread"},
              {alltoall, 8, 256, "brucks", "bruck"},
              {alltoall, 8, 32768, "scattered", "spread"},
              {alltoall, 8, 32769, "pairwise", "pairwise"},
              {gather, 9, 1, "binomial", "binomial"}});
}

TEST(MpichRules, compose_levels_where_nodes_have_several_ranks) {
  EXPECT_EQ(choose("mpich-4.x", in_nodes(allreduce, 8, 4, 1 << 20)).native,
            "alpha: node reduce_scatter_gather, leaders reduce_scatter_allgather, node binomial");
  EXPECT_EQ(choose("mpich-4.x", in_nodes(reduce, 8, 4, 2048)).native,
            "beta: node binomial, leaders binomial");
  EXPECT_EQ(choose("mpich-4.x", in_nodes(broadcast, 8, 4, 524288)).native,
            "scatter_recursive_doubling_allgather");
}

// The table as text, band by band: what stands in it is read as it stands there.
TEST(OpenMpiRules, change_at_the_sizes_of_their_table) {
  struct Change {
    std::int32_t ranks;
    std::int64_t last_B;
    const char *below, *from;
  };
  const std::vector<Change> changes{
      {3, 7, "recursive doubling (3)",
       "recursive doubling (3)"},  // 4 has fewer elements than ranks
      {3, 65535, "ring (4)", "segmented ring (5)"},
      {3, 262143, "segmented ring (5)", "reduce-scatter and allgather (6)"},
      {100, 262143, "recursive doubling (3)", "reduce-scatter and allgather (6)"},
      {300, 4095, "reduce and broadcast (2)", "reduce-scatter and allgather (6)"},
      {5000, 2047, "reduce and broadcast (2)", "recursive doubling (3)"},  // 5 likewise
      {5000, 32767, "recursive doubling (3)", "reduce-scatter and allgather (6)"}};
  for (const Change& change : changes) {
    SCOPED_TRACE(fmt::format("{} ranks, {} B", change.ranks, change.last_B));
    EXPECT_EQ(choose("openmpi-4.1", one_a_node(allreduce, change.ranks, change.last_B)).native,
              change.below);
    EXPECT_EQ(choose("openmpi-4.1", one_a_node(allreduce, change.ranks, change.last_B + 1)).native,
              change.from);
  }
}

// Of what weft does not have, butterfly and in-order trees among it, the row says so.
TEST(MpiRules, mark_stand_ins) {
  const LibraryChoice butterfly = choose("openmpi-4.1", one_a_node(reduce_scatter, 128, 1 << 20));
  EXPECT_EQ(butterfly.native, "butterfly (4)");
  EXPECT_TRUE(butterfly.has_stand_in());
  EXPECT_FALSE(choose("openmpi-4.1", one_a_node(reduce, 8, 64)).has_stand_in());
  EXPECT_TRUE(choose("mpich-4.x", one_a_node(reduce, 12, 1 << 20)).has_stand_in());
  EXPECT_FALSE(choose("mpich-4.x", one_a_node(reduce, 16, 1 << 20)).has_stand_in());
}

// Whatever is chosen, its schedule brings everyone what the collective promises.
TEST(MpiRules, make_schedules_that_are_right) {
  struct Nodes {
    std::int32_t nodes, per_node;
  };
  for (const LibraryRules& rules : library_rules()) {
    if (rules.of_gpus) continue;
    for (const auto& [nodes, per_node] : std::vector<Nodes>{{2, 1}, {7, 1}, {8, 1}, {3, 4}, {8, 2}})
      for (const CollectiveKind kind : rules.collectives)
        for (const std::int64_t size_B : {4, 64, 1000, 20000, 70000, 600000}) {
          const LibraryChoice choice = choose(rules.name, in_nodes(kind, nodes, per_node, size_B));
          SCOPED_TRACE(fmt::format("{} {} {}x{} {} B: {}", rules.name, name_of(kind), nodes,
                                   per_node, size_B, choice.native));
          NodeRanks ranks(nodes);
          for (std::int32_t r = 0; r < nodes * per_node; ++r)
            ranks[r / per_node].push_back(Rank(r));
          const Collective collective{.kind = kind, .ranks = nodes * per_node};
          const auto proved = schedule::verify(schedule_of(choice, collective, ranks));
          EXPECT_TRUE(proved) << proved.fault().text;
        }
  }
}

TEST(LibraryRules, name_what_they_know) {
  const auto refusal = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const InvalidInput& why) {
      return why.what();
    }
    return "(accepted)";
  };
  EXPECT_EQ(refusal([] { find_library_rules("openmpi"); }),
            "unknown library 'openmpi'; did you mean openmpi-4.1, openmpi-5.0?");
  EXPECT_EQ(refusal([] { (void)choose("NCCL", one_a_node(alltoall, 8, 8)); }),
            "nccl has no rules for alltoall (known: broadcast, reduce, allgather, "
            "reduce-scatter, allreduce)");
  EXPECT_EQ(
      refusal([] { (void)choose("mpich-4.x", one_a_node(point_to_point, 8, 8)); }).substr(0, 50),
      "mpich-4.x has no rules for point-to-point (known: ");
}

}  // namespace
}  // namespace weft::libraries
