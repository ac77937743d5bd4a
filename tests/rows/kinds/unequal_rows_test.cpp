// Rows whose collective has blocks of unequal sizes, by the field `counts`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "rows/rows_of.hpp"
#include "support/process/scratch_folder.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/value.hpp"

namespace weft::rows {
namespace {

// Each pair of ranks has a link of 1 GB/s to itself, which takes the largest block, 3000 B, in 3
// us. The mean block is 1000 B.
class UnequalRows : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    return folder_.file(name, text);
  }
  static Values answer(const std::string& kind, const std::string& grid) {
    const auto rows = rows_of(grid, kind);
    EXPECT_EQ(rows.size(), 1U);
    return measure(rows.at(0));
  }
  static double time_s(const Values& values) { return std::get<double>(values.at("time")); }

  test::ScratchFolder folder_;
  const std::string matrix_ = file("matrix.txt", "0 1000 2000\n3000 0 500\n1600 900 0\n");
  const std::string on_ = "topology = \"complete:3\"\nlink = \"8Gbps,0s\"\n";
  const std::string pairs_ = on_ + "collective = \"alltoallv\"\ncounts = \"" + matrix_ + "\"\n";
};

TEST_F(UnequalRows, take_the_bytes_of_a_file) {
  EXPECT_NEAR(time_s(answer("simulate", pairs_ + "algorithm = \"direct\"")), 3e-6, 1e-12);
  EXPECT_NEAR(time_s(answer("compare", pairs_ + "algorithms = \"direct\"")), 3e-6, 1e-12);
  const Values planned = answer("plan", pairs_ + "algorithms = \"direct\"");
  EXPECT_NEAR(time_s(planned), 3e-6, 1e-12);
  EXPECT_EQ(fields::to_text(planned.at("timed_size")), "1000");
}

// Twice the mean is twice each block.
TEST_F(UnequalRows, share_out_the_size_of_the_row) {
  const std::string doubled = pairs_ + "size = \"2000B\"\n";
  EXPECT_NEAR(time_s(answer("simulate", doubled + "algorithm = \"direct\"")), 6e-6, 1e-12);
  EXPECT_NEAR(time_s(answer("compare", doubled + "algorithms = \"direct\"")), 6e-6, 1e-12);
  EXPECT_NEAR(time_s(answer("plan", doubled + "algorithms = \"direct\"")), 6e-6, 1e-12);
}

// All blocks of zipf:0 are equal.
TEST_F(UnequalRows, with_equal_blocks_take_the_time_of_equal_blocks) {
  const std::string rest = on_ + "size = \"64KiB\"\nalgorithm = \"best\"\n";
  const Values drawn =
      answer("simulate", rest + "collective = \"allgatherv\"\ncounts = \"zipf:0\"");
  const Values equal = answer("simulate", rest + "collective = \"allgather\"");
  EXPECT_DOUBLE_EQ(time_s(drawn), time_s(equal));
  EXPECT_FALSE(drawn.contains("bandwidth_factor"));  // it would be that of equal blocks
  EXPECT_TRUE(equal.contains("bandwidth_factor"));
}

TEST_F(UnequalRows, of_a_plan_name_the_counts_of_each_collective) {
  const std::string row = file("row.txt", "1000 2000 4000");
  const auto rows =
      rows_of(on_ + "collective = [\"alltoallv\", \"allgatherv\"]\nalgorithms = \"direct\"\n" +
                  fmt::format("counts = \"alltoallv={};{}\"", matrix_, row),
              "plan");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(fields::text_in(rows[0].parameters, "counts"), matrix_);
  EXPECT_EQ(fields::text_in(rows[1].parameters, "counts"), row);
  EXPECT_NEAR(time_s(measure(rows[0])), 3e-6, 1e-12);
  EXPECT_EQ(fields::text_in(rows[1].parameters, "size"), "2333");  // the mean, to a byte
}

TEST_F(UnequalRows, depend_on_the_file_and_on_the_seed_of_what_is_drawn) {
  const std::string call = pairs_ + "algorithm = \"direct\"\n";
  const std::string before = rows_of(call).at(0).key;
  EXPECT_EQ(rows_of(call + "seed = 7").at(0).key, before);  // nothing is drawn
  file("matrix.txt", "0 1000 2000\n3000 0 500\n1600 901 0\n");
  EXPECT_NE(rows_of(call).at(0).key, before);
  const std::string drawn =
      on_ + "collective = \"alltoallv\"\ncounts = \"zipf:1\"\nalgorithm = \"direct\"\n";
  EXPECT_NE(rows_of(drawn + "seed = 1").at(0).key, rows_of(drawn + "seed = 2").at(0).key);
  EXPECT_EQ(fields::text_in(rows_of(drawn).at(0).parameters, "size"), "1048576");
}

TEST_F(UnequalRows, are_refused_with_what_is_right) {
  const auto refusal = [](const std::string& grid, const std::string& kind) -> std::string {
    try {
      (void)rows_of(grid, kind);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string run = on_ + "algorithm = \"direct\"\n";
  const std::string bare = run + "collective = \"alltoallv\"\n";
  const std::string few = file("two.txt", "1 2\n3 4\n");
  const std::vector<std::array<std::string, 3>> cases = {
      {bare, "simulate",
       "t.toml:8: alltoallv needs the sizes of its blocks; give counts = \"FILE\""},
      {run + "collective = \"alltoall\"\ncounts = \"zipf:1\"", "simulate",
       "t.toml:9: counts has no effect on alltoall, whose blocks have one size; write alltoallv"},
      {run + "collective = \"allreduce\"\ncounts = \"zipf:1\"", "simulate",
       "leave it out for allreduce"},
      {bare + "counts = \"zipf:99\"", "simulate", "t.toml:9: "},
      {bare + "counts = \"nofile\"", "simulate", "neither a file nor a distribution"},
      {bare + "counts = \"" + few + "\"", "simulate", "two.txt:1"},
      {bare + "counts = \"zipf:1\"\nsize = 0", "simulate", "moves no data"},
      {bare, "cost", "simulate, compare and plan support it"},
      {on_ + "collective = \"alltoallv\"\ncounts = \"zipf:1\"\nbaseline = \"openmpi-4.1\"",
       "compare", "needs blocks of one size"},
      {on_ + "collective = \"alltoallv\"\ncounts = \"allgatherv=zipf:1\"", "plan",
       "alltoallv needs the sizes of its blocks"},
      {on_ + "collective = \"nonsense\"", "compare", "reduce-scatterv"}};
  for (const auto& [grid, kind, says] : cases)
    EXPECT_NE(refusal(grid, kind).find(says), std::string::npos) << grid << refusal(grid, kind);
}

}  // namespace
}  // namespace weft::rows
