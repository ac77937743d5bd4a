// Steps of training as programs: they compute and send as much as their steps, and end.
#include "weft/training/trace/expanded_step.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/network_on.hpp"
#include "support/training/four_layers.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/program/operations.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::training {
namespace {

using program::Agent;
using program::Operation;
using program::OperationKind;
using workload::DataParallel;

// Of one rank.
struct Totals {
  double compute_s = 0;
  std::int64_t sent_B = 0, received_B = 0;
};

std::vector<Totals> totals_of(const Program& program) {
  std::vector<Totals> totals(static_cast<std::size_t>(program.ranks()));
  for (std::int32_t rank = 0; rank < program.ranks(); ++rank)
    for (const Operation& operation : program.operations()->of(Agent(rank))) {
      Totals& of_rank = totals[static_cast<std::size_t>(rank)];
      of_rank.compute_s += operation.seconds;
      if (operation.kind == OperationKind::send) of_rank.sent_B += operation.bytes;
      if (operation.receives()) of_rank.received_B += operation.bytes;
    }
  return totals;
}

// Seconds that each rank of a stage computes.
std::vector<double> compute_s(const workload::TrainingStep& step) {
  std::vector<double> seconds(static_cast<std::size_t>(step.stages), 0);
  for (std::int32_t task = 0; task < step.timeline.count(); ++task)
    if (step.tasks[static_cast<std::size_t>(task)].call < 0)
      seconds[static_cast<std::size_t>(step.timeline.task(task).stream /
                                       workload::TrainingStep::kStreams)] +=
          1e-12 * static_cast<double>(step.timeline.task(task).duration_ps);
  return seconds;
}

Program read_back(const Program& program) {
  const format::Format& goal = format::find_format("goal");
  const std::string text = goal.write_program(program, {.path = "f"}).front().content;
  return goal.read_program({.path = "f", .read = [&](const std::string&) { return text; }});
}

struct StepCase {
  const char* name;
  workload::Parallelism parallel;
  std::int32_t micro_batches = 1, virtual_stages = 1;
  const char* order = "tensor,data,pipeline";
  bool tied = false;
  bool scatter_gather = false;
};

class ExpandedSteps : public testing::TestWithParam<StepCase> {};

workload::TrainingModel blocks(bool sparse, bool tied) {
  workload::TrainingModel model;
  model.name = "blocks";
  for (int i = 0; i < 8; ++i)
    model.layers.push_back({.name = "layer." + std::to_string(i),
                            .kind = workload::LayerKind::feed_forward,
                            .parameters = 1'000'000 + 3 * i,
                            .operations = 1,
                            .activations = 50'000,
                            .experts = sparse && i % 2 == 1
                                           ? std::optional(workload::Experts{.count = 8})
                                           : std::nullopt});
  if (tied) model.layers.back().tied = 0;
  return model;
}

// The bytes are those that the answer counts over links: on a complete network a message crosses
// one.
TEST_P(ExpandedSteps, compute_and_send_as_much_as_their_steps) {
  const StepCase& step = GetParam();
  const auto model = blocks(step.parallel.replicas == DataParallel::experts, step.tied);
  workload::LayerTimes times{.layers = {}, .whole_layers = false};
  for (int i = 0; i < 8; ++i) times.layers.push_back({1e-3 + i * 1e-5, 2.1e-3});
  const Network network = test::on("complete:8");
  const TrainingQuestion asked{.step = {.parallel = step.parallel,
                                        .micro_batches = step.micro_batches,
                                        .virtual_stages = step.virtual_stages,
                                        .scatter_gather = step.scatter_gather},
                               .buckets_B = {8'000'000},
                               .order = RankOrder(step.order)};
  const Training trained = train(model, times, network, asked);
  const Program program = expand_step(trained, network, asked).program;
  const std::vector<Totals> totals = totals_of(program);
  const std::vector<double> stages_s = compute_s(trained.step);
  std::map<double, std::int64_t> ranks_by_s;
  double sent_B = 0, received_B = 0, expected_B = 0;
  for (std::int32_t stage = 0; stage < step.parallel.pipeline; ++stage)
    for (std::int32_t data = 0; data < step.parallel.data; ++data)
      for (std::int32_t tensor = 0; tensor < step.parallel.tensor; ++tensor) {
        const auto rank = asked.order.rank(tensor, data, stage, step.parallel);
        const Totals& of_rank = totals[static_cast<std::size_t>(rank)];
        EXPECT_NEAR(of_rank.compute_s, stages_s[static_cast<std::size_t>(stage)], 1e-12) << rank;
        sent_B += static_cast<double>(of_rank.sent_B);
        received_B += static_cast<double>(of_rank.received_B);
      }
  ASSERT_TRUE(trained.class_bytes.has_value());
  for (const auto& [name, bytes] : *trained.class_bytes) expected_B += bytes;
  EXPECT_NEAR(sent_B, expected_B, 1e-6 * expected_B);
  EXPECT_EQ(sent_B, received_B);
  // It ends, not before the step's longest chain of computing.
  const auto ran = simulation::simulate(read_back(program), network);
  EXPECT_GE(ran.time_s, *std::ranges::max_element(stages_s) - 1e-6);
  EXPECT_LE(ran.time_s, 1.3 * trained.time_s);
  EXPECT_GE(ran.time_s, 0.7 * trained.time_s);
}

INSTANTIATE_TEST_SUITE_P(
    Parallel, ExpandedSteps,
    testing::Values(
        StepCase{"data", {.data = 8}}, StepCase{"sharded", {DataParallel::sharded, 1, 1, 8}},
        StepCase{"experts", {DataParallel::experts, 1, 1, 8}},
        StepCase{"tensor", {.tensor = 4, .data = 2}},
        StepCase{.name = "stages", .parallel = {.pipeline = 4, .data = 2}, .micro_batches = 8},
        StepCase{.name = "interleaved",
                 .parallel = {.tensor = 2, .pipeline = 2, .data = 2},
                 .micro_batches = 4,
                 .virtual_stages = 2,
                 .order = "pipeline,tensor,data"},
        StepCase{.name = "tied",
                 .parallel = {.pipeline = 4, .data = 2},
                 .micro_batches = 4,
                 .tied = true},
        StepCase{.name = "scatter_gather",
                 .parallel = {.tensor = 2, .pipeline = 2, .data = 2},
                 .micro_batches = 4,
                 .scatter_gather = true},
        StepCase{.name = "sharded_in_stages",
                 .parallel = {DataParallel::sharded, 2, 2, 2},
                 .micro_batches = 4,
                 .order = "data,tensor,pipeline",
                 .tied = true}),
    [](const auto& test) { return std::string(test.param.name); });

// 16 MB of gradients on a ring of 8: 7/8 of them twice from each rank, in one allreduce after all
// layers. All ranks are ready at once, so that the program takes as long as the step.
TEST(ExpandedStep, of_one_allreduce_takes_as_long_as_the_step) {
  const Network ring = test::linked_network("ring:8", "1GBps,1us");
  TrainingQuestion asked = test::data_parallel(8);
  asked.algorithms = {"ring"};
  const Training trained = test::trained(test::four_layers(), ring, asked);
  const ExpandedStep step = expand_step(trained, ring, asked);
  for (const Totals& of_rank : totals_of(step.program)) {
    EXPECT_EQ(of_rank.sent_B, 28'000'000);
    EXPECT_EQ(of_rank.received_B, 28'000'000);
    EXPECT_NEAR(of_rank.compute_s, test::kFourLayers_s, 1e-11);
  }
  EXPECT_TRUE(step.without_paths.empty());
  EXPECT_NEAR(simulation::simulate(read_back(step.program), ring).time_s, trained.time_s, 2e-8);
}

TEST(ExpandedStep, leaves_paths_to_the_network) {
  const Network tree = test::linked_network("leaf-spine:leaves=2,spines=2,hosts=4", "1GBps,1us");
  TrainingQuestion asked = test::data_parallel(8);
  asked.algorithms = {"packing"};
  const ExpandedStep step =
      expand_step(test::trained(test::four_layers(), tree, asked), tree, asked);
  EXPECT_EQ(step.program.operations()->route_count(), 0);
  EXPECT_EQ(step.without_paths.size(), 1U);
}

TEST(ExpandedStep, refuses_what_has_no_schedule_of_ranks) {
  TrainingQuestion asked = test::data_parallel(8);
  asked.flow_alltoall = true;
  EXPECT_THROW(require_expandable(asked), InvalidInput);
  asked.flow_alltoall = false;
  asked.step.skew.emplace();
  EXPECT_THROW(require_expandable(asked), InvalidInput);
  const Network tree = test::linked_network("leaf-spine:leaves=2,spines=1,hosts=4", "1GBps,1us");
  asked = test::data_parallel(8);
  asked.algorithms = {"switch-tree"};
  const Training trained = test::trained(test::four_layers(), tree, asked);
  EXPECT_THROW(expand_step(trained, tree, asked), InvalidInput);
}

}  // namespace
}  // namespace weft::training
