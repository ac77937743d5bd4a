#include "weft/format/msccl/check/result/semantics.hpp"

#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

Semantics::Semantics(const Algorithm& algorithm, const schedule::Collective& collective)
    : collective_(collective),
      sizes_(sizes_of(algorithm).value_or(BufferSizes{})),
      part_(static_cast<std::int32_t>(sizes_.block)) {}

bool Semantics::has_input(std::int32_t rank) const {
  return collective_.held_at_first(schedule::Rank(rank)).total() > 0;
}

bool Semantics::has_output(std::int32_t rank) const {
  return collective_.wanted(schedule::Rank(rank)).total() > 0;
}

Value Semantics::input(std::int32_t rank, std::int64_t k) const {
  auto chunk = static_cast<std::int32_t>(k);
  if (!reduces()) chunk = static_cast<std::int32_t>(rank * sizes_.input + k);
  return {.chunk = chunk, .set = rank + 1};
}

std::int32_t Semantics::output(std::int32_t rank, std::int64_t k) const {
  const std::int64_t block =
      schedule::block_at(collective_.wanted(schedule::Rank(rank)), k / part_);
  if (reduces()) return static_cast<std::int32_t>(block * part_ + k % part_);
  const schedule::Origin from = schedule::origin_of(collective_, block);
  return static_cast<std::int32_t>(from.rank.value() * sizes_.input + from.position * part_ +
                                   k % part_);
}

std::int32_t Semantics::owner(std::int32_t chunk) const {
  return static_cast<std::int32_t>(chunk / sizes_.input);
}

}  // namespace weft::format::msccl
