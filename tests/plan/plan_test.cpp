// Plans: what ranks do in units, the file, and the schedule that comes back from it.
#include "weft/plan/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/process/scratch_folder.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/plan_reader/mapped_plan.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/reduction_order.hpp"

namespace weft::plan {
namespace {

using layout::Combine;

Verified verified(const char* algorithm, const Collective& collective) {
  return schedule::verify_own(algorithm::build_schedule(algorithm, collective));
}

PlannedRange range_of(CollectiveKind kind, std::int64_t first_B, std::int64_t last_B,
                      std::size_t schedule) {
  PlannedRange range;
  range.kind = kind;
  range.first_B = first_B;
  range.last_B = last_B;
  range.schedule = schedule;
  return range;
}

// Two allreduces of three ranks, and an allgather.
Plan example() {
  Plan plan;
  plan.facts = {{"topology", "ring:3"}};
  plan.ranks = 3;
  plan.schedules = {planned(verified("ring", schedule::allreduce(3))),
                    planned(verified("ring", schedule::allgather(3)))};
  plan.ranges = {range_of(CollectiveKind::allreduce, 0, 99, 0),
                 range_of(CollectiveKind::allgather, 0, kNoEnd, 1)};
  plan.ranges.push_back({.kind = CollectiveKind::allreduce,
                         .root = {},
                         .first_B = 100,
                         .last_B = kNoEnd,
                         .schedule = {},
                         .time_s = 0,
                         .timed_B = 0});
  return plan;
}

class PlanFile : public ::testing::Test {
 protected:
  std::string write(const std::string& bytes) { return folder_.file("a.plan", bytes); }
  // What reading these bytes says is wrong.
  std::string refusal(const std::string& bytes) {
    try {
      read_plan(write(bytes));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }

 private:
  test::ScratchFolder folder_;
};

TEST(ReductionOrder, puts_the_lowest_contributor_left) {
  // Both ranks send all to each other: what comes from rank 0 stands left, from rank 1 right.
  schedule::ScheduleBuilder builder(schedule::allreduce(2));
  builder.at(0).send(schedule::Agent(0), schedule::Agent(1), builder.everything(),
                     schedule::Arrival::reduce);
  builder.at(0).send(schedule::Agent(1), schedule::Agent(0), builder.everything(),
                     schedule::Arrival::reduce);
  const auto proved = schedule::verify_own(std::move(builder).build());
  const auto order = schedule::reduction_order(proved);
  ASSERT_EQ(order.pieces.size(), 2u);
  for (const schedule::ReducedPiece& reduced : order.pieces)
    EXPECT_EQ(reduced.arrives_left,
              proved.schedule().message(reduced.message).from == schedule::Agent(0));
  EXPECT_TRUE(order.one_association);
}

TEST(ReductionOrder, knows_ranks_that_put_sums_together_in_other_ways) {
  // Three ranks send all they have to each other at once: rank 0 takes 1 then 2, rank 2 takes 0
  // then 1, so that rank 0 has (0 1) 2 and rank 2 (0 2) 1.
  schedule::ScheduleBuilder builder(schedule::allreduce(3));
  for (std::int32_t from = 0; from < 3; ++from)
    for (std::int32_t to = 0; to < 3; ++to)
      if (from != to)
        builder.at(0).send(schedule::Agent(from), schedule::Agent(to), builder.everything(),
                           schedule::Arrival::reduce);
  const auto proved = schedule::verify_own(std::move(builder).build());
  EXPECT_FALSE(schedule::reduction_order(proved).one_association);
  EXPECT_FALSE(planned(proved).one_association);
}

TEST(RankPrograms, put_the_lowest_rank_left) {
  const PlannedSchedule two = planned(verified("recursive-doubling", schedule::allreduce(2)));
  ASSERT_EQ(two.programs.size(), 2u);
  ASSERT_EQ(two.programs[0].receives.size(), 1u);
  const auto combine = [&](std::size_t rank) {
    const RankProgram& program = two.programs[rank];
    return program.units[program.receives[0].first].combine;
  };
  EXPECT_EQ(combine(0), Combine::arrives_right);
  EXPECT_EQ(combine(1), Combine::arrives_left);
}

TEST(RankPrograms, come_back_as_a_schedule_that_does_the_same) {
  for (const auto& collective :
       {schedule::allreduce(6), schedule::allgather(6), schedule::reduce_scatter(6),
        schedule::alltoall(6), schedule::broadcast(6), schedule::reduce(6, schedule::Rank(2)),
        schedule::gather(6), schedule::scatter(6, schedule::Rank(5))})
    for (const algorithm::Algorithm* each : algorithm::applicable(collective, nullptr)) {
      SCOPED_TRACE(each->name + " of " + std::string(name_of(collective.kind)));
      const PlannedSchedule made = planned(verified(each->name.c_str(), collective));
      const schedule::VerifyResult again = schedule::verify(lift(made));
      ASSERT_TRUE(again) << again.fault().text;
      EXPECT_EQ(planned(*again).programs, made.programs);
    }
}

TEST(RankPrograms, refuse_what_no_process_can_do) {
  schedule::ScheduleBuilder builder(schedule::broadcast(2), {.helpers = 1});
  builder.at(0).send(schedule::Agent(0), schedule::Agent(2), builder.everything());
  builder.at(1).send(schedule::Agent(2), schedule::Agent(1), builder.everything());
  const auto helped = schedule::verify_own(std::move(builder).build());
  EXPECT_THROW(planned(helped), InvalidInput);
  EXPECT_NE(unplannable(helped.schedule()).find("helpers"), std::string::npos);
}

TEST(RankPrograms, without_a_message_are_no_schedule) {
  PlannedSchedule made = planned(verified("ring", schedule::allgather(4)));
  made.programs[1].sends.pop_back();
  EXPECT_THROW(lift(made), InvalidInput);
}

TEST_F(PlanFile, is_read_as_it_was_written) {
  const Plan plan = example();
  const Plan read = read_plan(write(encode(plan)));
  EXPECT_EQ(read.facts, plan.facts);
  EXPECT_EQ(read.ranks, 3);
  ASSERT_EQ(read.schedules.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.schedules[i].programs, plan.schedules[i].programs);
    EXPECT_EQ(read.schedules[i].algorithm, plan.schedules[i].algorithm);
    EXPECT_EQ(read.schedules[i].collective, plan.schedules[i].collective);
  }
  ASSERT_EQ(read.ranges.size(), 3u);
  EXPECT_EQ(encode(read), encode(plan));
}

TEST_F(PlanFile, begins_with_text) {
  const std::string bytes = encode(example());
  EXPECT_TRUE(bytes.starts_with("weft plan 1\n"));
  EXPECT_NE(bytes.find("\ntopology ring:3\nranks 3\n"), std::string::npos);
  EXPECT_NE(bytes.find("\nrange allreduce from 100B native\n"), std::string::npos);
}

TEST_F(PlanFile, finds_the_range_of_a_size) {
  const MappedPlan plan(write(encode(example())));
  EXPECT_EQ(plan.range(Kind::allreduce, 0, 99)->schedule, 0);
  EXPECT_EQ(plan.range(Kind::allreduce, 0, 100)->schedule, -1);
  EXPECT_EQ(plan.range(Kind::allgather, 0, std::int64_t{1} << 40)->schedule, 1);
  EXPECT_EQ(plan.range(Kind::alltoall, 0, 8), nullptr);
}

TEST_F(PlanFile, that_was_cut_off_is_refused) {
  const std::string bytes = encode(example());
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_NE(refusal(bytes.substr(0, length)), "") << length;
}

TEST_F(PlanFile, that_was_edited_is_refused) {
  const std::string bytes = encode(example());
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string edited = bytes;
    edited[at] = static_cast<char>(edited[at] ^ 4);
    EXPECT_NE(refusal(edited), "") << at;
  }
}

TEST_F(PlanFile, has_times_in_range) {
  for (const double time_s : {std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity(), -1.0, 1e300}) {
    Plan plan = example();
    plan.ranges.front().time_s = time_s;
    EXPECT_NE(refusal(encode(plan)).find("its time is out of range"), std::string::npos) << time_s;
  }
  Plan plan = example();
  plan.ranges.front().timed_B = -1;
  EXPECT_NE(refusal(encode(plan)).find("out of range"), std::string::npos);
}

TEST_F(PlanFile, of_another_version_is_named_so) {
  std::string bytes = encode(example());
  bytes[10] = '3';
  EXPECT_NE(refusal(bytes).find("another version"), std::string::npos);
  EXPECT_NE(refusal("something else").find("is not a plan file; weft plan ... -o FILE writes one"),
            std::string::npos);
}

// An allgather of any blocks, one of 5, 0 and 7 bytes, and an all-to-all of nine blocks.
Plan example_of_counts() {
  Plan plan = example();
  const auto add = [&](CollectiveKind kind, std::size_t schedule,
                       const std::vector<std::int64_t>& sizes, const char* counts) {
    PlannedRange range = range_of(kind, 4, 4, schedule);
    range.blocks = std::make_shared<const program::BlockSizes>(sizes);
    range.counts = counts;
    plan.ranges.push_back(range);
  };
  plan.schedules.push_back(planned(verified("direct", schedule::alltoall(3))));
  add(CollectiveKind::allgather, 1, {5, 0, 7}, "counts.txt");
  add(CollectiveKind::alltoall, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9}, "zipf:1.2");
  return plan;
}

