#include "weft/report/comparison_chart.hpp"

namespace weft::report {

namespace {

/// M, the size that bandwidth factors are relative to, in bytes.
double bytes_in_m(const Collective& collective, std::int64_t size_B) {
  const auto size = static_cast<double>(size_B);
  return collective.size_is_block() ? static_cast<double>(collective.blocks_in_m()) * size : size;
}

}  // namespace

std::vector<Series> marks_of(const Comparison& comparison, const Collective& collective,
                             const Network& network) {
  Series fastest{.title = "fastest", .x = {}, .y = {}, .role = Role::best};
  Series bound{.title = "bandwidth bound", .x = {}, .y = {}, .role = Role::bound};
  const double bandwidth_Bps = static_cast<double>(network.fabric().node_egress_Bps());
  for (const ComparisonRow* row : comparison.winners()) {
    if (row->size_B == 0 || row->result.time_s <= 0) continue;
    const auto size = static_cast<double>(row->size_B);
    fastest.x.push_back(size);
    fastest.y.push_back(row->result.time_s);
    bound.x.push_back(size);
    const auto& bounds = comparison.bounds_of(comparison.contenders[row->contender]);
    bound.y.push_back(bounds.greatest().to_double() * bytes_in_m(collective, row->size_B) /
                      bandwidth_Bps);
  }
  return {fastest, bound};
}

}  // namespace weft::report
