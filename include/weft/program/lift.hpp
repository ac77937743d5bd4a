// lift: a program that was written out, back to the schedule that it performs.
//
//   const LiftResult lifted = lift(program, {.unit_B = 1, .algorithm = "ring"});
//   if (lifted) use(*lifted);  // Verified
//   else note(lifted.reason());
//
// Schedules know of one version of each unit at a place. A program can be lifted when each of its
// messages carries what the schedule's rules (schedule.hpp) say that its sender then holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "weft/base/error.hpp"
#include "weft/program/program.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::program {

struct LiftOptions {
  std::int64_t unit_B = 1;     // a unit of the schedule; all ranges are multiples of it
  std::string algorithm = {};  // the schedule's name
};

class LiftResult {
 public:
  LiftResult(schedule::Verified verified) : outcome_(std::move(verified)) {}  // NOLINT: either
  LiftResult(std::string reason) : outcome_(std::move(reason)) {}             // NOLINT
  explicit operator bool() const { return outcome_.index() == 0; }
  /// The schedule; precondition: there is one.
  const schedule::Verified& operator*() const {
    WEFT_ASSERT(*this);
    return std::get<0>(outcome_);
  }
  const schedule::Verified* operator->() const { return &std::get<0>(outcome_); }
  /// Why there is none: one line.
  const std::string& reason() const {
    WEFT_ASSERT(!*this);
    return std::get<1>(outcome_);
  }

 private:
  std::variant<schedule::Verified, std::string> outcome_;
};

/// The schedule has the least units in a block that its pieces allow, and each message in the first
/// step that its data allows: the order of a rank's operations counts only between messages of one
/// connection and tag that later messages pass on one by one, as in a pipeline. O(units of all
/// messages). Precondition: the program is proved to perform a collective, has no helpers and no
/// routes of its own.
LiftResult lift(const Program& program, const LiftOptions& options);

}  // namespace weft::program

namespace weft {
using program::lift;
}  // namespace weft
