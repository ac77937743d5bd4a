// check_startup: the last part of a comparison; see StartupCheck.
#pragma once

#include <span>

#include "weft/advise/comparison.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/comparison_progress.hpp"

namespace weft::advise {

/// Who wins where the rows' winners do not, if a start-up were `startup_ps`. Rows: contender by
/// contender, those of one in the order of options.sizes_B, made without a start-up. Simulates only
/// what can still win, size by size, for a part of the budget of work.
StartupCheck check_startup(std::span<const Candidate> candidates,
                           std::span<const ComparisonRow> rows, const Network& network,
                           const CompareOptions& options, std::int64_t startup_ps,
                           evaluate::ComparisonProgress& progress);

}  // namespace weft::advise
