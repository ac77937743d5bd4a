#include "layout.hpp"

#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::format::msccl {

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
  WEFT_ASSERT(instances >= 1 && units % grain_ == 0);
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
  if (whole_) return row_;
  return collective_.rooted() ? per_block_ : collective_.ranks * per_block_;
}

std::int64_t Layout::chunks(Buffer buffer, std::int32_t rank) const {
  if (buffer == Buffer::scratch) return 0;
  const std::int64_t blocks = runs(buffer, rank).total();
  if (whole_) return blocks > 0 ? row_ : 0;
  return blocks * per_block_;
}

schedule::BlockRuns Layout::runs(Buffer buffer, std::int32_t rank) const {
  const schedule::Rank of(rank);
  return buffer == Buffer::input ? collective_.held_at_first(of) : collective_.wanted(of);
}

std::optional<Place> Layout::place(Buffer buffer, std::int32_t rank, std::int64_t chunk) const {
  WEFT_ASSERT(chunk >= 0 && chunk < row_);
  const schedule::BlockRuns blocks = runs(buffer, rank);
  if (whole_) {
    if (blocks.total() == 0) return std::nullopt;
    return Place{buffer, static_cast<std::int32_t>(chunk)};
  }
  const auto position = schedule::position_in(blocks, chunk / per_block_);
  if (!position) return std::nullopt;
  return Place{buffer, static_cast<std::int32_t>(*position * per_block_ + chunk % per_block_)};
}

std::optional<Place> Layout::input(std::int32_t rank, std::int64_t chunk) const {
  return place(Buffer::input, rank, chunk);
}

std::optional<Place> Layout::output(std::int32_t rank, std::int64_t chunk) const {
  return place(Buffer::output, rank, chunk);
}

}  // namespace weft::format::msccl
