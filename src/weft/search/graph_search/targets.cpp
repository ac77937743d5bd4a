#include "weft/search/graph_search_kernel.hpp"

#include "weft/base/error.hpp"

namespace weft::search {

bool ParetoTargets::improve(CandidateCost cost) {
  WEFT_ASSERT(cost.steps >= 0);
  if (!open(cost.steps, cost.load)) return false;
  const auto steps = static_cast<std::size_t>(cost.steps);
  while (least_.size() <= steps) least_.push_back(least_.back());
  for (std::size_t t = steps; t < least_.size() && least_[t] > cost.load; ++t)
    least_[t] = cost.load;
  return true;
}

std::vector<CandidateCost> ParetoTargets::front() const {
  std::vector<CandidateCost> costs;
  std::int64_t before = kNone;
  for (std::size_t t = 0; t < least_.size(); ++t) {
    if (least_[t] < before) costs.push_back({static_cast<int>(t), least_[t]});
    before = least_[t];
  }
  return costs;
}

}  // namespace weft::search
