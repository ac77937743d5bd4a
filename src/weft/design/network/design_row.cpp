// Times of all calls of a candidate, and how near they come.
#include "weft/design/network_design.hpp"

#include "weft/algorithm/algorithm.hpp"
#include "weft/evaluate/limits.hpp"

namespace weft::design {

namespace {

template <class Seconds>
double sum_of(const DesignRow& row, Seconds seconds) {
  double sum = 0;
  for (std::size_t i = 0; i < row.calls.size(); ++i)
    sum += static_cast<double>(row.how_often[i]) * seconds(row.calls[i]);
  return sum;
}

}  // namespace

double DesignRow::time_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.fluid_s.value_or(call.time_s); });
}

double DesignRow::alpha_beta_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.time_s; });
}

double DesignRow::least_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.least_s; });
}

double NetworkDesign::any_least_s(const DesignRow& row) const {
  double sum = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    sum += static_cast<double>(row.how_often[i]) * bounds[i].time_s;
  return sum;
}

std::optional<std::size_t> call_without_flow(const DesignQuestion& asked,
                                             const NetworkDesign& found) {
  constexpr double kNear = 1.05;
  if (found.hurried) return std::nullopt;  // others were not tried either, which are quicker to try
  const DesignRow& row = found.rows[found.chosen];
  for (std::size_t i = 0; i < row.calls.size(); ++i) {
    const DesignedCall& call = row.calls[i];
    if (asked.calls[i].collective == schedule::CollectiveKind::alltoall &&
        call.algorithm != algorithm::made_by(algorithm::Making::optimal_paths).name &&
        (asked.nodes > evaluate::kMostMadeUnasked || !call.fluid_s) &&
        call.fluid_s.value_or(call.time_s) > kNear * call.least_s)
      return i;
  }
  return std::nullopt;
}

bool DesignRow::is_finalist() const {
  return by_cables.has_value();
}

}  // namespace weft::design
