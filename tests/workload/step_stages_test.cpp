// Steps on several stages: what they share, wait for and send, worked out by hand.
#include "weft/workload/step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "support/training/layer_stacks.hpp"
#include "weft/base/error.hpp"

namespace weft::workload {
namespace {

using schedule::CollectiveKind;
using test::bytes_asked;
using test::layers_of;
using test::of_seconds;
using test::step_of;

StepOptions of_data(std::int32_t ranks, std::int64_t bucket_B) {
  return {.parallel = {.data = ranks}, .bucket_B = bucket_B};
}

// Two stages of two layers; the head, tied to layer 0, has a copy: 400 B more on its stage, and a
// sum of both copies' 400 B behind all sums.
TEST(TrainingStep, sums_tied_parameters_over_their_stages) {
  TrainingModel model = layers_of(4);
  model.layers[3].parameters = 0;
  model.layers[3].tied = 0;
  const StepOptions options{
      .parallel = {.pipeline = 2, .data = 2}, .samples = 2, .micro_batches = 2};
  const TrainingStep step = step_of(model, options);
  const GroupCall tied{GroupKind::tied, CollectiveKind::allreduce, 400, 0, 1};
  ASSERT_EQ(std::ranges::count(step.calls, tied), 1);
  EXPECT_EQ(bytes_asked(step, CollectiveKind::allreduce), 800 + 400);  // alike on both stages
  // 6 layers' time a micro-batch and stage, in a pipeline of 3 slots of 6 / 2: 9; sums of stage 0
  // until 10, and the copies' until 11. Messages take no time here.
  std::vector<std::int64_t> times;
  for (const GroupCall& call : step.calls)
    times.push_back(call.kind == CollectiveKind::allreduce ? 1'000'000'000'000 : 0);
  TrainingStep timed = step;
  timed.set_times(times);
  EXPECT_EQ(end_of(timed.timeline.run()), 11'000'000'000'000);
  // On one stage it is the embedding's own tensor.
  const TrainingStep whole = step_of(model, of_data(2, 1'000'000));
  ASSERT_EQ(whole.calls.size(), 1);
  EXPECT_EQ(whole.calls[0].size_B, 3 * 400);
}

// Two of three stages sum 400 B and the last 800: each its own, as the others do something else.
TEST(TrainingStep, tells_the_stages_that_make_a_call) {
  TrainingModel model = layers_of(3);
  const StepOptions options{
      .parallel = {.pipeline = 3, .data = 2}, .samples = 3, .micro_batches = 3};
  const auto sums = [&] {
    std::vector<std::pair<std::int64_t, std::int32_t>> found;
    for (const GroupCall& call : step_of(model, options).calls)
      if (call.kind == CollectiveKind::allreduce) found.emplace_back(call.size_B, call.stage);
    std::ranges::sort(found);
    return found;
  };
  using Sums = std::vector<std::pair<std::int64_t, std::int32_t>>;
  EXPECT_EQ(sums(), (Sums{{400, GroupCall::kAllStages}}));
  model.layers[2].parameters = 200;
  EXPECT_EQ(sums(), (Sums{{400, 0}, {400, 1}, {800, 2}}));
}

TEST(TrainingStep, gathers_tied_parameters_for_each_use) {
  TrainingModel model = layers_of(3);
  model.layers[2].parameters = 0;
  const StepOptions options{.parallel = {.replicas = DataParallel::sharded, .data = 4}};
  const auto apart = step_of(model, options);
  model.layers[2].tied = 0;
  const auto tied = step_of(model, options);
  EXPECT_EQ(bytes_asked(apart, CollectiveKind::allgather), 4 * 100);
  EXPECT_EQ(bytes_asked(tied, CollectiveKind::allgather), 6 * 100);
  EXPECT_EQ(bytes_asked(tied, CollectiveKind::reduce_scatter), 3 * 400);
}

// The sum of layer 2's gradients takes 5 from 6 on, those of layer 1's are ready at 8: the sum of
// activations, ready at 8 as well, goes before them at 11, or behind them, at 16.
TEST(TrainingStep, lets_activations_overtake_sums_that_wait) {
  TrainingModel model = layers_of(3, LayerKind::normalization);
  model.layers[1].kind = LayerKind::feed_forward;
  StepOptions options{.parallel = {.tensor = 2, .data = 2}, .bucket_B = 1};
  const auto end_of_step = [&] {
    TrainingStep step = step_of(model, options);
    std::vector<std::int64_t> times;
    for (const GroupCall& call : step.calls)
      times.push_back(call.groups == GroupKind::replicas ? 5'000'000'000'000 : 0);
    step.set_times(times);
    return end_of(step.timeline.run()) / 1'000'000'000'000;
  };
  // Forward 3; backward 5, 7, sums 5..10; activations' gradients at 10 or 15; layer 0 until 12 or
  // 17. The last sum follows at 15 or 17.
  EXPECT_EQ(end_of_step(), 20);
  options.first_come = true;
  EXPECT_EQ(end_of_step(), 22);
}

// With 2 ranks each sends half of the 10 numbers a sample, and gathers the halves on arrival.
TEST(TrainingStep, sends_parts_of_activations_and_gathers_them) {
  StepOptions options{.parallel = {.tensor = 2, .pipeline = 2}, .samples = 8, .micro_batches = 4};
  const TrainingModel model = layers_of(4, LayerKind::normalization);
  EXPECT_EQ(bytes_asked(step_of(model, options), CollectiveKind::point_to_point), 2 * 4 * 80);
  EXPECT_EQ(bytes_asked(step_of(model, options), CollectiveKind::allgather), 0);
  options.scatter_gather = true;
  const TrainingStep parts = step_of(model, options);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::point_to_point), 2 * 4 * 40);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::allgather), 4 * 40);  // of each stage
}

