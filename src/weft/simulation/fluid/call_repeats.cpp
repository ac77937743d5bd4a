#include "weft/simulation/fluid/call_repeats.hpp"

#include <algorithm>

#include "weft/base/error.hpp"

namespace weft::simulation {

namespace {

constexpr std::int64_t kLongestPeriod = 4;  // calls; 1, or 2 where two take turns
constexpr std::int64_t kMostLooks = 32;     // calls that may pass until they repeat
constexpr std::int64_t kMostUnderWay = 8;   // calls at once
constexpr double kSameDuration = 1e-12;     // of the time; as times of one instant
constexpr double kSameLevel = 1e-11;

}  // namespace

CallRepeats::CallRepeats(const Program& program, StepWindow& window)
    : window_(window), calls_(program.calls()), steps_of_one_(program.steps() / program.calls()) {
  WEFT_ASSERT(program.steps() == calls_ * steps_of_one_);
}

void CallRepeats::loaded(std::int64_t step) {
  if (step == 0 || step % steps_of_one_ != 0 || left_out_ > 0) return;
  call_ = step / steps_of_one_;
  due_ = call_ <= kMostLooks && window_.loaded() <= kMostUnderWay * steps_of_one_;
}

void CallRepeats::look(const FluidRun& run, const Reading& reading) {
  due_ = false;
  RunState state = run.state(call_ * steps_of_one_);
  reading.describe(state);
  for (const RunState& before : states_) {
    if (!state.same(before, kSameDuration, kSameLevel)) continue;
    const std::int64_t period = call_ - before.step() / steps_of_one_;
    return leave_out(call_, period, state.now_s() - before.now_s());
  }
  states_.push_front(std::move(state));
  if (std::ssize(states_) > kLongestPeriod) states_.pop_back();
}

void CallRepeats::leave_out(std::int64_t call, std::int64_t period, double period_s) {
  WEFT_ASSERT(period >= 1 && period_s >= 0 && call < calls_);
  const std::int64_t periods = (calls_ - 1 - call) / period;
  const std::int64_t left = calls_ - periods * period;
  states_.clear();
  if (periods == 0 || window_.first() + window_.loaded() > left * steps_of_one_) return;
  left_out_ = periods * period;
  later_s_ = static_cast<double>(periods) * period_s;
  WEFT_ASSERT(left_out_ < calls_);
  window_.end_at(left * steps_of_one_);
}

void CallRepeats::expand(SimulationResult& result) const {
  if (left_out_ == 0) return;
  for (double& time_s : result.agent_times_s)
    if (time_s > 0) time_s += later_s_;  // who does nothing does it in no call
  const std::int64_t simulated = calls_ - left_out_;
  for (double& bytes : result.link_bytes)
    bytes *= static_cast<double>(calls_) / static_cast<double>(simulated);
}

}  // namespace weft::simulation
