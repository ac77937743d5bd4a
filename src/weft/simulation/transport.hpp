// Transport: what happens to a message between its sender's hands and its receiver's, and the
// clock; and Reading: when messages are sent.
#pragma once

#include <cstdint>

#include "weft/simulation/event_heap.hpp"
#include "weft/simulation/reading/run_state.hpp"
#include "weft/simulation/reading/step_window.hpp"

namespace weft::simulation {

/// How the steps are read: decides when a message is sent. Messages are named by the slot of their
/// loaded step and their index in it.
class Reading {
 public:
  virtual ~Reading() = default;
  /// Sends what can be sent at time 0.
  virtual void begin() = 0;
  /// An event that it scheduled itself.
  virtual void handle(const Happening& what) = 0;
  virtual void delivered(std::int32_t slot, std::int32_t index) = 0;
  virtual void released(std::int32_t slot, std::int32_t index) = 0;
  /// Whether all messages are through: nothing left to happen before that is a bug of ours.
  virtual bool finished() const = 0;
  /// Goes on with what was done in this instant; whether there was anything.
  virtual bool advance() = 0;
  /// Whether it goes on only when all of an instant has been done.
  virtual bool takes_whole_instants() const { return false; }
  /// Adds all that decides how it goes on; of readings by steps, once an instant has been done.
  virtual void describe(RunState& /*state*/) const {}
};

/// The side of the network: by fluid flows (fluid_transport.hpp) or by packets.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual double now() const = 0;
  /// Whether `time` belongs to the instant that is being handled.
  virtual bool at_hand(double time) const = 0;
  /// Lets it happen at `time`, or at once when that is now.
  virtual void schedule(double time, Happening what) = 0;
  /// Puts the message on its way at the time `started`, now or later, its start-up done;
  /// delivered() and released() follow.
  virtual void send(std::int32_t slot, std::int32_t index, double started) = 0;
};

}  // namespace weft::simulation
