// Steps of training whose tasks are worked out by hand.
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

constexpr double kSecond_ps = 1e12;

double seconds_of(TrainingStep step, double of_each_call_s) {
  step.set_times(std::vector<std::int64_t>(step.calls.size(),
                                           static_cast<std::int64_t>(of_each_call_s * kSecond_ps)));
  return static_cast<double>(end_of(step.timeline.run())) / kSecond_ps;
}

StepOptions of_data(std::int32_t ranks, std::int64_t bucket_B) {
  return {.parallel = {.data = ranks}, .bucket_B = bucket_B};
}

// Forward 4, backward 8; each layer's gradients go behind it, 3 s each: 2 s of the first are
// hidden... backward of layers ends at 6, 8, 10, 12; sums run 6..9, 9..12, 12..15, 15..18.
TEST(TrainingStep, hides_sums_behind_backward) {
  const TrainingStep step = step_of(layers_of(4), of_data(2, 1));
  EXPECT_EQ(seconds_of(step, 3), 18);
  EXPECT_EQ(seconds_of(step, 1), 13);  // all but the last are hidden
  EXPECT_EQ(seconds_of(step, 0), 12);  // computing alone
}

TEST(TrainingStep, sums_one_bucket_of_everything_at_the_end) {
  const TrainingStep step = step_of(layers_of(4), of_data(2, 1'000'000));
  ASSERT_EQ(step.calls.size(), 1);
  EXPECT_EQ(step.calls[0], (GroupCall{GroupKind::replicas, CollectiveKind::allreduce, 1600}));
  EXPECT_EQ(seconds_of(step, 5), 17);
}

// 400 bytes a layer: two reach 500; tensors are not cut.
TEST(TrainingStep, fills_buckets_from_the_last_layer_on) {
  const TrainingStep step = step_of(layers_of(5), of_data(2, 500));
  std::vector<std::int64_t> sizes_B;
  for (const StepTask& task : step.tasks)
    if (task.call >= 0) sizes_B.push_back(step.calls[task.call].size_B);
  EXPECT_EQ(sizes_B, (std::vector<std::int64_t>{800, 800, 400}));
}

TEST(TrainingStep, sends_nothing_alone) {
  EXPECT_TRUE(step_of(layers_of(3), of_data(1, 1)).calls.empty());
}

// Prefetch 0: each of 2 layers waits for its parameters, forward and backward, 1 s each:
// forward 1+1+1+1, backward 1+2+1+2, and the last scatter of 1 behind the end.
TEST(TrainingStep, gathers_parameters_ahead) {
  StepOptions options{.parallel = {.replicas = DataParallel::sharded, .data = 4}, .prefetch = 0};
  const TrainingModel model = layers_of(2);
  const TrainingStep waits = step_of(model, options);
  // 100 parameters in 4 shards of 100 B; gradients of 400 B.
  EXPECT_EQ(bytes_asked(waits, CollectiveKind::allgather), 4 * 100);
  EXPECT_EQ(bytes_asked(waits, CollectiveKind::reduce_scatter), 2 * 400);
  EXPECT_EQ(seconds_of(waits, 0), 6);
  // 0 g 1 c 2 g 3 c 4 g 5 c 7 (g and s: 7..8, 8..9, in order of readiness: both at 7, the scatter
  // was added first) c 9..11, s 11..12.
  EXPECT_EQ(seconds_of(waits, 1), 12);
  options.prefetch = 1;
  // g 0..1, g 1..2 (ready at once: the layer that is one ahead begins at 0); c 1..2, c 2..3;
  // g 2..3 for the last layer's backward (begins with the forward of the last but one... at 2), c
  // 3..5; g 3..4; c 5..7; scatters 5..6, 7..8.
  EXPECT_EQ(seconds_of(step_of(model, options), 1), 8);
}