// Stage 1 waits 1 for the forward pass of stage 0, then 3 for its message; stage 0 waits likewise
// for gradients.
TEST(TrainingStep, counts_messages_on_their_way_to_a_stage) {
  const TrainingModel model = layers_of(2);
  LayerTimes times = of_seconds(model);
  for (LayerTime& time : times.layers) time = {2, 4};  // 1 and 2 of two micro-batches
  TrainingStep step =
      training_step(model, times, {.parallel = {.pipeline = 2}, .samples = 2, .micro_batches = 2});
  step.set_times(std::vector<std::int64_t>(step.calls.size(), 3'000'000'000'000));
  const auto ran = step.timeline.run();
  // Stage 0: F0 0..1, F1 1..2. Messages 1..4, 4..7. Stage 1: F0 4..5, B0 5..7, F1 7..8, B1 8..10;
  // back 7..10, 10..13. Stage 0: B0 10..12, B1 13..15.
  ASSERT_EQ(end_of(ran), 15'000'000'000'000);
  const auto shares = [&](std::int32_t stage) {
    return shares_of(step.timeline, ran, stage * TrainingStep::kStreams, step.streams_beside(stage),
                     end_of(ran));
  };
  EXPECT_EQ(shares(1).compute_ps, 6'000'000'000'000);
  EXPECT_EQ(shares(1).other_ps, 6'000'000'000'000);  // 1..4 comes, 10..13 goes
  EXPECT_EQ(shares(1).idle_ps, 3'000'000'000'000);   // 0..1 and 13..15
  EXPECT_EQ(shares(0).other_ps, 9'000'000'000'000);  // 2..10 goes and comes, 12..13 comes
  EXPECT_EQ(shares(0).idle_ps, 0);
}

// Layer 3 alone has other gradients: its stage's sum is of its groups; messages are of those who
// send.
TEST(TrainingStep, tells_which_stage_makes_a_call) {
  TrainingModel model = layers_of(4);
  model.layers[3].parameters = 300;
  const TrainingStep step =
      step_of(model, {.parallel = {.pipeline = 2, .data = 2}, .micro_batches = 2, .bucket_B = 1});
  for (const GroupCall& call : step.calls)
    if (call.kind == CollectiveKind::allreduce) {
      EXPECT_EQ(call.stage, call.size_B == 1200 ? 1 : GroupCall::kAllStages) << call.size_B;
    }
}

std::string file_with(const std::string& text) {
  const std::string path = testing::TempDir() + "layer_times.csv";
  std::ofstream(path) << text;
  return path;
}

// Backward takes twice forward where it was not measured.
TEST(LayerTimesFile, may_leave_backward_out) {
  const TrainingModel model = layers_of(2);
  const LayerTimes times =
      read_layer_times(file_with("forward_s,layer\n0.5,layer.0\n0.25,layer.1\n"), model);
  EXPECT_EQ(times.layers[0].backward_s, 1);
  EXPECT_EQ(times.layers[1].backward_s, 0.5);
  const LayerTimes both = read_layer_times(
      file_with("layer,forward_s,backward_s\nlayer.0,0.5,3\nlayer.1,0.25,4\n"), model);
  EXPECT_EQ(both.layers[0].backward_s, 3);
  EXPECT_THROW(read_layer_times(file_with("layer,backward_s\nlayer.0,1\n"), model), InvalidInput);
  EXPECT_THROW(
      read_layer_times(file_with("layer,forward_s,forward_s\nlayer.0,1,2\nlayer.1,1,2\n"), model),
      InvalidInput);
}

}  // namespace
}  // namespace weft::workload
