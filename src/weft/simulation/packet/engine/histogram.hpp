// Histogram of times: exact count, mean and maximum; percentiles to one part in 256.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "weft/simulation/packet_engine.hpp"

namespace weft::simulation::packet {

/// Bins of one width up to 512 ps, then 256 for each doubling.
class Histogram {
 public:
  void add(Time time) {
    const std::size_t bin = bin_of(time);
    if (bin >= bins_.size()) bins_.resize(bin + 1);
    ++bins_[bin];
    ++count_;
    sum_ += static_cast<double>(time);
    max_ = std::max(max_, time);
  }

  LatencySummary summary() const {
    if (count_ == 0) return {};
    return {count_, sum_ / static_cast<double>(count_) * 1e-12, percentile_s(0.5),
            percentile_s(0.99), static_cast<double>(max_) * 1e-12};
  }

 private:
  static constexpr int kBits = 8;

  static std::size_t bin_of(Time time) {
    const auto value = static_cast<std::uint64_t>(time);
    const int scale = std::max(0, static_cast<int>(std::bit_width(value)) - kBits - 1);
    return (static_cast<std::size_t>(scale) << kBits) + static_cast<std::size_t>(value >> scale);
  }
  /// The largest time of a bin.
  static Time last_of(std::size_t bin) {
    const std::size_t scale = bin < (2u << kBits) ? 0 : (bin >> kBits) - 1;
    const auto value = static_cast<Time>(bin - (scale << kBits));
    return ((value + 1) << scale) - 1;
  }
  /// The least recorded time (to the bin's end) that a share of all do not exceed.
  double percentile_s(double share) const {
    const double rank = share * static_cast<double>(count_);
    double below = 0;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
      below += static_cast<double>(bins_[bin]);
      if (below >= rank) return static_cast<double>(std::min(last_of(bin), max_)) * 1e-12;
    }
    return static_cast<double>(max_) * 1e-12;
  }

  std::vector<std::int64_t> bins_;
  std::int64_t count_ = 0;
  double sum_ = 0;
  Time max_ = 0;
};

}  // namespace weft::simulation::packet
