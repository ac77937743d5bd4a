// RankProgram: what one agent does, in order, with the places of the data: the second view of a
// program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/program/program.hpp"

namespace weft::program {

/// Bytes [offset_B, offset_B + bytes) of the row of all blocks. For allgather, allreduce,
/// broadcast, reduce and reduce-scatter that row is the rank's buffer; for all-to-all a rank's send
/// buffer is the row of blocks rank * N .. rank * N + N - 1.
struct ByteRange {
  std::int64_t offset_B = 0, bytes = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

enum class OperationKind : std::uint8_t { receive, receive_reduce, send, copy_to_self };

struct Operation {
  OperationKind kind = OperationKind::send;
  Agent peer;
  std::int64_t step = 0;  // operations of one step run at once: sends read the state before it
  std::int64_t bytes = 0;
  std::int64_t message = 0;  // stored message
  std::int64_t first_range = 0, ranges = 0;
};

/// Operations by step; within a step receives first, so that they are posted early, then sends, in
/// message order.
class RankProgram {
 public:
  std::span<const Operation> operations() const { return operations_; }
  std::span<const ByteRange> ranges(const Operation& operation) const {
    return std::span(ranges_).subspan(static_cast<std::size_t>(operation.first_range),
                                      static_cast<std::size_t>(operation.ranges));
  }

 private:
  friend RankProgram rank_program(const Program& program, Agent agent);
  std::vector<Operation> operations_;
  std::vector<ByteRange> ranges_;
};

/// O(stored messages * segments), whatever the symmetry. Throws InvalidInput for an agent that does
/// not exist.
RankProgram rank_program(const Program& program, Agent agent);

}  // namespace weft::program
