// Traces on networks: timelines worked out by hand.
#include "weft/training/trace/trace_run.hpp"

#include <gtest/gtest.h>

#include "support/network_on.hpp"
#include "support/protobuf_bytes.hpp"
#include "support/trace_files.hpp"
#include "weft/base/error.hpp"

namespace weft::training {
namespace {

using test::read_traces;
namespace wire = test::wire;

constexpr double kMicrosecond = 1e-6, kRounding = 1e-11;

TraceRun ran(const std::vector<std::string>& files, const Network& network,
             const TraceQuestion& asked = {}) {
  return run_trace(read_traces(files), network, asked);
}

std::string refusal(const std::vector<std::string>& files, const Network& network) {
  try {
    ran(files, network);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return {};
}

void expect_shares(const RankShares& shares, double compute_us, double communication_us,
                   double idle_us) {
  EXPECT_NEAR(shares.compute_s, compute_us * kMicrosecond, kRounding);
  EXPECT_NEAR(shares.communication_s, communication_us * kMicrosecond, kRounding);
  EXPECT_NEAR(shares.idle_s, idle_us * kMicrosecond, kRounding);
}

// 12,500 B at 100 Gb/s: 1 us and 1 us of latency.
//   rank 0  computes 0..3, sends 3..5, computes beside it 3..4
//   rank 1                                             computes 5..9
TEST(TraceRun, sends_what_was_computed) {
  const TraceRun run =
      ran({wire::header() + wire::node(0, wire::kCompute, wire::micros(3)) +
               wire::send(1, 1, 0, 12'500, wire::after(0)) +
               wire::node(2, wire::kCompute, wire::micros(1) + wire::after(0)),
           wire::header() + wire::node(9, wire::kCompute, wire::micros(4) + wire::after(8)) +
               wire::receive(8, 0, 0, 12'500)},
          test::on("ring:2"));
  EXPECT_NEAR(run.time_s, 9e-6, kRounding);
  expect_shares(run.ranks[0], 4, 1, 4);
  expect_shares(run.ranks[1], 4, 2, 3);
  expect_shares(run.mean, 4, 1.5, 3.5);
  EXPECT_EQ(run.messages, 1);
  EXPECT_EQ(run.computing, 3);
  EXPECT_EQ(run.nodes, 5);
  ASSERT_EQ(run.calls.size(), 1);
  EXPECT_NEAR(run.calls[0].time_s, 2e-6, kRounding);
  ASSERT_TRUE(run.class_bytes);
  EXPECT_NEAR(run.class_bytes->begin()->second, 12'500, 1e-6);
}

// All members have to be there; a collective's time is its schedule's.
TEST(TraceRun, joins_collectives_once_the_last_rank_is_there) {
  const auto of_rank = [](std::uint64_t micros) {
    return wire::header() + wire::node(1, wire::kCompute, wire::micros(micros)) +
           wire::collective(2, 0, 1 << 20, wire::after(1)) +
           wire::node(3, wire::kCompute, wire::micros(2) + wire::after(2));
  };
  const TraceRun run = ran({of_rank(1), of_rank(7), of_rank(2), of_rank(3)}, test::on("ring:4"));
  ASSERT_EQ(run.calls.size(), 1);
  EXPECT_EQ(run.calls[0].ranks, 4);
  EXPECT_EQ(run.calls[0].uses, 1);
  const double joined_us = run.calls[0].time_s / kMicrosecond;
  EXPECT_NEAR(run.time_s / kMicrosecond, 7 + joined_us + 2, 1e-4);
  expect_shares(run.ranks[1], 9, joined_us, 0);
  expect_shares(run.ranks[0], 3, joined_us, 6);
  EXPECT_LE(run.least_s, run.time_s);
}

// A rank's port has one message at a time, whomever it is for: 3 of 12,500 B.
TEST(TraceRun, sends_one_message_of_a_rank_after_the_other) {
  std::vector<std::string> files;
  for (int rank = 0; rank < 4; ++rank) {
    std::string file = wire::header();
    for (int other = 0; other < 4; ++other)
      if (other != rank)
        file += wire::send(static_cast<std::uint64_t>(2 * other), other, 0, 12'500) +
                wire::receive(static_cast<std::uint64_t>(2 * other + 1), other, 0, 12'500);
    files.push_back(file);
  }
  const TraceRun run = ran(files, test::on("complete:4"));
  EXPECT_NEAR(run.time_s, 3 * 2e-6, kRounding);
  for (const RankShares& shares : run.ranks) expect_shares(shares, 0, 6, 0);
}

// Two messages of 12,500 B meet on the link from 1 to 2 of a chain, where each takes twice as long;
// a third, sent later, has it for itself.
//   rank 0  sends to 2 over two links: 2 us of latency, then 1 us alone
//   rank 1  sends to 2 from 1 us on: 1 us of latency, so that both are on the link from 2 us on
TEST(TraceRun, shares_links_among_messages_that_meet) {
  const TraceRun run = ran({wire::header() + wire::send(1, 2, 0, 12'500),
                            wire::header() + wire::node(1, wire::kCompute, wire::micros(1)) +
                                wire::send(2, 2, 0, 12'500, wire::after(1)) +
                                wire::node(3, wire::kCompute, wire::micros(4) + wire::after(1)) +
                                wire::send(4, 2, 1, 12'500, wire::after(3)),
                            wire::header() + wire::receive(1, 0, 0, 12'500) +
                                wire::receive(2, 1, 0, 12'500) + wire::receive(3, 1, 1, 12'500)},
                           test::on("mesh:3"), {.spans = true});
  ASSERT_EQ(run.spans.size(), 5);
  const auto end_of = [&](std::int32_t rank, std::int32_t node) {
    for (const TraceSpan& span : run.spans)
      if (span.rank == rank && span.node == node) return span.end_s;
    return 0.0;
  };
  EXPECT_NEAR(end_of(0, 0), 4e-6, kRounding);
  EXPECT_NEAR(end_of(1, 1), 4e-6, kRounding);
  EXPECT_NEAR(end_of(1, 3), 7e-6, kRounding);
  EXPECT_NEAR(run.time_s, 7e-6, kRounding);
  EXPECT_NEAR(run.class_bytes->begin()->second, 4 * 12'500, 1e-6);
  ASSERT_EQ(run.calls.size(), 1);
  EXPECT_EQ(run.calls[0].groups, 2);
  EXPECT_EQ(run.calls[0].uses, 2);
  EXPECT_NEAR(run.calls[0].time_s, (4e-6 + 3e-6 + 2e-6) / 3, kRounding);
  EXPECT_NEAR(run.calls[0].least_s, 2e-6, kRounding);
}

// comm_size is what a rank brings: of an all-to-all all its blocks, of an allgather its one.
TEST(TraceRun, counts_sizes_as_what_a_rank_brings) {
  const auto size_of = [](int type, std::int64_t brought) {
    const std::string file = wire::header() + wire::collective(1, type, brought);
    return ran({file, file, file, file}, test::on("ring:4")).calls.at(0).call.size_B;
  };
  EXPECT_EQ(size_of(6, 4096), 1024);
  EXPECT_EQ(size_of(2, 4096), 4096);
  EXPECT_EQ(size_of(7, 4096), 4096);
  EXPECT_EQ(size_of(0, 4096), 4096);
  EXPECT_EQ(size_of(9, 0), 1);
}

std::string process_groups(const std::string& json) {
  return wire::frame(wire::number(1, 0) + wire::bytes(2, "## process_group:init ##") +
                     wire::number(3, wire::kMetadata) +
                     wire::bytes(8, wire::bytes(1, "['" + json + "']")));
}

// Rows of a torus pass each other by; all rows at once cost what one costs. A rank is in one
// collective at a time: its row's, then its column's.
TEST(TraceRun, runs_groups_at_once_and_a_rank_s_collectives_by_turns) {
  std::vector<std::string> files;
  for (int rank = 0; rank < 16; ++rank) {
    const int row = rank / 4, column = rank % 4;
    const auto ranks = [](int first, int stride) {
      return fmt::format("[{}, {}, {}, {}]", first, first + stride, first + 2 * stride,
                         first + 3 * stride);
    };
    files.push_back(
        wire::header() +
        process_groups(fmt::format(R"([{{"pg_name": "{}", "ranks": {}}}, {{"pg_name": "{}", )"
                                   R"("ranks": {}}}])",
                                   row, ranks(4 * row, 1), 4 + column, ranks(column, 4))) +
        wire::collective(1, 0, 1 << 20, wire::text("pg_name", std::to_string(row))) +
        wire::collective(2, 0, 1 << 20, wire::text("pg_name", std::to_string(4 + column))));
  }
  const TraceRun run = ran(files, test::on("torus:4x4"));
  ASSERT_EQ(run.calls.size(), 2);
  double sum_s = 0;
  for (const TrainingCall& call : run.calls) {
    EXPECT_EQ(call.groups, 4);
    EXPECT_EQ(call.ranks, 4);
    EXPECT_EQ(call.together, 1);
    sum_s += call.time_s;
  }
  EXPECT_NEAR(run.time_s, sum_s, kRounding);
  for (const RankShares& shares : run.ranks) expect_shares(shares, 0, sum_s / kMicrosecond, 0);
}

// 2e9 operations at 1e12 a second; a node without either takes no time.
TEST(TraceRun, computes_operations_where_no_time_is_said) {
  const TraceRun run = ran(
      {wire::header() + wire::node(1, wire::kCompute, wire::int64("num_ops", 2'000'000'000)) +
       wire::node(2, wire::kCompute, wire::after(1)) +
       wire::node(3, wire::kCompute, wire::micros(1) + wire::int64("num_ops", 1) + wire::after(2))},
      test::on("ring:2"), {.operations_per_second = 1e12});
  EXPECT_NEAR(run.time_s, 2e-3 + 1e-6, kRounding);
  EXPECT_EQ(run.counted, 1);
  EXPECT_EQ(run.untimed, 1);
}

// Device, processor and memory work side by side.
TEST(TraceRun, has_streams_for_device_processor_and_memory) {
  const std::string on_cpu = wire::attribute("is_cpu_op", wire::number(27, 1));
  const TraceRun run = ran({wire::header() + wire::node(1, wire::kCompute, wire::micros(3)) +
                            wire::node(2, wire::kCompute, wire::micros(4) + on_cpu) +
                            wire::node(3, wire::kLoad, wire::micros(6)) +
                            wire::node(4, wire::kCompute, wire::micros(2))},
                           test::on("ring:2"));
  EXPECT_NEAR(run.time_s, 6e-6, kRounding);  // the device 3 + 2
  expect_shares(run.ranks[0], 6, 0, 0);
}

TEST(TraceRun, starts_with_the_root_that_the_trace_names) {
  const std::string file =
      wire::header() + wire::collective(1, 5, 1 << 20, wire::int32("comm_src", 2));
  const Network chain = test::on("mesh:3");
  const TraceRun from_end = ran({file, file, file}, chain);
  const std::string middle =
      wire::header() + wire::collective(1, 5, 1 << 20, wire::int32("comm_src", 1));
  const TraceRun from_middle = ran({middle, middle, middle}, chain);
  EXPECT_LT(from_middle.time_s, from_end.time_s);
}

// 2^62 B at 12.5 GB/s: ten years.
TEST(TraceRun, refuses_what_takes_too_long) {
  const std::string file = wire::header() + wire::collective(1, 0, std::int64_t{1} << 62);
  const std::string said = refusal({file, file}, test::on("ring:2"));
  EXPECT_NE(said.find("allreduce of 4"), std::string::npos) << said;
  EXPECT_NE(said.find("which is too long"), std::string::npos) << said;
}

// One group's ranks are known, the other's are not.
TEST(TraceRun, names_groups_that_no_node_defines) {
  const std::string file = wire::header() +
                           process_groups(R"([{"pg_name": "7", "ranks": [0, 1]}])") +
                           wire::collective(1, 0, 8, wire::text("pg_name", "7")) +
                           wire::collective(2, 0, 8, wire::text("pg_name", "tensor"));
  const TraceRun run = ran({file, file}, test::on("ring:2"));
  EXPECT_EQ(run.undefined_groups, std::vector<std::string>{"tensor"});
  EXPECT_EQ(run.collectives, 2);
}

// Two pairs, each at its end of a line: two ranks that allreduce 8 MB send each other all of it at
// once, 8 MB / 12.5 GB/s + 1 us.
TEST(TraceRun, takes_groups_as_the_ranks_that_name_them) {
  const auto file = [](const char* name) {
    return wire::header() + wire::collective(1, 0, 8'000'000, wire::text("pg_name", name));
  };
  const TraceRun run = ran({file("a"), file("a"), file("b"), file("b")}, test::on("mesh:4"));
  EXPECT_EQ(run.undefined_groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(run.collectives, 2);
  ASSERT_FALSE(run.calls.empty());
  EXPECT_EQ(run.calls.front().ranks, 2);
  EXPECT_NEAR(run.time_s, 8e6 / 12.5e9 + 1e-6, 1e-9);
}

TEST(TraceRun, refuses_traces_whose_ranks_do_not_agree) {
  const Network network = test::on("ring:4");
  const std::string none = wire::header(), one = none + wire::collective(1, 0, 8),
                    other = none + wire::collective(1, 2, 8);
  EXPECT_NE(refusal({one, none}, network)
                .find(": rank 1 calls 0 collectives of all ranks, but rank 0 calls 1"),
            std::string::npos);
  EXPECT_NE(refusal({one, other}, network)
                .find("node 1 of rank 1 is allgather of 8B, but node 1 of rank 0 is allreduce"),
            std::string::npos);
  EXPECT_NE(refusal({none + wire::send(3, 1, 5, 8), none}, network)
                .find("node 3 of rank 0 sends to rank 1 with tag 5, but nothing there receives it"),
            std::string::npos);
  EXPECT_NE(
      refusal({none, none + wire::receive(3, 0, 5, 8)}, network)
          .find("node 3 of rank 1 receives from rank 0 with tag 5, but nothing there sends it"),
      std::string::npos);
  EXPECT_NE(refusal({none + wire::send(3, 1, 5, 8), none + wire::receive(3, 0, 5, 9)}, network)
                .find("node 3 of rank 0 sends 8 B, but node 3 of rank 1 receives 9 of them"),
            std::string::npos);
  const std::string circle =
      refusal({none + wire::receive(1, 1, 0, 8) + wire::send(2, 1, 0, 8, wire::after(1)),
               none + wire::receive(1, 0, 0, 8) + wire::send(2, 0, 0, 8, wire::after(1))},
              network);
  EXPECT_NE(circle.find("in a circle: node 1 of rank 0 waits for node 2 of rank 1 waits for node 1 "
                        "of rank 1 waits for node 2 of rank 0 waits for node 1 of rank 0"),
            std::string::npos)
      << circle;
  // One file says who the group is, the other only names it.
  const std::string named = wire::collective(1, 0, 8, wire::text("pg_name", "a"));
  const std::string alone = refusal(
      {none + process_groups(R"([{"pg_name": "a", "ranks": [0, 1]}])") + named, none + named},
      network);
  EXPECT_NE(alone.find("rank 1 calls 0 collectives of group 'a', but rank 0 calls 1; the files "
                       "give group 'a' other ranks, or none"),
            std::string::npos)
      << alone;
  // Both make a sum of all before one of two, in the other order.
  const auto sums = [](const char* first, const char* second) {
    return wire::header() +
           process_groups(R"([{"pg_name": "a", "ranks": [0, 1]}, )"
                          R"({"pg_name": "b", "ranks": [0, 1]}])") +
           wire::collective(1, 0, 8, wire::text("pg_name", first)) +
           wire::collective(2, 0, 8, wire::text("pg_name", second) + wire::after(1));
  };
  const std::string crossed = refusal({sums("a", "b"), sums("b", "a")}, network);
  EXPECT_NE(
      crossed.find("in a circle: node 1 of rank 0 (one allreduce with node 2 of rank 1) waits "
                   "for node 1 of rank 1 (one allreduce with node 2 of rank 0) waits for node "
                   "1 of rank 0"),
      std::string::npos)
      << crossed;
  EXPECT_NE(refusal(std::vector<std::string>(5, none), network)
                .find("the trace has 5 ranks, but the network has 4"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::training
