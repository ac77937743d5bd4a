#include "cli/study/reproduction.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/report/draw.hpp"
#include "weft/study/grid.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;
using report::Chart;
using report::ClaimMark;
using report::Verdict;
using study::ChartSpec;
using study::Grid;
using study::ResultsStore;

// What the store has of the rows, and how long the others may take.
void count_rows(Reproduction& plan) {
  using State = ResultsStore::State;
  plan.missing = plan.failed_before = 0;
  plan.estimate_s = 0;
  std::optional<ResultsStore> store;
  if (is_there(plan.store)) store.emplace(plan.store, ResultsStore::Mode::read);
  for (const rows::Row& row : plan.rows) {
    const State state = store ? store->state(row.key) : State::missing;
    if (state == State::failed) ++plan.failed_before;
    if (state != State::missing) continue;
    ++plan.missing;
    plan.estimate_s += rows::estimate(row).time_s;
  }
}

// In the folder, if one is named; else beside the file, where it is complete or can be written.
void choose_store(Reproduction& plan, const std::string& folder) {
  const std::string name = plan.experiment.name + ".sqlite";
  plan.store = folder.empty() ? study::default_store_path(plan.experiment.path)
                              : (fs::path(folder) / name).string();
  count_rows(plan);
  if (!folder.empty() || plan.missing == 0 || can_write_beside(plan.store)) return;
  plan.store = name;
  count_rows(plan);
}

bool has_data(const Chart& chart) {
  return !chart.series.empty() || !chart.panels.empty();
}

Chart chart_of(const Reproduction& done, const ChartSpec& spec) {
  return report::chart_of(done.experiment, spec, done.results);
}

bool has_all_rows(const Reproduction& plan) {
  return plan.grid == Grid::full || (plan.grid == Grid::standard && plan.experiment.full.empty());
}

void make_folder(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  require(!failed, "cannot make the folder '{}': {}", folder, failed.message());
}

}  // namespace

bool can_write_beside(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return ::access(parent.empty() ? "." : parent.c_str(), W_OK) == 0;
}

Reproduction plan_reproduction(const study::Experiment& experiment, Grid grid,
                               const std::string& folder, SavedUse use) {
  if (!folder.empty()) make_folder(folder);
  Reproduction plan{
      .experiment = experiment, .grid = grid, .rows = study::expand(experiment, grid), .store = {}};
  plan.results =
      study::join_results(experiment, plan.rows, [](const std::string&) { return std::nullopt; });
  for (const ChartSpec& spec : experiment.charts) chart_of(plan, spec);
  for (const study::Claim& claim : experiment.claims)
    plan.has_rows.push_back(report::speaks_of_rows(claim, plan.results));
  if (has_all_rows(plan)) {
    report::check_claims_have_rows(experiment, plan.results);
    if (grid == Grid::full && use == SavedUse::judge)
      plan.full = full_grid_of(experiment, plan.rows);
  } else {
    std::vector<rows::Row> all = study::expand(experiment, Grid::full);
    if (grid == Grid::standard) plan.full = full_grid_of(experiment, all);
    report::check_claims_have_rows(experiment, std::move(all));
  }
  plan.results = {};
  plan.measured = source_of(experiment);
  choose_store(plan, folder);
  return plan;
}

void reproduce(Reproduction& plan, const study::SweepOptions& options) {
  plan.report = study::sweep(plan.rows, plan.store, options);
  const ResultsStore store(plan.store, ResultsStore::Mode::read);
  plan.results = study::join_results(plan.experiment, std::move(plan.rows),
                                     [&](const std::string& key) { return store.find(key); });
  plan.verdicts.clear();
  for (const study::Claim& claim : plan.experiment.claims)
    plan.verdicts.push_back(report::judge(claim, plan.results, plan.grid));
  plan.of_full.assign(plan.verdicts.size(), false);
  if (!plan.full) return;
  if (plan.grid == Grid::standard)
    plan.of_full = report::judge_by_kept(*plan.full, plan.experiment, plan.has_rows, plan.verdicts);
  else if (!plan.full->stale && plan.report.left == 0)
    plan.full->again = has_kept_rows(*plan.full, plan.results, store);
}

std::string sources_of(const Reproduction& done) {
  std::string text = done.measured ? done.measured->text() : "";
  if (done.full) text += (text.empty() ? "" : "; ") + done.full->text();
  return text;
}

void require_outputs(const std::vector<Reproduction>& plans, const std::string& page,
                     const std::string& charts) {
  bool any_chart = false;
  for (const Reproduction& plan : plans) {
    any_chart = any_chart || !plan.experiment.charts.empty();
    if (plan.missing > 0) require_writable(plan.store);
  }
  require(page.empty() || page.ends_with(".html"),
          "page '{}' is not an HTML file name; name it FILE.html", page);
  if (!charts.empty()) {
    make_folder(charts);
    require_writable((fs::path(charts) / "chart.svg").string());
  }
  if (any_chart && !(page.empty() && charts.empty())) report::require_gnuplot();
}

std::string draw_charts(Reproduction& done, const std::string& folder) {
  make_folder(folder);
  std::string crowded;
  for (const ChartSpec& spec : done.experiment.charts) {
    const Chart chart = chart_of(done, spec);
    if (!has_data(chart)) continue;
    for (const char* extension : {".svg", ".png"}) {
      const fs::path path = fs::path(folder) / (done.experiment.name + "-" + spec.name + extension);
      report::draw_chart(chart, path.string());
      done.charts.push_back(path.string());
    }
    if (const std::string crowding = report::crowding_of(chart); !crowding.empty())
      crowded += fmt::format("{}-{}{}\n", done.experiment.name, spec.name, crowding);
  }
  return crowded;
}

report::PageSection section_of(const Reproduction& done) {
  report::PageSection section{.experiment = &done.experiment,
                              .results = &done.results,
                              .verdicts = done.verdicts,
                              .charts = {},
                              .source = sources_of(done),
                              .grid = done.grid};
  for (const ChartSpec& spec : done.experiment.charts) {
    const Chart chart = chart_of(done, spec);
    if (has_data(chart)) section.charts.push_back({chart.title, report::page_svgs_of(chart)});
  }
  return section;
}

bool holds(const Reproduction& done) {
  bool holds = done.report.failed == 0 && !(done.full && done.full->again == false);
  for (std::size_t i = 0; i < done.verdicts.size(); ++i) {
    const Verdict& verdict = done.verdicts[i];
    const bool larger = done.grid == Grid::quick || !done.has_rows[i];  // of rows of a larger grid
    if (verdict.fails || (verdict.mark == ClaimMark::missing && !larger)) holds = false;
  }
  return holds;
}

report::Tally tally_of(const std::vector<Reproduction>& done) {
  report::Tally tally;
  for (const Reproduction& one : done)
    for (std::size_t i = 0; i < one.verdicts.size(); ++i)
      tally.add(one.experiment.claims[i], one.verdicts[i]);
  return tally;
}

}  // namespace weft::cli