// GPipe and 1F1B of p stages of 3 s (1 forward, 2 backward) and m micro-batches take
// (m + p - 1) (1 + 2) (Narayanan et al., section 2.2).
TEST(TrainingStep, fills_pipelines) {
  for (const PipelineOrder order : {PipelineOrder::one_f_one_b, PipelineOrder::gpipe})
    for (const std::int32_t stages : {2, 4})
      for (const std::int32_t micro_batches : {4, 8}) {
        const StepOptions options{.parallel = {.pipeline = stages},
                                  .samples = static_cast<double>(micro_batches),
                                  .micro_batches = micro_batches,
                                  .order = order};
        const TrainingModel model = layers_of(stages);
        LayerTimes times = of_seconds(model);
        for (LayerTime& time : times.layers) time = {1.0 * micro_batches, 2.0 * micro_batches};
        EXPECT_EQ(seconds_of(training_step(model, times, options), 0),
                  3 * (micro_batches + stages - 1));
      }
}

// Runs a v-th as long divide the bubble by v: m + (p - 1) / v (Narayanan et al., section 2.2).
TEST(TrainingStep, interleaves_pipelines) {
  for (const std::int32_t runs : {2, 3})
    for (const std::int32_t micro_batches : {4, 8, 12}) {
      constexpr std::int32_t kStages = 4;
      const StepOptions options{.parallel = {.pipeline = kStages},
                                .micro_batches = micro_batches,
                                .virtual_stages = runs};
      const TrainingModel model = layers_of(kStages * runs);
      LayerTimes times = of_seconds(model);
      for (LayerTime& time : times.layers) time = {1.0 * micro_batches, 2.0 * micro_batches};
      EXPECT_EQ(seconds_of(training_step(model, times, options), 0),
                3 * (micro_batches * runs + kStages - 1));
    }
}

TEST(TrainingStep, sends_activations_to_the_next_stage_and_back) {
  const TrainingStep step =
      step_of(layers_of(4), {.parallel = {.pipeline = 2}, .samples = 8, .micro_batches = 4});
  // 10 numbers of 4 bytes of 2 samples, for each of 4 micro-batches, each way.
  ASSERT_EQ(step.calls.size(), 2);
  for (const GroupCall& call : step.calls) {
    EXPECT_EQ(call.kind, CollectiveKind::point_to_point);
    EXPECT_EQ(call.size_B, 80);
    EXPECT_EQ(call.stage, call.groups == GroupKind::next ? 0 : 1);
  }
  EXPECT_EQ(step.uses(), (std::vector<std::int64_t>{4, 4}));
}

// An allreduce after each layer forward, and backward after each but the first, whose input has no
// gradients (Shoeybi et al., section 3); with sequence parallelism a gather before and a scatter
// after each.
TEST(TrainingStep, joins_what_tensor_groups_split) {
  StepOptions options{.parallel = {.tensor = 2}, .samples = 3};
  const TrainingStep summed = step_of(layers_of(2), options);
  EXPECT_EQ(bytes_asked(summed, CollectiveKind::allreduce), 3 * (10 * 3 * 4));
  EXPECT_EQ(seconds_of(summed, 1), 6 + 3);
  options.parallel.sequence = true;
  const TrainingStep split = step_of(layers_of(2), options);
  EXPECT_EQ(bytes_asked(split, CollectiveKind::reduce_scatter), 3 * (10 * 3 * 4));
  EXPECT_EQ(bytes_asked(split, CollectiveKind::allgather), 3 * (10 * 3 * 4) / 2);
  EXPECT_EQ(seconds_of(split, 1), 6 + 6);
}

// Words are looked up in parts and summed; logits are computed in parts and stay so, and the
// gradients of what goes into the head are summed: 3 numbers a sample each way, never its 50.
TEST(TrainingStep, keeps_the_vocabulary_split) {
  TrainingModel model = layers_of(3);
  model.layers[0] = {.name = "words", .kind = LayerKind::embedding, .activations = 3};
  model.layers[1].activations = 3;
  model.layers[2] = {.name = "head", .kind = LayerKind::head, .activations = 50};
  const TrainingStep step = step_of(model, {.parallel = {.tensor = 2}});
  // Forward of words and the layer between; backward of the head and the layer between.
  EXPECT_EQ(bytes_asked(step, CollectiveKind::allreduce), 4 * (3 * 4));
}

