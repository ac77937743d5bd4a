// Profiles: their lines, sums over ranks, and what a plan makes of them.
#include "weft/plan/profile.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"

namespace weft::plan {
namespace {

const std::string kFront = "weft profile 1\nranks\t2\n";
const std::string kSmall = "0\tworld\t2\tMPI_Allreduce\t8\t10\t80\t0.5\tring\n";

class ProfileFile : public ::testing::Test {
 protected:
  Profile read(const std::string& text) { return read_profile(folder_.file("a.profile", text)); }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }

 private:
  test::ScratchFolder folder_;
};

TEST_F(ProfileFile, is_summed_as_the_mean_over_ranks_the_longest_first) {
  const Profile profile =
      read(kFront + kSmall + "0\tworld\t2\tMPI_Bcast\t1024\t1\t1500\t3\tnative (no plan)\n" +
           "1\tworld\t2\tMPI_Allreduce\t8\t6\t64\t1\tnative (no plan)\n" +
           "1\tworld\t2\tMPI_Allreduce\t8\t8\t72\t0.25\tring\n");
  EXPECT_EQ(profile.ranks, 2);
  const auto all = summarise(profile);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].collective, "MPI_Bcast");
  EXPECT_EQ(all[0].calls, 1);  // of the one rank that called
  EXPECT_EQ(all[0].time_s, 3);
  EXPECT_EQ(all[0].mean_B, 1500);
  EXPECT_EQ(all[1].calls, 12);      // (10 + 6 + 8) / 2
  EXPECT_EQ(all[1].time_s, 0.875);  // (0.5 + 1 + 0.25) / 2
  EXPECT_EQ(all[1].mean_B, 9);      // 216 / 24
  EXPECT_EQ(all[1].ran, "ring");    // 18 calls of 24
}

TEST_F(ProfileFile, that_is_none_is_refused_by_line) {
  EXPECT_NE(refusal("something").find("is not a profile"), std::string::npos);
  EXPECT_NE(refusal("weft profile 2\nranks\t2\n").find("version"), std::string::npos);
  EXPECT_NE(refusal("weft profile 1\n").find("is truncated"), std::string::npos);
  EXPECT_NE(refusal(kFront + kSmall.substr(0, 20)).find("is truncated"), std::string::npos);
  EXPECT_NE(refusal("weft profile 1\nranks\t0\n").find(":2: "), std::string::npos);
  EXPECT_NE(refusal(kFront + kSmall + "0\tworld\n").find(":4: "), std::string::npos);
  EXPECT_NE(refusal(kFront + "2" + kSmall.substr(1)).find("rank is '2'"), std::string::npos);
  EXPECT_NE(refusal(kFront + "x" + kSmall).find(":3: "), std::string::npos);
  EXPECT_NE(refusal(kFront + "0\tworld\t2\tMPI_Bcast\t8\t1\t8\tnan\tring\n"), "");
  EXPECT_NE(refusal(kFront + "0\tworld\t2\tMPI_Bcast\t8\t0\t8\t1\tring\n"), "");
}

PlannedRange range_of(std::int64_t first_B, std::int64_t last_B, std::int64_t timed_B,
                      double time_s) {
  return {.kind = CollectiveKind::allreduce,
          .root = {},
          .first_B = first_B,
          .last_B = last_B,
          .schedule = 0,
          .time_s = time_s,
          .timed_B = timed_B};
}

CallSummary calls_of(const char* collective, std::int32_t members, std::int64_t size_B) {
  return {.communicator = "world",
          .members = members,
          .collective = collective,
          .from_B = 0,
          .mean_B = size_B,
          .calls = 1,
          .time_s = 1,
          .ran = ""};
}

TEST(ProfilePrediction, lies_between_the_sizes_that_were_timed) {
  Plan plan;
  plan.ranks = 4;
  plan.schedules.resize(1);
  plan.schedules[0].algorithm = "ring";
  plan.ranges = {range_of(0, 199, 100, 1), range_of(200, kNoEnd, 300, 2)};
  const auto time_of = [&](const char* collective, std::int32_t members, std::int64_t size_B) {
    const auto there = prediction(plan, calls_of(collective, members, size_B));
    return there ? there->time_s : -1;
  };
  EXPECT_EQ(time_of("MPI_Allreduce", 4, 50), 1);
  EXPECT_EQ(time_of("MPI_Allreduce", 4, 250), 1.75);
  EXPECT_EQ(time_of("MPI_Allreduce", 4, 600), 4);
  EXPECT_EQ(time_of("MPI_Barrier", 4, 1), 1);
  EXPECT_EQ(time_of("MPI_Allreduce", 5, 250), -1);
  EXPECT_EQ(time_of("MPI_Alltoall", 4, 250), -1);
  EXPECT_EQ(time_of("MPI_Ibcast", 4, 250), -1);
  plan.ranges[1].schedule.reset();
  EXPECT_EQ(time_of("MPI_Allreduce", 4, 250), -1);  // the MPI's own
}

// A range for certain counts is of calls that ran its schedule, and of no others.
TEST(ProfilePrediction, of_exact_counts_is_for_calls_that_ran_their_schedule) {
  Plan plan;
  plan.ranks = 2;
  plan.schedules.resize(1);
  plan.schedules[0].algorithm = "direct";
  plan.ranges = {range_of(8, 8, 8, 3)};
  plan.ranges[0].kind = CollectiveKind::alltoall;
  plan.ranges[0].blocks =
      std::make_shared<const program::BlockSizes>(std::vector<std::int64_t>{8, 8, 8, 8});
  CallSummary calls = calls_of("MPI_Alltoallv", 2, 8);
  EXPECT_FALSE(prediction(plan, calls));
  calls.ran = "direct";
  ASSERT_TRUE(prediction(plan, calls));
  EXPECT_EQ(prediction(plan, calls)->time_s, 3);
  EXPECT_FALSE(prediction(plan, calls_of("MPI_Alltoall", 2, 8)));
}

}  // namespace
}  // namespace weft::plan
