#include "weft/evaluate/size_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::evaluate {

using simulation::SimulationResult;

SizeCurve::SizeCurve(std::span<const std::int64_t> sizes_B, std::span<const std::int64_t> kinds)
    : sizes_B_(sizes_B.begin(), sizes_B.end()),
      results_(sizes_B.size()),
      interpolated_(sizes_B.size(), false) {
  WEFT_ASSERT(sizes_B.size() == kinds.size() && std::ranges::is_sorted(sizes_B));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool same = i > 0 && kinds[i] >= 0 && kinds[i] == kinds[i - 1];
    if (same)
      ranges_.back().last = i;
    else
      ranges_.push_back({i, i});
  }
}

std::vector<std::size_t> SizeCurve::wanted() const {
  std::vector<std::size_t> indices;
  for (const Range& range : ranges_)
    for (const std::size_t index : {range.first, range.middle(), range.last})
      if (!known(index)) indices.push_back(index);
  std::ranges::sort(indices);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

void SizeCurve::set(std::size_t index, SimulationResult result) {
  WEFT_ASSERT(index < results_.size() && !interpolated_[index]);
  results_[index] = std::move(result);
  settle();
}

void SizeCurve::settle() {
  const std::vector<Range> ranges = std::exchange(ranges_, {});
  for (const Range& range : ranges) {
    if (!known(range.first) || !known(range.middle()) || !known(range.last)) {
      ranges_.push_back(range);
    } else if (range.last - range.first > 2) {
      if (is_straight(range)) {
        for (std::size_t i = range.first; i <= range.last; ++i) {
          if (known(i)) continue;
          results_[i] = between(range, i);
          interpolated_[i] = true;
        }
        continue;
      }
      ranges_.push_back({range.first, range.middle()});
      ranges_.push_back({range.middle(), range.last});
    }
  }
}

bool SizeCurve::is_straight(const Range& range) const {
  const SimulationResult& middle = result(range.middle());
  const SimulationResult line = between(range, range.middle());
  const auto near = [&](double a, double b) {
    return std::abs(a - b) <= kStraight * middle.time_s;
  };
  return result(range.first).messages == middle.messages &&
         result(range.last).messages == middle.messages && near(line.time_s, middle.time_s) &&
         near(line.least_s, middle.least_s) &&
         std::ranges::equal(line.agent_times_s, middle.agent_times_s, near);
}

SimulationResult SizeCurve::between(const Range& range, std::size_t index) const {
  WEFT_ASSERT(range.first < range.last && sizes_B_[range.first] < sizes_B_[range.last]);
  const SimulationResult &first = result(range.first), &last = result(range.last);
  const auto from_B = static_cast<double>(sizes_B_[range.first]);
  const double part = (static_cast<double>(sizes_B_[index]) - from_B) /
                      (static_cast<double>(sizes_B_[range.last]) - from_B);
  const auto mix = [&](double a, double b) { return a + (b - a) * part; };
  SimulationResult line;
  line.time_s = mix(first.time_s, last.time_s);
  line.run_s = mix(first.run_s, last.run_s);
  line.messages = last.messages;
  // Bounds of a program of one step, which have no times of agents, are lines of their own.
  if ((first.least_s > 0) != (last.least_s > 0)) return line;
  line.least_s = mix(first.least_s, last.least_s);
  line.agent_times_s.resize(last.agent_times_s.size());
  std::ranges::transform(first.agent_times_s, last.agent_times_s, line.agent_times_s.begin(), mix);
  if (line.time_s <= 0) return line;
  line.algorithm_bandwidth_Bps = static_cast<double>(sizes_B_[index]) / line.time_s;
  line.bus_bandwidth_Bps =
      last.algorithm_bandwidth_Bps > 0
          ? line.algorithm_bandwidth_Bps * (last.bus_bandwidth_Bps / last.algorithm_bandwidth_Bps)
          : 0;
  return line;
}

}  // namespace weft::evaluate
