#include "weft/design/network/advice.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::design {

namespace {

// By a cable that dies.
double loss(const DesignRow& row) {
  if (!row.by_cables) return 1;
  const Fragility& fragility = *row.by_cables;
  return fragility.cut > 0 ? std::numeric_limits<double>::infinity()
                           : fragility.worst_slowdown.value_or(1);
}

bool betters(const DesignRow& other, const DesignRow& row) {
  return other.time_s() < row.time_s() && other.bill.dollars() < row.bill.dollars();
}

using Rows = std::vector<const DesignRow*>;

double least_s(const Rows& rows) {
  double least = std::numeric_limits<double>::infinity();
  for (const DesignRow* row : rows) least = std::min(least, row->time_s());
  return least;
}

// Those of the rows that are as fast as the fastest of `among`, and that none of all betters.
Rows eligible(const Rows& among, const Rows& all) {
  const double enough_s = kAsFast * least_s(among);
  Rows found;
  for (const DesignRow* row : among)
    if (row->time_s() <= enough_s &&
        std::ranges::none_of(all, [&](const DesignRow* other) { return betters(*other, *row); }))
      found.push_back(row);
  return found;
}

}  // namespace

std::size_t advised(const std::vector<const DesignRow*>& rows) {
  WEFT_ASSERT(!rows.empty());
  Rows finalists;
  for (const DesignRow* row : rows)
    if (row->is_finalist()) finalists.push_back(row);
  Rows fast = eligible(finalists, rows);
  if (fast.empty()) fast = eligible(rows, rows);  // the fastest of all is among them
  std::ranges::stable_sort(fast, {}, &DesignRow::time_s);
  double least_dollars = std::numeric_limits<double>::infinity();
  for (const DesignRow* row : fast) least_dollars = std::min(least_dollars, row->bill.dollars());
  const DesignRow* chosen = nullptr;
  for (const DesignRow* row : fast) {
    if (row->bill.dollars() > kAlike * least_dollars) continue;
    if (chosen == nullptr || loss(*row) * kAlike < loss(*chosen)) chosen = row;
  }
  return static_cast<std::size_t>(std::ranges::find(rows, chosen) - rows.begin());
}

}  // namespace weft::design
