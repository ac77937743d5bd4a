#include "weft/advise/schedule/counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"

namespace weft::advise {
namespace {

std::vector<std::int64_t> sizes_of(const Counts& counts) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t block = 0; block < counts.blocks->count(); ++block)
    sizes.push_back(counts.blocks->size(block));
  return sizes;
}

std::vector<std::int64_t> drawn(const char* text, const Collective& collective,
                                std::uint64_t seed = 1) {
  const Counts counts = read_counts(text, collective, seed);
  EXPECT_TRUE(counts.is_drawn) << text;
  return sizes_of(counts);
}

TEST(Counts, have_collectives_of_their_own) {
  EXPECT_EQ(unequal_kind("alltoallv"), CollectiveKind::alltoall);
  EXPECT_EQ(unequal_kind("All-To-All-V"), CollectiveKind::alltoall);
  EXPECT_EQ(unequal_kind("reduce_scatterv"), CollectiveKind::reduce_scatter);
  EXPECT_EQ(unequal_kind("ALLGATHERV"), CollectiveKind::allgather);
  for (const char* other : {"alltoall", "allreducev", "gatherv", "v", ""})
    EXPECT_FALSE(unequal_kind(other)) << other;
  EXPECT_EQ(unequal_name(CollectiveKind::reduce_scatter), "reduce-scatterv");
}

TEST(Counts, are_the_same_for_a_seed_alone) {
  for (const char* text : {"uniform:0.5,1.5", "zipf:1.2", "normal:0.4", "exponential", "moe:2,0.8"})
    for (const Collective& collective : {schedule::alltoall(8), schedule::allgather(8)}) {
      if (collective.kind == CollectiveKind::allgather && text[0] == 'm') continue;
      EXPECT_EQ(drawn(text, collective), drawn(text, collective)) << text;
      EXPECT_NE(drawn(text, collective, 1), drawn(text, collective, 2)) << text;
    }
}

// In each row the k-th largest is the largest over k^S.
TEST(Counts, of_zipf_fall_by_rank) {
  const auto sizes = drawn("zipf:1.5", schedule::alltoall(6));
  for (int row = 0; row < 6; ++row) {
    std::vector<std::int64_t> of_row(sizes.begin() + row * 6, sizes.begin() + row * 6 + 6);
    std::ranges::sort(of_row, std::greater{});
    for (int k = 1; k < 6; ++k)
      EXPECT_NEAR(static_cast<double>(of_row[k]),
                  static_cast<double>(of_row[0]) * std::pow(k + 1, -1.5), 2);
  }
}

// The same ranks receive from all senders; the largest block is N / K times the mean.
TEST(Counts, of_one_hot_belong_to_few_ranks) {
  const auto sizes = drawn("one-hot:2", schedule::alltoall(8));
  for (std::size_t block = 0; block < sizes.size(); ++block)
    EXPECT_EQ(sizes[block], sizes[block % 8]);
  EXPECT_EQ(std::ranges::count(sizes, 0), 8 * 6);
  EXPECT_DOUBLE_EQ(read_counts("one-hot:2", schedule::allgather(8), 1).blocks->skew(), 4);
}

// 4096 tokens go to 2 of 8 experts each, so that no expert has more than all tokens; with SKEW 0
// each has a quarter, to three standard deviations of sqrt(4096 * 3/16) = 28.
TEST(Counts, of_moe_are_tokens) {
  const auto sizes = drawn("moe:2,0", schedule::alltoall(8));
  const double token = 8.0 * 1024 / (2 * 4096);  // what stands for one
  for (const std::int64_t size : sizes)
    EXPECT_NEAR(static_cast<double>(size) / token, 1024, 4 * 28);
  const auto skewed = drawn("moe:2,2", schedule::alltoall(8));
  EXPECT_LE(static_cast<double>(*std::ranges::max_element(skewed)), 4096 * token + 1);
  EXPECT_GT(*std::ranges::max_element(skewed), *std::ranges::max_element(sizes));
}

// Of 10,000 blocks: 1 +- 3 standard deviations of the mean, to the parts that scaling rounds.
TEST(Counts, of_normal_spread_as_asked) {
  const auto sizes = drawn("normal:0.2", schedule::allgather(10'000));
  double squares = 0;
  for (const std::int64_t size : sizes)
    squares += std::pow(static_cast<double>(size) / 1024 - 1, 2);
  EXPECT_NEAR(std::sqrt(squares / 10'000), 0.2, 0.006);
}

TEST(Counts, are_read_by_rank_or_by_sender) {
  const test::ScratchFolder folder;
  const std::string row = folder.file("row", "# bytes\n4KiB, 0\n\n8 # last\n");
  const Counts counts = read_counts(row, schedule::reduce_scatter(3), 1);
  EXPECT_EQ(sizes_of(counts), (std::vector<std::int64_t>{4096, 0, 8}));
  EXPECT_FALSE(counts.is_drawn);
  EXPECT_EQ(text_of(counts), row + " (largest block 2.99 x the mean)");  // 4096 * 3 / 4104
  const std::string matrix = folder.file("matrix", "1,2\r\n3;4\r\n");
  EXPECT_EQ(sizes_of(read_counts(matrix, schedule::alltoall(2), 1)),
            (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_THROW(read_counts(matrix, schedule::broadcast(2), 1), InvalidInput);
}

}  // namespace
}  // namespace weft::advise
