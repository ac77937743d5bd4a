// Reading MSCCL++ plans: what is not well-formed is refused with the path to the place.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp {
namespace {

// Two GPUs that exchange their chunk through scratch and add it up.
const std::string kGpu = R"({"id": RANK, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 1,
 "threadblocks": [{"id": 0, "ops": [
  {"name": "rlxsignal", "channel_ids": [0], "channel_type": "memory"},
  {"name": "rlxwait", "channel_ids": [0], "channel_type": "memory"},
  {"name": "nop"},
  {"name": "put", "src_buff": [{"type": "i", "index": 0, "size": 1}],
   "dst_buff": [{"buffer_id": 0, "index": 0, "size": 1}], "channel_type": "memory"},
  {"name": "nop"},
  {"name": "signal", "channel_ids": [0], "channel_type": "memory"},
  {"name": "wait", "channel_ids": [0], "channel_type": "memory"},
  {"name": "nop"},
  {"name": "re", "src_buff": [{"type": "i", "index": 0, "size": 1}, {"type": "s", "index": 0, "size": 1}],
   "dst_buff": [{"type": "i", "index": 0, "size": 1}], "reduce_op": "sum"}],
  "channels": [{"channel_type": "memory", "channel_ids": [0]}],
  "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}]}],
 "channels": [{"channel_type": "memory", "connected_to": [PEER]}],
 "remote_buffers": [{"rank": PEER, "type": "s", "access_channel_types": ["memory"]}],
 "semaphores": []})";

std::string with(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string sum_of_two() {
  return R"({"name": "sum", "collective": "allreduce", "protocol": "Simple", "inplace": true,
 "gpus": [)" +
         with(with(kGpu, "RANK", "0"), "PEER", "1") + ",\n" +
         with(with(kGpu, "RANK", "1"), "PEER", "0") + "]}";
}

std::string error_of(const std::string& text) {
  try {
    (void)read(text, "plan.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(MscclppPlans, are_read_with_what_may_be_left_out) {
  const Plan plan = read(sum_of_two(), "plan.json");
  ASSERT_EQ(plan.ranks(), 2);
  EXPECT_EQ(plan.threads, 1024);
  EXPECT_EQ(plan.alignment_B, 16);
  EXPECT_EQ(plan.max_B, kNoLimit);
  ASSERT_EQ(plan.gpus[1].blocks.size(), 1U);
  EXPECT_EQ(plan.gpus[1].blocks[0].ops.size(), 9U);
  EXPECT_EQ(plan.gpus[1].memory_peers, std::vector<std::int32_t>{0});
}

TEST(MscclppPlans, are_refused_with_the_place) {
  const std::string right = sum_of_two();
  const auto broken = [&](std::string_view from, std::string_view to) {
    return error_of(with(right, from, to));
  };
  const auto begins = [](const std::string& text, const std::string& what) {
    EXPECT_EQ(text.substr(0, what.size()), what) << text;
  };
  begins(broken("\"nop\"", "\"nope\""),
         "plan.json: gpus[0].threadblocks[0].ops[2].name: unknown operation 'nope'");
  begins(broken("channel_type\": \"memory\"},\n  {\"name\": \"nop",
                "chanel_type\": \"memory\"},\n  {\"name\": \"nop"),
         "plan.json: gpus[0].threadblocks[0].ops[1]: unknown key 'chanel_type'; did you mean "
         "channel_type?");
  begins(broken("\"scratch_chunks\": 1", "\"scratch_chunks\": 0"),
         "plan.json: rank 0, thread block 0, operation 3 (put): chunks 0 to 0 of dst_buff are "
         "outside of their buffer, which has 0");
  begins(broken("\"input_chunks\": 1", "\"input_chunks\": -1"),
         "plan.json: gpus[0].input_chunks: -1 is not an integer from 0 to 16777216");
  begins(broken("\"signal\", \"channel_ids\": [0]", "\"signal\", \"channel_ids\": [1]"),
         "plan.json: gpus[0].threadblocks[0].ops[5].channel_ids: the thread block has no memory "
         "channel 1");
  begins(broken("\"buffer_id\": 0", "\"buffer_id\": 7"),
         "plan.json: gpus[0].threadblocks[0].ops[3].dst_buff[0]: the thread block has no remote "
         "buffer 7");
  begins(broken("\"connected_to\": [1]", "\"connected_to\": [0]"),
         "plan.json: gpus[0].channels[0].connected_to[0]: GPU 0 is its own peer");
  begins(broken("\"id\": 1,", "\"id\": 2,"),
         "plan.json: gpus[1].id: GPUs must be in the order of their ranks, and this one is 1");
  begins(broken("\"inplace\": true", "\"inplace\": 1"),
         "plan.json: inplace: 1 is neither true nor false");
  begins(broken("\"inplace\": true", "\"inplace\": true, \"inplace\": false"),
         "plan.json: the key 'inplace' is twice in one object; leave one");
  begins(broken("\"collective\": \"allreduce\"", "\"collective\": \"foo\""),
         "plan.json: collective: unknown collective 'foo' of MSCCL++; ");
  begins(broken("\"protocol\": \"Simple\"", "\"protocol\": \"LL128\""),
         "plan.json: protocol: unknown value 'LL128'");
  // The last line is the 37th of the text, and ends within a string.
  begins(error_of(right.substr(0, right.size() - 10)), "plan.json:37: the file is not JSON");
  begins(error_of(std::string(5000, '[')), "plan.json: the file nests");
  begins(error_of("{}"), "plan.json: the file is not an execution plan of MSCCL++");
  begins(error_of("{\"gpus\": []}"), "plan.json: 'name' is missing");
}

}  // namespace
}  // namespace weft::format::mscclpp
