// OrbitLine: the part of the unit line that has to be followed, and every movement of data on it.
//
// Under a symmetry a unit and its translates have the same history, so only the blocks of
// representatives are followed: rank r's block for r a representative; of an all-to-all the blocks
// whose source is one. Each piece of a stored message, cut at blocks, is translated back to the
// block's representative; what comes out are the movements of the followed blocks between all
// agents, each exactly once. With the trivial symmetry the line is the unit line.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

class OrbitLine {
 public:
  explicit OrbitLine(const Schedule& schedule)
      : schedule_(schedule),
        trivial_(schedule.symmetry().is_trivial()),
        alltoall_(traits_of(schedule.collective().kind).by_pair()),
        order_(schedule.symmetry().order()),
        ranks_(schedule.collective().ranks),
        units_(schedule.units_per_block()) {}

  /// Number of units followed.
  std::int64_t length() const { return schedule_.units() / order_; }

  /// Number of movements that a piece of a stored message makes on the line: one, or under a
  /// symmetry one for each block that it meets.
  std::int64_t movement_count(const Piece& piece) const {
    WEFT_ASSERT(piece.count > 0);
    return trivial_ ? 1 : (piece.end() - 1) / units_ - piece.first / units_ + 1;
  }

  /// Calls sink(from, to, first, count) for each movement that the stored message makes on the
  /// line.
  template <class Sink>
  void movements(std::int64_t message_index, Sink&& sink) const {
    const Message& message = schedule_.message(message_index);
    for (const Piece& piece : schedule_.pieces(message_index)) {
      if (trivial_) {
        sink(message.from, message.to, piece.first, piece.count);
        continue;
      }
      for (std::int64_t unit = piece.first; unit < piece.end();) {
        const std::int64_t block = unit / units_;
        const std::int64_t count = std::min(piece.end(), (block + 1) * units_) - unit;
        const Agent owner(alltoall_ ? block / ranks_ : block);
        const std::int32_t back = schedule_.symmetry().inverse(schedule_.symmetry().element(owner));
        sink(schedule_.symmetry().apply(back, message.from),
             schedule_.symmetry().apply(back, message.to),
             followed_block(block, owner, back) * units_ + unit % units_, count);
        unit += count;
      }
    }
  }

  /// Calls sink(first, count) for the units of these block runs that are followed and meet the
  /// window [begin, end) of the line, in increasing order. O(runs in the window).
  template <class Sink>
  void runs(const BlockRuns& blocks, std::int64_t begin, std::int64_t end, Sink&& sink) const {
    WEFT_ASSERT(begin >= 0 && begin < end && end <= length());
    if (blocks.count == 0) return;
    if (blocks.times == 1) return run(blocks.first, blocks.count, sink);
    // A column of an all-to-all: of every row, or of every followed row, the same blocks.
    WEFT_ASSERT(alltoall_ && blocks.stride == ranks_ && blocks.first + blocks.count <= ranks_);
    const std::int64_t row_units = ranks_ * units_;
    const std::int64_t first_row = begin / row_units, last_row = (end - 1) / row_units;
    for (std::int64_t row = first_row; row <= std::min(last_row, blocks.times / order_ - 1); ++row)
      sink(row * row_units + blocks.first * units_, blocks.count * units_);
  }

  /// The unit of the unit line that a unit of this line stands for.
  std::int64_t unit(std::int64_t followed) const {
    WEFT_ASSERT(followed >= 0 && followed < length());
    if (trivial_) return followed;
    const std::int64_t block = followed / units_;
    const std::int64_t real =
        alltoall_ ? block / ranks_ * order_ * ranks_ + block % ranks_ : block * order_;
    return real * units_ + followed % units_;
  }

 private:
  std::int64_t followed_block(std::int64_t block, Agent owner, std::int32_t back) const {
    const std::int64_t orbit = schedule_.symmetry().orbit(owner);
    if (!alltoall_) return orbit;
    return orbit * ranks_ + schedule_.symmetry().apply(back, Agent(block % ranks_)).value();
  }

  template <class Sink>
  void run(std::int64_t first, std::int64_t count, Sink&& sink) const {
    if (trivial_) return sink(first * units_, count * units_);
    if (alltoall_) {
      WEFT_ASSERT(first % ranks_ == 0 && count == ranks_);  // what one source sends
      const std::int64_t source = first / ranks_;
      if (source % order_ == 0) sink(source / order_ * ranks_ * units_, ranks_ * units_);
      return;
    }
    // Every order-th block is a representative's.
    const std::int64_t from = (first + order_ - 1) / order_;
    const std::int64_t to = (first + count + order_ - 1) / order_;
    if (to > from) sink(from * units_, (to - from) * units_);
  }

  const Schedule& schedule_;
  bool trivial_, alltoall_;
  std::int32_t order_;
  std::int64_t ranks_, units_;
};

}  // namespace weft::schedule
