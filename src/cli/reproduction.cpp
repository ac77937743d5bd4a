#include "cli/reproduction.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/experiment/draw.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;
using experiment::Chart;
using experiment::ChartSpec;
using experiment::Grid;
using experiment::ResultsStore;
using experiment::Verdict;

std::string store_path(const experiment::Experiment& experiment, const std::string& folder) {
  if (!folder.empty()) return (fs::path(folder) / (experiment.name + ".sqlite")).string();
  const std::string beside = experiment::default_store_path(experiment.path);
  const fs::path parent = fs::path(beside).parent_path();
  const bool writable = ::access(parent.empty() ? "." : parent.c_str(), W_OK) == 0;
  return writable ? beside : experiment.name + ".sqlite";
}

bool has_data(const Chart& chart) {
  return !chart.series.empty() || !chart.panels.empty();
}

Chart chart_of(const Reproduction& done, const ChartSpec& spec) {
  return experiment::chart_of(done.experiment, spec, done.results);
}

void make_folder(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  require(!failed, "cannot make the folder '{}': {}", folder, failed.message());
}

}  // namespace

Reproduction plan_reproduction(const experiment::Experiment& experiment, Grid grid,
                               const std::string& folder) {
  if (!folder.empty()) make_folder(folder);
  Reproduction plan{.experiment = experiment,
                    .grid = grid,
                    .rows = experiment::expand(experiment, grid),
                    .store = store_path(experiment, folder)};
  plan.results = experiment::join_results(experiment, plan.rows,
                                          [](const std::string&) { return std::nullopt; });
  for (const ChartSpec& spec : experiment.charts) chart_of(plan, spec);
  if (grid == Grid::full)
    check_claims_have_rows(experiment, plan.results);
  else
    check_claims_have_rows(experiment, experiment::expand(experiment, Grid::full));
  const bool exists = fs::exists(plan.store);
  std::optional<ResultsStore> store;
  if (exists) store.emplace(plan.store, ResultsStore::Mode::read);
  for (const experiment::Row& row : plan.rows) {
    using State = ResultsStore::State;
    const State state = store ? store->state(row.key) : State::missing;
    if (state == State::failed) ++plan.failed_before;
    if (state != State::missing) continue;
    ++plan.missing;
    plan.estimate_s += experiment::estimate(row).time_s;
  }
  return plan;
}

void reproduce(Reproduction& plan, const experiment::SweepOptions& options) {
  plan.report = experiment::sweep(plan.rows, plan.store, options);
  const ResultsStore store(plan.store, ResultsStore::Mode::read);
  plan.results = experiment::join_results(plan.experiment, plan.rows,
                                          [&](const std::string& key) { return store.find(key); });
  plan.verdicts.clear();
  for (const experiment::Claim& claim : plan.experiment.claims)
    plan.verdicts.push_back(judge(claim, plan.results));
}

void draw_charts(Reproduction& done, const std::string& folder) {
  make_folder(folder);
  for (const ChartSpec& spec : done.experiment.charts) {
    const Chart chart = chart_of(done, spec);
    if (!has_data(chart)) continue;
    for (const char* extension : {".svg", ".png"}) {
      const fs::path path = fs::path(folder) / (done.experiment.name + "-" + spec.name + extension);
      experiment::draw_chart(chart, path.string());
      done.charts.push_back(path.string());
    }
  }
}

experiment::PageSection section_of(const Reproduction& done) {
  experiment::PageSection section{.experiment = &done.experiment,
                                  .results = &done.results,
                                  .verdicts = done.verdicts,
                                  .charts = {},
                                  .grid = done.grid};
  for (const ChartSpec& spec : done.experiment.charts) {
    const Chart chart = chart_of(done, spec);
    if (has_data(chart)) section.charts.push_back({chart.title, experiment::svg_of(chart)});
  }
  return section;
}

bool holds(const Reproduction& done) {
  using Outcome = Verdict::Outcome;
  return done.report.failed == 0 &&
         std::none_of(done.verdicts.begin(), done.verdicts.end(), [&](const Verdict& verdict) {
           return verdict.outcome == Outcome::unmet ||
                  (verdict.outcome == Outcome::missing && done.grid == Grid::full);
         });
}

}  // namespace weft::cli
