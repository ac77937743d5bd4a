// MSCCL++ plans as programs: what the thread blocks that share an operation do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/format/mscclpp.hpp"
#include "weft/format/mscclpp_program.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::mscclpp {
namespace {

std::string shared(const std::string& block, const std::string& name, const std::string& from,
                   const std::string& to) {
  return R"({"name": ")" + name + R"(", "src_buff": [{"type": ")" + from +
         R"(", "index": 0, "size": 1}], "dst_buff": [{"type": ")" + to +
         R"(", "index": 0, "size": 1}], "tbg_info": {"tb_id": )" + block + R"(, "tbg_size": 2}})";
}

// Two thread blocks of a GPU copy its chunk to packets together, and the packets to the output.
Plan plan_of_two_blocks() {
  std::string blocks;
  for (const std::string block : {"0", "1"})
    blocks += (block == "0" ? "" : ", ") + std::string(R"({"id": )") + block + R"(, "ops": [)" +
              shared(block, "cpkt", "i", "s") + ", " + shared(block, "upkt", "s", "o") + "]}";
  return read(R"({"name": "copy", "collective": "custom", "protocol": "LL", "inplace": false,
 "gpus": [{"id": 0, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 1,
 "threadblocks": [)" +
                  blocks + "]}]}",
              "plan.json");
}

std::vector<std::int64_t> sizes_of_copies(std::int64_t size_B) {
  const Program program = to_program(plan_of_two_blocks(), size_B);
  std::vector<std::int64_t> sizes;
  for (const program::Operation& operation : program.operations()->of(Agent(0))) {
    EXPECT_EQ(operation.kind, program::OperationKind::copy);
    sizes.push_back(operation.bytes);
  }
  std::ranges::sort(sizes);
  return sizes;
}

// Shares are whole units of 16 bytes: 16 and 16 of 32, 16 and 1 of 17, all and none of fewer. A
// share without bytes is no operation.
TEST(ProgramsOfMscclpp, leave_out_shares_without_bytes) {
  EXPECT_EQ(sizes_of_copies(32), (std::vector<std::int64_t>{16, 16, 16, 16}));
  EXPECT_EQ(sizes_of_copies(17), (std::vector<std::int64_t>{1, 1, 16, 16}));
  EXPECT_EQ(sizes_of_copies(15), (std::vector<std::int64_t>{15, 15}));
  EXPECT_EQ(sizes_of_copies(1), (std::vector<std::int64_t>{1, 1}));
}

}  // namespace
}  // namespace weft::format::mscclpp
