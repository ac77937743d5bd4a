// Full grids that are kept beside their experiments, as reproductions show, compare and write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "weft/report/verdict.hpp"
#include "weft/study/kept.hpp"

namespace weft::cli {

/// What is kept of an experiment's full grid.
struct FullGrid {
  study::KeptGrid kept;
  std::optional<std::string> stale = {};  // why it does not answer what is asked now
  study::Results results = {};            // unless it is stale
  std::optional<bool> again = {};         // whether a run of the full grid gave the same rows

  /// "kept: full grid, version 0.9.0, 2026-11-27, store sha256:... (312 rows, FILE)".
  std::string text() const;
};

/// Nothing where no file of it is there, or the experiment has no full grid. Throws InvalidInput
/// for one that was edited.
std::optional<FullGrid> full_grid_of(const study::Experiment& experiment,
                                     std::vector<question::Row> full_grid);

/// Claims that the other grid has no rows for, judged by those that are kept; where it has, what
/// more rows say is told beside. Returns by claim whether its verdict is of the full grid.
std::vector<bool> judge_by_full(const FullGrid& full, const study::Experiment& experiment,
                                const std::vector<bool>& has_rows,
                                std::vector<report::Verdict>& verdicts);

/// Whether the store's rows are those that are kept. The store has them all.
bool has_kept_rows(const FullGrid& full, const study::Results& results,
                   const study::ResultsStore& store);

/// Refuses, before the long work, what could not be kept after it: experiments without a full grid,
/// a folder that cannot be written, or made. Makes nothing.
void require_keepable(const std::vector<study::Experiment>& experiments);

/// Writes what is to be kept of the rows, its folder made if missing, and returns it.
FullGrid keep_full_grid(const study::Experiment& experiment, const study::Results& results,
                        const std::string& store);

Json json_of(const FullGrid& full);

}  // namespace weft::cli