// Whole layers are computed in parts, by the ranks of a tensor group.
TEST(TrainingStep, computes_a_share_of_split_layers) {
  TrainingModel model = layers_of(2);
  model.layers[1].kind = LayerKind::normalization;
  LayerTimes times = of_seconds(model);
  times.whole_layers = true;
  EXPECT_EQ(seconds_of(training_step(model, times, {.parallel = {.tensor = 4}}), 0), 3.0 / 4 + 3);
  const StepOptions by_tokens{.parallel = {.tensor = 4, .sequence = true}};
  EXPECT_EQ(seconds_of(training_step(model, times, by_tokens), 0), 6.0 / 4);
}

TrainingModel with_experts(int layers) {
  TrainingModel model = layers_of(layers);
  model.layers[1].experts = Experts{.count = 8};
  return model;
}

// Two all-to-alls forward and two backward, of 10 numbers a sample; the experts' gradients stay.
TEST(TrainingStep, sends_tokens_to_experts_and_back) {
  const StepOptions options{
      .parallel = {.replicas = DataParallel::experts, .data = 4}, .samples = 6, .bucket_B = 1};
  const TrainingStep step = step_of(with_experts(3), options);
  EXPECT_EQ(bytes_asked(step, CollectiveKind::alltoall), 4 * (10 * 6 * 4 / 4));
  EXPECT_EQ(bytes_asked(step, CollectiveKind::allreduce), 2 * 400);
  // Forward 1, 1 1 1, 1: 5. Backward of the last layer until 7; its sum, 7..8, was ready as the
  // all-to-all was, which goes first: 7..8, sum 8..9, expert 8..10, back 10..11, first 11..13, sum
  // 13..14.
  EXPECT_EQ(seconds_of(step, 1), 14);
}

// The all-to-all that waits goes before sums that wait, but for the one under way; or in turn.
TEST(TrainingStep, lets_tokens_overtake_sums_that_wait) {
  StepOptions options{.parallel = {.replicas = DataParallel::experts, .data = 4}, .bucket_B = 1};
  const TrainingModel model = with_experts(4);
  const auto calls = [&](const TrainingStep& step) {
    std::vector<std::int64_t> times;
    for (const GroupCall& call : step.calls)
      times.push_back(call.kind == CollectiveKind::allreduce ? 5'000'000'000'000 : 0);
    return times;
  };
  // Forward 4; backward of layers 3 and 2 until 6 and 8; sums of layer 3 6..11; tokens wait until
  // 11 and take no time; expert 11..13; sum of layer 2 11..16; tokens back at 16; layer 0 16..18;
  // its sum 18..23.
  TrainingStep step = step_of(model, options);
  step.set_times(calls(step));
  EXPECT_EQ(end_of(step.timeline.run()), 23'000'000'000'000);
  // In turn: sum of layer 2, ready at 8 as the tokens are but added first, 11..16; tokens 16;
  // expert 16..18; back 18; layer 0 18..20; its sum 20..25.
  options.first_come = true;
  step = step_of(model, options);
  step.set_times(calls(step));
  EXPECT_EQ(end_of(step.timeline.run()), 25'000'000'000'000);
}

// A measurement has the room that experts had to spare in it; operations have not.
TEST(TrainingStep, scales_experts_by_their_capacity) {
  TrainingModel model = with_experts(2);
  model.layers[1].experts->capacity = 1.5;
  const StepOptions options{.parallel = {.replicas = DataParallel::experts, .data = 2},
                            .samples = 4};
  const TrainingStep step = step_of(model, options);
  EXPECT_EQ(bytes_asked(step, CollectiveKind::alltoall), 4 * (10 * 4 * 4 / 2 * 3 / 2));
  EXPECT_EQ(seconds_of(step, 0), 3 + 3);
  // 5 samples of 1 and 1.5 operations' time a step of 5 / 1 s: a third each way.
  const LayerTimes by_rate = times_by_throughput(model, 1, 5);
  EXPECT_DOUBLE_EQ(by_rate.layers[0].forward_s, 5. / 3 * 1 / 2.5);
  EXPECT_DOUBLE_EQ(by_rate.layers[1].forward_s, 5. / 3 * 1.5 / 2.5);
  EXPECT_DOUBLE_EQ(by_rate.total_s(), 5);
}

