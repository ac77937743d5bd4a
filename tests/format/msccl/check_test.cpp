// The static check of MSCCL XML: each kind of fault, with its counterexample.
#include "weft/format/msccl_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/gpu/msccl_builder.hpp"

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

const Finding& first(const Report& report) {
  return report.findings.at(0);
}

// Steps of two chunks go as two messages each at large sizes, for which Simple has no place.
Algorithm ring_for_small_sizes() {
  Algorithm algorithm = test::msccl_ring(3, 2);
  algorithm.max_bytes = 1 << 20;
  return algorithm;
}

std::vector<Algorithm> right_algorithms() {
  return {test::msccl_ring(4),
          ring_for_small_sizes(),
          test::msccl_ring_of_blocks(4),
          test::msccl_alltoall(4),
          test::msccl_direct_reduce_scatter(4),
          test::msccl_chain(4, 0),
          test::msccl_reduce_chain(4, 0),
          test::msccl_exchange()};
}

TEST(MscclCheck, right_algorithms_have_no_fault_and_nothing_needless) {
  for (const Algorithm& algorithm : right_algorithms()) {
    const Report report = check(algorithm);
    EXPECT_TRUE(report.right()) << kinds(report);
    EXPECT_TRUE(report.result_checked);
    EXPECT_EQ(report.findings.size(), 0u) << algorithm.collective << first(report).text;
  }
}

// All send at once; then each step takes a message and sends one: the first cannot end while the
// connection behind it is full, and all are. Two places suffice. Chunks of two-chunk steps go the
// same way: after one chunk each, and with depth 2 both chunks of the first step are in flight.
TEST(MscclCheck, least_depths_of_a_ring) {
  EXPECT_EQ(check(test::msccl_ring(4)).depth_of_steps, 2);
  EXPECT_EQ(check(test::msccl_ring(4)).depth_of_chunks, 2);
  EXPECT_EQ(check(test::msccl_ring(4, 2)).depth_of_steps, 2);
  EXPECT_EQ(check(test::msccl_ring(4, 2)).depth_of_chunks, 3);
  EXPECT_EQ(check(test::msccl_alltoall(4)).depth_of_chunks, 1);
}

// Both ranks send n chunks in one step before they receive any.
Algorithm send_first(std::int32_t count) {
  MscclBuilder builder(2, "alltoall", 2 * count);
  builder.buffers(2 * count, 2 * count);
  for (std::int32_t r = 0; r < 2; ++r)
    builder.block(r, 1 - r, 1 - r)
        .step("s", i((1 - r) * count), o(r * count), count)
        .step("r", i(0), o((1 - r) * count), count)
        .step("cpy", i(r * count), o(r * count), count);
  return builder.build();
}

// 12 chunks must be in flight: in 2 messages of 6 chunks (Simple: 2 MiB each) or 8 of 2 (LL,
// LL128), of 24 chunks in all.
TEST(MscclCheck, safe_sizes_are_those_at_which_the_steps_fit_into_the_connections) {
  const Report report = check(send_first(12));
  EXPECT_EQ(report.depth_of_steps, 1);
  EXPECT_EQ(report.depth_of_chunks, 12);
  ASSERT_TRUE(report.safe);
  const auto safe = [&](Protocol p) { return (*report.safe)[static_cast<std::size_t>(p)].size_B; };
  EXPECT_EQ(safe(Protocol::simple), 24 * ((2 << 20) / 6));
  EXPECT_EQ(safe(Protocol::ll), 24 * (32768 / 2));
  EXPECT_EQ(safe(Protocol::ll128), 24 * (576000 / 2));
}

TEST(MscclCheck, a_file_for_sizes_above_the_safe_one_deadlocks) {
  Algorithm algorithm = send_first(12);
  const Report report = check(algorithm);
  EXPECT_EQ(kinds(report), "deadlock");
  EXPECT_EQ(first(report).events.size(), 2u);
  EXPECT_NE(first(report).text.find("set maxBytes=\"8388600\""), std::string::npos)
      << first(report).text;
  algorithm.max_bytes = 24 * ((2 << 20) / 6);
  EXPECT_TRUE(check(algorithm).right());
  algorithm.max_bytes = *algorithm.max_bytes + 24;
  EXPECT_EQ(kinds(algorithm), "deadlock");
}

