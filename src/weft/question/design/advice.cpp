#include "weft/question/design/advice.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "weft/base/error.hpp"

namespace weft::question {

namespace {

// By a cable that dies.
double loss(const DesignRow& row) {
  if (!row.by_cables) return 1;
  return row.by_cables->cut > 0 ? std::numeric_limits<double>::infinity()
                                : row.by_cables->worst_slowdown;
}

}  // namespace

std::size_t advised(const std::vector<DesignRow>& rows) {
  WEFT_ASSERT(!rows.empty());
  const auto is_fast = [&](const DesignRow& row) {
    return row.is_finalist() == rows.front().is_finalist() &&
           row.time_s() <= kAlike * rows.front().time_s();
  };
  double least_dollars = rows.front().bill.dollars();
  for (const DesignRow& row : rows)
    if (is_fast(row)) least_dollars = std::min(least_dollars, row.bill.dollars());
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_fast(rows[i]) || rows[i].bill.dollars() > kAlike * least_dollars) continue;
    if (!chosen || loss(rows[i]) * kAlike < loss(rows[*chosen])) chosen = i;
  }
  return *chosen;
}

}  // namespace weft::question
