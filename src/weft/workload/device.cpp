#include "weft/workload/device.hpp"

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"

namespace weft::workload {

const Device::Peak& Device::peak(std::string_view precision) const {
  const auto found = std::ranges::find(peaks, lower_name(precision), &Peak::precision);
  if (found != peaks.end()) return *found;
  std::vector<std::string> known;
  for (const Peak& peak : peaks) known.push_back(peak.precision);
  reject("{} has no peak for precision '{}'; {}", name, precision, suggest(precision, known));
}

double Device::efficiency_of(LayerKind kind, std::string_view precision) const {
  const std::string asked = lower_name(precision);
  const Efficiency* best = nullptr;
  int best_rank = -1;
  for (const Efficiency& efficiency : efficiencies) {
    if (efficiency.kind.value_or(kind) != kind || efficiency.precision.value_or(asked) != asked)
      continue;
    const int rank = (efficiency.kind ? 2 : 0) + (efficiency.precision ? 1 : 0);
    if (rank > best_rank) best = &efficiency;
    best_rank = std::max(best_rank, rank);
  }
  return best == nullptr ? 1 : best->share;
}

}  // namespace weft::workload
