// The static check of MSCCL XML: steps that readers join, and what works but is more than needed.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/gpu/msccl_builder.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::format::msccl {
namespace {

using test::i;
using test::MscclBuilder;
using test::o;
using test::s;

std::string kinds(const Report& report, Severity severity = Severity::fault) {
  std::string kinds;
  for (const Finding& finding : report.findings)
    if (finding.severity == severity) kinds += (kinds.empty() ? "" : " ") + finding.kind;
  return kinds;
}

std::string kinds(const Algorithm& algorithm, Severity severity = Severity::fault) {
  return kinds(check(algorithm), severity);
}

// The reader of msccl-executor leaves out the nop, and then joins the reductions around it.
TEST(MscclStyle, joined_reductions_do_not_wait) {
  MscclBuilder builder(1, "custom", 2);
  builder.in_place().buffers(2, 2, 2);
  builder.block(0, -1, -1).step("cpy", i(0), s(1));
  builder.block(0, -1, -1).step("re", i(1), s(0)).nop({0, 0}).step("re", i(0), s(0));
  EXPECT_EQ(kinds(builder.build()), "joined-reductions");
}

// The 16 sources and the target are 17 places, one more than the readers' kernels sum.
TEST(MscclStyle, sixteen_reductions_are_too_many_to_join) {
  for (const std::int32_t count : {15, 16}) {
    MscclBuilder builder(1, "custom", 17);
    builder.in_place().buffers(17, 17).block(0, -1, -1);
    for (std::int32_t k = 0; k < count; ++k) builder.step("re", i(k), i(16));
    EXPECT_EQ(kinds(builder.build()), count == 16 ? "joined-reductions" : "");
  }
}

TEST(MscclStyle, tells_of_more_thread_blocks_than_a_gpu_runs_at_once) {
  MscclBuilder builder(1, "allreduce", 109);
  builder.buffers(109, 109);
  for (std::int32_t k = 0; k < 109; ++k) builder.block(0, -1, -1).step("cpy", i(k), o(k));
  const Algorithm algorithm = builder.build();
  EXPECT_EQ(kinds(algorithm), "");
  EXPECT_EQ(kinds(algorithm, Severity::style), "many-blocks");
}

TEST(MscclStyle, joined_reductions_must_be_as_long) {
  MscclBuilder builder(1, "custom", 4);
  builder.buffers(4, 4, 4).block(0, -1, -1);
  builder.step("re", i(0), o(0), 2).step("re", i(2), o(0), 1);
  EXPECT_EQ(kinds(builder.build()), "joined-reductions");
}

TEST(MscclStyle, remarks_on_style) {
  Algorithm idle = test::msccl_alltoall(3);
  idle.gpus[0].blocks.push_back({});
  EXPECT_EQ(kinds(idle, Severity::style), "idle-block");
  Algorithm flag = test::msccl_alltoall(3);
  flag.gpus[0].blocks[0].steps[0].has_dependent = true;
  EXPECT_EQ(kinds(flag, Severity::style), "needless-flag");
  Algorithm twice = test::msccl_ring_of_blocks(4);
  twice.gpus[0].blocks[0].steps.push_back({.type = StepType::nop, .depends_on = {1, 0}});
  EXPECT_EQ(kinds(twice, Severity::style), "needless-dependency");
  Algorithm unused = test::msccl_alltoall(2);
  for (Gpu& gpu : unused.gpus) gpu.scratch_chunks = 1;
  unused.gpus[0].blocks[1].steps.push_back(unused.gpus[0].blocks[1].steps[0]);
  unused.gpus[1].blocks[2].steps.push_back(
      {.type = StepType::receive, .source = i(0), .target = s(0), .count = 1});
  EXPECT_EQ(kinds(unused, Severity::style), "unused-transfer unused-transfer");
}

}  // namespace
}  // namespace weft::format::msccl
