// How many claims of a group of experiments bear each mark, as the files say.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/report/verdict.hpp"
#include "weft/study/experiment.hpp"

namespace weft::cli {

/// By mark, in the order of report::kClaimMarks.
using MarkCounts = std::array<std::int64_t, report::kClaimMarks.size()>;

struct GroupCounts {
  std::string name;
  std::int64_t experiments = 0;
  /// What stands under one source in one file is an item; its mark is the worst of its claims'.
  MarkCounts items = {}, claims = {};
  std::int64_t own = 0;  // claims that no paper makes
};

/// Of all groups, by name.
std::vector<GroupCounts> counts_by_group(const std::vector<study::Experiment>& experiments);

}  // namespace weft::cli
