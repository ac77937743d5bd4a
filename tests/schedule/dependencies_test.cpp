#include "weft/schedule/dependencies.hpp"

#include <gtest/gtest.h>

#include "weft/base/checked.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::schedule {
namespace {

using Instances = std::vector<MessageInstance>;

Instances sources(const Dependencies& all, std::int64_t message) {
  const auto found = all.sources(message);
  return {found.begin(), found.end()};
}
Instances landings(const Dependencies& all, std::int64_t message) {
  const auto found = all.before_landing(message);
  return {found.begin(), found.end()};
}

TEST(Dependencies, a_chain_waits_link_by_link) {
  ScheduleBuilder builder(broadcast(3));
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  builder.at(1).send(Rank(1), Rank(2), builder.everything());
  const Dependencies all = find_dependencies(verify_own(std::move(builder).build()));
  EXPECT_EQ(sources(all, 0), Instances{});
  EXPECT_EQ(sources(all, 1), (Instances{{0, 0}}));
  EXPECT_EQ(landings(all, 1), Instances{});
}

TEST(Dependencies, a_partial_sum_waits_for_all_that_is_in_it) {
  // 1 and 2 reduce onto 0, which sends the sum back: both sources, and each copy waits for what 1
  // and 2 had sent.
  ScheduleBuilder builder(allreduce(3));
  for (const int r : {1, 2})
    builder.at(0).send(Rank(r), Rank(0), builder.everything(), Arrival::reduce);
  for (const int r : {1, 2}) builder.at(1).send(Rank(0), Rank(r), builder.everything());
  const Dependencies all = find_dependencies(verify_own(std::move(builder).build()));
  EXPECT_EQ(landings(all, 1), (Instances{{0, 0}}));  // two reductions on one unit
  EXPECT_EQ(sources(all, 2), (Instances{{0, 0}, {1, 0}}));
  EXPECT_EQ(sources(all, 3), (Instances{{0, 0}, {1, 0}}));
  EXPECT_EQ(landings(all, 2), (Instances{{0, 0}}));  // rank 1's send read what is replaced
  EXPECT_EQ(landings(all, 3), (Instances{{1, 0}}));
}

TEST(Dependencies, a_shift_pattern_waits_for_its_own_translate) {
  // In a ring allgather rank 0 passes on in step t what came in step t - 1 from rank n - 1: the
  // stored message of that step, moved by n - 1.
  const int n = 5;
  ScheduleBuilder builder(allgather(n), {.symmetry = Symmetry::translations({n})});
  for (int t = 0; t < n - 1; ++t) builder.at(t).send(Rank(0), Rank(1), builder.block(mod(-t, n)));
  const Schedule ring = std::move(builder).build();
  const Dependencies all = find_dependencies(verify_own(ring));
  EXPECT_EQ(sources(all, 0), Instances{});
  for (int t = 1; t < n - 1; ++t) EXPECT_EQ(sources(all, t), (Instances{{t - 1, n - 1}}));

  // Written out, message t * n + g is the translate by g.
  const Dependencies plain = find_dependencies(verify_own(expand_symmetry(ring)));
  for (int t = 1; t < n - 1; ++t)
    for (int g = 0; g < n; ++g)
      EXPECT_EQ(sources(plain, t * n + g), (Instances{{(t - 1) * n + (g + n - 1) % n, 0}}));
}

}  // namespace
}  // namespace weft::schedule
