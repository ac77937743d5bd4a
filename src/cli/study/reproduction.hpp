// Reproducing one experiment: running what its store lacks, judging its claims, drawing its charts.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/study/full_grid.hpp"
#include "cli/study/measured.hpp"
#include "weft/report/page.hpp"
#include "weft/study/sweep.hpp"

namespace weft::cli {

/// Whether files can be made in the folder of this one.
bool can_write_beside(const std::string& path);

/// What is to be run for an experiment.
struct Reproduction {
  study::Experiment experiment;
  study::Grid grid = study::Grid::standard;
  std::vector<rows::Row> rows;                  // of the grid; in `results` when it has run
  std::string store;                            // path
  std::int64_t missing = 0;                     // rows that are not in the store
  std::int64_t failed_before = 0;               // rows that are, without results
  double estimate_s = 0;                        // of these, on one core
  std::optional<MeasuredSource> measured = {};  // of what was measured, and not computed
  study::SweepReport report = {};
  study::Results results = {};
  std::vector<report::Verdict> verdicts = {};
  std::vector<std::string> charts = {};  // files that were drawn
  std::vector<bool> has_rows = {};       // by claim: whether the grid has rows that it speaks of
  std::optional<FullGrid> full = {};     // what is kept of the full grid; of no quick one
  std::vector<bool> of_full = {};        // by claim: whether its verdict is of that
};

/// What is done with a full grid that is kept: rows are judged by it and held against it, or
/// replace it, whatever it says.
enum class SavedUse : std::uint8_t { judge, replace };

/// Expands the grid, and refuses charts that could not be drawn from it and claims that no row of
/// the full grid could meet. `folder` holds the stores;
/// empty: beside the file, or here when something is to be written and cannot be there.
Reproduction plan_reproduction(const study::Experiment& experiment, study::Grid grid,
                               const std::string& folder, SavedUse use = SavedUse::judge);

/// Refuses, before the long work, what could not be written or drawn after it: stores that lack
/// rows, the page and the folder of charts (made if missing; empty: none), gnuplot if there is a
/// chart. Throws InvalidInput.
void require_outputs(const std::vector<Reproduction>& plans, const std::string& page,
                     const std::string& charts);

/// Runs the rows that are missing, loads all, and judges.
void reproduce(Reproduction& plan, const study::SweepOptions& options);

/// Draws each chart as FOLDER/EXPERIMENT-CHART.svg and .png; charts without data are left out.
/// Returns a line on each that has too many lines to be told apart.
std::string draw_charts(Reproduction& done, const std::string& folder);

/// What is said of where an experiment's numbers come from: measured times, a kept full grid.
std::string sources_of(const Reproduction& done);

/// The experiment as a section of a page, its charts drawn.
report::PageSection section_of(const Reproduction& done);

/// Whether every claim gives what is printed or what it says of ours, or speaks of rows that this
/// grid leaves out; no row failed, and rows of the full grid are those that are kept.
bool holds(const Reproduction& done);

/// The marks of all claims, counted.
report::Tally tally_of(const std::vector<Reproduction>& done);

}  // namespace weft::cli
