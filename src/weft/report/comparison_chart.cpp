#include "weft/report/comparison_chart.hpp"

#include "weft/base/error.hpp"

namespace weft::report {

std::vector<Series> marks_of(const Comparison& comparison, const Collective& collective,
                             const Network& network) {
  Series fastest{.title = "fastest", .x = {}, .y = {}, .role = Role::best};
  Series bound{.title = "bandwidth bound", .x = {}, .y = {}, .role = Role::bound};
  for (const ComparisonRow* row : comparison.winners()) {
    if (row->size_B == 0 || row->result.time_s <= 0) continue;
    WEFT_ASSERT(row->contender < comparison.contenders.size());
    const auto size = static_cast<double>(row->size_B);
    fastest.x.push_back(size);
    fastest.y.push_back(row->result.time_s);
    bound.x.push_back(size);
    const auto& bounds = comparison.bounds_of(comparison.contenders[row->contender]);
    bound.y.push_back(comparison.least_time_s(bounds, collective, network, row->size_B));
  }
  return {fastest, bound};
}

}  // namespace weft::report
