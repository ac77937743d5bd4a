// How unevenly tokens go to experts, worked out by hand.
#include "weft/workload/skew.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/workload/step.hpp"

namespace weft::workload {
namespace {

// Popularities 1, 1/2, 1/3, 1/4 of a sum of 25/12: 12/25, 6/25, 4/25, 3/25. On two ranks in turn:
// 16/25 and 9/25.
TEST(Skew, follows_zipfs_law) {
  const ExpertLoad load = expert_load({.count = 4, .capacity = 4}, 2, {.exponent = 1});
  ASSERT_EQ(load.of_ranks.size(), 2);
  EXPECT_NEAR(load.of_ranks[0], 16. / 25, 1e-12);
  EXPECT_NEAR(load.of_ranks[1], 9. / 25, 1e-12);
  EXPECT_NEAR(load.dropped, 0, 1e-12);
  EXPECT_NEAR(load.most(), 16. / 25, 1e-12);
}

// Room for a quarter: 12/25 becomes 1/4, the others are below.
TEST(Skew, drops_what_experts_have_no_room_for) {
  const ExpertLoad load = expert_load({.count = 4, .capacity = 1}, 4, {.exponent = 1});
  EXPECT_NEAR(load.of_ranks[0], 1. / 4, 1e-12);
  EXPECT_NEAR(load.of_ranks[1], 6. / 25, 1e-12);
  EXPECT_NEAR(load.dropped, 12. / 25 - 1. / 4, 1e-12);
}

TEST(Skew, of_nothing_is_even) {
  const ExpertLoad load = expert_load({.count = 8}, 4, {});
  for (const double share : load.of_ranks) EXPECT_DOUBLE_EQ(share, 0.25);
  EXPECT_EQ(load.dropped, 0);
}

TEST(Skew, is_read_from_text) {
  EXPECT_EQ(parse_skew("zipf:1.1").exponent, 1.1);
  EXPECT_EQ(parse_skew("Zipf:0").exponent, 0);
  EXPECT_EQ(text_of(parse_skew("zipf:1.10")), "zipf:1.1");
  for (const char* text : {"", "zipf", "zipf:", "zipf:-1", "zipf:11", "zipf:nan", "pareto:1"})
    EXPECT_THROW(parse_skew(text), InvalidInput) << text;
}

TrainingModel with_experts(double capacity) {
  TrainingModel model;
  model.name = "sparse";
  for (int i = 0; i < 2; ++i)
    model.layers.push_back({.name = "layer." + std::to_string(i),
                            .kind = LayerKind::feed_forward,
                            .parameters = 100,
                            .operations = 1,
                            .activations = 10});
  model.layers[1].experts = Experts{.count = 4, .capacity = capacity};
  return model;
}

TrainingStep step_of(const TrainingModel& model, const std::optional<Skew>& skew) {
  const LayerTimes times{.layers = {{1, 2}, {1, 2}}, .whole_layers = false};
  return training_step(
      model, times,
      {.parallel = {.replicas = DataParallel::experts, .data = 2}, .samples = 5, .skew = skew});
}

// 10 numbers of 5 samples, of 4 bytes: 200 B a rank, 16/25 and 9/25 of them to each; and back. The
// slower rank computes 2 * 16/25 of an even share, of the measured time for four times that.
TEST(Skew, makes_all_to_alls_unequal) {
  const TrainingStep step = step_of(with_experts(4), Skew{.exponent = 1});
  int there = 0, back = 0;
  for (const GroupCall& call : step.calls) {
    if (call.kind != schedule::CollectiveKind::alltoall) continue;
    EXPECT_EQ(call.parts_B, (std::vector<std::int64_t>{128, 72}));
    EXPECT_EQ(call.size_B, 128);
    ++(call.back ? back : there);
  }
  EXPECT_EQ(there, 1);
  EXPECT_EQ(back, 1);
  EXPECT_NEAR(static_cast<double>(end_of(step.timeline.run())), 1e12 * (3 + 3 * 32. / 25 / 4), 2);
  EXPECT_EQ(step.dropped, 0);
}

// Half of an even share is room for half of the tokens, whatever their number is divided by.
TEST(Skew, drops_even_tokens_too) {
  EXPECT_EQ(dropped_share({.count = 7, .capacity = 0.5}, {}), 0.5);
  EXPECT_EQ(dropped_share({.count = 7, .capacity = 1}, {}), 0);
  EXPECT_EQ(dropped_share({.count = 7, .capacity = 1.25}, {}), 0);
  EXPECT_NEAR(dropped_share({.count = 4, .capacity = 1}, Skew{.exponent = 1}), 12. / 25 - 1. / 4,
              1e-12);
  EXPECT_EQ(step_of(with_experts(0.5), {}).dropped, 0.5);
}

// Without padding: room to spare changes nothing. A little skew is a little more of that.
TEST(Skew, of_zero_is_the_even_step) {
  const TrainingStep even = step_of(with_experts(1), {});
  for (const double capacity : {1., 1.25, 2.}) {
    const TrainingStep zero = step_of(with_experts(capacity), parse_skew("zipf:0"));
    EXPECT_EQ(zero.calls, even.calls) << capacity;
    EXPECT_EQ(zero.dropped, 0) << capacity;
  }
  EXPECT_EQ(end_of(step_of(with_experts(1), parse_skew("zipf:0")).timeline.run()),
            end_of(even.timeline.run()));
  EXPECT_NEAR(
      static_cast<double>(
          end_of(step_of(with_experts(2), parse_skew("zipf:0.001")).timeline.run())),
      static_cast<double>(end_of(step_of(with_experts(2), parse_skew("zipf:0")).timeline.run())),
      1e9);
}

}  // namespace
}  // namespace weft::workload
