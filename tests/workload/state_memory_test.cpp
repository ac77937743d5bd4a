// Memory of parameters, gradients and optimizer state, by the rule of ZeRO (Rajbhandari et al., SC
// 2020, section 3.1): 2 + 2 + 12 bytes a parameter in mixed precision, 4 + 4 + 8 in fp32.
#include "weft/workload/state_memory.hpp"

#include <gtest/gtest.h>

#include "support/training/layer_stacks.hpp"

namespace weft::workload {
namespace {

using test::layers_of;
using test::step_of;

StepOptions mixed(const Parallelism& parallel) {
  return {.parallel = parallel, .micro_batches = 4, .gradient_B = 2, .parameter_B = 2};
}

StateMemory memory_of(const TrainingModel& model, const StepOptions& options) {
  return state_memory(model, options, step_of(model, options));
}

// Four layers of 100 parameters.
TEST(StateMemory, counts_sixteen_bytes_a_parameter) {
  const StateMemory of_mixed = memory_of(layers_of(4), mixed({.data = 8}));
  EXPECT_EQ(of_mixed.parameters_B, 2 * 400);
  EXPECT_EQ(of_mixed.gradients_B, 2 * 400);
  EXPECT_EQ(of_mixed.optimizer_B, 12 * 400);
  EXPECT_EQ(of_mixed.total_B(), 16 * 400);
  const StateMemory of_fp32 = memory_of(layers_of(4), {.parallel = {.data = 8}});
  EXPECT_EQ(of_fp32.parameters_B, 4 * 400);
  EXPECT_EQ(of_fp32.optimizer_B, 8 * 400) << "the parameters are the master copy";
  // Mixed precision whose gradients are summed in fp32: 2 + 4 + 12.
  StepOptions wide = mixed({.data = 8});
  wide.gradient_B = 4;
  EXPECT_EQ(memory_of(layers_of(4), wide).total_B(), 18 * 400);
}

TEST(StateMemory, is_divided_by_shards_tensor_groups_and_stages) {
  const auto total = [](const Parallelism& parallel) {
    return memory_of(layers_of(4), mixed(parallel)).total_B();
  };
  EXPECT_EQ(total({.replicas = DataParallel::sharded, .data = 4}), 16 * 400 / 4);
  EXPECT_EQ(total({.tensor = 2, .data = 4}), 16 * 400 / 2);
  EXPECT_EQ(total({.pipeline = 4, .data = 2}), 16 * 400 / 4);
  EXPECT_EQ(total({.replicas = DataParallel::sharded, .tensor = 2, .pipeline = 2, .data = 5}),
            16 * 400 / 20);
  // Normalizations are whole on each rank of a tensor group.
  const TrainingModel whole = layers_of(4, LayerKind::normalization);
  EXPECT_EQ(memory_of(whole, mixed({.tensor = 2})).total_B(), 16 * 400);
}

// Four experts of 100 parameters in the second of two layers.
TEST(StateMemory, deals_experts_out_and_nothing_else) {
  TrainingModel model = layers_of(2);
  model.layers[1].experts = Experts{.count = 4};
  EXPECT_EQ(memory_of(model, mixed({.data = 2})).total_B(), 16 * (100 + 400));
  EXPECT_EQ(memory_of(model, mixed({.replicas = DataParallel::experts, .data = 2})).total_B(),
            16 * (100 + 200));
}

// The last layer uses the first one's parameters: a copy where they are in another stage.
TEST(StateMemory, counts_the_copy_of_a_tied_layer) {
  TrainingModel model = layers_of(4);
  model.layers[3].tied = 0;
  model.layers[3].parameters = 0;
  EXPECT_EQ(memory_of(model, mixed({})).total_B(), 16 * 300);
  model.layers[3].parameters = 100;
  const StateMemory halves = memory_of(model, mixed({.pipeline = 2}));
  EXPECT_EQ(halves.total_B(), 16 * (200 + 100));
  EXPECT_EQ(halves.stage, 1);
}

}  // namespace
}  // namespace weft::workload
