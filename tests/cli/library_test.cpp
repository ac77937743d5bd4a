// weft compare --library: what a library would run, beside weft's own algorithms.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/process/answer.hpp"
#include "support/process/command_line.hpp"

namespace weft::test {
namespace {

using nlohmann::json;

double time_of(const json& answer, const std::string& algorithm, std::int64_t size_B) {
  for (const json& row : answer["rows"])
    if (row["algorithm"] == algorithm && row["size"] == size_B) return row["time"];
  return 0;
}

// Long lines are broken at the width of the screen.
std::string in_one_line(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  for (std::string word; in >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

// Open MPI runs number 3 on 16 ranks from 64 B and below 4 KiB, then 6.
TEST(CompareLibrary, takes_as_long_as_the_algorithms_that_it_chooses) {
  const json answer = answer_of(
      "compare allreduce -t xgft:2;16,1;1,2 --sizes 64,4KiB,1MiB --effort full --library "
      "openmpi-4.1 --algorithms recursive-doubling,rabenseifner-nearest,ring");
  const json& library = answer["library"];
  EXPECT_EQ(library["name"], "openmpi-4.1");
  ASSERT_EQ(library["rows"].size(), 3);
  for (const json& row : library["rows"]) {
    EXPECT_EQ(row["algorithm"], row["size"] < 4096 ? "recursive-doubling" : "rabenseifner-nearest");
    EXPECT_FALSE(row["modelled"]);
    const double time_s = time_of(answer, row["algorithm"], row["size"]);
    EXPECT_NEAR(row["time"], time_s, 1e-9 * time_s);
  }
}

TEST(CompareLibrary, has_a_column_and_a_sentence) {
  const Ran ran =
      run_weft(words_of("compare allreduce -t complete:4 --sizes 8B,1MiB --library mpich-4.x"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("mpich-4.x\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("mpich-4.x would run recursive_doubling up to 8B, "
                         "reduce_scatter_allgather above; the best here is "),
            std::string::npos)
      << ran.out;
}

// Leaders alone use the network between 4 hosts of 4 ranks each.
TEST(CompareLibrary, works_in_levels_with_several_ranks_a_host) {
  const json answer = answer_of(
      "compare allreduce -t complete:4 --per-host 4 --sizes 1KiB,4MiB --library openmpi-5.0 "
      "--algorithms ring --copy-bandwidth 10GBps");
  const json& rows = answer["library"]["rows"];
  EXPECT_TRUE(rows[0]["native"].get<std::string>().starts_with("han: node "));
  EXPECT_GT(rows[1]["time"], rows[0]["time"]);
  // 64 segments of 64 KiB, each crossing 12.5 GB/s links 3 times at least.
  EXPECT_GT(rows[1]["time"], 4194304 / 12.5e9);
}

// Trees and rings are simulated, broadcasts have the time of NCCL's own model: 8 hops of 0.6 us.
TEST(CompareLibrary, says_which_rows_its_own_model_gave) {
  const std::string boxes = "boxes(2, network:dgx-h100, leaf-spine:leaves=2,spines=2,hosts=8)";
  const json tree = answer_of("compare allreduce -t \"" + boxes +
                              "\" --sizes 8KiB --library nccl -a ring")["library"]["rows"][0];
  EXPECT_EQ(tree["native"], "Tree LL");
  EXPECT_FALSE(tree["modelled"]);
  const json chain = answer_of(
      "compare broadcast -t network:dgx-h100 --sizes 8B --library nccl "
      "-a binomial")["library"]["rows"][0];
  EXPECT_EQ(chain["native"], "Ring LL");
  EXPECT_EQ(chain["algorithm"], "chain");
  EXPECT_TRUE(chain["modelled"]);
  EXPECT_NEAR(chain["time"], 6.6e-6 + 8 * 0.6e-6, 1e-8);
}

// shared/reality/gpu.md G22, G23 (rccl-tests on MI355X, ROCm 7.0): time out of place, microseconds.
// The hop of rings with Simple and the filling of trees were set with the first sweep in view; the
// chosen pairs and all other numbers are RCCL's and the machine's.
TEST(CompareLibrary, is_near_published_sweeps_of_boxes_of_mi355x) {
  const struct {
    const char* topology;
    std::vector<double> measured_us;
    const char* sizes;
  } sweeps[] = {{"network:mi355x", {36863, 73544}, "8GiB,16GiB"},
                {"boxes(2, network:mi355x)",
                 {41.16, 47.20, 59.17, 67.22, 81.37, 118.6, 1652, 5525, 43643},
                 "8B,1KiB,64KiB,256KiB,1MiB,4MiB,256MiB,1GiB,8GiB"},
                {"boxes(4, network:mi355x)", {44952, 89839}, "8GiB,16GiB"}};
  for (const auto& sweep : sweeps) {
    const json answer =
        answer_of(std::string("compare allreduce -t \"") + sweep.topology +
                  "\" --machine xgmi-mi355x --library rccl -a ring --sizes " + sweep.sizes);
    const json& rows = answer["library"]["rows"];
    ASSERT_EQ(rows.size(), sweep.measured_us.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(1e6 * rows[i]["time"].get<double>() / sweep.measured_us[i], 1, 0.17)
          << sweep.topology << ' ' << rows[i]["size"];
  }
}

TEST(CompareLibrary, is_refused_in_one_line_where_there_are_no_rules) {
  const Ran unknown = run_weft(words_of("compare allreduce -t ring:4 --library openmpi"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("unknown library 'openmpi'; did you mean openmpi-4.1, "
                             "openmpi-5.0?"),
            std::string::npos)
      << unknown.err;
  const Ran none = run_weft(words_of("compare alltoall -t ring:4 --library nccl"));
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("nccl has no rules for alltoall"), std::string::npos) << none.err;
  EXPECT_EQ(std::ranges::count(none.err, '\n'), 1);
}

// NCCL's tables are of GPUs, which launch kernels and add up what they receive while it arrives. A
// ratio to times of CPU hosts compares machines, not algorithms.
TEST(CompareLibrary, of_gpus_has_no_ratio_to_times_of_hosts_without_a_launch) {
  const std::string line =
      "compare allreduce -t rail:boxes=2,gpus=8,spines=2 --sizes 8B,1MiB --library nccl ";
  for (const std::string machine : {"--machine generic", "--machine roce-400"}) {
    const json answer = answer_of(line + machine);
    for (const json& fastest : answer["fastest"]) {
      EXPECT_TRUE(fastest.contains("over_library")) << fastest;
      EXPECT_EQ(fastest["over_library"], nullptr) << machine;
      EXPECT_GT(fastest["library_time"], 0) << machine;
    }
    const std::string text = in_one_line(run_weft(words_of(line + machine)).out);
    EXPECT_EQ(text.find("times as fast at"), std::string::npos) << text;
    EXPECT_NE(text.find("--machine gpus gives both the same costs"), std::string::npos) << text;
  }
  const json answer = answer_of(line + "--machine gpus");
  for (const json& fastest : answer["fastest"])
    EXPECT_DOUBLE_EQ(fastest["over_library"].get<double>(),
                     fastest["library_time"].get<double>() / fastest["time"].get<double>());
  EXPECT_EQ(run_weft(words_of(line + "--machine gpus")).out.find("gives both"), std::string::npos);
}

}  // namespace
}  // namespace weft::test
