#include "weft/algorithm/exchange/mpich.hpp"

#include <gtest/gtest.h>

#include "weft/algorithm/algorithm.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::algorithm {
namespace {

// Dorier et al., section II-B: binomial up to 12,288 bytes; a scatter and recursive doubling up to
// 524,288 on powers of two; a scatter and a ring for the rest. Below 8 ranks MPICH keeps the tree.
// The sizes themselves are below: avg_msg_size<=12288 in maint/tuning/coll/mpir/generic.json.
TEST(Mpich, chooses_by_size_and_ranks) {
  EXPECT_EQ(mpich_broadcast_choice(1024, 12'288), "binomial");
  EXPECT_EQ(mpich_broadcast_choice(1024, 12'289), "scatter-doubling");
  EXPECT_EQ(mpich_broadcast_choice(1024, 524'288), "scatter-doubling");
  EXPECT_EQ(mpich_broadcast_choice(1024, 524'289), "scatter-allgather");
  EXPECT_EQ(mpich_broadcast_choice(1000, 12'288), "binomial");
  EXPECT_EQ(mpich_broadcast_choice(1000, 12'289), "scatter-allgather");
  EXPECT_EQ(mpich_broadcast_choice(7, 1 << 20), "binomial");
  EXPECT_EQ(mpich_broadcast_choice(8, 1 << 20), "scatter-allgather");
}

TEST(Mpich, its_schedules_are_right) {
  for (const std::int32_t ranks : {1, 2, 7, 8, 12, 16, 33})
    for (const std::int64_t size_B : {100, 100'000, 1'000'000})
      for (const std::int32_t root : {0, ranks / 2}) {
        const Schedule schedule = mpich_broadcast(ranks, Rank(root), size_B);
        EXPECT_EQ(schedule.algorithm(), mpich_broadcast_choice(ranks, size_B));
        EXPECT_TRUE(verify(schedule)) << ranks << ' ' << size_B;
      }
}

// By name it is a baseline for every size; without one, the choice for large buffers.
TEST(Mpich, is_an_algorithm_of_the_registry) {
  const Algorithm& mpich = find_algorithm("MPICH");
  EXPECT_TRUE(mpich.sized);
  EXPECT_FALSE(mpich.supports(CollectiveKind::reduce));
  const auto steps = [](std::optional<std::int64_t> size_B) {
    AlgorithmOptions options;
    options.size_B = size_B;
    const Schedule schedule = build_schedule("mpich", schedule::broadcast(16), nullptr, options);
    EXPECT_EQ(schedule.algorithm(), "mpich");
    return schedule.steps();
  };
  EXPECT_EQ(steps(12'288), 4);        // a binomial tree
  EXPECT_EQ(steps(12'289), 8);        // a scatter of 4 steps, doubling of 4
  EXPECT_EQ(steps(524'289), 4 + 15);  // a scatter, a ring
  EXPECT_EQ(steps(std::nullopt), 4 + 15);
}

}  // namespace
}  // namespace weft::algorithm
