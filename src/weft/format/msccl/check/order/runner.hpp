// Runs an algorithm as far as it goes, with connections that hold a number of messages.
//
// Thread blocks are sequential and wait for one thing at a time. What they wait for (data, a free
// place, a flag) never goes away again once it is there, except by their own doing. So which steps
// can complete does not depend on the order: one run that goes as far as it can decides whether any
// order deadlocks. The order of completion is then one that respects program order, dependencies
// and messages.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/format/msccl/check/links/flat.hpp"

namespace weft::format::msccl {

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;
inline constexpr std::int32_t kWholeStep = std::numeric_limits<std::int32_t>::max() / 2;

class Runner {
 public:
  explicit Runner(const Flat& flat);

  /// Runs with `depth` messages in flight on a connection and messages of up to `group` chunks.
  /// Returns whether all steps complete. O(messages).
  bool run(std::int64_t depth, std::int32_t group);
  /// The steps of the last run in order of completion.
  const std::vector<StepIndex>& order() const { return order_; }
  /// The waits that form a circle, after a run that stopped: each event waits for the next, and
  /// the last for the first.
  std::vector<std::string> circle() const;
  /// The step at which the circle begins.
  StepIndex circle_begin() const { return at_[Flat::index(circle_blocks().front())]; }

 private:
  struct Wait {
    StepIndex on;  // the step that must come first
    enum class Reason : std::uint8_t { flag, data, place } reason;
  };

  void push(std::int32_t block);
  void advance(std::int32_t block);
  bool exchange(std::int32_t block, StepIndex s);
  void complete(std::int32_t block, StepIndex s);
  bool is_complete(StepIndex s) const { return at_[Flat::index(flat_.block[Flat::index(s)])] > s; }
  std::int64_t arrived(std::int32_t block) const;
  std::int64_t places(std::int32_t block) const;
  Wait wait_of(std::int32_t block) const;
  std::vector<std::int32_t> circle_blocks() const;
  std::string event(std::int32_t block) const;

  const Flat& flat_;
  std::int64_t depth_ = 1;
  std::int32_t group_ = 1;
  std::vector<StepIndex> at_;         // of each block: the step that it is in
  std::vector<std::int32_t> passed_;  // of each block: messages of that step
  // Of each sending block: the messages of its connection.
  std::vector<std::int64_t> sent_, taken_;
  std::vector<std::int32_t> ready_;  // a stack
  std::vector<std::uint8_t> is_ready_;
  std::vector<StepIndex> order_;
};

}  // namespace weft::format::msccl