TEST_F(PlanFile, keeps_the_sizes_of_unequal_blocks) {
  const Plan plan = example_of_counts();
  const std::string bytes = encode(plan);
  EXPECT_TRUE(bytes.starts_with("weft plan 2\n"));  // which readers of version 1 refuse
  EXPECT_NE(bytes.find("\nrange allgatherv 4B ring "), std::string::npos);
  const Plan read = read_plan(write(bytes));
  EXPECT_EQ(encode(read), bytes);
  for (std::size_t i = 0; i < plan.ranges.size(); ++i) {
    EXPECT_EQ(read.ranges[i].counts, plan.ranges[i].counts);
    ASSERT_EQ(read.ranges[i].blocks == nullptr, plan.ranges[i].blocks == nullptr);
    if (plan.ranges[i].blocks) {
      EXPECT_EQ(*read.ranges[i].blocks, *plan.ranges[i].blocks);
    }
  }
  const MappedPlan mapped(write(bytes));
  EXPECT_TRUE(mapped.has_counts(Kind::allgather));
  EXPECT_FALSE(mapped.has_counts(Kind::reduce_scatter));
  const auto starts = mapped.starts(mapped.ranges()[3]);
  EXPECT_EQ(std::vector(starts.begin(), starts.end()), (std::vector<std::int64_t>{0, 5, 5, 12}));
  // Calls with blocks of one size have the others.
  EXPECT_EQ(mapped.range(Kind::allgather, 0, 4), &mapped.ranges()[1]);
  EXPECT_EQ(mapped.range(Kind::alltoall, 0, 4), nullptr);
}

