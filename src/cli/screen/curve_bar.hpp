// The progress bar of load curves.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "cli/screen/percent_bar.hpp"
#include "weft/base/error.hpp"

namespace weft::cli {

/// How far all curves have come; a bar while that takes more than a second.
class CurveBar {
 public:
  explicit CurveBar(std::size_t curves) : curves_(static_cast<double>(curves)) {}

  /// Of the curve at hand, from several threads.
  void set(int part, double share) {
    WEFT_ASSERT(part >= 0 && part < std::ssize(shares_));
    const std::scoped_lock lock(mutex_);
    shares_[part] = share;
    const double done =
        (finished_ + kPoints * shares_[0] + kLimit * (shares_[1] + shares_[2])) / curves_;
    bar_.set(done);
  }
  void end_curve() {
    finished_ += 1;
    shares_ = {};
  }
  void clear() { bar_.clear(); }

 private:
  // Of a curve's time, about: its points, and the search for each of the two limits.
  static constexpr double kPoints = 0.6, kLimit = 0.2;

  double curves_, finished_ = 0;
  std::array<double, 3> shares_{};
  std::mutex mutex_;
  PercentBar bar_{"load curve"};
};

}  // namespace weft::cli
