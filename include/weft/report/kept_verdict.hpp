// Verdicts of claims by a full grid that is kept beside its experiment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/report/verdict.hpp"
#include "weft/study/kept.hpp"

namespace weft::report {

/// What is kept of an experiment's full grid, to be judged.
struct SavedResults {
  study::SavedGrid kept;
  std::optional<std::string> stale = {};  // why it does not answer what is asked now
  study::Results results = {};            // unless it is stale
};

/// Claims that the smaller grid has no rows for, judged by those that are kept; where it has, what
/// more rows say is told beside, and a claim that fails in them fails. Of a grid that is stale
/// nothing is judged. Returns by claim whether its verdict is of the full grid.
std::vector<bool> judge_by_kept(const SavedResults& full, const study::Experiment& experiment,
                                const std::vector<bool>& has_rows, std::vector<Verdict>& verdicts);

}  // namespace weft::report
