// RunState: all that decides how a run goes on, told from the moment and the step at which it is
// looked at, so that two moments of one run can be compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace weft::simulation {

class RunState {
 public:
  RunState(double now_s, std::int64_t step) : now_s_(now_s), step_(step) {}

  double now_s() const { return now_s_; }
  std::int64_t step() const { return step_; }

  void add_number(std::int64_t number) { numbers_.push_back(number); }
  void add_step(std::int64_t step) { numbers_.push_back(step - step_); }
  /// A moment that matters while it is to come.
  void add_moment(double time_s) { durations_s_.push_back(std::max(0.0, time_s - now_s_)); }
  void add_duration(double duration_s) { durations_s_.push_back(duration_s); }
  void add_level(double level) { levels_.push_back(level); }

  /// Whether both go on in the same way. Durations may differ by `tolerance` of the moment, levels
  /// by as much of themselves.
  bool same(const RunState& other, double duration_tolerance, double level_tolerance) const {
    const double apart_s = duration_tolerance * std::max(now_s_, other.now_s_);
    const auto near = [&](double a, double b) { return std::abs(a - b) <= apart_s; };
    const auto alike = [&](double a, double b) { return std::abs(a - b) <= level_tolerance * a; };
    return numbers_ == other.numbers_ &&
           std::ranges::equal(durations_s_, other.durations_s_, near) &&
           std::ranges::equal(levels_, other.levels_, alike);
  }

 private:
  double now_s_;
  std::int64_t step_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> durations_s_, levels_;
};

}  // namespace weft::simulation
