// MSCCL XML as a program: where data lies, what steps become, and what is wrong with a file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/gpu/msccl_builder.hpp"
#include "weft/base/error.hpp"
#include "weft/format/format.hpp"
#include "weft/format/msccl_program.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::msccl {
namespace {

using program::ByteRange;
using schedule::Agent;

std::string step(int number, const std::string& type, const std::string& source,
                 const std::string& target, const std::string& rest = "") {
  const auto place = [](const std::string& text) {
    return std::pair(text.substr(0, 1), text.substr(1));
  };
  const auto [sb, so] = place(source);
  const auto [tb, to] = place(target);
  const std::string dependency = rest.empty() ? R"(depid="-1" deps="-1" hasdep="0")" : rest;
  return fmt::format(
      R"(<step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="1" {}/>)"
      "\n",
      number, type, sb, so, tb, to, dependency);
}

// Each rank has one thread block that exchanges with the other rank, and may have another.
std::string file(const std::string& coll, int chunks, const std::string& sizes,
                 const std::string& first, const std::string& second,
                 const std::string& more = "") {
  std::string text = fmt::format(
      R"(<algo name="x" proto="Simple" nchannels="1" nchunksperloop="{}" ngpus="2" coll="{}" inplace="0">)"
      "\n",
      chunks, coll);
  for (const int rank : {0, 1})
    text += fmt::format(R"(<gpu id="{}" {}>
<tb id="0" send="{}" recv="{}" chan="0">
{}</tb>
{}</gpu>
)",
                        rank, sizes, 1 - rank, 1 - rank, rank == 0 ? first : second, more);
  return text + "</algo>\n";
}

std::string fault_of(const std::string& text) {
  const auto result = prove(read(text, "f.xml"), 8);
  return result ? "" : result.fault().text;
}

// Rank r sends its block to the other and copies it to its own output.
std::string allgather() {
  return file("allgather", 2, R"(i_chunks="1" o_chunks="2" s_chunks="0")",
              step(0, "s", "i0", "o0") + step(1, "r", "i0", "o1") + step(2, "cpy", "i0", "o0"),
              step(0, "s", "i0", "o1") + step(1, "r", "i0", "o0") + step(2, "cpy", "i0", "o1"));
}

TEST(MscclToProgram, puts_blocks_into_a_row) {
  const Program program = to_program(read(allgather(), "f.xml"), 8);
  const auto& operations = *program.operations();
  ASSERT_EQ(operations.of(Agent(1)).size(), 3U);
  EXPECT_EQ(operations.buffers()[3], "output");
  EXPECT_EQ(operations.reads(operations.of(Agent(1))[0])[0], (ByteRange{0, 8, 8}));
  EXPECT_EQ(operations.writes(operations.of(Agent(1))[1])[0], (ByteRange{3, 0, 8}));
  EXPECT_EQ(fault_of(allgather()), "");
}

// All-to-all of two chunks a block: rank d wants block s N + d, at chunks 2 s and 2 s + 1.
TEST(MscclToProgram, turns_the_output_of_all_to_all) {
  std::string ranks[2];
  for (const int r : {0, 1}) {
    int n = 0;
    for (const int k : {0, 1})
      ranks[r] += step(n++, "s", fmt::format("i{}", 2 * (1 - r) + k), "o0");
    for (const int k : {0, 1})
      ranks[r] += step(n++, "r", "i0", fmt::format("o{}", 2 * (1 - r) + k));
    for (const int k : {0, 1})
      ranks[r] += step(n++, "cpy", fmt::format("i{}", 2 * r + k), fmt::format("o{}", 2 * r + k));
  }
  const std::string text =
      file("alltoall", 4, R"(i_chunks="4" o_chunks="4" s_chunks="0")", ranks[0], ranks[1]);
  EXPECT_EQ(fault_of(text), "");
}

// A sum into the output from an operand in the input, sent on as it is made.
TEST(MscclToProgram, keeps_sums_where_the_file_says) {
  const std::string sizes = R"(i_chunks="1" o_chunks="1" s_chunks="1")";
  const std::string text = file("allreduce", 1, sizes, step(0, "rrcs", "i0", "o0"),
                                step(0, "s", "i0", "i0") + step(1, "r", "i0", "o0"));
  EXPECT_EQ(fault_of(text), "");
  const std::string unkept = file("allreduce", 1, sizes, step(0, "rrs", "i0", "i0"),
                                  step(0, "s", "i0", "i0") + step(1, "r", "i0", "o0"));
  EXPECT_EQ(fault_of(unkept), "f.xml: rank 0 has nothing in byte 0 of output in the end");
}

TEST(MscclToProgram, has_its_line_at_a_race) {
  // A second thread block copies the output away before it is written.
  const std::string text = file("allreduce", 1, R"(i_chunks="1" o_chunks="1" s_chunks="1")",
                                step(0, "s", "i0", "i0") + step(1, "rrc", "i0", "o0"),
                                step(0, "s", "i0", "i0") + step(1, "rrc", "i0", "o0"),
                                "<tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" +
                                    step(0, "cpy", "o0", "s0") + "</tb>\n");
  const std::string fault = fault_of(text);
  EXPECT_TRUE(fault.starts_with("f.xml:8: agent 0, operation ")) << fault;
}

