// The progress bar of load curves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "weft/base/progress.hpp"

namespace weft::cli {

/// How far all curves have come; a bar while that takes more than a second.
class CurveBar {
 public:
  explicit CurveBar(std::size_t curves) : curves_(static_cast<double>(curves)) {}

  /// Of the curve at hand, from several threads.
  void set(int part, double share) {
    const std::scoped_lock lock(mutex_);
    shares_[static_cast<std::size_t>(part)] = share;
    const double done =
        (finished_ + kPoints * shares_[0] + kLimit * (shares_[1] + shares_[2])) / curves_;
    const auto percent = static_cast<std::int64_t>(100 * done);
    progress_.advance(std::max<std::int64_t>(0, percent - shown_), done);
    shown_ = std::max(shown_, percent);
  }
  void end_curve() {
    finished_ += 1;
    shares_ = {};
  }
  void clear() { progress_.clear(); }

 private:
  // Of a curve's time, about: its points, and the search for each of the two limits.
  static constexpr double kPoints = 0.6, kLimit = 0.2;

  double curves_, finished_ = 0;
  std::array<double, 3> shares_{};
  std::int64_t shown_ = 0;
  std::mutex mutex_;
  Progress progress_{"load curve", 100, "%"};
};

}  // namespace weft::cli
