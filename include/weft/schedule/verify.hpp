// verify: the proof that a schedule does what its collective asks for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// What verification learnt beside "it is right".
struct VerifiedFacts {
  /// Every operand of every reduction is a contiguous interval of ranks, so that the schedule
  /// serves operations that do not commute (the operand with the lower ranks stands left). Under
  /// symmetry true only where it is proven for all translates. True for collectives that do not
  /// reduce.
  bool keeps_order = true;
  /// Some landing replaces data that its agent held before: a runtime must not send that data late.
  bool overwrites = false;
  /// Stored messages of several pieces: scattered data that is packed or sent as a vector.
  std::int64_t combined_messages = 0;
  /// By stored message: its units that are to be reduced and land on a helper that holds nothing
  /// there, which keeps them as a copy. Null where there are none.
  std::shared_ptr<const std::vector<std::int64_t>> kept_units = {};

  /// Of one stored message.
  std::int64_t kept_units_of(std::int64_t message) const {
    WEFT_ASSERT(message >= 0 && (kept_units == nullptr || message < std::ssize(*kept_units)));
    return kept_units == nullptr ? 0 : (*kept_units)[static_cast<std::size_t>(message)];
  }
};

/// A schedule that has been proved right; only verify() makes one. What is shown or run takes this
/// type.
class Verified {
 public:
  const Schedule& schedule() const { return schedule_; }
  const VerifiedFacts& facts() const { return facts_; }

  /// Still right for any number of segments of the same stride: segments share no data.
  Verified with_segments(std::int64_t count) const;
  /// Placed on a network. Throws InvalidInput when it has explicit routes and was made for another
  /// graph.
  Verified with_binding(Binding binding) const;
  /// Without explicit routes, under this name: the same data goes as the network routes it.
  Verified without_routes(std::string algorithm) const;

 private:
  friend class Verifier;
  Verified(Schedule schedule, VerifiedFacts facts)
      : schedule_(std::move(schedule)), facts_(std::move(facts)) {}
  Schedule schedule_;
  VerifiedFacts facts_;
};

/// The first thing wrong with a schedule, in the order of steps and then of messages.
struct Fault {
  std::int64_t step = 0;                // stored step; stored_steps() for a fault of the end state
  std::optional<std::int64_t> message;  // stored message
  std::int64_t unit = 0;                // on the unit line
  std::string text;                     // one line: what, where, why
};

class VerifyResult {
 public:
  VerifyResult(Verified verified)
      : outcome_(std::move(verified)) {}                     // NOLINT: either outcome is a result
  VerifyResult(Fault fault) : outcome_(std::move(fault)) {}  // NOLINT
  explicit operator bool() const { return outcome_.index() == 0; }
  /// The proof; precondition: there is one.
  const Verified& operator*() const {
    WEFT_ASSERT(*this);
    return std::get<0>(outcome_);
  }
  const Verified* operator->() const { return &std::get<0>(outcome_); }
  const Fault& fault() const {
    WEFT_ASSERT(!*this);
    return std::get<1>(outcome_);
  }

 private:
  std::variant<Verified, Fault> outcome_;
};

/// Checks the schedule against the rules (schedule.hpp) and its collective's end state. Explicit
/// routes need the topology that the schedule is bound to: each must be a chain of existing links
/// from the sender's node to the receiver's. Cost: O(messages + pieces * log + runs of equal
/// state), on all threads; memory by slabs of units. Throws InvalidInput when the schedule has
/// explicit routes and `topology` is missing or another graph, or its symmetry is none of that
/// graph.
[[nodiscard]] VerifyResult verify(const Schedule& schedule, const Topology* topology = nullptr);

/// For schedules that we made: a fault is a bug of ours (std::logic_error).
Verified verify_own(const Schedule& schedule, const Topology* topology = nullptr);

}  // namespace weft::schedule

namespace weft {
using schedule::Verified;
using schedule::verify;
}  // namespace weft
