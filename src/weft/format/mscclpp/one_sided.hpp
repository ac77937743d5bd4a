// Messages of a schedule as one-sided puts: where each lands at its receiver.
//
// A put does not wait for its receiver, so it may only write where nobody reads or writes any more.
// That is known in two ways. A chunk of scratch that belongs to one message alone is free once the
// receiver has entered the call. The place where the data is wanted is free if everything that the
// receiver did there before is known to the sender to be complete: the sender waited for a message
// that came after it, or for one that came after such a message, and so on. Vector clocks say so:
// for each GPU, the last phase of every other one that is complete once it gets there. (In a
// ring allreduce a chunk comes back as a sum only after it was sent, so that the second half of
// its messages land in place.)
//
// Each instance of the schedule at a GPU is a lane: its operations run in order, by step, in each
// step what it puts (phase 2 step) and then what arrives (phase 2 step + 1). Lanes of a GPU share
// no data.
#pragma once

#include <cstdint>
#include <vector>

#include "../msccl/transfers.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::format::mscclpp {

/// A run of chunks that go from one GPU to another.
struct Put {
  std::int32_t from = 0, to = 0, instance = 0;
  Place source = {}, landing = {};
  std::int32_t count = 0;
  Place staged = {};       // of packets through ports: where they are made, in the sender's scratch
  bool is_direct = false;  // it lands where the data is wanted, not in scratch of its own
  bool flush = false;  // its source is overwritten, or the call over, before it is known to be read
};

/// What a receiver does with a put.
struct Arrival {
  std::size_t put = 0;
  bool reduces = false;
  Place operand = {}, target = {};
};

struct LaneStep {
  std::int64_t step = 0;
  std::vector<std::size_t> puts = {};
  std::vector<Arrival> arrivals = {};
};

struct LocalCopy {
  Place source = {}, target = {};
  std::int32_t count = 0;
};

struct Lane {
  std::vector<LaneStep> steps = {};
  std::vector<LocalCopy> copies = {};  // after all steps
};

struct OneSided {
  std::int32_t instances = 1;
  std::vector<Put> puts = {};
  std::vector<Lane> lanes = {};                   // [rank * instances + instance]
  std::vector<std::int32_t> scratch_chunks = {};  // by rank
  /// Whether a call may start before the last one is over at a GPU that it writes to, so that
  /// receivers have to say that they entered.
  bool needs_entry = true;

  Lane& lane(std::int32_t rank, std::int32_t instance) {
    WEFT_ASSERT(rank >= 0 && instance >= 0 && instance < instances);
    return lanes[static_cast<std::size_t>(rank * instances + instance)];
  }
  const Lane& lane(std::int32_t rank, std::int32_t instance) const {
    WEFT_ASSERT(rank >= 0 && instance >= 0 && instance < instances);
    return lanes[static_cast<std::size_t>(rank * instances + instance)];
  }
};

struct OneSidedOptions {
  std::int32_t instances = 1;
  bool in_place = false, packets = false;
  bool asynchronous = false;  // a put may read its source until it is flushed or has arrived
};

/// O(chunks that messages carry, and messages * ranks).
OneSided one_sided(const schedule::Collective& collective, const msccl::Layout& layout,
                   const std::vector<msccl::GpuTransfers>& gpus, const OneSidedOptions& options);

}  // namespace weft::format::mscclpp
