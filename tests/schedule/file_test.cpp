#include "weft/schedule/file.hpp"

#include <gtest/gtest.h>

#include "support/samples.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/random.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {
namespace {

// A schedule with all that a file can hold: symmetry, segments, combined pieces, binding.
Schedule sample() {
  const int n = 6;
  ScheduleBuilder builder(alltoall(n),
                          {.algorithm = "sample",
                           .units_per_block = 2,
                           .symmetry = Symmetry::translations({2, 3}),
                           .segments = {4, 2},
                           .binding = {.topology = "ring:6", .hash = 0xfedcba9876543210}});
  for (int d = 1; d < n; ++d) builder.at(d - 1).send(Rank(0), Rank(d), builder.block(d));
  return std::move(builder).build();
}

Schedule with_routes() {
  ScheduleBuilder builder(
      broadcast(3),
      {.helpers = 1,
       .binding = {
           .topology = "x", .hash = 7, .nodes = {NodeId(3), NodeId(0), NodeId(2), NodeId(9)}}});
  const RouteId route = builder.add_route(std::vector<LinkId>{LinkId(4), LinkId(1)});
  builder.at(0).send(Rank(0), Agent(3), std::vector<Piece>{{0, 1}, {2, 1}}, Arrival::copy, route);
  builder.at(2).send(Agent(3), Rank(1), builder.block(2), Arrival::reduce);
  return std::move(builder).build();
}

Schedule random_schedule(Rng rng) {
  const auto ranks = static_cast<std::int32_t>(1 + rng.below(9));
  const CollectiveKind kind = kCollectiveKinds[rng.below(9)];
  const Collective collective{kind, ranks, Rank(rng.below(ranks)), Rank(rng.below(ranks))};
  const std::int64_t units = 1 + rng.below(5);
  ScheduleBuilder builder(collective,
                          {.units_per_block = units, .segments = {1 + rng.below(3), 1}});
  const std::int64_t line = collective.blocks() * units;
  for (std::int64_t i = rng.below(20); i > 0; --i) {
    std::vector<Piece> pieces;
    for (std::int64_t k = 1 + rng.below(3); k > 0; --k) {
      const std::int64_t first = rng.below(line);
      pieces.push_back({first, 1 + rng.below(line - first)});
    }
    builder.at(rng.below(5))
        .send(Rank(rng.below(ranks)), Rank(rng.below(ranks)), pieces,
              rng.below(2) == 0 ? Arrival::copy : Arrival::reduce);
  }
  return std::move(builder).build();
}

std::string with_checksum(std::string bytes) {
  const std::uint32_t sum = checksum(std::string_view(bytes).substr(24));
  for (std::size_t i = 0; i < 4; ++i) bytes[12 + i] = static_cast<char>(sum >> (8 * i) & 0xff);
  return bytes;
}

TEST(ScheduleFile, reads_back_what_was_written) {
  EXPECT_EQ(decode(encode(sample())), sample());
  EXPECT_EQ(decode(encode(with_routes())), with_routes());
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Schedule schedule = random_schedule(Rng(seed));
    EXPECT_EQ(decode(encode(schedule)), schedule) << "seed " << seed;
  }
}

TEST(ScheduleFile, every_truncation_is_named) {
  const std::string bytes = encode(with_routes());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    try {
      static_cast<void>(decode(std::string_view(bytes).substr(0, length), "x.weft"));
      FAIL() << length;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find("'x.weft'"), std::string::npos) << error.what();
    }
  }
}

TEST(ScheduleFile, every_changed_byte_is_noticed) {
  const std::string bytes = encode(sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    EXPECT_THROW(decode(changed), InvalidInput) << i;
  }
}

TEST(ScheduleFile, edits_with_a_right_checksum_never_crash) {
  // Whatever the bytes say, the answer is a schedule that verify() judges, or one line.
  int read = 0;
  const auto seeds = static_cast<std::uint64_t>(test::samples(20'000));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Rng rng(seed);
    std::string bytes = encode(seed % 2 == 0 ? sample() : with_routes());
    for (std::int64_t k = 1 + rng.below(3); k > 0; --k)
      bytes[24 +
            static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(bytes.size()) - 24))] =
          static_cast<char>(rng.below(256));
    try {
      const Schedule schedule = decode(with_checksum(bytes));
      ++read;
      if (schedule.agents() < 10000) static_cast<void>(verify(schedule));
    } catch (const InvalidInput&) {
    }
  }
  EXPECT_GT(read, test::samples(100));
}

TEST(ScheduleFile, absurd_counts_are_refused_before_memory_is_taken) {
  // The count of nodes follows kind, ranks, root, peer, algorithm, units, helpers, moduli,
  // segments, topology, hash.
  ScheduleBuilder builder(allgather(1));
  std::string bytes = encode(std::move(builder).build());
  const std::size_t nodes_count = 24 + 4 + 1 + 1 + 1 + 1 + 2 + 1 + 8;
  ASSERT_EQ(bytes[nodes_count], 0);
  bytes.replace(nodes_count, 1, "\xff\xff\xff\xff\x7f");
  bytes[16] = static_cast<char>(bytes.size() - 24);
  EXPECT_THROW(decode(with_checksum(bytes)), InvalidInput);
}

TEST(ScheduleFile, segments_too_far_apart_are_refused_by_name) {
  // A copy from rank 0 to rank 1 in a body of a few bytes, whose second segment would start at step
  // 2^31 - 1. The segments follow kind, ranks, root, peer, algorithm, units, helpers and moduli.
  ScheduleBuilder builder(broadcast(2), {.segments = {.count = 2, .stride = 1}});
  builder.at(0).send(Rank(0), Rank(1), builder.everything());
  std::string bytes = encode(std::move(builder).build());
  const std::size_t stride = 24 + 4 + 1 + 1 + 1 + 1 + 1;
  ASSERT_EQ(bytes[stride - 1], 2);
  ASSERT_EQ(bytes[stride], 1);
  bytes.replace(stride, 1, "\xff\xff\xff\xff\x07");
  bytes[16] = static_cast<char>(bytes.size() - 24);
  try {
    static_cast<void>(decode(with_checksum(bytes), "x.weft"));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "'x.weft' is damaged: 2 segments with a stride of 2147483647 are too far apart: the "
              "last one starts at step 2147483647 (at most 4194304); use fewer segments or a "
              "smaller stride");
  }
}

TEST(ScheduleFile, rejects_control_characters_in_names) {
  // They would reach the reader's terminal.
  ScheduleBuilder builder(allgather(1), {.algorithm = "ri\x1b[2Jng"});
  const std::string bytes = encode(std::move(builder).build());
  EXPECT_THROW(decode(bytes), InvalidInput);
}

TEST(ScheduleFile, rejects_other_files) {
  EXPECT_THROW(decode(""), InvalidInput);
  EXPECT_THROW(decode("{\"format\": \"weft-topology\"}"), InvalidInput);
  EXPECT_THROW(load("/does/not/exist.weft"), InvalidInput);
}

TEST(ScheduleFile, a_dump_names_every_message) {
  const std::string text = dump(with_routes());
  EXPECT_NE(text.find("copy 0 -> 3 [0, 1) [2, 3) via 4 1"), std::string::npos) << text;
  EXPECT_NE(text.find("reduce 3 -> 1 [2, 3)"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::schedule