TEST_F(PlanFile, refuses_damaged_counts) {
  const std::string whole = encode(example_of_counts());
  const std::size_t last = whole.size() - sizeof(std::int64_t);  // the sum of the nine blocks
  const auto front = [&](std::size_t at) {
    return std::strtoull(whole.substr(layout::kFirstLineLength + at, 10).c_str(), nullptr, 10);
  };
  const std::size_t directory = layout::kFrontLength + front(5), end = directory + front(26);
  const std::size_t counts = directory + sizeof(layout::Directory) +
                             3 * sizeof(layout::ScheduleEntry) + 5 * sizeof(layout::RangeEntry) +
                             9 * sizeof(layout::Part);
  const std::size_t ranges =
      directory + sizeof(layout::Directory) + 3 * sizeof(layout::ScheduleEntry);
  constexpr std::size_t kSecond = sizeof(layout::Counts);
  // With checksums that fit what is there.
  const auto changed = [&](std::size_t at, auto value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    layout::Counts matrix{};
    std::memcpy(&matrix, bytes.data() + counts + kSecond, sizeof matrix);
    matrix.checksum = checksum(bytes.substr(std::min(matrix.offset, whole.size()), 80));
    std::memcpy(bytes.data() + counts + kSecond, &matrix, sizeof matrix);
    const std::string checked = bytes.substr(layout::kFrontLength, end - layout::kFrontLength);
    bytes.replace(layout::kFirstLineLength + 72, 8, fmt::format("{:08x}", checksum(checked)));
    return bytes;
  };
  EXPECT_EQ(refusal(changed(last, std::int64_t{45})), "");  // as it was
  for (const std::int64_t sum : {std::int64_t{-1}, std::int64_t{35}, INT64_MAX})
    EXPECT_NE(refusal(changed(last, sum)).find("its counts are out of range"), std::string::npos);
  for (const std::uint64_t offset : {std::uint64_t{0}, whole.size() - 72, UINT64_MAX - 7})
    EXPECT_NE(refusal(changed(counts + kSecond, offset)).find("outside the file"),
              std::string::npos)
        << offset;
  EXPECT_NE(refusal(changed(counts + kSecond + 8, std::uint32_t{6})).find("are of no call"),
            std::string::npos);
  for (const std::uint32_t index : {1u, 3u, UINT32_MAX})  // of the allgather, and none
    EXPECT_NE(refusal(changed(ranges + 4 * sizeof(layout::RangeEntry) + 44, index))
                  .find("counts of another collective, or none"),
              std::string::npos);
  std::string edited = whole;
  edited[last] = 1;
  EXPECT_NE(refusal(edited).find("the checksum of its counts differs"), std::string::npos);
  // A process that needs no alltoallv does not read its counts.
  const MappedPlan unread(write(edited), MatrixChecks::when_used);
  EXPECT_NO_THROW(unread.check_blocks(unread.ranges()[3]));  // of the allgather
  for (int call = 0; call < 2; ++call)
    EXPECT_THROW(unread.check_blocks(unread.ranges()[4]), BadPlan);
  const MappedPlan sound(write(whole), MatrixChecks::when_used);
  for (int call = 0; call < 2; ++call) EXPECT_NO_THROW(sound.check_blocks(sound.ranges()[4]));
  std::string damaged_row = whole;
  layout::Counts row{};
  std::memcpy(&row, whole.data() + counts, sizeof row);
  damaged_row[row.offset + 8] = 6;
  EXPECT_THROW(MappedPlan(write(damaged_row), MatrixChecks::when_used), BadPlan);
  edited = changed(last, std::int64_t{45});
  edited[10] = '1';
  EXPECT_NE(refusal(edited).find("version 1 has no counts"), std::string::npos);
}

