// Schedules of synthesizers: TACOS, TE-CCL, ForestColl.
#include <gtest/gtest.h>

#include "support/fabrics.hpp"
#include "support/network_on.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/algorithm/rings/ring.hpp"
#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::format {
namespace {

ProgramSource source(const std::string& text) {
  return {.path = "f", .read = [text](const std::string&) { return text; }};
}

// Whatever is claimed is proved; the fault's text otherwise.
std::string fault_of(const char* format, const std::string& text) {
  const Format& f = find_format(format);
  const auto result = program::prove(f.read_program(source(text)), *f.read_claim(source(text)));
  return result ? "" : result.fault().text;
}

Program proved(const char* format, const std::string& text) {
  const Format& f = find_format(format);
  auto result = program::prove(f.read_program(source(text)), *f.read_claim(source(text)));
  EXPECT_TRUE(static_cast<bool>(result)) << result.fault().text;
  return *result;
}

std::string refusal(const char* format, const std::string& text) {
  try {
    find_format(format).read_program(source(text));
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

double time_s(const Program& program, std::string_view network) {
  return simulation::simulate(program, test::on(network)).time_s;
}

Program ring(std::int64_t size_B) {
  return lower(schedule::verify_own(algorithm::ring_allgather(3)), {.size_B = size_B});
}

std::string written(const char* format, const Program& program) {
  return find_format(format).write_program(program, {.path = "f"})[0].content;
}

// A chunk of 12,500 B takes 1 us at 12.5 GB/s and 1 us on its way; two follow each other.
TEST(Tacos, reads_what_links_carry) {
  const Program program = proved("tacos", test::example("synthesized/tacos.csv"));
  EXPECT_EQ(program.ranks(), 3);
  EXPECT_EQ(program.size_B(), 12'500);
  EXPECT_EQ(program.message_count(), 6);
  EXPECT_NEAR(time_s(program, "uniring:3"), 4e-6, 1e-12);
  EXPECT_EQ(recognise(test::example("synthesized/tacos.csv"), "f").name, "tacos");
}

// Chunks 0 and 2 are the first NPU's, 1 and 3 the second's.
TEST(Tacos, numbers_chunks_by_turns) {
  const std::string head =
      "NPUs Count,2\nLinks Count,2\nChunks Count,4\nChunk Size,8,B\n"
      "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks\n";
  const Program program = proved("tacos", head + "0,1,5,1,2,0\n1,0,5,1e+02,1,3\n");
  const auto sends = program.operations()->of(program::Agent(0));
  EXPECT_EQ(program.operations()->reads(sends[2])[0].offset_B, 8);
  EXPECT_EQ(program.operations()->reads(sends[3])[0].offset_B, 0);
  EXPECT_EQ(fault_of("tacos", head + "0,1,5,1,2,0\n1,0,5,1,1\n"),
            "rank 0 has nothing in byte 24 of data in the end");
}

TEST(Tacos, writes_the_ring) {
  EXPECT_EQ(written("tacos", ring(12'500)),
            "NPUs Count,3\nLinks Count,3\nChunks Count,3\nChunk Size,12500,B\n"
            "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks\n"
            "0,1,1000,12.5,0,2\n1,2,1000,12.5,1,0\n2,0,1000,12.5,2,1\n");
}

TEST(Tacos, refuses_what_is_no_table) {
  const std::string whole = test::example("synthesized/tacos.csv");
  const auto why = [&](std::string_view from, std::string_view to) {
    return refusal("tacos", replaced(whole, from, to));
  };
  EXPECT_EQ(why("NPUs Count", "NPU Count"), "f:1: expected \"NPUs Count,NUMBER\"");
  EXPECT_EQ(why("Chunks Count,3", "Chunks Count,4"),
            "f:3: 4 chunks are not a multiple of 3 NPUs, but every NPU needs the same number in "
            "TACOS");
  EXPECT_EQ(why("12500,B", "12500,KB"), "f:4: expected \"Chunk Size,NUMBER,B\"");
  EXPECT_EQ(why("Latency (ns)", "Latency (us)").substr(0, 23), "f:5: expected the line ");
  EXPECT_EQ(why("0,2\n", "0,3\n"), "f:6: chunk 3 is out of range (0 to 2)");
  EXPECT_EQ(why("0,2\n", "0,x\n"), "f:6: 'x' is not a chunk");
  EXPECT_EQ(why("0,1,1000", "0,0,1000"), "f:6: the link leads from NPU 0 to itself");
  EXPECT_EQ(why("1,0,1000", "0,1,1000"), "f:7: the link from 0 to 1 is repeated");
  EXPECT_EQ(why(",None", ""), "f:7: the chunks are missing; write None");
  EXPECT_EQ(why("12.5,None", "fast,None"),
            "f:7: the bandwidth is missing or not a number of 0 or more");
  EXPECT_EQ(why("None", "1,0"), "f:7: chunk 0 arrives at rank 0, which already has it");
  EXPECT_EQ(why("2,0,1000,12.5,2,1\n", ""), "'f' has 3 of 4 links; it may be truncated");
  EXPECT_EQ(why("1,2,1000,12.5,1,0", "1,2,1000,12.5,2"),
            "f:8: chunk 2 arrives at rank 2, which already has it");
  EXPECT_EQ(why("0,1,1000,12.5,0,2", "0,1,1000,12.5,0").substr(0, 3), "(ac");
  EXPECT_EQ(why("1,2,1000,12.5,1,0", "1,2,1000,12.5,0"),
            "f:9: rank 2 sends chunk 1, which it never receives");
  // Each waits for the other's second.
  EXPECT_NE(
      refusal("tacos",
              "NPUs Count,3\nLinks Count,2\nChunks Count,3\nChunk Size,1,B\n"
              "SrcID,DestID,Latency (ns),Bandwidth (GB/s),Chunks\n0,1,1,1,2,0\n1,0,1,1,2,1\n"),
      "(accepted)");
}

TEST(TeCcl, reads_an_allgather) {
  const Program program = proved("te-ccl", test::example("synthesized/te-ccl.json"));
  EXPECT_EQ(program.ranks(), 3);
  EXPECT_EQ(program.size_B(), 12'500);  // 9.375 GB/s for 4 us, over three ranks
  EXPECT_EQ(program.message_count(), 6);
  EXPECT_NEAR(time_s(program, "uniring:3"), 4e-6, 1e-12);
  EXPECT_EQ(recognise(test::example("synthesized/te-ccl.json"), "f").name, "te-ccl");
}

// The A* rounds write the two halves of a way through a switch, and what comes a second time.
TEST(TeCcl, joins_flows_through_switches) {
  const std::string text = R"({"1-Epoch_Duration": 1, "7-Flows": [
    "Chunk 0 from 1 traveled over 1->0 in epoch 0",
    "Chunk 0 from 2 traveled over 2->0 in epoch 0",
    "Chunk 0 from 1 traveled over 0->2 in epoch 1",
    "Chunk 0 from 2 traveled over 0->1 in epoch 1",
    "Chunk 0 from 1 traveled over 0->2 in epoch 2"]})";
  const Program program = proved("te-ccl", text);
  EXPECT_EQ(program.ranks(), 2);
  EXPECT_EQ(program.message_count(), 2);
  EXPECT_EQ(program.size_B(), 1 << 20);
}

// Three ranks; half of the chunk from GPU 0 to GPU 1 goes over GPU 2.
constexpr const char* kAllToAll = R"({
"4-Collective_Finish_Time": 1e-6, "5-Algo_Bandwidth": 0.012,
"7-Flows": [
"Chunk 1 from 0 traveled over 0->1 with volume 0.5 in epoch 0",
"Chunk 1 from 0 traveled over 0->2 with volume 0.5 in epoch 0",
"Chunk 0 from 1 traveled over 1->0 with volume 1.0 in epoch 0",
"Chunk 0 from 2 traveled over 2->0 with volume 1.0 in epoch 0"],
"8-Chunk paths": {
"Demand at 1 for chunk 1 from 0 met by epoch 1": [
  [[0, "0->1 with volume 0.5 in epoch 0"]],
  [[0, "0->2 with volume 0.5 in epoch 0"], [1, "2->1 with volume 0.5 in epoch 1"]]],
"Demand at 2 for chunk 2 from 0 met by epoch 1": [[[1, "0->2 with volume 1.0 in epoch 1"]]],
"Demand at 0 for chunk 0 from 1 met by epoch 0": [[[0, "1->0 with volume 1.0 in epoch 0"]]],
"Demand at 2 for chunk 2 from 1 met by epoch 1": [[[1, "1->2 with volume 1.0 in epoch 1"]]],
"Demand at 0 for chunk 0 from 2 met by epoch 0": [[[0, "2->0 with volume 1.0 in epoch 0"]]],
"Demand at 1 for chunk 1 from 2 met by epoch 1": [[[1, "2->1 with volume 1.0 in epoch 1 via switches 7"]]]
}})";

TEST(TeCcl, reads_an_all_to_all_with_split_chunks) {
  const Program program = proved("te-ccl", kAllToAll);
  EXPECT_EQ(program.ranks(), 3);
  EXPECT_EQ(program.size_B(), 4);  // 0.012 GB/s for 1 us is 12 bytes, over three ranks
  EXPECT_EQ(program.message_count(), 8);
}

TEST(TeCcl, refuses_what_is_no_schedule) {
  const auto allgather = [](std::string_view from, std::string_view to) {
    return refusal("te-ccl", replaced(test::example("synthesized/te-ccl.json"), from, to));
  };
  EXPECT_EQ(allgather("traveled over 1->2", "went over 1->2"),
            "f:9: unexpected 'went over 1->2 in' in place of 'traveled over'");
  EXPECT_EQ(allgather("2->3 in epoch 0", "2-3 in epoch 0"),
            "f:10: '2-3 in epoch 0' is not a hop such as 1->2");
  EXPECT_EQ(allgather("3->1 in epoch 0 via", "3->1 in epoch 0 by"),
            "f:11: unexpected 'by switches 0'; the sentence must end with the epoch");
  EXPECT_EQ(allgather("3->1 in epoch 0", "3->1 with volume 0.5 in epoch 0"),
            "f:11: some flows have a volume, but others have none");
  EXPECT_EQ(allgather("from 3 traveled over 1->2", "from 3 traveled over 9->2"),
            "f:14: switch 9 sends chunk 0 of GPU 3, which it never received");
  EXPECT_EQ(allgather("\"7-Flows\"", "\"7-Ways\"").substr(0, 26), "f: \"7-Flows\" is missing or");
  EXPECT_EQ(allgather("2e-06,", "2e-06").substr(0, 26), "f:3: the file is not JSON:");
  EXPECT_EQ(refusal("te-ccl", "[]"), "f: a schedule of TE-CCL must be a JSON object");
  const auto alltoall = [](std::string_view from, std::string_view to) {
    return refusal("te-ccl", replaced(kAllToAll, from, to));
  };
  EXPECT_EQ(alltoall("[[0, \"0->1 with volume 0.5", "[[0, \"0->1 with volume 0.4"),
            "f:9: the paths carry 0.9 of the chunk; their volumes must sum to 1");
  EXPECT_EQ(alltoall("[1, \"2->1 with volume 0.5", "[1, \"1->2 with volume 0.5"),
            "f:11: the hop 1->2 does not continue from GPU 2");
  EXPECT_EQ(alltoall("[[1, \"1->2 with", "[[1, \"1->0 with"),
            "f:14: a path of the chunk ends at GPU 0");
  EXPECT_EQ(alltoall("Demand at 2 for chunk 2 from 0", "Demand at 5 for chunk 2 from 0"),
            "f:12: 5 does not send a chunk of its own, so it is read as a switch");
}

// Node 0's block is halved: each half goes another way.
TEST(ForestColl, reads_trees) {
  const Program program = proved("forestcoll", test::example("synthesized/forestcoll.xml"));
  EXPECT_EQ(program.ranks(), 3);
  EXPECT_EQ(program.size_B(), 1 << 20);
  EXPECT_EQ(program.message_count(), 8);
  EXPECT_DOUBLE_EQ(program.payload_B(), 6.0 * (1 << 20));  // each block goes to two ranks
  EXPECT_EQ(recognise(test::example("synthesized/forestcoll.xml"), "f").name, "forestcoll");
}

// Files of chunks hold for any size that the chunks divide.
TEST(Synthesized, take_the_size_that_is_asked_for) {
  const auto at = [](const char* format, const std::string& text, std::int64_t size_B) {
    ProgramSource sized = source(text);
    sized.size_B = size_B;
    return find_format(format).read_program(sized);
  };
  EXPECT_EQ(at("forestcoll", test::example("synthesized/forestcoll.xml"), 600).payload_B(), 3600);
  EXPECT_EQ(at("te-ccl", test::example("synthesized/te-ccl.json"), 600).payload_B(), 3600);
  EXPECT_EQ(at("te-ccl", kAllToAll, 6).size_B(), 6);
  EXPECT_THROW(at("forestcoll", test::example("synthesized/forestcoll.xml"), 1), InvalidInput);
}

TEST(ForestColl, writes_trees_of_the_ring) {
  EXPECT_EQ(written("forestcoll", ring(12'500)),
            "<Algo nchunkspernode=\"1\">\n"
            "  <tree root=\"0\" index=\"0\" nchunks=\"1\" height=\"2\">\n"
            "    <send src=\"0\" dst=\"1\" path=\"0,1\"/>\n"
            "    <send src=\"1\" dst=\"2\" path=\"1,2\"/>\n  </tree>\n"
            "  <tree root=\"1\" index=\"0\" nchunks=\"1\" height=\"2\">\n"
            "    <send src=\"1\" dst=\"2\" path=\"1,2\"/>\n"
            "    <send src=\"2\" dst=\"0\" path=\"2,0\"/>\n  </tree>\n"
            "  <tree root=\"2\" index=\"0\" nchunks=\"1\" height=\"2\">\n"
            "    <send src=\"2\" dst=\"0\" path=\"2,0\"/>\n"
            "    <send src=\"0\" dst=\"1\" path=\"0,1\"/>\n  </tree>\n"
            "</Algo>\n");
}

TEST(ForestColl, refuses_what_is_no_forest) {
  const auto why = [](std::string_view from, std::string_view to) {
    return refusal("forestcoll", replaced(test::example("synthesized/forestcoll.xml"), from, to));
  };
  EXPECT_EQ(why("nchunkspernode=\"2\"", "nchunkspernode=\"3\""),
            "f: the trees of root 'node \"(0, 'GPU', 0)\"' have 2 of 3 chunks");
  EXPECT_EQ(why("index=\"1\" nchunks=\"1\"", "index=\"1\" nchunks=\"2\""),
            "f:6: the trees of this root have 3 chunks, but nchunkspernode is 2");
  EXPECT_EQ(why("dst=\"(0, 'GPU', 2)\" path", "dst=\"(0, 'GPU', 7)\" path"),
            "f:4: dst '(0, 'GPU', 7)' has no tree as root; each node needs one");
  EXPECT_EQ(why("(-1, 'IB', 0),(0, 'GPU', 2)", "(-1, 'IB', 0)").substr(0, 13), "f:7: the path");
  EXPECT_EQ(why("<send src=\"(0, 'GPU', 1)\" dst=\"(0, 'GPU', 2)\"",
                "<send src=\"(0, 'GPU', 2)\" dst=\"(0, 'GPU', 2)\"")
                .substr(0, 13),
            "f:4: the path");
  EXPECT_EQ(why("<send", "<recv").substr(0, 32), "f:3: unexpected <recv> in <tree>");
}

TEST(ForestColl, needs_all_of_a_tree) {
  const std::string text = test::example("synthesized/forestcoll.xml");
  const std::string edge =
      "    <send src=\"(0, 'GPU', 1)\" dst=\"(0, 'GPU', 2)\" path=\"(0, 'GPU', 1),(0, 'GPU', "
      "2)\"/>\n";
  EXPECT_EQ(fault_of("forestcoll", replaced(text, edge, "")),
            "rank 2 has nothing in byte 0 of data in the end");
  EXPECT_EQ(refusal("forestcoll", replaced(text, edge, edge + edge)),
            "f:5: the data of this tree of root \"(0, 'GPU', 0)\" arrives at node \"(0, 'GPU', "
            "2)\", which already has it");
}

// What is written says as much as the program: it comes back as an allgather that moves as many
// bytes.
TEST(Synthesized, come_back_as_allgathers) {
  for (const char* network :
       {"ring:6", "torus:3x3", "hypercube:3", "complete:5", "dragonfly:a=2,p=1,h=1"})
    for (const char* algorithm :
         {"ring", "bruck", "neighbor", "recursive-doubling", "bfb", "direct"}) {
      const Network on = test::on(network);
      const auto& found = algorithm::find_algorithm(algorithm);
      if (misfit(found, {schedule::allgather(on.ranks()), &on})) continue;
      const auto schedule =
          algorithm::build_schedule(algorithm, schedule::allgather(on.ranks()), &on);
      const auto verified = schedule::verify_own(schedule, &on.topology());
      const Program program = lower(verified, {.size_B = 720'720});
      for (const char* format : {"tacos", "forestcoll"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", network, algorithm, format));
        const Program back = proved(format, written(format, program));
        EXPECT_DOUBLE_EQ(back.payload_B() / static_cast<double>(back.size_B()),
                         program.payload_B() / static_cast<double>(program.size_B()));
      }
    }
}

TEST(Synthesized, refuse_programs_that_are_no_allgather) {
  const auto why = [](const char* format, const Program& program) -> std::string {
    try {
      written(format, program);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "(written)";
  };
  const Program allreduce =
      lower(schedule::verify_own(algorithm::ring_allreduce(4)), {.size_B = 64});
  for (const char* format : {"tacos", "forestcoll"}) {
    EXPECT_NE(why(format, allreduce).find("is a program of allreduce"), std::string::npos);
    ProgramBuilder builder(2, {.name = "half", .size_B = 8});
    builder.add(program::Agent(0), {.peer = program::Agent(1), .reads = {{0, 0, 8}}});
    builder.add(program::Agent(1), {.kind = program::OperationKind::receive,
                                    .peer = program::Agent(0),
                                    .writes = {{0, 0, 8}}});
    EXPECT_NE(why(format, std::move(builder).build()).find("'half' is not an allgather, which"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace weft::format
