// --counts of weft plan: one value for all collectives with unequal blocks, or one for each.
//
//   --counts row.txt                                          for all of them
//   --counts alltoallv=matrix.txt --counts allgatherv=row.txt   for each by its name
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/counts_option.hpp"
#include "cli/options/options.hpp"
#include "weft/advise/plan/plan_choice.hpp"

namespace weft::cli {

struct PlanCounts {
  std::vector<std::string> texts;  // FILE, a distribution, or COLLECTIVE= and one of them
  bool has_sizes = false;          // whether --sizes was given
  bool has_seed = false;           // whether --seed was given

  bool is_given() const { return !texts.empty(); }
};

/// Adds --counts, which may be repeated. Call it once --sizes is there.
void add_plan_counts(Command command, GivenFields& said, PlanCounts& counts);

/// Refuses counts that no collective uses, several for one, and a collective without its counts.
/// Reads no file.
void check_counts(const PlanCounts& counts, const advise::PlannedNames& names);

/// The calls with unequal blocks of the collectives in `names`. Without --sizes the numbers of a
/// file are bytes. Throws InvalidInput.
std::vector<advise::UnequalCalls> unequal_calls(const PlanCounts& counts,
                                                const advise::PlannedNames& names,
                                                std::int32_t ranks,
                                                const std::vector<std::int64_t>& sizes_B,
                                                std::uint64_t seed);

/// Notes that other calls than these run without the schedules, and that a seed has no effect.
std::vector<std::string> notes_of_counts(const PlanCounts& counts,
                                         const std::vector<advise::UnequalCalls>& unequal,
                                         std::uint64_t seed);

}  // namespace weft::cli
