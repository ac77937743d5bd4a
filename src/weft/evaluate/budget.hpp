// Budget: the work that the simulations of a contest may take, which is counted and not timed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "weft/base/error.hpp"

namespace weft::evaluate {

class Budget {
 public:
  /// Factor by which the work has to grow before a run that was cut short is tried again.
  static constexpr std::int64_t kMoreWork = 2;

  /// `has_levels`: it may be too small for one run of each candidate. Then no run gets more than a
  /// level of work before all had as much, so that what is cheap comes first, at all sizes.
  Budget(std::int64_t most_work, bool has_levels)
      : most_(most_work),
        left_(most_work),
        level_(has_levels ? std::max<std::int64_t>(1, most_work / kLevels) : most_work),
        has_levels_(has_levels) {}

  std::int64_t most() const { return most_; }
  std::int64_t left() const { return left_; }
  std::int64_t spent() const { return most_ - left_; }
  bool has_levels() const { return has_levels_; }
  void spend(std::int64_t work) {
    WEFT_ASSERT(work >= 0);
    left_ = std::max<std::int64_t>(0, left_ - work);
  }

  /// Whether a run for which `cut_at` was not enough may be tried with this much.
  static bool is_enough(std::int64_t work, std::int64_t cut_at) {
    return work > 0 && work / kMoreWork >= cut_at;
  }
  bool affords(std::int64_t cut_at) const { return is_enough(left_, cut_at); }

  /// What a run may take where this many begin at once: an equal share, or the level if that is
  /// less. The level rises until a run may be tried with it; `least_cut_at`: of all these runs.
  std::int64_t share_of(std::int64_t runs, std::int64_t least_cut_at) {
    WEFT_ASSERT(runs >= 1);
    const std::int64_t share = left_ / runs;
    while (level_ < share && !is_enough(level_, least_cut_at))
      level_ = level_ < share / kMoreAtNextLevel ? level_ * kMoreAtNextLevel : share;
    return std::min(level_, share);
  }

  /// Whether what is left is for sizes of which no time is known.
  bool in_reserve() const { return !has_reserve_; }
  /// Adds work for these, once. Returns whether it did.
  bool take_reserve() {
    if (has_reserve_ && most_ < kLargest / (1 + kReserve)) {
      has_reserve_ = false;
      left_ += kReserve * most_;
      level_ = left_;
      most_ *= 1 + kReserve;
      return true;
    }
    return false;
  }

 private:
  static constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kLevels = 32, kMoreAtNextLevel = 4;
  static constexpr std::int64_t kReserve = kMoreWork;  // enough to try a run that had it all

  std::int64_t most_, left_;
  std::int64_t level_;  // the most that a run may take for now
  bool has_levels_, has_reserve_ = true;
};

}  // namespace weft::evaluate
