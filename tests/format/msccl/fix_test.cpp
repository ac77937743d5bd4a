// Repair of MSCCL XML: dependencies and flags that are added, and what cannot be repaired.
#include <gtest/gtest.h>

#include "support/gpu/msccl_builder.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::format::msccl {
namespace {

Algorithm ring_without_flag() {
  Algorithm algorithm = test::msccl_ring_of_blocks(4);
  algorithm.gpus[2].blocks[1].steps[0].has_dependent = false;
  return algorithm;
}

TEST(MscclFix, sets_missing_flags_and_says_so) {
  ASSERT_FALSE(check(ring_without_flag()).right());
  const Repair repair = fix(ring_without_flag());
  ASSERT_TRUE(repair.algorithm) << repair.reason;
  EXPECT_TRUE(check(*repair.algorithm).right());
  EXPECT_TRUE(repair.added.empty());
  ASSERT_EQ(repair.flags.size(), 1u);
  EXPECT_EQ(repair.flags[0].rank, 2);
  EXPECT_EQ(repair.flags[0].step, (StepId{1, 0}));
}

// A sender that waits for its own last step in place of the one that receives.
TEST(MscclFix, adds_dependencies_to_steps_that_wait_for_their_own_block) {
  Algorithm algorithm = test::msccl_ring_of_blocks(4);
  auto& steps = algorithm.gpus[1].blocks[0].steps;
  steps[2].depends_on = {0, 1};
  ASSERT_FALSE(check(algorithm).right());
  const Repair repair = fix(algorithm);
  ASSERT_TRUE(repair.algorithm) << repair.reason;
  EXPECT_TRUE(check(*repair.algorithm).right());
  ASSERT_EQ(repair.added.size(), 1u);
  EXPECT_EQ(repair.added[0].on, (StepId{1, 1}));
  EXPECT_EQ(repair.algorithm->gpus[1].blocks[0].steps.size(), steps.size());  // no nop is needed
}

// A chain that reduces to rank 2 and comes back. Each rank passes on its own chunk before it has
// added what it receives, if nothing makes it wait: both orders are possible, and one is right.
TEST(MscclFix, tries_both_orders_of_a_race) {
  test::MscclBuilder builder(3, "allreduce", 1);
  builder.in_place().buffers(1, 1);
  for (std::int32_t r = 0; r < 3; ++r) {
    if (r < 2) builder.block(r, r + 1, -1).step("s", test::i(0), test::i(0));
    if (r > 0) builder.block(r, -1, r - 1).step("rrc", test::i(0), test::i(0));
    if (r > 0) builder.block(r, r - 1, -1, 1).step("s", test::i(0), test::i(0));
    if (r < 2) builder.block(r, -1, r + 1, 1).step("r", test::i(0), test::i(0));
  }
  const Algorithm bare = builder.build();
  ASSERT_FALSE(check(bare).right());
  const Repair repair = fix(bare);
  ASSERT_TRUE(repair.algorithm) << repair.reason;
  EXPECT_TRUE(check(*repair.algorithm).right());
}

TEST(MscclFix, refuses_what_no_dependency_repairs) {
  Algorithm algorithm = test::msccl_ring(3);
  algorithm.gpus[0].blocks[0].steps.pop_back();
  const Repair repair = fix(algorithm);
  EXPECT_FALSE(repair.algorithm);
  EXPECT_NE(repair.reason.find("no dependency repairs this: unpaired"), std::string::npos)
      << repair.reason;
}

}  // namespace
}  // namespace weft::format::msccl
