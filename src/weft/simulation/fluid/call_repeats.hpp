// CallRepeats: calls in a row, simulated until they repeat.
//
// A run knows neither what time it is nor which call it is in: what it does next follows from where
// its agents stand, what their messages have left, at what rates, and what is due when. So once all
// of this is at the beginning of call j what it was at that of call j - k, but for the time and the
// numbers of calls, it goes on as it did from there: k calls take L, what lies between, for ever.
// Of C calls r k may be left out, if r L is added in the end, as long as those that are left are
// more than j, which have begun. A pipeline of calls is that steady after one or two, most often
// with k = 1, since what a rank does waits for its own last call and for few others.
//
// States are compared up to rounding, so that times are those of all calls in all but the last
// digits. Calls that drift apart, as where a root sends without waiting, repeat nothing; they are
// looked at no more once many are under way at once.
#pragma once

#include <cstdint>
#include <deque>

#include "weft/simulation/fluid/fluid_transport.hpp"
#include "weft/simulation/reading/run_state.hpp"

namespace weft::simulation {

class CallRepeats {
 public:
  CallRepeats(const Program& program, StepWindow& window);

  /// A step is loaded since its first agent is there.
  void loaded(std::int64_t step);
  /// Whether a call has begun in the instant, so that its state is to be looked at.
  bool due() const { return due_; }
  /// Once all of the instant has been done. Leaves out what repeats.
  void look(const FluidRun& run, const Reading& reading);

  /// Puts what was left out into the result of the others.
  void expand(SimulationResult& result) const;
  std::int64_t calls_left_out() const { return left_out_; }
  /// What those take.
  double later_s() const { return later_s_; }

 private:
  void leave_out(std::int64_t call, std::int64_t period, double period_s);

  StepWindow& window_;
  std::int64_t calls_, steps_of_one_;
  std::int64_t call_ = 0;  // that began last
  bool due_ = false;
  std::deque<RunState> states_;  // of the last calls' beginnings
  std::int64_t left_out_ = 0;
  double later_s_ = 0;
};

}  // namespace weft::simulation