TEST(MscclCheck, no_size_is_safe_where_too_many_steps_come_before_the_receives) {
  MscclBuilder builder(2, "alltoall", 6);
  builder.buffers(6, 6);
  for (std::int32_t r = 0; r < 2; ++r) {
    builder.block(r, 1 - r, 1 - r);
    for (std::int32_t k = 0; k < 3; ++k) builder.step("s", i((1 - r) * 3 + k), o(0));
    for (std::int32_t k = 0; k < 3; ++k) builder.step("r", i(0), o((1 - r) * 3 + k));
    builder.step("cpy", i(r * 3), o(r * 3), 3);
  }
  const Report report = check(builder.build());
  EXPECT_EQ(kinds(report), "deadlock");
  EXPECT_EQ(report.depth_of_steps, 3);
  EXPECT_EQ((*report.safe)[static_cast<std::size_t>(Protocol::simple)].size_B, 0);
  EXPECT_FALSE((*report.safe)[static_cast<std::size_t>(Protocol::ll)].size_B);
}

TEST(MscclCheck, circles_of_dependencies_deadlock_with_any_depth) {
  Algorithm algorithm = test::msccl_exchange();
  algorithm.gpus[0].blocks[0].steps[0].depends_on = {1, 0};
  MscclBuilder::set_flags(algorithm);
  const Report report = check(algorithm);
  EXPECT_EQ(kinds(report), "deadlock");
  EXPECT_FALSE(report.depth_of_steps);
  EXPECT_EQ(first(report).events.size(), 2u);
  EXPECT_NE(first(report).events[0].find("(depid)"), std::string::npos);
}

TEST(MscclCheck, receives_that_wait_for_each_other_deadlock) {
  Algorithm algorithm = send_first(1);
  for (Gpu& gpu : algorithm.gpus) std::swap(gpu.blocks[0].steps[0], gpu.blocks[0].steps[1]);
  EXPECT_EQ(kinds(algorithm), "deadlock");
  EXPECT_NE(first(check(algorithm)).events[0].find("waits for the data"), std::string::npos);
}

TEST(MscclCheck, races_name_both_steps_and_both_orders) {
  Algorithm algorithm = test::msccl_exchange();
  algorithm.gpus[0].blocks[1].steps[0].depends_on = {};
  MscclBuilder::set_flags(algorithm);
  const Report report = check(algorithm);
  ASSERT_EQ(kinds(report), "race");
  EXPECT_EQ(first(report).events.size(), 2u);
  EXPECT_EQ(first(report).events[0],
            "one order: rank 0, thread block 0, step 0 (s) reads i[0], and then rank 0, thread "
            "block 1, step 0 (rrc) writes it");
  EXPECT_EQ(first(report).events[1],
            "the other order: rank 0, thread block 1, step 0 (rrc) writes i[0], and then rank 0, "
            "thread block 0, step 0 (s) reads that");
}

TEST(MscclCheck, messages_through_another_rank_order_accesses) {
  // Rank 0 sends its chunk; rank 1 receives it and sends its sum back to another thread block.
  MscclBuilder builder(2, "allreduce", 1);
  builder.in_place().buffers(1, 1);
  builder.block(0, 1, -1).step("s", i(0), i(0));
  builder.block(0, -1, 1, 1).step("r", i(0), i(0));
  builder.block(1, -1, 0).step("rrc", i(0), i(0));
  builder.block(1, 0, -1, 1).step("s", i(0), i(0), 1, {0, 0});
  EXPECT_TRUE(check(builder.build()).right()) << first(check(builder.build())).text;
}

// Rank 1 passes chunk after chunk on while it receives, so rank 0 may get back the first chunk
// before it has sent the second: fine if the chunks come back to where they came from, a race if
// the first comes back to where the second is read.
TEST(MscclCheck, a_step_that_receives_and_sends_orders_chunk_by_chunk) {
  for (const std::int32_t shift : {0, 1}) {
    MscclBuilder builder(2, "custom", 4);
    builder.buffers(4, 4, 4);
    builder.block(0, 1, -1).step("s", s(0), s(0), 2);
    builder.block(0, -1, 1, 0).step("r", s(0), s(shift), 2);
    builder.block(1, 0, 0).step("rcs", s(0), s(0), 2);
    EXPECT_EQ(kinds(builder.build()), shift == 0 ? "" : "race");
  }
}

TEST(MscclCheck, a_step_that_overlaps_itself_is_a_race) {
  MscclBuilder builder(1, "custom", 4);
  builder.buffers(4, 4).block(0, -1, -1).step("cpy", o(0), o(1), 2);
  EXPECT_EQ(kinds(builder.build()), "race");
}

