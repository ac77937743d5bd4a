// An algorithm in flat arrays: all steps of all GPUs under one number, with their partners.
//
// Steps are numbered GPU after GPU, thread block after thread block, so that the steps of a thread
// block are neighbours. A connection belongs to one thread block at each end, hence it is known by
// the thread block that sends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/format/msccl/check/findings.hpp"

namespace weft::format::msccl {

using StepIndex = std::int32_t;
inline constexpr std::int32_t kNone = -1;

struct Flat {
  const Algorithm* algorithm = nullptr;
  std::vector<std::int32_t> first_block;  // of each GPU, and the end
  std::vector<StepIndex> first_step;      // of each block, and the end
  std::vector<std::int32_t> gpu;          // of each block
  // Of each block: the one that receives what it sends, the one that sends what it receives.
  std::vector<std::int32_t> receiving_block, sending_block;

  std::vector<const Step*> step;
  std::vector<std::int32_t> block;   // of each step
  std::vector<StepIndex> waits_for;  // the step that it depends on
  std::vector<StepIndex> receiver;   // of what the step sends
  std::vector<StepIndex> sender;     // of what the step receives
  std::vector<StepIndex> waiters_first, waiters;

  std::int32_t gpus() const { return static_cast<std::int32_t>(first_block.size()) - 1; }
  std::int32_t blocks() const { return static_cast<std::int32_t>(gpu.size()); }
  StepIndex steps() const { return static_cast<StepIndex>(step.size()); }
  std::int32_t gpu_of(StepIndex s) const { return gpu[index(block[index(s)])]; }
  std::int32_t number_of_block(std::int32_t b) const {
    return b - first_block[index(gpu[index(b)])];
  }
  std::int32_t number_of_step(StepIndex s) const { return s - first_step[index(block[index(s)])]; }
  const ThreadBlock& thread_block(std::int32_t b) const {
    return algorithm->gpus[index(gpu[index(b)])].blocks[index(number_of_block(b))];
  }
  bool moves(StepIndex s) const {  // whether messages go to or come from elsewhere
    return step[index(s)]->count > 0;
  }
  bool sends(StepIndex s) const { return moves(s) && msccl::sends(step[index(s)]->type); }
  bool receives(StepIndex s) const { return moves(s) && msccl::receives(step[index(s)]->type); }

  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }
};

/// Flattens an algorithm and links its steps. Adds a finding for every connection that does not
/// match, dependency that does not work and place outside of its buffer. Returns whether the rest
/// can be checked.
bool link(Flat& flat, const Algorithm& algorithm, Findings& findings);

/// "rank 1, thread block 2, step 3 (rrc)".
std::string name_of(const Flat& flat, StepIndex s);
/// "rank 1, thread block 2".
std::string name_of_block(const Flat& flat, std::int32_t b);
/// "o[3]", "o[3..5]".
std::string name_of(Place place, std::int32_t count);
/// A finding at a step, and at a thread block.
Finding finding_at(const Flat& flat, StepIndex s, std::string kind, std::string text);
Finding finding_at_block(const Flat& flat, std::int32_t b, std::string kind, std::string text);

}  // namespace weft::format::msccl
