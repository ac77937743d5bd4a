// A progress bar by shares of the work, for work without items to count.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "weft/base/progress.hpp"

namespace weft::cli {

/// Shows how many hundredths are done, and how long the rest will take; for one thread at a time.
class PercentBar {
 public:
  explicit PercentBar(std::string what) : progress_(std::move(what), 100, "%") {}

  /// In [0, 1]; what was shown once is not taken back.
  void set(double share) {
    const auto percent = static_cast<std::int64_t>(100 * share);
    progress_.advance(std::max<std::int64_t>(0, percent - shown_), share);
    shown_ = std::max(shown_, percent);
  }
  void clear() { progress_.clear(); }

 private:
  Progress progress_;
  std::int64_t shown_ = 0;
};

}  // namespace weft::cli
