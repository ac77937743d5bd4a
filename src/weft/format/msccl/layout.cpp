#include "layout.hpp"

#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::format::msccl {

using schedule::CollectiveKind;
using schedule::Schedule;

namespace {

constexpr std::int64_t kMostChunks = 32768;  // the readers keep offsets in 16 bits

// The largest number of units that parts no piece, nor a block where blocks count.
std::int64_t grain_of(const Schedule& schedule) {
  std::int64_t grain =
      schedule.collective().whole_buffer() ? schedule.units() : schedule.units_per_block();
  for (std::int64_t m = 0; m < schedule.stored_messages() && grain > 1; ++m)
    for (const schedule::Piece& piece : schedule.pieces(m))
      grain = std::gcd(grain, std::gcd(piece.first, piece.count));
  return grain;
}

}  // namespace

Layout::Layout(const Schedule& schedule, int instances)
    : collective_(schedule.collective()),
      whole_(collective_.whole_buffer()),
      grain_(grain_of(schedule)),
      replicas_(checked_mul(schedule.segments().count, instances)) {
  const std::int64_t units = whole_ ? schedule.units() : schedule.units_per_block();
  per_replica_ = units / grain_;
  const std::int64_t parts = checked_mul(per_replica_, replicas_);
  per_block_ = parts;
  row_ = whole_ ? parts : checked_mul(collective_.blocks(), parts);
  require(per_loop() <= kMostChunks,
          "{} cuts the buffer into {} chunks, but MSCCL allows at most {}; use fewer segments "
          "or instances",
          schedule.algorithm(), per_loop(), kMostChunks);
}

std::int64_t Layout::per_loop() const {
  switch (collective_.kind) {
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return per_block_;
    case CollectiveKind::alltoall:
      return collective_.ranks * per_block_;
    default:
      return row_;
  }
}

std::int64_t Layout::chunks(Buffer buffer, std::int32_t rank) const {
  if (buffer == Buffer::scratch) return 0;
  const bool in = buffer == Buffer::input, root = rank == collective_.root.value();
  const std::int64_t all = collective_.ranks * per_block_;
  switch (collective_.kind) {
    case CollectiveKind::allgather:
      return in ? per_block_ : all;
    case CollectiveKind::reduce_scatter:
      return in ? all : per_block_;
    case CollectiveKind::broadcast:
      return in && !root ? 0 : row_;
    case CollectiveKind::reduce:
      return in || root ? row_ : 0;
    case CollectiveKind::scatter:
      return in ? (root ? all : 0) : per_block_;
    case CollectiveKind::gather:
      return in ? per_block_ : (root ? all : 0);
    default:
      return whole_ ? row_ : all;
  }
}

std::optional<Place> Layout::input(std::int32_t rank, std::int64_t chunk) const {
  const bool root = rank == collective_.root.value();
  const auto at = [](std::int64_t offset) {
    return Place{Buffer::input, static_cast<std::int32_t>(offset)};
  };
  switch (collective_.kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::gather:
      if (block_of(chunk) != rank) return std::nullopt;
      return at(chunk % per_block_);
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
      if (!root) return std::nullopt;
      return at(chunk);
    case CollectiveKind::alltoall:
      if (block_of(chunk) / collective_.ranks != rank) return std::nullopt;
      return at(chunk - std::int64_t{rank} * collective_.ranks * per_block_);
    default:
      return at(chunk);
  }
}

std::optional<Place> Layout::output(std::int32_t rank, std::int64_t chunk) const {
  const bool root = rank == collective_.root.value();
  const auto at = [](std::int64_t offset) {
    return Place{Buffer::output, static_cast<std::int32_t>(offset)};
  };
  switch (collective_.kind) {
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scatter:
      if (block_of(chunk) != rank) return std::nullopt;
      return at(chunk % per_block_);
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
      if (!root) return std::nullopt;
      return at(chunk);
    case CollectiveKind::alltoall:
      if (block_of(chunk) % collective_.ranks != rank) return std::nullopt;
      return at(block_of(chunk) / collective_.ranks * per_block_ + chunk % per_block_);
    default:
      return at(chunk);
  }
}

}  // namespace weft::format::msccl
