// StepEnds: when agents left each step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::simulation {

class StepEnds {
 public:
  /// The agent in this place, with something to do in the step, leaves it.
  void left(std::int64_t step, std::size_t place, double now_s) {
    std::vector<double>& ends_s = at(step).by_place_s;
    if (place >= ends_s.size()) ends_s.resize(place + 1, 0);
    ends_s[place] = now_s;
    places_ = std::max(places_, place + 1);
  }
  /// All leave it together.
  void left_by_all(std::int64_t step, double now_s) { at(step).all_s = now_s; }

  /// Steps that were left.
  std::int64_t steps() const { return std::ssize(steps_); }
  /// Agents that left any; one where all left all together.
  std::size_t places() const { return std::max<std::size_t>(1, places_); }
  /// 0 where the agent did nothing in it.
  double left_s(std::int64_t step, std::size_t place) const {
    const Ends& ends = steps_[static_cast<std::size_t>(step)];
    return std::max(ends.all_s, place < ends.by_place_s.size() ? ends.by_place_s[place] : 0);
  }

 private:
  struct Ends {
    std::vector<double> by_place_s;
    double all_s = 0;
  };

  Ends& at(std::int64_t step) {
    const auto index = static_cast<std::size_t>(step);
    if (index >= steps_.size()) steps_.resize(index + 1);
    return steps_[index];
  }

  std::vector<Ends> steps_;
  std::size_t places_ = 0;
};

}  // namespace weft::simulation
