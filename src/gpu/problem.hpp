// A collective's data: random input by rank, and the result by the collective's definition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter.hpp"
#include "weft/format/msccl.hpp"

namespace weft::gpu {

enum class Type : std::uint8_t { floats, integers };

class Problem {
 public:
  /// Throws InvalidInput for a file whose collective has no definition (custom, send, recv).
  explicit Problem(const format::msccl::Algorithm& algorithm);

  /// Chunks of what weft's --size says: one block of a gather, scatter, allgather or all-to-all,
  /// else the whole buffer.
  std::int64_t chunks_of_size() const { return sizes_.of_size; }
  /// Chunks of a rank's buffers: what callers pass, even if the file names fewer. A file that
  /// works in place may name chunks of the larger buffer alone.
  std::int64_t input_chunks(int rank) const;
  std::int64_t output_chunks(int rank) const;
  const schedule::Collective& collective() const { return collective_; }

  /// Input of a rank at `chunk` elements a chunk: any bits as integers; whole numbers from -64 to
  /// 63 as floats, whose sums are exact in any order.
  std::vector<Word> input(int rank, std::int64_t chunk, Type type) const;
  /// The first element of a rank's output that is not what the collective's definition says; empty
  /// if there is none. O(ranks * elements) if the collective reduces.
  std::string difference(int rank, std::span<const Word> output, std::int64_t chunk,
                         Type type) const;

 private:
  bool is_result(int rank) const;
  Word expected(int rank, std::int64_t element, std::int64_t chunk, Type type) const;

  const format::msccl::Algorithm& algorithm_;
  schedule::Collective collective_;
  format::msccl::BufferSizes sizes_;
};

}  // namespace weft::gpu
