// Every algorithm as an MSCCL++ plan: it runs to the right end under any interleaving of threads,
// one call after another, within the limits of the executor.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/every_schedule.hpp"
#include "support/gpu/mscclpp_runs.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp_export.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::format::mscclpp {
namespace {

// Sources and targets of one operation, as the executor's arrays hold them.
std::string first_beyond(const Plan& plan) {
  const Limits limits;
  for (const Gpu& gpu : plan.gpus) {
    if (gpu.input_chunks < 1 || gpu.output_chunks < 1) return "an empty buffer";
    for (const Block& block : gpu.blocks) {
      if (block.ops.empty()) return "an idle thread block";
      if (std::ssize(block.ops) > limits.ops) return "too many operations";
      for (const auto* list : {&block.memory_channels, &block.port_channels, &block.memory_buffers,
                               &block.port_buffers})
        if (std::ssize(*list) > limits.channels) return "too many channels or buffers";
      for (const Op& op : block.ops) {
        if (std::ssize(op.channels) > limits.op_channels) return "too many channels in one";
        if (std::ssize(op.sources) > limits.op_slices) return "too many sources";
        for (const Slice& target : op.targets)
          if (op.type == OpType::put && op.channel_type == ChannelType::memory &&
              op.sources[0].buffer !=
                  op.sources[static_cast<std::size_t>(&target - op.targets.data())].buffer)
            return "a put from two buffers";
      }
    }
  }
  return {};
}

class EveryAlgorithmOfMscclpp : public testing::TestWithParam<std::string> {};

TEST_P(EveryAlgorithmOfMscclpp, runs_right) {
  int made = 0;
  for (const std::int32_t ranks : test::samples_between(2, 17))
    for (const auto& [label, made_schedule, algorithm_options] :
         test::schedules_of(algorithm::find_algorithm(GetParam()), ranks)) {
      const schedule::Collective& collective = made_schedule.collective();
      if (made_schedule.helpers() > 0 ||
          collective.kind == schedule::CollectiveKind::point_to_point)
        continue;
      const auto verified = schedule::verify_own(without_routes(expand_symmetry(made_schedule)));
      ++made;
      const ExportOptions options{
          .packets = made % 4 >= 2,
          .channels = made % 2 == 0 ? ChannelType::memory : ChannelType::port,
          .instances = 1 + made / 4 % 3};
      const Plan plan = build(verified, options);
      EXPECT_EQ(first_beyond(plan), "") << label << ' ' << plan.name;
      for (std::uint64_t seed = 1; seed <= 2; ++seed)
        EXPECT_EQ(test::run_mscclpp(plan, collective, {.seed = seed}), "")
            << label << ' ' << plan.name << ", seed " << seed;
    }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const algorithm::Algorithm& algorithm : algorithm::algorithms())
    result.push_back(algorithm.name);
  return result;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithmOfMscclpp, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace weft::format::mscclpp
