// The operations of each GPU that a schedule stands for, with the buffers that they read and write
// and the operations of the same GPU that must be complete before.
//
// Where data lands. A chunk that a rank wants in the end lands in the output buffer, any other one
// in scratch. If the chunk is sent in the same step from where it would land, it lands in a second
// scratch chunk instead: a reception that had to wait for a send of its own step could make two
// ranks wait for each other as soon as a message is longer than the connection holds. So an
// operation waits for operations of earlier steps alone, or for receptions before it in its own
// step, and no connection is too short for the program (see thread_blocks.hpp).
//
// A reduction reads its operand where the chunk is and writes the result where it lands, so that
// the first one moves the data from the input to the output and no copy is needed before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::format::msccl {

/// Messages that a connection holds at any size: Simple's slots.
inline constexpr std::int64_t kAlwaysFit = 2;

/// A send, receive, receive_reduce_copy or copy.
struct Transfer {
  StepType type = StepType::send;
  std::int32_t peer = -1;
  Place source = {}, target = {};
  std::int32_t count = 0;  // chunks
  std::int32_t instance = 0;
  std::int64_t step = 0;     // of the schedule
  bool is_wanted = false;    // some of what it writes is there in the end
  std::int32_t in_pair = 0;  // its number among the messages of the pair and instance
};

/// An operation that comes before another one.
struct Before {
  std::int32_t transfer = 0;
  bool is_source = false;  // it wrote what the other one reads
};

/// The operations of one GPU: by step, sends before receptions, in message order. Each comes after
/// those that it depends on.
class GpuTransfers {
 public:
  std::span<const Transfer> all() const { return all_; }
  std::span<const Before> before(std::size_t transfer) const {
    return std::span(before_).subspan(first_before_[transfer],
                                      first_before_[transfer + 1] - first_before_[transfer]);
  }
  std::int32_t scratch_chunks() const { return scratch_chunks_; }

 private:
  friend class TransferBuilder;
  std::vector<Transfer> all_;
  std::vector<std::size_t> first_before_{0};
  std::vector<Before> before_;
  std::int32_t scratch_chunks_ = 0;
};

/// Of a schedule without symmetry, helpers and explicit routes. `most_chunks` is the largest count
/// of one operation. O(chunks that messages carry).
std::vector<GpuTransfers> transfers_of(const schedule::Schedule& schedule, const Layout& layout,
                                       int instances, CallMode mode, std::int32_t most_chunks);

}  // namespace weft::format::msccl
