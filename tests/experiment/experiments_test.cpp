// The experiments that come with weft: they load, their grids hold what their claims speak of, and
// on the reduced grid every claim is met or has its reason.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "weft/experiment/results.hpp"

namespace weft::experiment {
namespace {

std::vector<std::string> paths() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(WEFT_SOURCE_DIR) + "/experiments"))
    if (entry.path().extension() == ".toml") all.push_back(entry.path());
  return all;
}

Results results_of(const Experiment& experiment, Grid grid) {
  return join_results(experiment, expand(experiment, grid),
                      [](const std::string&) { return std::optional<StoredRow>(); });
}

void run(Results& results) {
  for (ResultRow& row : results.rows) {
    row.results = measure(row.row);
    row.missing = false;
  }
}

TEST(Experiments, full_grids_expand) {
  ASSERT_GE(paths().size(), 3u);
  for (const std::string& path : paths()) {
    const Experiment experiment = load_experiment(path);
    EXPECT_FALSE(expand(experiment).empty()) << path;
  }
}

TEST(Experiments, claims_of_the_reduced_grid_are_met_or_explained) {
  for (const std::string& path : paths()) {
    const Experiment experiment = load_experiment(path);
    Results results = results_of(experiment, Grid::quick);
    run(results);
    for (const Claim& claim : experiment.claims) {
      const Verdict verdict = judge(claim, results);
      EXPECT_TRUE(verdict.outcome == Verdict::Outcome::met ||
                  verdict.outcome == Verdict::Outcome::explained)
          << path << ":" << claim.line << ": " << claim.text << ": " << verdict.ours << ", "
          << verdict.detail;
    }
  }
}

TEST(Experiments, measures_are_the_names_that_files_may_use) {
  for (const std::string& path : paths()) {
    const Experiment experiment = load_experiment(path);
    const Values values = measure(expand(experiment, Grid::quick).front());
    for (const std::string& name : experiment.measures) EXPECT_TRUE(values.contains(name)) << name;
  }
}

}  // namespace
}  // namespace weft::experiment
