// weft train --write-simai: the file held against the rules by which SimAI's reader takes it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process/command_line.hpp"
#include "weft/base/file.hpp"

namespace {

using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

struct Pass {
  std::int64_t time_ns = 0, size_B = 0;
  std::string type;
};
struct Layer {
  std::string name;
  Pass forward, inputs, weights;
};
struct Workload {
  std::map<std::string, std::int64_t> settings;
  std::vector<Layer> layers;
};

// As that reader does: a first line of a policy and pairs, a count, then fields between blanks.
Workload read(const std::string& path) {
  std::istringstream in(weft::read_file(path));
  Workload workload;
  std::string line, policy, key;
  std::getline(in, line);
  std::istringstream head(line);
  head >> policy;
  EXPECT_EQ(policy, "HYBRID_TRANSFORMER_FWD_IN_BCKWD");
  for (std::int64_t value = 0; head >> key >> value;) workload.settings[key] = value;
  std::size_t count = 0;
  in >> count;
  static const std::set<std::string> kTypes{"NONE",          "ALLREDUCE", "ALLGATHER",
                                            "REDUCESCATTER", "ALLTOALL",  "ALLTOALL_EP"};
  for (std::size_t i = 0; i < count; ++i) {
    Layer layer;
    std::int64_t depends = 0, update = 0;
    in >> layer.name >> depends;
    EXPECT_EQ(depends, -1);
    for (Pass* pass : {&layer.forward, &layer.inputs, &layer.weights}) {
      in >> pass->time_ns >> pass->type >> pass->size_B;
      EXPECT_GE(pass->time_ns, 1);
      EXPECT_TRUE(kTypes.contains(pass->type)) << pass->type;
      EXPECT_EQ(pass->size_B == 0, pass->type == "NONE");
    }
    in >> update;
    EXPECT_TRUE(in.good());
    workload.layers.push_back(layer);
  }
  EXPECT_FALSE(in >> key) << "more lines than are announced";
  return workload;
}

Workload written(const std::string& line) {
  const ScratchFolder folder;
  const std::string file = folder.path("step.txt");
  const auto ran = run_weft(words_of("train " + line + " --quiet --write-simai " + file));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return read(file);
}

// VGG-16 has 138,357,544 parameters (Simonyan, Zisserman, 2014: configuration D, 138 million).
TEST(SimaiWorkload, gradients_of_all_parameters_are_summed) {
  const Workload vgg = written(
      "vgg-16 -t ring:4 --batch 32 --device v100 --precision fp32 --efficiency 0.5 --buckets 25MB");
  EXPECT_EQ(vgg.settings.at("all_gpus:"), 4);
  EXPECT_EQ(vgg.settings.at("model_parallel_NPU_group:"), 1);
  std::int64_t gradients_B = 0, forward_ns = 0, backward_ns = 0;
  for (const Layer& layer : vgg.layers) {
    if (layer.weights.type != "NONE") {
      EXPECT_EQ(layer.weights.type, "ALLREDUCE");
    }
    gradients_B += layer.weights.size_B;
    EXPECT_EQ(layer.forward.type, "NONE");
    forward_ns += layer.forward.time_ns;
    backward_ns += layer.inputs.time_ns + layer.weights.time_ns;
  }
  EXPECT_EQ(gradients_B, 4 * 138'357'544LL);
  // Backward takes twice forward; times are cut to whole nanoseconds.
  EXPECT_NEAR(static_cast<double>(backward_ns), 2.0 * static_cast<double>(forward_ns), 1000);
}

TEST(SimaiWorkload, tensor_groups_sum_activations_and_experts_exchange_tokens) {
  const Workload gpt =
      written("gpt-2-small -t torus:4x4 --batch 2 --device a100 --parallel tensor=4,data=4");
  EXPECT_EQ(gpt.settings.at("model_parallel_NPU_group:"), 4);
  std::int64_t forward = 0, inputs = 0;
  for (const Layer& layer : gpt.layers) {
    forward += layer.forward.type == "ALLREDUCE" ? 1 : 0;
    inputs += layer.inputs.type == "ALLREDUCE" ? 1 : 0;
  }
  // Megatron: two sums in each block of 12, forward and backward, at least.
  EXPECT_GE(forward, 24);
  EXPECT_GE(inputs, 24);
  const Workload experts =
      written("switch-base-256 -t ring:4 --parallel expert --batch 4 --device a100");
  EXPECT_EQ(experts.settings.at("ep:"), 4);
  std::int64_t exchanges = 0;
  for (const Layer& layer : experts.layers)
    exchanges += layer.forward.type == "ALLTOALL_EP" ? 1 : 0;
  // Every second of 12 + 12 blocks is sparse; tokens go there and back.
  EXPECT_EQ(exchanges, 24);
}

// Layers in turn, one sum of gradients behind the first, which is computed last: the same in both.
// Times are cut to whole nanoseconds.
TEST(SimaiWorkload, runs_as_long_as_the_step_that_it_is) {
  const ScratchFolder folder;
  const std::string file = folder.path("step.txt");
  const auto answer_of = [](const std::string& line) {
    const auto ran = run_weft(words_of(line + " -t ring:4 --link 10GBps,1us --json"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  };
  const auto step = answer_of("train vgg-16 --batch 8 --buckets 1GB --write-simai " + file);
  const auto run = answer_of("train --trace " + file);
  EXPECT_EQ(run["trace_ranks"], 4);
  EXPECT_NEAR(run["time"].get<double>(), step["time"].get<double>(), 1e-6);
  EXPECT_EQ(run["collectives"].size(), 1U);
  EXPECT_EQ(run["collectives"][0]["size"], step["collectives"][0]["size"]);
}

TEST(SimaiWorkload, refuses_steps_that_it_cannot_hold) {
  const ScratchFolder folder;
  const std::string file = folder.path("step.txt");
  for (const std::string more : {"--parallel pipeline=4 --micro-batches 4", "--parallel sharded"}) {
    const auto ran = run_weft(words_of("train gpt-2-small -t ring:4 --batch 4 --device a100 " +
                                       more + " --write-simai " + file));
    EXPECT_EQ(ran.code, 2) << more;
    EXPECT_NE(ran.err.find("SimAI"), std::string::npos) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

}  // namespace
