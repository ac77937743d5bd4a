// MSCCL algorithms written down in a few lines, and small right ones.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "weft/format/msccl.hpp"

namespace weft::test {

/// Fills an algorithm step by step: `block` begins a thread block, `step` adds to it.
class MscclBuilder {
 public:
  using Place = format::msccl::Place;
  using StepId = format::msccl::StepId;
  using StepType = format::msccl::StepType;

  MscclBuilder(std::int32_t ranks, std::string collective, std::int32_t chunks) {
    algorithm_.name = "test";
    algorithm_.file = "test.xml";
    algorithm_.collective = std::move(collective);
    algorithm_.channels = 1;
    algorithm_.chunks = chunks;
    algorithm_.out_of_place = true;
    algorithm_.min_bytes = 0;
    algorithm_.max_bytes = 0;
    algorithm_.gpus.resize(static_cast<std::size_t>(ranks));
  }

  MscclBuilder& in_place() {
    algorithm_.in_place = true;
    algorithm_.out_of_place = false;
    return *this;
  }
  MscclBuilder& both() {
    algorithm_.in_place = true;
    return *this;
  }
  /// Of every GPU.
  MscclBuilder& buffers(std::int32_t input, std::int32_t output, std::int32_t scratch = 0) {
    for (format::msccl::Gpu& gpu : algorithm_.gpus) {
      gpu.input_chunks = input;
      gpu.output_chunks = output;
      gpu.scratch_chunks = scratch;
    }
    return *this;
  }
  MscclBuilder& block(std::int32_t rank, std::int32_t send, std::int32_t receive,
                      std::int32_t channel = 0) {
    blocks_ = &algorithm_.gpus[static_cast<std::size_t>(rank)].blocks;
    blocks_->push_back(
        {.send_peer = send, .receive_peer = receive, .channel = channel, .steps = {}});
    algorithm_.channels = std::max(algorithm_.channels, channel + 1);
    return *this;
  }
  MscclBuilder& step(std::string_view type, Place source, Place target, std::int32_t count = 1,
                     StepId depends_on = {}) {
    blocks_->back().steps.push_back({.type = *format::msccl::step_type(type),
                                     .source = source,
                                     .target = target,
                                     .count = count,
                                     .depends_on = depends_on});
    return *this;
  }
  MscclBuilder& nop(StepId depends_on) {
    return step("nop", {}, {format::msccl::Buffer::output, -1}, 0, depends_on);
  }
  /// Sets hasdep where it must be.
  format::msccl::Algorithm build() {
    set_flags(algorithm_);
    return algorithm_;
  }

  static void set_flags(format::msccl::Algorithm& algorithm) {
    for (format::msccl::Gpu& gpu : algorithm.gpus) {
      for (auto& own : gpu.blocks)
        for (auto& step : own.steps) step.has_dependent = false;
      for (const auto& own : gpu.blocks)
        for (const auto& step : own.steps) {
          const auto block = static_cast<std::size_t>(step.depends_on.block);
          const auto number = static_cast<std::size_t>(step.depends_on.step);
          if (step.depends_on.exists() && block < gpu.blocks.size() &&
              number < gpu.blocks[block].steps.size())
            gpu.blocks[block].steps[number].has_dependent = true;
        }
    }
  }

 private:
  format::msccl::Algorithm algorithm_;
  std::vector<format::msccl::ThreadBlock>* blocks_ = nullptr;
};

inline constexpr format::msccl::Place i(std::int32_t offset) {
  return {format::msccl::Buffer::input, offset};
}
inline constexpr format::msccl::Place o(std::int32_t offset) {
  return {format::msccl::Buffer::output, offset};
}
inline constexpr format::msccl::Place s(std::int32_t offset) {
  return {format::msccl::Buffer::scratch, offset};
}

/// An allreduce around a ring in fused steps, one thread block a rank, in place; `count` chunks a
/// step.
format::msccl::Algorithm msccl_ring(std::int32_t ranks, std::int32_t count = 1);
/// An allgather around a ring, out of place: one thread block copies and sends, one receives, and
/// what is passed on waits for its receive.
format::msccl::Algorithm msccl_ring_of_blocks(std::int32_t ranks);
/// An alltoall, one thread block for each peer and direction, and one for the copy.
format::msccl::Algorithm msccl_alltoall(std::int32_t ranks);
/// A reduce-scatter: all ranks send to the owner's scratch, which reduces it; in thread blocks that
/// wait for each other, with nops for further dependencies.
format::msccl::Algorithm msccl_direct_reduce_scatter(std::int32_t ranks);
/// A broadcast from a rank along a chain, in place and out of place.
format::msccl::Algorithm msccl_chain(std::int32_t ranks, std::int32_t root);
/// A reduce to a rank along a chain in the other direction.
format::msccl::Algorithm msccl_reduce_chain(std::int32_t ranks, std::int32_t root);
/// An allreduce of two ranks in which each sends its input, and adds what it receives after it was
/// sent: both orders of the accesses occur, held apart by a dependency.
format::msccl::Algorithm msccl_exchange();

}  // namespace weft::test
