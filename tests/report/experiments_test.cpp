// The experiments that come with weft: they load, their grids hold what their claims speak of, and
// on the reduced grid every claim gives what is printed or what it says of ours.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "support/process/source_dir.hpp"
#include "support/samples.hpp"
#include "weft/base/file.hpp"
#include "weft/fields/read_number.hpp"
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
  const std::string folder = test::source_dir() + "/reproduction/experiments";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

// All rows computed, and the derived columns.
Results results_of(const Experiment& experiment, Grid grid) {
  const std::vector<Row> rows = expand(experiment, grid);
  std::map<std::string, study::StoredRow> stored;
  for (const Row& row : rows) stored[row.key].results = rows::measure(row);
  return join_results(experiment, rows,
                      [&](const std::string& key) { return std::optional(stored.at(key)); });
}

// A number that a claim cannot want, nor say of ours. Of an order all numbers turn round; where its
// pairs were ties they are none (`greatest` is the largest number), and means keep their order.
Value wrong(const Claim& claim, const Value& value, double greatest, bool ties) {
  const std::optional<double> number = fields::to_number(value);
  if (!number) return fields::to_text(value) + " it is not";
  if (claim.form == Claim::Form::below) return ties ? std::pow(*number / greatest, 9) : -*number;
  if (!claim.is_bound()) return 3 * *number + 1;
  const double beyond = 1 + std::abs(*number) + 2 * std::abs(*fields::read_number(claim.wanted));
  return claim.is_upper() ? beyond : -beyond;
}

double greatest(const Results& results, const std::string& column) {
  double most = 0;
  for (const ResultRow& row : results.rows)
    most = std::max(most, std::abs(fields::to_number(row.get(column)).value_or(0)));
  return most;
}

// The results with the claim's columns wrong in the rows that fit.
Results spoilt(const Claim& claim, Results results, const Match& where = {}, bool ties = false) {
  const double most = greatest(results, claim.column);
  for (ResultRow& row : results.rows) {
    if (!matches(row, where)) continue;
    for (const std::string& column : {claim.column, claim.column_to})
      if (const auto found = row.results.find(column); found != row.results.end())
        found->second = wrong(claim, found->second, most, ties);
  }
  return results;
}

// Whatever its mark: a claim that other numbers would leave as it is says nothing. An order that is
// not the printed one becomes so, and all others fail.
void expect_fails_by_others(const Claim& claim, ClaimMark mark, const Results& results,
                            const std::string& where) {
  const auto shows = [&](const Results& others) {
    const Verdict verdict = report::judge(claim, others, Grid::quick);
    return verdict.fails || (verdict.mark == ClaimMark::met && mark == ClaimMark::open);
  };
  EXPECT_TRUE(shows(spoilt(claim, results)) || shows(spoilt(claim, results, {}, true))) << where;
  if (!claim.cause || mark != ClaimMark::explained) return;
  const Results other = spoilt(claim, results, *claim.cause);
  EXPECT_TRUE(report::judge(claim, other, Grid::quick).fails) << where;
}

TEST(Experiments, claims_of_the_reduced_grid_are_as_printed_or_as_stated_and_fail_by_others) {
  std::map<ClaimMark, int> by_mark;
  for (const std::string& path : test::samples(paths())) {
    const Experiment experiment = load_experiment(path);
    const Results results = results_of(experiment, Grid::quick);
    int judged = 0;  // the others speak of rows of the full grid
    for (const Claim& claim : experiment.claims) {
      const std::string where = fmt::format("{}:{}: {}", path, claim.line, claim.text);
      const Verdict verdict = report::judge(claim, results, Grid::quick);
      EXPECT_FALSE(verdict.fails) << where << ": " << verdict.ours << ", " << verdict.detail;
      if (verdict.mark == ClaimMark::missing) continue;
      ++judged;
      ++by_mark[verdict.mark];
      expect_fails_by_others(claim, verdict.mark, results, where);
    }
    EXPECT_TRUE(judged > 0 || experiment.claims.empty()) << path;
  }
  if (test::share_of_samples() < 1) return;
  for (const ClaimMark mark :
       {ClaimMark::met, ClaimMark::loosely, ClaimMark::explained, ClaimMark::open})
    EXPECT_GT(by_mark[mark], 0) << name_of(mark);
}

// "reproduction/notes/two-opt.md: Heading": the section of that page, up to the next heading; empty
// where there is none.
std::string section_of(const std::string& reason) {
  const std::size_t colon = reason.find(": ");
  const std::string text = read_file(test::source_dir() + "/" + reason.substr(0, colon));
  const std::string heading = "\n### " + reason.substr(colon + 2) + "\n";
  const std::size_t begin = text.find(heading);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find("\n#", begin + heading.size()) - begin);
}

// Sections that claims name exist, and those of open claims say what was tried.
TEST(Experiments, reasons_name_sections_of_the_notes) {
  std::map<std::string, std::string> sections;
  for (const std::string& path : paths())
    for (const Claim& claim : load_experiment(path).claims) {
      if (!claim.reason) continue;
      const std::string where = fmt::format("{}:{}: {}", path, claim.line, *claim.reason);
      ASSERT_TRUE(claim.reason->starts_with("reproduction/notes/")) << where;
      auto& section = sections.try_emplace(*claim.reason).first->second;
      if (section.empty()) section = section_of(*claim.reason);
      EXPECT_FALSE(section.empty()) << where;
      const bool open = report::mark_of(claim) == ClaimMark::open;
      const bool tried = section.find("\n\nTried: ") != std::string::npos;
      EXPECT_TRUE(tried || !open || claim.kind == Claim::Kind::own) << where;
    }
}

TEST(Experiments, measures_are_the_names_that_files_may_use) {
  for (const std::string& path : paths()) {
    const Experiment experiment = load_experiment(path);
    Values values = rows::measure(expand(experiment, Grid::quick).front());
    for (const Derived& derived : experiment.derived) values[derived.name] = Value();
    for (const std::string& name : experiment.measures) EXPECT_TRUE(values.contains(name)) << name;
  }
}

}  // namespace
}  // namespace weft::report
