// Which chunks of the buffers of a GPU are the same memory.
//
// Out of place, input, output and scratch are apart. In place, the caller passes one buffer: the
// smaller of input and output then lies in the larger, at the rank's part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/format/msccl/check/links/flat.hpp"

namespace weft::format::msccl {

enum class Mode : std::uint8_t { out_of_place, in_place };

/// Cells are chunks of memory, numbered over all GPUs.
class Memory {
 public:
  Memory(const Algorithm& algorithm, Mode mode, std::int32_t root);

  std::int64_t cells() const { return cells_; }
  std::int64_t cell(std::int32_t gpu, Place place) const {
    return base_[static_cast<std::size_t>(gpu)][static_cast<std::size_t>(place.buffer)] +
           place.offset;
  }

 private:
  struct Bases {
    std::int64_t of[3];
    std::int64_t operator[](std::size_t buffer) const { return of[buffer]; }
  };
  std::vector<Bases> base_;
  std::int64_t cells_ = 0;
};

}  // namespace weft::format::msccl
