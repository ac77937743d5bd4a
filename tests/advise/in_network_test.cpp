// Bounds of schedules whose switches combine, by the proofs of docs/explanation/proofs.md.
#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "weft/advise/comparison.hpp"
#include "weft/evaluate/evaluation.hpp"

namespace weft::advise {
namespace {

using schedule::allreduce;
using test::on;

// A host sends its M and receives the sum's: 1 in place of 2 (N - 1) / N. Four boxes, each of eight
// cards of 400 Gb/s, B 4,000: 10/8 around a box, where ranks that combine have 31/16 by their
// ports.
TEST(InNetwork, bounds_an_allreduce_by_one_copy_each_way) {
  const Network tree = on("fat-tree:4,2");
  const auto ranks = lower_bounds(allreduce(16), tree, Cuts::taken);
  const auto switches = lower_bounds(allreduce(16), tree, Cuts::taken, Combining::in_network);
  EXPECT_EQ(ranks.greatest(), Rational(15, 8));
  EXPECT_EQ(switches.bandwidth_factor, Rational(1));
  EXPECT_EQ(switches.greatest(), Rational(1));
  EXPECT_EQ(switches.steps, ranks.steps);
  const Network boxes = on("boxes(4, network:dgx-h100)");
  EXPECT_EQ(lower_bounds(allreduce(32), boxes, Cuts::taken).greatest(), Rational(31, 16));
  EXPECT_EQ(lower_bounds(allreduce(32), boxes, Cuts::taken, Combining::in_network).greatest(),
            Rational(5, 4));
}

// What a broadcast has to send no switch makes less.
TEST(InNetwork, leaves_other_bounds_as_they_are) {
  const Network tree = on("leaf-spine:leaves=3,spines=2,hosts=4");
  for (const Collective& collective : {schedule::broadcast(12), schedule::reduce(12)})
    EXPECT_EQ(lower_bounds(collective, tree, Cuts::taken, Combining::in_network).greatest(),
              lower_bounds(collective, tree, Cuts::taken).greatest());
}

// No contender beats the bound that it is held against.
TEST(InNetwork, holds_each_contender_against_its_own_bound) {
  const Network tree = on("fat-tree:4,2");
  const Comparison comparison =
      compare(allreduce(16), tree,
              {.algorithms = {"ring", "switch-tree"}, .sizes_B = {8, std::int64_t{1} << 30}});
  ASSERT_EQ(comparison.contenders.size(), 2U);
  EXPECT_EQ(comparison.contenders[0].combining, Combining::at_ranks);
  EXPECT_EQ(comparison.contenders[1].combining, Combining::in_network);
  for (const Contender& contender : comparison.contenders)
    EXPECT_GE(contender.at_largest ? contender.at_largest->cost.bandwidth_factor
                                   : contender.cost.bandwidth_factor,
              comparison.bounds_of(contender).greatest());
  EXPECT_LT(comparison.contenders[1].at_largest->cost.bandwidth_factor,
            comparison.bounds.greatest());
  EXPECT_FALSE(compare(allreduce(16), tree, {.algorithms = {"ring"}, .sizes_B = {8}}).in_network);
}

}  // namespace
}  // namespace weft::advise