TEST(MscclToProgram, calls_well_formed_files_wrong) {
  const std::string sizes = R"(i_chunks="1" o_chunks="1" s_chunks="0")";
  const auto of = [&](const std::string& first, const std::string& second) {
    return fault_of(file("allreduce", 1, sizes, first, second));
  };
  const std::string wait = R"(depid="0" deps="{}" hasdep="0")";
  EXPECT_EQ(of(step(0, "s", "i0", "i0"), ""),
            "f.xml: a message from 0 to 1 with tag 0 is sent and never received; add the other "
            "end, or remove it");
  EXPECT_EQ(of(step(0, "nop", "i-1", "o-1", R"(depid="0" deps="0" hasdep="0")"), ""),
            "f.xml:4: the step waits for steps that wait for it, in a circle");
  EXPECT_EQ(of(step(0, "nop", "i-1", "o-1", R"(depid="3" deps="0" hasdep="0")"), ""),
            "f.xml:4: the step waits for step 0 of thread block 3, which gpu 0 does not have");
  EXPECT_NE(of(step(0, "r", "i0", "o0") + step(1, "s", "i0", "i0"),
               step(0, "r", "i0", "o0") + step(1, "s", "i0", "i0"))
                .find("wait for each other in a circle"),
            std::string::npos);
}

// Two thread blocks of a GPU, the first step of each waits for the other's.
TEST(MscclToProgram, ends_where_thread_blocks_wait_for_each_other) {
  const auto waits_for = [](int block) {
    return fmt::format(R"(depid="{}" deps="0" hasdep="1")", block);
  };
  const std::string text =
      file("allreduce", 1, R"(i_chunks="1" o_chunks="1" s_chunks="1")",
           step(0, "cpy", "i0", "s0", waits_for(1)), step(0, "cpy", "i0", "s0", waits_for(1)),
           "<tb id=\"1\" send=\"-1\" recv=\"-1\" chan=\"0\">\n" +
               step(0, "cpy", "i0", "o0", waits_for(0)) + "</tb>\n");
  EXPECT_EQ(fault_of(text), "f.xml:4: the step waits for steps that wait for it, in a circle");
}

TEST(MscclToProgram, refuses_sizes_and_buffers) {
  const auto message = [](const std::string& text, std::int64_t size_B) -> std::string {
    try {
      (void)prove(read(text, "f.xml"), size_B);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string sizes = R"(i_chunks="4" o_chunks="4" s_chunks="0")";
  EXPECT_EQ(message(file("allreduce", 4, sizes, "", ""), 6),
            "size 6 is not a multiple of the 4 chunks of 'f.xml'; use 4 or 8");
  EXPECT_EQ(message(file("allgather", 4, sizes, "", ""), 8),
            "f.xml:2: i_chunks=\"4\", but with nchunksperloop=\"4\" the input buffer of "
            "allgather needs 2 chunks");
  EXPECT_EQ(message(file("allgather", 3, sizes, "", ""), 8),
            "f.xml: nchunksperloop=\"3\" is not a multiple of the 2 ranks, each of which has a "
            "block");
}

// All ranks name all chunks of both buffers, so that their numbers say nothing of the root.
TEST(MscclToProgram, finds_the_root_by_what_arrives) {
  for (std::int32_t root = 0; root < 3; ++root)
    for (const Algorithm& algorithm :
         {test::msccl_chain(3, root), test::msccl_reduce_chain(3, root)}) {
      const std::string text = write(algorithm, find_profile("msccl-executor"));
      ProgramSource source{.path = "f.xml", .read = [&](const std::string&) { return text; }};
      const Format& format = find_format("msccl");
      const ReadCollective read = format.read_collective(source);
      ASSERT_TRUE(std::holds_alternative<schedule::Verified>(read.outcome)) << read.note;
      const auto& schedule = std::get<schedule::Verified>(read.outcome).schedule();
      EXPECT_EQ(schedule.collective().root.value(), root);
      EXPECT_EQ(format.read_claim(source)->collective.root.value(), root);
      source.root = (root + 1) % 3;
      EXPECT_TRUE(
          std::holds_alternative<program::ProgramFault>(format.read_collective(source).outcome));
      source.root = 3;
      EXPECT_THROW((void)format.read_collective(source), InvalidInput);
    }
}

TEST(MscclToProgram, becomes_a_program_if_no_schedule_can_say_it) {
  const std::string text = file("custom", 1, R"(i_chunks="1" o_chunks="1" s_chunks="0")",
                                step(0, "s", "i0", "o0"), step(0, "r", "i0", "o0"));
  const ReadCollective custom = find_format("msccl").read_collective(
      {.path = "f.xml", .size_B = 64, .read = [&](const std::string&) { return text; }});
  ASSERT_TRUE(std::holds_alternative<Program>(custom.outcome));
  EXPECT_EQ(std::get<Program>(custom.outcome).payload_B(), 64);
  EXPECT_EQ(custom.note, "coll=\"custom\" is not a collective that weft supports");
}

}  // namespace
}  // namespace weft::format::msccl
