// Findings of the checkers of files for GPUs, as users see them.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::cli {

Json json_of(const format::msccl::Finding& finding);

/// "wrong: 2 faults, 1 limit exceeded", "right in every interleaving".
std::string verdict_of(std::int64_t faults, std::int64_t limits, bool result_checked);

/// Each finding with its counterexample, and how many are left out.
void print_findings(const std::string& file, const std::vector<format::msccl::Finding>& findings,
                    std::int64_t left_out, Streams& streams);

}  // namespace weft::cli
