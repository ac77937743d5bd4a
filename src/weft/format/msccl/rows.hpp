// Where a file's buffers are in the row of all blocks of its collective, in chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/format/msccl.hpp"
#include "weft/program/operations.hpp"

namespace weft::format::msccl {

class Rows {
 public:
  /// Throws InvalidInput, with the line, for buffers of other sizes than the collective has.
  explicit Rows(const Algorithm& algorithm);

  /// Its root is rank 0, whatever the file's is.
  const std::optional<schedule::Collective>& collective() const { return collective_; }
  /// Chunks of what `--size` says: a block, or the whole buffer.
  std::int64_t chunks_of_size() const { return chunks_of_size_; }
  /// Bytes of a chunk. Throws InvalidInput for a size that is no whole number of chunks, or none.
  std::int64_t chunk_B(std::int64_t size_B) const;
  /// Units, of which whole numbers are a chunk and a block.
  std::int64_t units_of_size() const;

  /// Names of the program's buffers; the first is "data".
  static std::vector<std::string> buffers(const Algorithm& algorithm);
  static constexpr std::int32_t kThrough = 1, kScratch = 2, kOutput = 3;

  /// Calls sink(buffer of the program, first chunk, count) for the runs of chunks of a place.
  template <class Sink>
  void each_run(std::int32_t rank, const Place& place, std::int32_t count, Sink&& sink) const {
    const std::int64_t first = place.offset, end = first + count;
    if (place.buffer == Buffer::scratch) return sink(kScratch, first, end - first);
    const bool in = place.buffer == Buffer::input;
    const std::int32_t buffer = in ? 0 : output_;
    const std::int64_t stride = in ? 1 : output_stride_;
    const std::int64_t start = offset(in ? input_block_ : output_block_, rank);
    if (stride == 1) return sink(buffer, start + first, end - first);
    for (std::int64_t at = first; at < end;) {  // block by block
      const std::int64_t next = std::min(end, (at / per_block_ + 1) * per_block_);
      sink(buffer, start + at / per_block_ * stride * per_block_ + at % per_block_, next - at);
      at = next;
    }
  }

 private:
  void require_chunks(const Algorithm& algorithm, const Gpu& gpu, Buffer buffer,
                      std::int64_t most) const;
  // The chunk that rank's buffer begins at: of block `blocks_per_rank` * rank.
  std::int64_t offset(std::int64_t blocks_per_rank, std::int32_t rank) const {
    return blocks_per_rank * rank * per_block_;
  }

  const Algorithm& algorithm_;
  std::optional<schedule::Collective> collective_;
  std::int64_t per_block_ = 1, chunks_of_size_ = 1;
  std::int64_t input_block_ = 0, output_block_ = 0;  // the first block of rank 1's buffer
  std::int64_t output_stride_ = 1;                   // between the blocks of an output
  std::int32_t output_ = 0;                          // the program's buffer
};

}  // namespace weft::format::msccl
