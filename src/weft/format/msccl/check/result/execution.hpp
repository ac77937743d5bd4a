// The symbolic execution of all steps in an order that respects messages.
#pragma once

#include <span>
#include <vector>

#include "weft/format/msccl/check/result/semantics.hpp"

namespace weft::format::msccl {

class Execution {
 public:
  /// Without findings, faults are passed over.
  Execution(const Flat& flat, const Memory& memory, const Semantics& semantics, Findings* findings);

  void run(std::span<const StepIndex> order);
  void perform(StepIndex s);
  /// Whether a step would now read nothing, or add what it must not. What it receives was sent.
  bool would_fault(StepIndex s);
  Value at(std::int64_t cell) const { return cells_[static_cast<std::size_t>(cell)]; }
  schedule::ContributorSets& sets() { return sets_; }
  /// "chunk 3 of rank 2", "the sum of chunk 3 over 2 of 4 ranks (0, 1)".
  std::string describe(Value value) const;

 private:
  bool adds_up(Value a, Value b);
  Value received(StepIndex s, std::int32_t k) const;
  Value perform_chunk(StepIndex s, const Step& step, std::int32_t gpu, std::int32_t k);
  Value load(StepIndex s, Place place, std::int64_t cell, std::int32_t k);
  Value sum(StepIndex s, std::int32_t k, Value a, Value b);
  Value refuse(StepIndex s, std::int32_t k, std::string kind, std::string what);

  const Flat& flat_;
  const Memory& memory_;
  const Semantics& semantics_;
  Findings* findings_;
  schedule::ContributorSets sets_;
  std::vector<Value> cells_;
  std::vector<Value> messages_;           // chunk after chunk of all that was sent
  std::vector<std::int64_t> message_of_;  // of each step that sends: where its chunks begin
};

}  // namespace weft::format::msccl
