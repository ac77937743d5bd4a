// MSCCL++ plans, damaged: what is read is checked and made a program of, or refused.
#include <gtest/gtest.h>

#include "fuzz/feed.hpp"
#include "weft/format/mscclpp_check.hpp"
#include "weft/format/mscclpp_program.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

std::string gpu(std::string_view rank, std::string_view peer) {
  std::string text =
      R"({"id": RANK, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 2,
 "threadblocks": [{"id": 0, "ops": [
  {"name": "rlxsignal", "channel_ids": [0], "channel_type": "memory"},
  {"name": "rlxwait", "channel_ids": [0], "channel_type": "memory"}, {"name": "nop"},
  {"name": "put", "src_buff": [{"type": "i", "index": 0, "size": 1}],
   "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}], "channel_type": "memory"},
  {"name": "nop"}, {"name": "signal", "channel_ids": [0], "channel_type": "memory"},
  {"name": "wait", "channel_ids": [0], "channel_type": "memory"}, {"name": "nop"},
  {"name": "re", "src_buff": [{"type": "i", "index": 0, "size": 1}, {"type": "s", "index": 0,
   "size": 1}], "dst_buff": [{"type": "i", "index": 0, "size": 1}], "reduce_op": "sum"},
  {"name": "sem_release", "semaphore_ids": [0]}],
  "channels": [{"channel_type": "memory", "channel_ids": [0]}],
  "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]},
  {"id": 1, "ops": [{"name": "sem_acquire", "semaphore_ids": [0]},
  {"name": "pipeline", "iter_context": {"unit_size": 16, "num_chunks": 1}, "ops": [
   {"name": "copy", "src_buff": [{"type": "i", "index": 0, "size": 1}],
    "dst_buff": [{"type": "s", "index": 1, "size": 1}]}]}], "channels": []}],
 "channels": [{"channel_type": "memory", "connected_to": [PEER]}],
 "remote_buffers": [{"rank": PEER, "type": "s", "access_channel_types": ["memory"]}],
 "semaphores": [{"init_value": 0}]})";
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"RANK", rank},
                                 std::pair<std::string_view, std::string_view>{"PEER", peer}})
    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

const std::string kPlan =
    R"({"name": "p", "collective": "allreduce", "protocol": "Simple", "inplace": true,
 "use_double_scratch_buffer": false, "gpus": [)" +
    gpu("0", "1") + "," + gpu("1", "0") + "]}";

const Mutator kDamage(
    {"\"",       "{",           "}",
     "[",        "],",          "-1",
     "0",        "1",           "2",
     "17",       "2147483648",  "99999999999999999999",
     "1e9",      "null",        "\"nop\"",
     "\"LL\"",   "\"port\"",    "\"upkt\"",
     "\"get\"",  "\"put\"",     "\"respkt\"",
     "\"rres\"", "\"barrier\"", "\"i\"",
     "\"s\"",    "true",        "\"tbg_info\": {\"tb_id\": 0, \"tbg_size\": 3}, "});

TEST(Mscclpp, damaged_plans_are_checked) {
  const int taken = feed(10'000, {kPlan}, kDamage, [](const std::string& text) {
    const auto plan = format::mscclpp::read(text, "damaged");
    const auto report = format::mscclpp::check(plan, {.most_accesses = 100'000});
    for (const auto& finding : report.findings) EXPECT_FALSE(finding.text.empty()) << text;
    // What the checker finds no fault in can be run.
    if (report.faults == 0 && plan.collective == "allreduce")
      (void)format::mscclpp::to_program(plan, format::mscclpp::least_size_B(plan));
  });
  EXPECT_GT(taken, 20);
}

}  // namespace
