// StepRepeats: steps that follow each other and are alike, simulated once.
//
// A step is begun cleanly when all agents enter it in one instant and nothing is under way. Then
// what happens in it depends on its messages and their work alone, and the time it takes is that of
// the step before, begun cleanly with the same messages: simulations do not know what time it is.
#pragma once

#include <algorithm>
#include <vector>

#include "weft/simulation/reading/run_state.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

class StepRepeats {
 public:
  /// The step is begun cleanly; then left() is called for agents that leave it.
  void begin(const LoadedStep& step, double now, std::int32_t places) {
    step_ = step.step;
    begun_ = now;
    program_ = step.program;
    left_.assign(places, kNever);
  }
  void left(std::int64_t step, std::size_t place, double now) {
    if (step == step_) left_[place] = now;
  }
  std::int64_t step() const { return step_; }
  double begun() const { return begun_; }
  /// Whether the loaded step, the one after, does the same.
  bool same(const LoadedStep& next) const {
    const auto alike = [](const program::Transfer& a, const program::Transfer& b) {
      return a.from == b.from && a.to == b.to && a.bytes == b.bytes && a.route == b.route &&
             a.element == b.element && a.arrival == b.arrival;
    };
    const auto same_work = [](const program::LocalWork& a, const program::LocalWork& b) {
      return a.at == b.at && a.kind == b.kind && a.phase == b.phase && a.transfer == b.transfer &&
             a.bytes == b.bytes;
    };
    return step_ >= 0 && !program_.transfers.empty() &&
           std::ranges::equal(program_.transfers, next.program.transfers, alike) &&
           std::ranges::equal(program_.work, next.program.work, same_work);
  }
  /// Adds what it knows of its step.
  void describe(RunState& run) const {
    run.add_step(step_);
    run.add_duration(run.now_s() - begun_);
    for (const double time_s : left_)
      run.add_duration(time_s == kNever ? kNever : run.now_s() - time_s);
  }
  /// Goes on to the last of the steps that were found to be the same, begun at `now`; calls
  /// visit(place, time) for each agent that left it.
  template <class Visit>
  void move_to(std::int64_t step, double now, Visit&& visit) {
    for (std::size_t place = 0; place < left_.size(); ++place) {
      if (left_[place] == kNever) continue;
      left_[place] += now - begun_;
      visit(place, left_[place]);
    }
    step_ = step;
    begun_ = now;
  }

 private:
  static constexpr double kNever = -1;

  std::int64_t step_ = -1;
  double begun_ = 0;
  program::StepProgram program_;
  std::vector<double> left_;  // by place
};

}  // namespace weft::simulation
