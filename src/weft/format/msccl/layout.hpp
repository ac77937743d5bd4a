// Where the data of a collective lies in the buffers of GPUs, in chunks.
//
// A schedule moves pieces of a unit line. Units that no message parts are one chunk. Instances and
// segments repeat the schedule on parts of the data (replicas). All chunks together are the row:
// replica after replica where only the whole buffer counts (broadcast, reduce, allreduce), else
// block after block, and the replicas within each block.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/base/error.hpp"
#include "weft/format/msccl.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::format::msccl {

class Layout {
 public:
  /// Of `instances` copies of the schedule, each on its share of the data. Throws InvalidInput for
  /// more chunks than offsets can count.
  Layout(const schedule::Schedule& schedule, int instances);

  std::int64_t replicas() const { return replicas_; }
  /// Chunks in the row.
  std::int64_t row() const { return row_; }
  /// Units of the schedule in one chunk.
  std::int64_t units_per_chunk() const { return grain_; }
  /// Chunks of the user's buffer that the readers of the files call nchunksperloop.
  std::int64_t per_loop() const;
  std::int64_t chunks(Buffer buffer, std::int32_t rank) const;

  /// Calls sink(first chunk of the row, count) for each run of chunks that a piece is in a replica.
  template <class Sink>
  void each_run(schedule::Piece piece, std::int64_t replica, Sink&& sink) const {
    WEFT_ASSERT(piece.first % grain_ == 0 && piece.end() % grain_ == 0);
    WEFT_ASSERT(replica >= 0 && replica < replicas_);
    const std::int64_t first = piece.first / grain_, end = piece.end() / grain_;
    if (whole_) return sink(replica * per_replica_ + first, end - first);
    for (std::int64_t at = first; at < end;) {
      const std::int64_t next = std::min(end, (at / per_replica_ + 1) * per_replica_);
      sink(at / per_replica_ * per_block_ + replica * per_replica_ + at % per_replica_, next - at);
      at = next;
    }
  }

  /// Where a rank has a chunk of the row at first, and where it must have it in the end.
  std::optional<Place> input(std::int32_t rank, std::int64_t chunk) const;
  std::optional<Place> output(std::int32_t rank, std::int64_t chunk) const;
  /// Whether callers may pass one buffer as input and output.
  bool can_be_in_place() const { return !schedule::traits_of(collective_.kind).by_pair(); }

 private:
  /// Blocks that the rank has in the buffer, and where a chunk of the row is in it.
  schedule::BlockRuns runs(Buffer buffer, std::int32_t rank) const;
  std::optional<Place> place(Buffer buffer, std::int32_t rank, std::int64_t chunk) const;

  schedule::Collective collective_;
  bool whole_ = false;
  std::int64_t grain_ = 1, replicas_ = 1;
  std::int64_t per_replica_ = 1;  // chunks of a replica: of the whole buffer, or of a block
  std::int64_t per_block_ = 1, row_ = 1;
};

}  // namespace weft::format::msccl
