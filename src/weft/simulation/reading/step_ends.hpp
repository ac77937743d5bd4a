// StepEnds: when the last agent left each step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::simulation {

class StepEnds {
 public:
  /// An agent with something to do in the step leaves it.
  void left(std::int64_t step, double now_s) {
    const auto place = static_cast<std::size_t>(step);
    if (place >= last_s_.size()) last_s_.resize(place + 1, 0);
    last_s_[place] = std::max(last_s_[place], now_s);
  }
  /// Steps that were left.
  std::int64_t steps() const { return std::ssize(last_s_); }
  /// 0 where nobody did anything in it.
  double last_s(std::int64_t step) const { return last_s_[static_cast<std::size_t>(step)]; }

 private:
  std::vector<double> last_s_;  // by step
};

}  // namespace weft::simulation
