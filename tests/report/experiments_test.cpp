// The experiments that come with weft: they load, their grids hold what their claims speak of, and
// on the reduced grid every claim gives what is printed or what it says of ours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "support/process/source_dir.hpp"
#include "support/samples.hpp"
#include "weft/base/file.hpp"
#include "weft/report/verdict.hpp"
#include "weft/study/grid.hpp"

namespace weft::report {

using namespace study;

namespace {

// Rows of the finder depend on the catalogue, wherever the tests run.
const bool kCatalogueIsSet =
    ::setenv("WEFT_CATALOGUE", (test::source_dir() + "/share/catalogue").c_str(), 1) == 0;

std::vector<std::string> paths() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/experiments"))
    if (entry.path().extension() == ".toml") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

// All rows computed, and the derived columns.
Results results_of(const Experiment& experiment, Grid grid) {
  const std::vector<Row> rows = expand(experiment, grid);
  std::map<std::string, study::StoredRow> stored;
  for (const Row& row : rows) stored[row.key].results = question::measure(row);
  return join_results(experiment, rows,
                      [&](const std::string& key) { return std::optional(stored.at(key)); });
}

TEST(Experiments, claims_of_the_reduced_grid_are_as_printed_or_as_stated) {
  for (const std::string& path : test::samples(paths())) {
    const Experiment experiment = load_experiment(path);
    const Results results = results_of(experiment, Grid::quick);
    int judged = 0;  // the others speak of rows of the full grid
    for (const Claim& claim : experiment.claims) {
      const Verdict verdict = report::judge(claim, results, Grid::quick);
      judged += verdict.mark == ClaimMark::missing ? 0 : 1;
      EXPECT_FALSE(verdict.fails) << path << ":" << claim.line << ": " << claim.text << ": "
                                  << verdict.ours << ", " << verdict.detail;
    }
    EXPECT_TRUE(judged > 0 || experiment.claims.empty()) << path;
  }
}

TEST(Experiments, reasons_name_sections_of_the_reproduction) {
  const std::string folder = test::source_dir(), page = "docs/reproduction.md";
  const std::string sections = read_file(folder + "/" + page);
  for (const std::string& path : paths())
    for (const Claim& claim : load_experiment(path).claims) {
      if (!claim.reason) continue;
      EXPECT_TRUE(claim.reason->starts_with(page + ": ")) << path << ":" << claim.line;
      const std::string heading = "\n### " + claim.reason->substr(page.size() + 2) + "\n";
      EXPECT_NE(sections.find(heading), std::string::npos) << path << ":" << claim.line << heading;
    }
}

// The table of docs/reproduction.md: a line for each section that open claims name, and no other.
TEST(Experiments, the_table_of_what_was_tried_has_what_is_open) {
  const std::string text = read_file(test::source_dir() + "/docs/reproduction.md");
  const std::size_t begin = text.find("\n### What is open, and what was tried\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string table = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  std::set<std::string> open;
  for (const std::string& path : paths())
    for (const Claim& claim : load_experiment(path).claims)
      if (report::mark_of(claim) == ClaimMark::open && claim.kind == Claim::Kind::printed)
        open.insert("\n| [" + claim.reason->substr(claim.reason->find(": ") + 2) + "](#");
  for (const std::string& line : open) EXPECT_NE(table.find(line), std::string::npos) << line;
  std::size_t lines = 0;
  for (std::size_t at = table.find("\n| ["); at != std::string::npos; ++lines)
    at = table.find("\n| [", at + 1);
  EXPECT_EQ(lines, open.size());
}

TEST(Experiments, measures_are_the_names_that_files_may_use) {
  for (const std::string& path : paths()) {
    const Experiment experiment = load_experiment(path);
    Values values = question::measure(expand(experiment, Grid::quick).front());
    for (const Derived& derived : experiment.derived) values[derived.name] = Value();
    for (const std::string& name : experiment.measures) EXPECT_TRUE(values.contains(name)) << name;
  }
}

}  // namespace
}  // namespace weft::report
