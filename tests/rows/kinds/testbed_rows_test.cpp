// Rows of kinds testbed and fit: times of a file beside what the models estimate, and the line
// through them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/rows/measurements.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {
namespace {

constexpr double kBurden = 1.25;  // of measured times over those of the model

std::vector<Row> rows(const std::string& kind, const std::string& grid) {
  return study::expand(study::parse_experiment(
      "[experiment]\ntitle = \"t\"\nkind = \"" + kind + "\"\n[grid]\n" + grid, "t.toml"));
}

double number(const Values& values, const std::string& column) {
  return *fields::to_number(values.at(column));
}

std::string path() {
  return fmt::format("{}/times-{}.toml", testing::TempDir(), getpid());
}

const char* const kGrid =
    "collective = \"allreduce\"\ntopology = [\"ring:4\", \"ring:6\"]\nalgorithm = \"ring\"\n"
    "size = [\"1KiB\", \"12MiB\"]\nrate = \"10Mbit\"\nalpha = \"10ms\"\n";

// 2 (n - 1) steps of 10 ms and 50 us and of 1/n of the buffer over a link's payload, a burden on
// both.
double time_s(double ranks, double size_B) {
  const double payload_Bps = 10e6 / 8 * 1448 / 1514;
  return kBurden * 2 * (ranks - 1) * (0.01005 + size_B / ranks / payload_Bps);
}

// Of every call of the grid.
void write_times() {
  Measurements all{.machine = "m", .mpi = "i"};
  for (const Row& row : rows("testbed", fmt::format("measurements = \"{}\"\n{}", path(), kGrid))) {
    const double least_s =
        time_s(static_cast<double>(row.nodes), *fields::to_number(row.parameters.at("size")));
    all.calls.push_back({.asked = asked_in(row.parameters),
                         .calls = 3,
                         .least_s = least_s,
                         .median_s = least_s + 1,
                         .load = 2,
                         .at = "2026-01-31T12:00:00Z"});
  }
  write_file(path(), text_of(all));
}

TEST(TestbedRows, have_measured_and_foretold_times) {
  write_times();
  const auto all = rows("testbed", fmt::format("measurements = \"{}\"\n{}", path(), kGrid));
  ASSERT_EQ(all.size(), 4U);
  for (const Row& row : all) {
    const Values values = measure(row);
    EXPECT_NEAR(number(values, "over_fluid"), kBurden, 0.001 * kBurden);
    EXPECT_EQ(number(values, "steps"), 2.0 * (static_cast<double>(row.nodes) - 1));
    EXPECT_EQ(fields::to_text(values.at("runs")), "ring");
    EXPECT_EQ(number(values, "load"), 2);
  }
  std::remove(path().c_str());
}

TEST(TestbedRows, of_the_mpi_have_neither_algorithm_nor_start_ups) {
  write_times();
  const auto all =
      rows("testbed", fmt::format("measurements = \"{}\"\nlibrary = \"mpi\"\n{}", path(), kGrid));
  EXPECT_FALSE(all.at(0).parameters.contains("algorithm"));
  EXPECT_FALSE(all.at(0).parameters.contains("alpha"));
  EXPECT_THROW(measure(all.at(0)), InvalidInput);  // not in the file
  std::remove(path().c_str());
}

TEST(TestbedRows, change_with_the_content_of_their_file) {
  const std::string grid = fmt::format("measurements = \"{}\"\n{}", path(), kGrid);
  const std::string before = rows("testbed", grid).at(0).key;  // no file yet
  write_times();
  const std::string after = rows("testbed", grid).at(0).key;
  EXPECT_NE(before, after);
  EXPECT_EQ(after, rows("testbed", grid).at(0).key);
  std::remove(path().c_str());
}

// The two-way ring's bandwidth B is that of a node, two links; M/B is half of what a link takes.
TEST(FitRows, give_back_the_line) {
  write_times();
  const auto all = rows("fit", fmt::format("measurements = \"{}\"\ncollective = \"allreduce\"\n"
                                           "algorithms = \"ring\"\n",
                                           path()));
  ASSERT_EQ(all.size(), 1U);
  const Values values = measure(all.front());
  EXPECT_EQ(number(values, "fitted_rows"), 4);
  EXPECT_NEAR(number(values, "fitted_alpha"), kBurden * 0.01005, 1e-5);
  EXPECT_NEAR(number(values, "epsilon"), 0, 1e-4);
  EXPECT_NEAR(number(values, "bandwidth_Bps"), 2 * 10e6 / 8 * 1448 / 1514 / kBurden, 1e3);
  EXPECT_LT(number(values, "greatest_error"), 0.001);
  std::remove(path().c_str());
}

std::string refusal_of(const std::string& calls) {
  write_file(path(), "machine = \"m\"\nmpi = \"p\"\ncalls = [\n" + calls + "]\n");
  std::string said;
  try {
    measure(rows("fit", fmt::format("measurements = \"{}\"\ncollective = \"allreduce\"\n"
                                    "algorithms = \"ring\"\n",
                                    path()))
                .front());
  } catch (const InvalidInput& error) {
    said = error.what();
  }
  std::remove(path().c_str());
  return said;
}

TEST(FitRows, refuse_what_no_one_line_fits) {
  const auto call = [](const std::string& more) {
    return "{ algorithm = \"ring\", collective = \"allreduce\", size = \"1MiB\", topology = "
           "\"ring:4\", routing = \"shortest\", library = \"weft\", " +
           more +
           ", calls = 5, time = 0.1, median = 0.1, load = 1, at = \"2026-01-31T12:00:00Z\" },\n";
  };
  EXPECT_NE(refusal_of(call("alpha = \"10ms\", rate = \"10Mbit\"") +
                       call("alpha = \"10ms\", rate = \"20Mbit\""))
                .find("which need different alpha and B; put them in separate files"),
            std::string::npos);
  EXPECT_NE(refusal_of(call("alpha = \"10ms\", rate = \"10Mbit\", bogus = \"x\"")).find("bogus"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::rows
