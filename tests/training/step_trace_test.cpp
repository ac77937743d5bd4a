// Steps of training as traces: they take as long, and are read back equal.
#include "weft/training/trace/step_trace.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "support/trace_files.hpp"
#include "weft/training/trace/trace_run.hpp"

namespace weft::training {
namespace {

using test::read_traces;

workload::TrainingModel blocks(int count, bool sparse, bool tied = false,
                               double activations = 50'000) {
  workload::TrainingModel model;
  model.name = "blocks";
  for (int i = 0; i < count; ++i)
    model.layers.push_back({.name = "layer." + std::to_string(i),
                            .kind = workload::LayerKind::feed_forward,
                            .parameters = 1'000'000 + 3 * i,
                            .operations = 1,
                            .activations = activations,
                            .experts = sparse && i % 2 == 1
                                           ? std::optional(workload::Experts{.count = 8})
                                           : std::nullopt});
  if (tied) model.layers.back().tied = 0;
  return model;
}

struct StepCase {
  const char* name;
  workload::Parallelism parallel;
  std::int32_t micro_batches = 1, virtual_stages = 1;
  const char* order = "tensor,data,pipeline";
  const char* network = "torus:2x4";
  bool tied = false;
  double activations = 50'000;
};

class StepTraces : public testing::TestWithParam<StepCase> {};

// The trace of a step, written, read and run, takes as long as the step, messages that meet others
// included.
TEST_P(StepTraces, take_as_long_as_their_steps) {
  using workload::DataParallel;
  const StepCase& step = GetParam();
  const bool sparse = step.parallel.replicas == DataParallel::experts;
  const auto model = blocks(8, sparse, step.tied, step.activations);
  workload::LayerTimes times{.layers = {}, .whole_layers = false};
  for (int i = 0; i < 8; ++i) times.layers.push_back({1e-3 + i * 1.000001e-5, 2.1e-3});
  const Network network = test::on(step.network);
  TrainingQuestion asked{.step = {.parallel = step.parallel,
                                  .micro_batches = step.micro_batches,
                                  .virtual_stages = step.virtual_stages},
                         .buckets_B = {8'000'000},
                         .order = RankOrder(step.order)};
  const Training trained = train(model, times, network, asked);
  const StepTrace trace(trained.step, model, step.parallel, asked.order);
  std::vector<std::string> files;
  for (std::int32_t rank = 0; rank < trace.ranks(); ++rank)
    files.push_back(format::encode(trace.of(rank), rank, trace.groups()));
  const TraceRun run = run_trace(read_traces(files), network, {.prices = asked});
  EXPECT_NEAR(run.time_s, trained.time_s, 1e-12 * static_cast<double>(run.nodes));
  EXPECT_NEAR(run.mean.compute_s, trained.shares.compute_s, 1e-9);
  EXPECT_NEAR(run.mean.communication_s,
              trained.shares.gradients_s + trained.shares.alltoall_s + trained.shares.other_s,
              1e-9);
  EXPECT_NEAR(run.mean.idle_s, trained.shares.idle_s, 1e-9);
  EXPECT_LE(run.least_s, run.time_s);
  ASSERT_EQ(run.class_bytes.has_value(), trained.class_bytes.has_value());
  for (const auto& [name, bytes] : *trained.class_bytes)
    EXPECT_NEAR(run.class_bytes->at(name), bytes, 1e-6 * bytes) << name;
}

using workload::DataParallel;

INSTANTIATE_TEST_SUITE_P(
    Parallel, StepTraces,
    testing::Values(
        StepCase{"data", {.data = 8}}, StepCase{"sharded", {DataParallel::sharded, 1, 1, 8}},
        StepCase{"experts", {DataParallel::experts, 1, 1, 8}},
        // Collectives of both kinds are ready at once, when all members have computed.
        StepCase{.name = "sharded_in_stages",
                 .parallel = {DataParallel::sharded, 2, 2, 4},
                 .micro_batches = 2,
                 .network = "torus:4x4"},
        StepCase{.name = "experts_in_stages",
                 .parallel = {DataParallel::experts, 2, 2, 4},
                 .micro_batches = 2,
                 .network = "torus:4x4"},
        StepCase{"tensor", {.tensor = 4, .data = 2}},
        StepCase{"tensor_by_other_order", {.tensor = 4, .data = 2}, 1, 1, "data,tensor,pipeline"},
        StepCase{"pipeline", {.pipeline = 4, .data = 2}, 8},
        StepCase{.name = "all_three",
                 .parallel = {.tensor = 2, .pipeline = 2, .data = 2},
                 .micro_batches = 4},
        StepCase{
            "tied", {.pipeline = 4, .data = 2}, 8, 1, "tensor,data,pipeline", "torus:2x4", true},
        StepCase{"interleaved",
                 {.tensor = 2, .pipeline = 4},
                 8,
                 2,
                 "tensor,data,pipeline",
                 "leaf-spine:leaves=4,spines=2,hosts=2"},
        // Replicas whose messages take longer than others', and longer than what is computed.
        StepCase{.name = "heavy_messages",
                 .parallel = {.pipeline = 8, .data = 5},
                 .micro_batches = 16,
                 .network = "dragonfly:a=4,p=2,h=1",
                 .activations = 20'000'000},
        StepCase{.name = "heavy_messages_of_groups",
                 .parallel = {.tensor = 2, .pipeline = 4, .data = 2},
                 .micro_batches = 8,
                 .network = "leaf-spine:leaves=4,spines=2,hosts=4",
                 .activations = 20'000'000}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

// What was written is read back node by node.
TEST(StepTrace, is_read_back_equal) {
  const auto model = blocks(4, false);
  workload::LayerTimes times{.layers = {}, .whole_layers = false};
  for (int i = 0; i < 4; ++i) times.layers.push_back({1.25e-3, 2.5000001e-3});
  const workload::Parallelism parallel{.tensor = 2, .pipeline = 2, .data = 2};
  const auto step = workload::training_step(
      model, times, {.parallel = parallel, .micro_batches = 4, .bucket_B = 4'000'000});
  const StepTrace trace(step, model, parallel, RankOrder());
  std::vector<std::string> files;
  for (std::int32_t rank = 0; rank < 8; ++rank)
    files.push_back(format::encode(trace.of(rank), rank, trace.groups()));
  const format::Trace back = read_traces(files);
  for (std::int32_t rank = 0; rank < 8; ++rank) {
    const format::RankTrace own = trace.of(rank);
    const auto at = static_cast<std::size_t>(rank);
    const format::RankTrace& read = back.ranks[at];
    ASSERT_EQ(read.nodes.size(), own.nodes.size());
    EXPECT_EQ(read.waits, own.waits);
    EXPECT_EQ(read.names, own.names);
    for (std::size_t i = 0; i < own.nodes.size(); ++i) {
      EXPECT_EQ(read.nodes[i].kind, own.nodes[i].kind);
      EXPECT_EQ(read.nodes[i].duration_ps, own.nodes[i].duration_ps);
      EXPECT_EQ(read.nodes[i].bytes, own.nodes[i].bytes);
      EXPECT_EQ(read.nodes[i].group.has_value(), own.nodes[i].group.has_value());
      if (!own.nodes[i].group) continue;
      EXPECT_EQ(back.groups[static_cast<std::size_t>(*read.nodes[i].group)],
                trace.groups()[static_cast<std::size_t>(*own.nodes[i].group)]);
    }
    EXPECT_TRUE(format::encode(read, rank, back.groups) == files[at]) << rank;
  }
}

}  // namespace
}  // namespace weft::training
