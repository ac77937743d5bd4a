#include "weft/format/msccl/check/result/semantics.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;

Semantics::Semantics(const Algorithm& algorithm, const schedule::Collective& collective)
    : collective_(collective),
      sizes_(sizes_of(algorithm).value_or(BufferSizes{})),
      part_(static_cast<std::int32_t>(sizes_.block)) {}

bool Semantics::has_input(std::int32_t rank) const {
  const bool from_root =
      collective_.kind == CollectiveKind::broadcast || collective_.kind == CollectiveKind::scatter;
  return !from_root || rank == collective_.root.value();
}

bool Semantics::has_output(std::int32_t rank) const {
  const bool at_root =
      collective_.kind == CollectiveKind::reduce || collective_.kind == CollectiveKind::gather;
  return !at_root || rank == collective_.root.value();
}

Value Semantics::input(std::int32_t rank, std::int64_t k) const {
  auto chunk = static_cast<std::int32_t>(k);
  if (!reduces()) chunk = static_cast<std::int32_t>(rank * sizes_.input + k);
  return {.chunk = chunk, .set = rank + 1};
}

std::int32_t Semantics::output(std::int32_t rank, std::int64_t k) const {
  const auto chunk = static_cast<std::int32_t>(k);
  switch (collective_.kind) {
    case CollectiveKind::reduce_scatter:
      return rank * part_ + chunk;
    case CollectiveKind::scatter:
      return static_cast<std::int32_t>(collective_.root.value() * sizes_.input) + rank * part_ +
             chunk;
    case CollectiveKind::broadcast:
      return static_cast<std::int32_t>(collective_.root.value() * sizes_.input) + chunk;
    case CollectiveKind::alltoall: {
      const std::int32_t from = chunk / part_;
      return static_cast<std::int32_t>(from * sizes_.input) + rank * part_ + chunk % part_;
    }
    default:
      return chunk;  // allreduce, reduce; allgather, gather: rank after rank, as numbered
  }
}

std::int32_t Semantics::owner(std::int32_t chunk) const {
  return static_cast<std::int32_t>(chunk / sizes_.input);
}

}  // namespace weft::format::msccl
