// The full grids of the experiments that come with weft: some have thousands of networks.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/process/source_dir.hpp"
#include "weft/base/file.hpp"
#include "weft/report/verdict.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"
#include "weft/study/kept.hpp"

namespace weft::study {
namespace {

TEST(Experiments, full_grids_expand) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(weft::test::source_dir() +
                                                               "/reproduction/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    ++count;
    EXPECT_FALSE(expand(load_experiment(entry.path().string())).empty()) << entry.path();
  }
  EXPECT_GE(count, 3);
}

// What is kept of another question's grid is stale: it is to be run again for a release.
TEST(Experiments, kept_full_grids_give_what_is_printed_or_stated) {
  const std::string experiments = weft::test::source_dir() + "/reproduction/experiments/";
  if (!std::filesystem::exists(experiments + "full")) GTEST_SKIP() << "none are kept";
  for (const auto& entry : std::filesystem::directory_iterator(experiments + "full")) {
    const SavedGrid kept = parse_kept(read_file(entry.path().string()), entry.path().string());
    const Experiment experiment = load_experiment(experiments + entry.path().filename().string());
    std::vector<Row> rows = expand(experiment, Grid::full);
    if (const auto stale = why_stale(kept, experiment, rows)) {
      ADD_FAILURE() << entry.path() << " is stale: " << *stale;
      continue;
    }
    const Results results = results_of(kept, experiment, std::move(rows));
    for (const Claim& claim : experiment.claims) {
      const report::Verdict verdict = report::judge(claim, results, Grid::full);
      EXPECT_FALSE(verdict.fails) << entry.path() << ": " << claim.text << ": " << verdict.detail;
      EXPECT_NE(verdict.mark, report::ClaimMark::missing) << entry.path() << ": " << claim.text;
    }
  }
}

}  // namespace
}  // namespace weft::study