TEST_F(PlanFile, has_at_most_64_matrices) {
  Plan plan = example_of_counts();
  while (plan.ranges.size() < 4 + kMostMatrices) plan.ranges.push_back(plan.ranges.back());
  EXPECT_EQ(refusal(encode(plan)), "");
  plan.ranges.push_back(plan.ranges.back());
  EXPECT_THROW(encode(plan), InvalidInput);
}

TEST_F(PlanFile, has_messages_whose_ends_meet) {
  const auto ends_of_all = [&](const Plan& plan) {
    const MappedPlan mapped(write(encode(plan)));
    std::uint64_t sum = 0;
    for (std::int32_t schedule = 0; schedule < std::ssize(mapped.schedules()); ++schedule)
      for (std::int32_t rank = 0; rank < mapped.ranks(); ++rank) sum += mapped.ends(schedule, rank);
    return sum;
  };
  EXPECT_EQ(ends_of_all(example()), 0u);
  const auto with = [&](auto&& change) {
    Plan plan = example();
    change(plan.schedules[0].programs[1]);
    return ends_of_all(plan);
  };
  EXPECT_NE(with([](RankProgram& program) { program.sends.pop_back(); }), 0u);
  EXPECT_NE(with([](RankProgram& program) { program.receives.pop_back(); }), 0u);
  EXPECT_NE(with([](RankProgram& program) { --program.sends.back().step; }), 0u);
  EXPECT_NE(with([](RankProgram& program) { program.sends[0].peer = program.receives[0].peer; }),
            0u);
  EXPECT_NE(with([](RankProgram& program) {
              layout::Units& units = program.units[program.sends[0].first];
              units.first = units.first == 0 ? 1 : 0;
            }),
            0u);
}

// The runtime has a table of its own; weft's says what is right.
TEST(PlanKinds, have_the_properties_of_the_collectives) {
  std::uint32_t kinds = 0;
  for (const CollectiveKind kind : schedule::kCollectiveKinds) {
    EXPECT_EQ(has_collective(kind), !schedule::traits_of(kind).between_two()) << name_of(kind);
    if (!has_collective(kind)) continue;
    ++kinds;
    const KindTraits& traits = traits_of(static_cast<Kind>(kind));
    const Collective collective{kind, 2};
    EXPECT_EQ(traits.rooted, collective.rooted()) << name_of(kind);
    EXPECT_EQ(traits.reduces, collective.reduces()) << name_of(kind);
    EXPECT_EQ(traits.whole_buffer, collective.whole_buffer()) << name_of(kind);
    EXPECT_EQ(traits.by_pair, collective.blocks() == 4) << name_of(kind);
    EXPECT_EQ(takes_counts(static_cast<Kind>(kind)), program::takes_block_sizes(kind))
        << name_of(kind);
  }
  EXPECT_EQ(kinds, kKinds);
}

TEST_F(PlanFile, has_one_hash_for_one_content) {
  Plan plan = example();
  const std::uint64_t hash = MappedPlan(write(encode(plan))).hash();
  EXPECT_EQ(MappedPlan(write(encode(plan))).hash(), hash);
  std::swap(plan.schedules[0].programs[0], plan.schedules[0].programs[1]);
  EXPECT_NE(MappedPlan(write(encode(plan))).hash(), hash);
}

}  // namespace
}  // namespace weft::plan
