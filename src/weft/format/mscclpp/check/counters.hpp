// Semaphores of channels and thread blocks: raised by signals, lowered by waits.
//
// The k-th wait takes the k-th signal. That is the same in every order only if all signals of a
// semaphore are ordered, and all its waits; a plan in which they are not is reported, unless
// all that is raised is taken in one phase.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "clocks.hpp"
#include "places.hpp"

namespace weft::format::mscclpp::checking {

class Counter {
 public:
  explicit Counter(std::int64_t initial = 0) : initial_(initial) {}

  struct Event {
    Moment moment;
    OpId op;
  };

  void raise(const Event& event, const Clock& clock);
  bool can_take() const { return taken_ < initial_ + raised_; }
  /// Joins what the taken signal knows into `clock`.
  void take(const Event& event, Clock& clock);

  std::int64_t initial() const { return initial_; }
  std::int64_t raised() const { return raised_; }
  std::int64_t taken() const { return taken_; }
  const std::optional<Event>& last_raise() const { return last_raise_; }
  /// Two signals, or two waits, of which either may come first.
  struct Ambiguity {
    Event first, second;
  };
  std::optional<Ambiguity> ambiguity() const;

 private:
  std::int64_t initial_;
  std::int64_t raised_ = 0, taken_ = 0;
  std::deque<Clock> signals_;  // that nobody took yet
  std::optional<Event> last_raise_, last_take_;
  std::optional<Ambiguity> signals_ambiguous_, waits_ambiguous_;
  bool taken_in_one_phase_ = true;
};

}  // namespace weft::format::mscclpp::checking
