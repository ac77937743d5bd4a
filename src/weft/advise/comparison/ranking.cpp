// Who wins at which sizes, and in what order contenders are listed.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "weft/advise/comparison.hpp"
#include "weft/advise/comparison/winner_ranges.hpp"

namespace weft::advise {

namespace {

/// The rows of one size, contender by contender.
using Column = std::vector<const ComparisonRow*>;

/// In the order of sizes.
std::vector<Column> columns_of(const Comparison& comparison) {
  if (comparison.contenders.empty()) return {};
  const std::size_t sizes = comparison.rows.size() / comparison.contenders.size();
  std::vector<Column> columns(sizes);
  for (std::size_t i = 0; i < comparison.rows.size(); ++i)
    columns[i % sizes].push_back(&comparison.rows[i]);
  std::ranges::stable_sort(columns, {}, [](const Column& column) { return column[0]->size_B; });
  return columns;
}

}  // namespace

std::vector<WinnerRange> Comparison::winner_ranges() const {
  std::vector<std::int64_t> sizes_B;
  std::vector<std::vector<std::size_t>> winners;
  for (const Column& column : columns_of(*this)) {
    sizes_B.push_back(column[0]->size_B);
    winners.emplace_back();
    for (std::size_t contender = 0; contender < column.size(); ++contender)
      if (column[contender]->best) winners.back().push_back(contender);
  }
  return winner_ranges_of(sizes_B, winners);
}

std::vector<const ComparisonRow*> Comparison::winners() const {
  const std::vector<WinnerRange> all = winner_ranges();
  std::vector<const ComparisonRow*> result;
  auto range = all.begin();
  for (const Column& column : columns_of(*this)) {
    while (range != all.end() && range->last_B < column[0]->size_B) ++range;
    if (range == all.end()) break;
    if (column[0]->size_B < range->first_B) continue;  // nobody was simulated
    result.push_back(column[range->contenders.front()]);
  }
  return result;
}

std::vector<std::size_t> Comparison::ranking() const {
  std::vector<std::size_t> order;
  std::vector<bool> listed(contenders.size(), false);
  const auto list = [&](std::size_t contender) {
    if (!listed[contender]) order.push_back(contender);
    listed[contender] = true;
  };
  for (const WinnerRange& range : winner_ranges()) std::ranges::for_each(range.contenders, list);
  std::vector<double> delays(contenders.size(), 0);  // sums of logarithms
  for (const Column& column : columns_of(*this)) {
    const double least_s = (*std::ranges::min_element(column, {}, [](const auto* row) {
                             return row->result.time_s;
                           }))->result.time_s;
    if (least_s <= 0) continue;  // nothing is sent
    for (std::size_t contender = 0; contender < column.size(); ++contender)
      delays[contender] += std::log(column[contender]->result.time_s / least_s);
  }
  std::vector<std::size_t> others(contenders.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  std::ranges::stable_sort(others, {}, [&](std::size_t contender) { return delays[contender]; });
  std::ranges::for_each(others, list);
  return order;
}

}  // namespace weft::advise
