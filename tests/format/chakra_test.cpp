// Chakra's execution traces: bytes put together by hand are read right, and what we write is read
// back equal.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>

#include "support/network_on.hpp"
#include "support/protobuf_bytes.hpp"
#include "support/trace_files.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/program/file.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::format {
namespace {

using program::Agent;
using program::OperationKind;
using test::read_traces;
using test::trace_refusal;
namespace wire = test::wire;

std::string packed(const std::string& bytes) {
  z_stream stream{};
  constexpr int kOfGzip = 16 + MAX_WBITS, kMemory = 8;
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kOfGzip, kMemory, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Program lowered(const std::string& algorithm, const Collective& collective, std::int64_t size_B) {
  const Schedule schedule = algorithm::build_schedule(algorithm, collective, nullptr);
  return write_out(lower(schedule::verify_own(schedule), {.size_B = size_B}));
}

std::vector<std::string> written(const Program& program, const HostParameters& host = {}) {
  std::vector<std::string> files;
  for (const File& file : find_format("chakra").write_program(program, {.path = "f", .host = host}))
    files.push_back(file.content);
  return files;
}

Program read(const std::vector<std::string>& files) {
  return find_format("chakra").read_program(test::trace_source(files));
}

TEST(Chakra, reads_nodes_of_every_kind) {
  const std::string groups =
      wire::bytes(8, wire::bytes(1, R"(['[{"pg_name": "7", "ranks": [1, 0], "group_size": 2}]'])"));
  const std::string file =
      wire::header() +
      wire::frame(wire::number(1, 3) + wire::bytes(2, "## process_group:init ##") +
                  wire::number(3, wire::kMetadata) + groups) +
      wire::node(10, wire::kCompute,
                 wire::micros(5) + wire::attribute("is_cpu_op", wire::number(27, 1)) +
                     wire::int64("num_ops", 123'456'789'012)) +
      wire::send(11, 1, 4, 4096, wire::after(10)) + wire::receive(12, 1, 5, 2048, wire::after(11)) +
      wire::collective(13, 2, 1 << 20,
                       wire::bytes(4, wire::varint(12)) +
                           wire::bytes(5, wire::varint(10) + wire::varint(11)) +
                           wire::int32("comm_priority", -2) + wire::text("pg_name", "7")) +
      wire::node(14, wire::kLoad, wire::micros(9)) + wire::collective(15, 9, 0);
  const Trace trace = read_traces({file, wire::header()});
  ASSERT_EQ(trace.ranks.size(), 2);
  const RankTrace& rank = trace.ranks[0];
  ASSERT_EQ(rank.nodes.size(), 7);
  EXPECT_EQ(rank.name_of(rank.nodes[1]), "a node");
  EXPECT_EQ(rank.nodes[1].id, 10);
  EXPECT_EQ(rank.nodes[1].kind, TraceKind::compute);
  EXPECT_TRUE(rank.nodes[1].on_cpu);
  EXPECT_EQ(rank.nodes[1].duration_ps, 5'000'000);
  EXPECT_EQ(rank.nodes[1].operations, 123'456'789'012);
  EXPECT_EQ(rank.nodes[2].peer, 1);
  EXPECT_EQ(rank.nodes[2].tag, 4);
  EXPECT_EQ(rank.nodes[2].bytes, 4096);
  EXPECT_EQ(rank.nodes[3].kind, TraceKind::receive);
  const TraceNode& all = rank.nodes[4];
  EXPECT_EQ(all.collective, CollectiveKind::allgather);
  EXPECT_EQ(all.bytes, 1 << 20);
  EXPECT_EQ(all.priority, -2);
  const auto waits = rank.waits_of(all);  // both lists, packed, by number
  EXPECT_EQ(std::vector(waits.begin(), waits.end()), (std::vector<std::int32_t>{1, 2, 3}));
  ASSERT_TRUE(all.group);
  EXPECT_EQ(trace.groups[static_cast<std::size_t>(*all.group)],
            (TraceGroup{.name = "7", .ranks = {1, 0}}));
  EXPECT_EQ(rank.nodes[5].duration_ps, 9'000'000);
  EXPECT_EQ(rank.nodes[6].collective, CollectiveKind::allreduce);  // a barrier
  EXPECT_EQ(rank.nodes[6].bytes, 1);
}

// As PyTorch's are: what the processor does of a collective has none of its attributes, and
// controls name calls, of which some were left out.
TEST(Chakra, takes_the_processor_s_part_of_a_collective_as_its_work) {
  const std::string on_cpu = wire::attribute("is_cpu_op", wire::number(27, 1));
  const Trace trace = read_traces(
      {wire::header() +
       wire::node(4, wire::kCollective, wire::number(4, 2) + wire::micros(85) + on_cpu) +
       wire::collective(6, 5, 424, wire::number(4, 7) + wire::after(4)) +
       wire::node(7, wire::kCompute, wire::after(6))});
  const RankTrace& rank = trace.ranks[0];
  EXPECT_EQ(rank.nodes[0].kind, TraceKind::compute);
  EXPECT_EQ(rank.nodes[0].duration_ps, 85'000'000);
  EXPECT_EQ(rank.nodes[0].waits, 0);
  EXPECT_EQ(rank.nodes[1].kind, TraceKind::collective);
  EXPECT_EQ(rank.nodes[1].waits, 1);
  EXPECT_EQ(rank.passed_over, 2);
}

// Each integer type has a field of its own; -3 is 5 in a zigzag.
TEST(Chakra, takes_whole_numbers_of_any_width) {
  const std::array<std::string, 8> threes = {
      wire::number(7, 3),
      wire::number(9, 3),
      wire::number(11, 3),
      wire::number(13, 3),
      wire::number(15, 6),
      wire::number(17, 6),
      wire::varint(19 << 3 | 5) + std::string("\3\0\0\0", 4),
      wire::varint(21 << 3 | 1) + std::string("\3\0\0\0\0\0\0\0", 8)};
  for (const std::string& three : threes) {
    const Trace trace =
        read_traces({wire::header() +
                     wire::node(1, wire::kSend,
                                wire::attribute("comm_size", three) + wire::int32("comm_dst", 0))});
    EXPECT_EQ(trace.ranks[0].nodes[0].bytes, 3);
  }
}

TEST(Chakra, reads_what_gzip_packed_in_one_or_several_parts) {
  std::string file = wire::header();
  for (std::uint64_t id = 0; id < 100'000; ++id)
    file += wire::node(id, wire::kCompute, wire::micros(id % 7));
  const Trace plain = read_traces({file});
  const Trace whole = read_traces({packed(file)});
  const std::size_t half = file.size() / 2;
  const Trace parts = read_traces({packed(file.substr(0, half)) + packed(file.substr(half))});
  for (const Trace* trace : {&whole, &parts}) {
    ASSERT_EQ(trace->ranks[0].nodes.size(), 100'000);
    EXPECT_EQ(trace->ranks[0].nodes.back().duration_ps, plain.ranks[0].nodes.back().duration_ps);
  }
  const std::string bytes = packed(file);
  EXPECT_NE(trace_refusal({bytes.substr(0, bytes.size() - 9)}).find("the gzip data"),
            std::string::npos);
  EXPECT_NE(trace_refusal({bytes + "behind"}).find("follow"), std::string::npos);
}

TEST(Chakra, refuses_what_is_wrong_with_file_and_node) {
  const std::string computes = wire::node(1, wire::kCompute);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "'f.0.et': the file is empty"},
      {"\x1f", "a message of 31 bytes exceeds"},
      {"num_ranks 2\nrank 0 {\n", "bytes left; the file may be truncated"},
      {wire::header() + wire::node(1, 0), "node 1 (byte 8): unknown type 0"},
      {wire::header() + wire::node(1, 8), "unknown type 8 (expected 1, METADATA, to 7, COMM_COLL)"},
      {wire::header() + computes + computes, "node 1: two nodes have this number"},
      {wire::header() + wire::node(1, wire::kCompute, wire::after(9)),
       "node 1: it names node 9, which does not exist"},
      {wire::header() + wire::node(1, wire::kCompute, wire::after(1)),
       "in a circle: 1 waits for 1"},
      {wire::header() + wire::node(5, wire::kCompute, wire::after(7)) +
           wire::node(6, wire::kCompute, wire::after(5)) +
           wire::node(7, wire::kCompute, wire::after(6)),
       "'f.0.et': nodes wait for each other in a circle: 5 waits for 7 waits for 6 waits for 5"},
      {wire::header() + wire::node(5, wire::kCompute, wire::number(4, 6)) +
           wire::node(6, wire::kCompute, wire::after(5)),
       "in a circle: 5 waits for 6 waits for 5"},
      {wire::header() + wire::send(1, 1, 0, 8), "its other end is rank 1, but there are 1 rank"},
      {wire::header() + wire::node(1, wire::kSend, wire::int64("comm_size", 8)),
       "a COMM_SEND has no comm_dst"},
      {wire::header() + wire::node(1, wire::kReceive, wire::int32("comm_src", 0)),
       "a COMM_RECV has no comm_size"},
      {wire::header() + wire::node(1, wire::kCollective, wire::int64("comm_size", 8)),
       "a COMM_COLL has no comm_type"},
      {wire::header() + wire::collective(1, 10, 8),
       "unknown comm_type 10 (expected 0, ALL_REDUCE, to"},
      {wire::header() + wire::collective(1, 0, -8), "comm_size -8 is out of range (0 to"},
      {wire::header() + wire::node(1, wire::kCollective, wire::text("comm_type", "2")),
       "comm_type is text (expected a whole number)"},
      {wire::header() + wire::node(1, wire::kCompute, wire::int32("pg_name", 2)),
       "pg_name is a whole number (expected text)"},
      {wire::header() +
           wire::node(1, wire::kCompute, wire::attribute("is_cpu_op", wire::bytes(29, "true"))),
       "is_cpu_op is text (expected a whole number)"},
      {wire::header() +
           wire::node(1, wire::kCompute,
                      wire::attribute("num_ops", wire::varint(3 << 3 | 1) + std::string(8, '\0'))),
       "num_ops is a real number"},
      {wire::header() + wire::node(1, wire::kCompute, wire::micros(2'000'000'000'000)),
       "which is too long"},
      {wire::header() + wire::send(1, 0, 0, 8, wire::int32("comm_src", 3)),
       "it sends from rank 3, but the file belongs to rank 0"},
      {computes, "the header is missing before node 1"},
      {wire::header() +
           wire::collective(
               1, 0, 8,
               wire::attribute("involved_dim", wire::bytes(28, std::string("\n\2\1\0", 4)))),
       "involved_dim leaves out dimensions"},
      {wire::header() +
           wire::frame(
               wire::number(1, 4) +
               wire::bytes(2, "## process_group:init ##") + wire::number(3, wire::kMetadata) +
               wire::bytes(8, wire::bytes(1, R"(['[{"pg_name": "0", "ranks": [0]}, {"pg)"))),
       "node 4 (byte 8): the text of the process groups is truncated"},
      {wire::frame(wire::bytes(1, "0.0.4") +
                   wire::bytes(2, wire::bytes(1, "weft_program") + wire::bytes(29, "ring")) +
                   wire::bytes(2, wire::bytes(1, "weft_collective") + wire::bytes(29, "allredu"))),
       "the header: weft_collective: "},
      {wire::header() + wire::frame("\x0f\xff"), "2 bytes are not a node; the file may be damaged"},
      {wire::frame("\x0f\xff") + computes, "the first 2 bytes are not a header; check that"}};
  for (const auto& [file, why] : wrong) {
    const std::string said = trace_refusal({file});
    EXPECT_NE(said.find(why), std::string::npos) << said << "\nwanted: " << why;
    EXPECT_NE(said.find("f.0.et"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Chakra, refuses_ranks_that_are_missing) {
  ProgramSource source = test::trace_source({wire::header()});
  source.list = [](const std::string&) {
    return std::vector<std::string>{"f.0.et", "f.3.et", "f.1.et", "f.2.etc", "g.2.et", "f.02.et"};
  };
  try {
    read_trace(source);
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "'f.2.et' is missing, but 'f.3.et' exists");
  }
  EXPECT_THROW(read_trace({.path = "nothing/here"}), InvalidInput);
}

// Groups go by name within a file alone: two ranks' groups of one name may have different members.
TEST(Chakra, keeps_groups_of_one_name_apart_by_their_members) {
  const auto of_rank = [](const char* ranks) {
    return wire::header() +
           wire::collective(5, 0, 8, wire::text("pg_name", "1")) +  // before it is defined
           wire::frame(
               wire::number(1, 0) + wire::bytes(2, "## process_group:init ##") +
               wire::number(3, wire::kMetadata) +
               wire::bytes(8, wire::bytes(1, std::string("['[{\"pg_name\": \"1\", \"ranks\": ") +
                                                 ranks + "}]']")));
  };
  const Trace trace = read_traces({of_rank("[0,1]"), of_rank("[0,1]"), of_rank("[2]")});
  EXPECT_EQ(trace.groups,
            (std::vector<TraceGroup>{{.name = "1", .ranks = {0, 1}}, {.name = "1", .ranks = {2}}}));
  EXPECT_NE(trace_refusal({of_rank("[1]"), of_rank("[1]")}).find("does not have rank 0"),
            std::string::npos);
  EXPECT_NE(trace_refusal({of_rank("[0,7]")}).find("has rank 7"), std::string::npos);
  EXPECT_NE(trace_refusal({of_rank("[0,0]")}).find("repeats a rank"), std::string::npos);
  EXPECT_NE(trace_refusal({of_rank("[0,")}).find("the text of the process groups is not JSON"),
            std::string::npos);
}

// All of an operation but its tag.
std::string text_of(const Program& program) {
  std::string text;
  const auto& operations = *program.operations();
  for (std::int32_t a = 0; a < operations.agents(); ++a)
    for (const auto& operation : operations.of(Agent(a))) {
      text += fmt::format("{} {} {} {} {} {} {} {} {}:", a, name_of(operation.kind),
                          static_cast<int>(operation.stream), operation.peer.value(),
                          operation.bytes, operation.seconds, operation.origin.step,
                          operation.origin.message, operation.origin.segment);
      for (const auto ranges : {operations.reads(operation), operations.writes(operation)})
        for (const auto& range : ranges)
          text += fmt::format(" {}/{}/{}", range.buffer, range.offset_B, range.bytes);
      for (const auto wait : operations.waits(operation)) text += fmt::format(" <{}", wait);
      text += '\n';
    }
  return text;
}

TEST(Chakra, reads_collectives_back_equal_and_proves_them) {
  const std::vector<std::pair<std::string, Collective>> all{
      {"ring", schedule::allreduce(5)},
      {"bruck", schedule::allgather(6)},
      {"spread", schedule::alltoall(4)},
      {"binomial", schedule::broadcast(6, Rank(2))},
      {"rabenseifner", schedule::allreduce(8)}};
  for (const auto& [algorithm, collective] : all) {
    const Program program = lowered(algorithm, collective, 1000);
    const auto files = written(program);
    const Program back = read(files);
    EXPECT_EQ(text_of(back), text_of(program)) << algorithm;
    EXPECT_EQ(back.name(), program.name());
    EXPECT_EQ(written(back).size(), files.size());
    const auto claim = read_claim(test::trace_source(files));
    ASSERT_TRUE(claim) << algorithm;
    EXPECT_EQ(claim->collective, collective);
    EXPECT_EQ(claim->size_B, 1000);
    EXPECT_TRUE(program::prove(back, *claim)) << algorithm;
    EXPECT_EQ(written(*program::prove(back, *claim)), files) << algorithm;
  }
}

// Of each message sender, receiver, tag and size are said once.
TEST(Chakra, gives_each_message_a_tag_of_its_own) {
  const Trace trace = read_traces(written(lowered("spread", schedule::alltoall(5), 12)));
  std::set<std::tuple<std::size_t, std::int32_t, std::int32_t>> sent;
  std::size_t messages = 0;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank)
    for (const TraceNode& node : trace.ranks[rank].nodes)
      if (node.kind == TraceKind::send) {
        ++messages;
        sent.emplace(rank, node.peer, node.tag);
      }
  EXPECT_EQ(messages, 20);
  EXPECT_EQ(sent.size(), messages);
}

// A reduction of 250 bytes at 1 GB/s: 250 ns, which whole microseconds cannot say.
TEST(Chakra, says_times_to_the_picosecond) {
  const Program program = lowered("ring", schedule::allreduce(4), 1000);
  const Trace trace = read_traces(written(program, {.reduce_bandwidth_Bps = 1'000'000'000}));
  std::size_t reductions = 0;
  for (const TraceNode& node : trace.ranks[0].nodes)
    if (node.kind == TraceKind::compute) {
      ++reductions;
      EXPECT_EQ(node.duration_ps, 250'000);
    }
  EXPECT_EQ(reductions, 3);
}

// One byte more of what a send reads: a claim that is none.
TEST(Chakra, finds_a_wrong_program) {
  Trace trace = trace_of(lowered("ring", schedule::allgather(4), 100), {});
  const auto node = std::ranges::find(trace.ranks[2].nodes, TraceKind::send, &TraceNode::kind);
  trace.ranks[2]
      .operations[static_cast<std::size_t>(node - trace.ranks[2].nodes.begin())]
      .reads[0]
      .offset_B += 1;
  std::vector<std::string> files;
  for (std::int32_t rank = 0; rank < 4; ++rank)
    files.push_back(encode(trace.ranks[static_cast<std::size_t>(rank)], rank, {}, trace.program));
  const auto claim = read_claim(test::trace_source(files));
  ASSERT_TRUE(claim);
  const auto result = program::prove(read(files), *claim);
  ASSERT_FALSE(result);
  EXPECT_FALSE(result.fault().text.empty());
}

// 12,500 B at 100 Gb/s: 1 us and 1 us of latency, after 3 us of computing and before 4.
TEST(Chakra, runs_files_of_others) {
  const Program program =
      read({wire::header() + wire::node(0, wire::kCompute, wire::micros(3)) +
                wire::send(1, 1, 0, 12'500, wire::after(0)),
            wire::header() + wire::node(9, wire::kCompute, wire::micros(4) + wire::after(8)) +
                wire::receive(8, 0, 0, 12'500)});
  const auto result = simulation::simulate(program, test::on("ring:2"));
  EXPECT_NEAR(result.time_s, 9e-6, 1e-15);
  EXPECT_FALSE(read_claim(test::trace_source({wire::header()})));
}

TEST(Chakra, refuses_as_programs_what_is_none) {
  const auto why = [](const std::vector<std::string>& files) {
    try {
      read(files);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(why({wire::header() + wire::collective(4, 0, 8)}).find("weft train --trace runs it"),
            std::string::npos);
  EXPECT_NE(
      why({wire::header() + wire::node(4, wire::kLoad)}).find("'f.0.et': node 4: it is a MEM_LOAD"),
      std::string::npos);
  EXPECT_NE(why({wire::header() + wire::send(4, 0, 7, 8)}).find("never received"),
            std::string::npos);
  EXPECT_NE(why({wire::header() + wire::send(4, 0, 7, 0) + wire::receive(5, 0, 7, 0)})
                .find("'f.0.et': node 4: invalid size of a send: 0 bytes"),
            std::string::npos);
}

TEST(Chakra, is_recognised_by_its_header) {
  const std::string file = written(lowered("ring", schedule::allreduce(2), 8))[0];
  EXPECT_TRUE(is_trace(file));
  EXPECT_TRUE(is_trace(packed(file)));
  EXPECT_EQ(recognise(file, "f.0.et").name, "chakra");
  for (const char* other : {"num_ranks 2\nrank 0 {\n}\n", "a.0\na.1\n", "\n\n", "0 init\n", ""})
    EXPECT_FALSE(is_trace(other)) << other;
}

}  // namespace
}  // namespace weft::format
