// Full grids that are kept beside their experiments, as reproductions show, compare and write them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/answer/part.hpp"
#include "weft/report/kept_verdict.hpp"

namespace weft::cli {

/// What is kept of an experiment's full grid, as a reproduction shows it.
struct FullGrid : report::SavedResults {
  std::optional<bool> again = {};  // whether a run of the full grid gave the same rows

  /// "kept: full grid, version 0.9.0, 2026-11-27, store sha256:... (312 rows, FILE)".
  std::string text() const;
};

/// Nothing where no file of it is there, or the experiment has no full grid. Throws InvalidInput
/// for one that was edited.
std::optional<FullGrid> full_grid_of(const study::Experiment& experiment,
                                     std::vector<rows::Row> full_grid);

/// Whether the store's rows are those that are kept. The store has them all.
bool has_kept_rows(const FullGrid& full, const study::Results& results,
                   const study::ResultsStore& store);

/// Refuses, before the long work, what could not be kept after it: experiments without a full grid,
/// a folder that cannot be written, or made. Makes nothing.
void require_keepable(const std::vector<study::Experiment>& experiments);

/// Writes what is to be kept of the rows, its folder made if missing, and returns it.
FullGrid keep_full_grid(const study::Experiment& experiment, const study::Results& results,
                        const std::string& store);

answer::Parts<FullGrid> full_grid_parts();

}  // namespace weft::cli
