// Whether one step must happen before another, through all GPUs.
//
// Program order, dependencies and messages order whole steps: a step is complete before the next
// of its thread block begins. Only a message is finer. A step that receives chunk k of a message
// may do so while the sender still sends chunk k + 1, and a step that receives and sends (rcs)
// passes that on. So behind a chain of messages alone, chunk i of the first step is before chunk j
// of the last if i <= j under the Simple protocol, whose threads meet before they announce data.
// Under LL and LL128 each word announces itself, and only i = j is ordered. Behind any other way
// all chunks are. Source: prims_simple.h and prims_ll.h of microsoft/msccl.
//
// The search goes backwards from the later step. What is before a step is, in each thread block, a
// prefix of its steps, so one number per thread block is the whole answer, which further questions
// about the same step reuse. Steps that completed before the earlier step are not visited.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weft/format/msccl/check/links/flat.hpp"

namespace weft::format::msccl {

class Ancestry {
 public:
  /// `order` is one in which all steps completed. `most_visits`: of all searches.
  Ancestry(const Flat& flat, std::span<const StepIndex> order, std::int64_t most_visits);

  /// Whether chunk i of step a is before chunk j of step b in every run. Nothing: too much work.
  std::optional<bool> before(StepIndex a, std::int32_t i, StepIndex b, std::int32_t j);
  /// The position of a step in the order.
  std::int32_t position(StepIndex s) const { return position_[Flat::index(s)]; }

 private:
  void search(StepIndex b, std::int32_t bound);
  void reach(StepIndex s);  // s, and all before it in its thread block, is before the step
  void visit(StepIndex from, StepIndex to);

  const Flat& flat_;
  std::vector<std::int32_t> position_;
  std::int64_t visits_left_;
  bool words_announce_;   // LL, LL128
  StepIndex of_ = kNone;  // the step whose ancestors are known
  std::int32_t bound_ = 0;
  std::vector<StepIndex> reached_;        // of each block: the last ancestor
  std::vector<std::int32_t> generation_;  // of each block: the search that reached_ is of
  std::int32_t search_ = 0;
  struct Work {
    StepIndex from, to;
  };
  std::vector<Work> work_;
  std::vector<StepIndex> chain_;  // the steps whose messages led here, the latest first
};

}  // namespace weft::format::msccl