TEST(MscclCheck, the_input_must_stay_out_of_place) {
  Algorithm algorithm = test::msccl_ring(3);
  algorithm.out_of_place = true;
  EXPECT_NE(kinds(algorithm).find("overwrites-input"), std::string::npos);
}

TEST(MscclCheck, pairs_of_a_connection_must_match) {
  Algorithm missing = test::msccl_ring(3);
  missing.gpus[1].blocks[0].steps.pop_back();
  EXPECT_EQ(kinds(missing), "unpaired");
  Algorithm counts = test::msccl_ring(3, 2);
  counts.gpus[1].blocks[0].steps.back().count = 1;
  EXPECT_EQ(kinds(counts), "count-mismatch");
  Algorithm channel = test::msccl_ring(3);
  channel.gpus[1].blocks[0].channel = 1;
  EXPECT_NE(kinds(channel).find("unpaired"), std::string::npos);
  Algorithm shared = test::msccl_alltoall(3);
  shared.gpus[0].blocks[1].send_peer = 2;
  EXPECT_NE(kinds(shared).find("shared-connection"), std::string::npos);
  Algorithm itself = test::msccl_alltoall(3);
  itself.gpus[0].blocks[1].send_peer = 0;
  EXPECT_NE(kinds(itself).find("bad-peer"), std::string::npos);
  Algorithm none = test::msccl_alltoall(3);
  none.gpus[0].blocks[1].send_peer = -1;
  EXPECT_NE(kinds(none).find("bad-peer"), std::string::npos);
}

TEST(MscclCheck, dependencies_must_name_a_step_that_raises_its_flag) {
  const auto with = [](StepId on, bool flag) {
    Algorithm algorithm = test::msccl_exchange();
    algorithm.gpus[0].blocks[1].steps[0].depends_on = on;
    algorithm.gpus[0].blocks[0].steps[0].has_dependent = flag;
    return kinds(algorithm);
  };
  EXPECT_EQ(with({0, 0}, true), "");
  EXPECT_EQ(with({0, 0}, false), "bad-dependency");  // hasdep="0": never published
  EXPECT_EQ(with({0, 1}, true), "bad-dependency");
  EXPECT_EQ(with({2, 0}, true), "bad-dependency");
  EXPECT_EQ(with({1, 0}, true), "bad-dependency");  // itself
}

TEST(MscclCheck, nops_are_no_flags_and_do_not_shift_them) {
  Algorithm algorithm = test::msccl_exchange();
  auto& sender = algorithm.gpus[0].blocks[0].steps;
  sender.insert(sender.begin(), {.type = StepType::nop, .has_dependent = true});
  EXPECT_EQ(kinds(algorithm), "bad-dependency");  // {0, 0} is the nop
  algorithm.gpus[0].blocks[1].steps[0].depends_on = {0, 1};
  EXPECT_EQ(kinds(algorithm), "bad-dependency");  // readers count it as step 0
}

TEST(MscclCheck, results_are_those_of_the_collective) {
  const auto of_ring = [](auto change) {
    Algorithm algorithm = test::msccl_ring(3);
    change(algorithm.gpus[1].blocks[0].steps);
    return kinds(algorithm);
  };
  using Steps = std::vector<Step>;
  EXPECT_NE(of_ring([](Steps& steps) {
              steps[2].type = StepType::receive_copy_send;
            }).find("missing-contribution"),
            std::string::npos);
  EXPECT_NE(of_ring([](Steps& steps) {
              steps[3].type = StepType::receive_reduce_copy_send;
            }).find("double-contribution"),
            std::string::npos);
  EXPECT_NE(of_ring([](Steps& steps) { steps[1].source.offset = 1; }).find("mixed-chunks"),
            std::string::npos);
  Algorithm place = test::msccl_ring_of_blocks(3);
  place.gpus[0].blocks[1].steps[1].target.offset = 0;
  EXPECT_NE(kinds(place).find("missing-result"), std::string::npos);
  Algorithm nothing = test::msccl_ring_of_blocks(3);
  nothing.gpus[0].blocks[0].steps[0].source = s(0);
  nothing.gpus[0].scratch_chunks = 1;
  EXPECT_NE(kinds(nothing).find("reads-nothing"), std::string::npos);
  Algorithm other = test::msccl_alltoall(3);
  std::swap(other.gpus[0].blocks[1].steps[0], other.gpus[0].blocks[3].steps[0]);
  EXPECT_EQ(kinds(other), "wrong-place wrong-place");
}