// Each rank finds the experts of its tokens by a whole router: nothing is summed behind it.
TEST(TrainingStep, leaves_routers_whole) {
  const StepOptions options{.parallel = {.tensor = 2}, .samples = 6};
  TrainingModel model = layers_of(3);
  const auto sums_B = [&] {
    return bytes_asked(step_of(model, options), CollectiveKind::allreduce);
  };
  const std::int64_t sum_B = 10 * 6 * 4;
  EXPECT_EQ(sums_B(), (3 + 2) * sum_B);  // forward, and backward but before the first
  model.layers[1].kind = LayerKind::router;
  EXPECT_EQ(sums_B(), (2 + 1) * sum_B);
}

// Ranks of a tensor group have a part of each expert. By tokens: each sends its half, 10 * 6 / 2
// numbers to 4 ranks, gathers 2 halves before the expert and scatters sums behind it. Else each
// sends all of them, and the group sums up what its parts make.
TEST(TrainingStep, splits_experts_among_tensor_groups) {
  StepOptions options{.parallel = {.replicas = DataParallel::experts, .tensor = 2, .data = 4},
                      .samples = 6,
                      .bucket_B = 1};
  TrainingModel model = with_experts(3);
  model.layers[0].kind = model.layers[2].kind = LayerKind::normalization;
  const std::int64_t tokens_B = 10 * 6 * 4;
  const TrainingStep whole = step_of(model, options);
  EXPECT_EQ(bytes_asked(whole, CollectiveKind::alltoall), 4 * tokens_B / 4);
  EXPECT_EQ(bytes_asked(whole, CollectiveKind::allreduce), 2 * tokens_B + 2 * 400);
  options.parallel.sequence = true;
  const TrainingStep parts = step_of(model, options);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::alltoall), 4 * tokens_B / 2 / 4);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::allgather), 2 * tokens_B / 2);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::reduce_scatter), 2 * tokens_B);
  EXPECT_EQ(bytes_asked(parts, CollectiveKind::allreduce), 2 * 400);  // experts' have one owner
  LayerTimes times = of_seconds(model);
  times.whole_layers = true;
  EXPECT_EQ(seconds_of(training_step(model, times, options), 0), 9. / 2);
}

TEST(TrainingStep, splits_layers_into_even_runs) {
  TrainingModel model = layers_of(5);
  LayerTimes times = of_seconds(model);
  times.layers[0] = {3, 6};
  const TrainingStep step =
      training_step(model, times, {.parallel = {.pipeline = 2}, .micro_batches = 2});
  EXPECT_EQ(step.runs, (std::vector<std::int32_t>{0, 2, 5}));  // 9 + 3, 9
}

TEST(TrainingStep, refuses_what_cannot_be) {
  const auto said = [](const TrainingModel& model, const StepOptions& options) {
    try {
      step_of(model, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said(layers_of(2, LayerKind::convolution), {.parallel = {.tensor = 2}}),
            "layer layer.0 is a convolution, which tensor groups cannot split; remove tensor=2");
  EXPECT_EQ(said(layers_of(2), {.parallel = {.pipeline = 4}, .micro_batches = 4}),
            "4 stages are more than the 2 layers of stack; use at most 2");
  EXPECT_EQ(said(layers_of(4), {.parallel = {.pipeline = 4}, .micro_batches = 1}),
            "1 micro-batch cannot fill a pipeline of 4 stages; use 4 or more");
  EXPECT_EQ(
      said(layers_of(4), {.parallel = {.pipeline = 2}, .micro_batches = 3, .virtual_stages = 2}),
      "3 micro-batches are not a multiple of the 2 stages, which virtual stages need; use 4");
  const Parallelism experts{.replicas = DataParallel::experts, .data = 16};
  EXPECT_EQ(said(with_experts(2), {.parallel = experts}),
            "layer layer.1 has 8 experts for 16 ranks; use at most 8 ranks");
  EXPECT_EQ(said(layers_of(2), {.parallel = experts}),
            "stack has no layer with experts; write --parallel data");
  Parallelism six = experts;
  six.data = 6;
  EXPECT_EQ(said(with_experts(2), {.parallel = six}),
            "8 experts of layer layer.1 cannot be divided evenly among 6 ranks; use a divisor of "
            "8");
}

}  // namespace
}  // namespace weft::workload
