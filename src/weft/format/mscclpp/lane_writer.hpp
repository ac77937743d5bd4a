// The thread blocks of a lane: its puts and arrivals as operations, in order.
//
// A lane is one thread block while it fits. Beyond the limits of the executor (operations,
// channels, remote buffers) it goes on in a further thread block, which waits for the one before
// it on a semaphore.
//
// A `nop` stands where an operation needs what other threads of the thread block did: before data
// that was waited for is used, before what was written is read, before what was read is
// overwritten, and before a signal that says so to others.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "one_sided.hpp"

namespace weft::format::mscclpp {

/// Numbers of a GPU's resources, which all its lanes share.
struct GpuResources {
  Gpu& gpu;
  ChannelType type = ChannelType::memory;
  std::function<std::int32_t(std::int32_t peer, std::int32_t instance)> channel;
  std::function<std::int32_t(std::int32_t peer, Buffer buffer)> remote_buffer;
};

class LaneWriter {
 public:
  LaneWriter(const GpuResources& resources, const OneSided& plan, bool packets,
             std::int32_t instance)
      : resources_(resources), plan_(plan), packets_(packets), instance_(instance) {}

  /// Says to those who put here that this GPU entered the call, and waits for those it puts to.
  void enter(std::span<const std::int32_t> senders, std::span<const std::int32_t> receivers);
  void add(const LaneStep& step);
  void add(const LocalCopy& copy);
  /// The thread blocks; none if the lane does nothing.
  std::vector<Block> finish() && { return std::move(blocks_); }

 private:
  struct Reduction {
    Place operand, target;
    std::int32_t count = 0;
    std::vector<Place> landings;
  };

  void put_by_memory(const LaneStep& step);
  void put_by_port(const LaneStep& step);
  void put_packets_by_port(const LaneStep& step);
  void put_group(OpType type, std::span<const std::size_t> puts, bool keep_sources_apart);
  void signal(OpType type, std::span<const std::int32_t> peers);
  void take(const LaneStep& step);
  void move(OpType type, Place source, Place target, std::int32_t count);
  void reduce(const Reduction& one);

  Slice local(Place place, std::int32_t count) const;
  Slice remote(const Put& put) const;
  std::vector<std::int32_t> peers_of(std::span<const std::size_t> puts, bool senders) const;

  /// Appends an operation whose channels and remote buffers are numbered as the GPU's.
  void append(Op op);
  bool needs_nop(const Op& op) const;
  bool fits(const Op& op, bool with_nop) const;
  void go_on_in_another_block();
  void make_local(Op& op);
  void note(const Op& op);
  void clear();

  const GpuResources& resources_;
  const OneSided& plan_;
  bool packets_;
  std::int32_t instance_;
  Limits limits_ = {};
  std::vector<Block> blocks_;
  // Since the last nop:
  bool waited_ = false, worked_ = false;
  std::set<Place> read_, written_;
  std::set<std::int32_t> requested_;  // channels that a proxy was given work for
};

}  // namespace weft::format::mscclpp
