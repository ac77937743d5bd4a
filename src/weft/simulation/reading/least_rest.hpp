// LeastRest: what a run still takes at least, from where its agents are.
//
// An agent that enters step t at a time B takes its part in what follows, and no message is faster
// than alone on its way. With w what a message takes alone, from when its sender enters the step
// until its receiver has worked it off, the receiver enters step t + 1 at B + w at the earliest,
// and the sender once the message is out of its hands. The processor of an agent does its work of
// the step one after the other: it packs and starts messages in their order, so that w counts what
// it does for earlier ones, and is done with what it sends and receives before the agent goes on.
// So
//
//     rest(a, t) = max(rest(a, t + 1) + what a waits for its own sends and its processor,
//                      max over sends of a in t of (w + rest(receiver, t + 1)))
//
// is left of the run at least, and B + rest(a, t) bounds its end. rest(a, 0) is the makespan of
// messages that never meet; the later the step, the more is known of those that do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

class LeastRest {
 public:
  /// Of a program of one call that is read per rank; loads all its steps. O(messages).
  LeastRest(StepWindow& window, const Network& network, const SimulationOptions& options);

  /// The agent in this place enters the step.
  void enter(std::size_t place, std::int64_t step, double now_s) {
    least_s_ =
        std::max(least_s_, now_s + rests_s_[static_cast<std::size_t>(step) * places_ + place]);
  }
  /// The whole run takes that long or longer, as far as is known, up to rounding.
  double least_s() const { return least_s_; }

 private:
  std::size_t places_;
  std::vector<double> rests_s_;  // by step and place
  double least_s_ = 0;
};

}  // namespace weft::simulation
