#include "counters.hpp"

namespace weft::format::mscclpp::checking {

void Counter::raise(const Event& event, const Clock& clock) {
  // Signals of one phase say the same.
  const bool same_phase = last_raise_ && last_raise_->moment.agent == event.moment.agent &&
                          last_raise_->moment.phase == event.moment.phase;
  if (last_raise_ && !same_phase && !is_ordered(last_raise_->moment, event.moment, clock) &&
      !signals_ambiguous_)
    signals_ambiguous_ = {*last_raise_, event};
  last_raise_ = event;
  ++raised_;
  signals_.push_back(clock);
}

void Counter::take(const Event& event, Clock& clock) {
  const bool same_phase = last_take_ && last_take_->moment.agent == event.moment.agent &&
                          last_take_->moment.phase == event.moment.phase;
  if (last_take_ && !same_phase) {
    taken_in_one_phase_ = false;
    if (!is_ordered(last_take_->moment, event.moment, clock) && !waits_ambiguous_)
      waits_ambiguous_ = {*last_take_, event};
  }
  last_take_ = event;
  ++taken_;
  if (taken_ <= initial_) return;
  join(clock, signals_.front());
  signals_.pop_front();
}

std::optional<Counter::Ambiguity> Counter::ambiguity() const {
  if (waits_ambiguous_) return waits_ambiguous_;
  if (signals_ambiguous_ && !taken_in_one_phase_) return signals_ambiguous_;
  return std::nullopt;
}

}  // namespace weft::format::mscclpp::checking