TEST(MscclCheck, finds_the_root) {
  for (std::int32_t root = 0; root < 3; ++root) {
    const Report down = check(test::msccl_chain(3, root));
    EXPECT_TRUE(down.right()) << first(down).text;
    EXPECT_EQ(down.root, root);
    const Report up = check(test::msccl_reduce_chain(3, root));
    EXPECT_TRUE(up.right()) << first(up).text;
    EXPECT_EQ(up.root, root);
    Algorithm other = test::msccl_chain(3, root);
    other.root = (root + 1) % 3;
    EXPECT_FALSE(check(other).right());
  }
}

// ncclReduce takes no recvbuff, and ncclBroadcast no sendbuff, but at the root.
TEST(MscclCheck, other_ranks_than_the_root_may_pass_no_buffer) {
  Algorithm up = test::msccl_reduce_chain(3, 1);
  up.gpus[0].blocks[0].steps.insert(
      up.gpus[0].blocks[0].steps.begin(),
      {.type = StepType::copy, .source = i(0), .target = o(0), .count = 1});
  EXPECT_EQ(kinds(up), "absent-buffer");
  up.in_place = true;  // then all pass the one buffer
  up.out_of_place = false;
  EXPECT_EQ(kinds(up), "");
  Algorithm down = test::msccl_chain(3, 1);
  down.in_place = false;
  down.gpus[0].scratch_chunks = 1;
  down.gpus[0].blocks[0].steps.insert(
      down.gpus[0].blocks[0].steps.begin(),
      {.type = StepType::copy, .source = i(0), .target = s(0), .count = 1});
  EXPECT_NE(kinds(down).find("absent-buffer"), std::string::npos);
}

// Rank 1 sends back what it gets; rank 0 writes the second chunk over the first one that it sent.
// Threads of the Simple protocol have read that by then; those of LL may be behind.
TEST(MscclCheck, chunks_of_a_message_are_ordered_by_the_simple_protocol_alone) {
  MscclBuilder builder(2, "custom", 3);
  builder.in_place().buffers(3, 3);
  builder.block(0, 1, -1).step("s", i(1), i(1), 2);
  builder.block(0, -1, 1).step("r", i(0), i(0), 2);
  builder.block(1, 0, 0).step("rcs", i(0), i(0), 2);
  Algorithm algorithm = builder.build();
  EXPECT_EQ(kinds(algorithm), "");
  for (const Protocol protocol : {Protocol::ll, Protocol::ll128}) {
    algorithm.protocol = protocol;
    EXPECT_EQ(kinds(algorithm), "race");
  }
}

TEST(MscclCheck, buffers_end_where_the_callers_do) {
  Algorithm algorithm = test::msccl_alltoall(3);
  algorithm.gpus[0].input_chunks = 9;
  algorithm.gpus[0].blocks[1].steps[0].source.offset = 5;  // 3 chunks are the caller's
  EXPECT_EQ(kinds(algorithm), "outside-buffer");
  algorithm.gpus[0].blocks[1].steps[0].source.offset = 9;  // beyond the file's own 9
  EXPECT_EQ(kinds(algorithm), "outside-buffer");
}

// msccl-tools writes files in place in which one of the two buffers has no chunks.
TEST(MscclCheck, in_place_one_buffer_may_be_missing) {
  Algorithm algorithm = test::msccl_ring(3);
  for (Gpu& gpu : algorithm.gpus) gpu.output_chunks = 0;
  EXPECT_TRUE(check(algorithm).right());
}

TEST(MscclCheck, unknown_collectives_have_no_result) {
  Algorithm algorithm = test::msccl_alltoall(3);
  algorithm.collective = "custom";
  const Report report = check(algorithm);
  EXPECT_TRUE(report.right());
  EXPECT_FALSE(report.result_checked);
}

TEST(MscclCheck, findings_are_limited_and_counted) {
  Algorithm algorithm = test::msccl_alltoall(8);
  for (Gpu& gpu : algorithm.gpus) gpu.blocks[0].steps.clear();
  const Report report = check(algorithm, {.most_findings = 3});
  EXPECT_EQ(report.faults, 8);
  EXPECT_EQ(report.findings.size(), 6u);  // 3 of the faults, 3 of the idle thread blocks
  EXPECT_EQ(report.left_out, 10);
}

}  // namespace
}  // namespace weft::format::msccl
