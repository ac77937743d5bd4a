// Which algorithm serves a call, where there is little time.
#include "weft/design/network/contest.hpp"

#include <gtest/gtest.h>

#include "weft/base/work/time_limit.hpp"
#include "weft/topology/registry.hpp"

namespace weft::design {
namespace {

// Where time is left for a few algorithms: a block to each receiver is at the bound of a rank's
// port, 39/40 of M, which Bruck's of fewest steps, log2 40 of them, takes more than twice.
TEST(DesignContest, takes_the_best_of_quick_algorithms) {
  const auto built = topology::build_topology("leaf-spine:leaves=5,spines=8,hosts=8");
  const Network network = fields::make_network({}, built, {});
  Contest contest(schedule::alltoall(40), network, 1 << 20, Contestants::first);
  EXPECT_EQ(contest.by_alpha_beta().algorithm, "bruck");
  {
    const TimeLimit over(0.0);
    EXPECT_THROW(contest.time_quick_ones(), OutOfTime);
    EXPECT_EQ(contest.by_alpha_beta().algorithm, "bruck");
  }
  contest.time_quick_ones();
  EXPECT_EQ(contest.by_alpha_beta().algorithm, "spread");
  EXPECT_EQ(contest.by_alpha_beta().bandwidth_factor, Rational(39, 40));
}

}  // namespace
}  // namespace weft::design
