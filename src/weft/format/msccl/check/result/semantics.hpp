// What collectives begin and end with, in chunks.
#pragma once

#include "weft/format/msccl/check/result/memory.hpp"
#include "weft/schedule/collective.hpp"
#include "weft/schedule/contributors.hpp"

namespace weft::format::msccl {

/// What a chunk holds: which chunk of the collective, and whose contributions to it.
struct Value {
  static constexpr std::int32_t kNothing = -1;  // was never written
  static constexpr std::int32_t kWrong = -2;    // comes from what was reported already

  std::int32_t chunk = kNothing;
  schedule::SetId set = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

/// Chunks of a collective are numbered: of one that reduces, as in the buffer that is reduced; of
/// others, rank after rank as in their inputs.
class Semantics {
 public:
  Semantics(const Algorithm& algorithm, const schedule::Collective& collective);

  const BufferSizes& sizes() const { return sizes_; }
  /// What the input of a rank holds at first.
  Value input(std::int32_t rank, std::int64_t k) const;
  bool has_input(std::int32_t rank) const;
  /// What the output of a rank must hold: the chunk; the contributions are all, or the owner's.
  std::int32_t output(std::int32_t rank, std::int64_t k) const;
  bool has_output(std::int32_t rank) const;
  bool reduces() const { return collective_.reduces(); }
  /// The rank that a chunk comes from, of a collective that does not reduce.
  std::int32_t owner(std::int32_t chunk) const;

 private:
  schedule::Collective collective_;
  BufferSizes sizes_;
  std::int32_t part_ = 0;  // chunks of a rank's block
};

}  // namespace weft::format::msccl
