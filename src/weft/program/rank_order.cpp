#include "rank_order.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/action.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::program {

namespace {

using schedule::Agent;
using schedule::CollectiveKind;
using schedule::Piece;
using schedule::Schedule;

enum class Buffer : std::uint8_t { row, received, several };

/// The buffer that holds a piece of an all-to-all at agent `at`: the row serves for sending and
/// for what passes through, and a piece of both is in several.
Buffer buffer_of(const Schedule& schedule, Agent at, Piece piece) {
  WEFT_ASSERT(piece.count > 0);
  const std::int64_t n = schedule.collective().ranks, units = schedule.units_per_block();
  const std::int64_t first = piece.first / units, last = (piece.end() - 1) / units;
  const std::int64_t own = at.value();
  if (first / n == own && last / n == own) return Buffer::row;
  if (first == last) return first % n == own ? Buffer::received : Buffer::row;
  if (first / n <= own && own <= last / n) return Buffer::several;
  return first + mod(own - first, n) <= last ? Buffer::several : Buffer::row;
}

/// Where a piece starts in its buffer.
std::int64_t place_of(const Schedule& schedule, Buffer buffer, Piece piece) {
  if (buffer == Buffer::row) return piece.first;
  const std::int64_t units = schedule.units_per_block();
  return piece.first / units / schedule.collective().ranks * units + piece.first % units;
}

/// The places seen so far.
class Span {
 public:
  Span(const Schedule& schedule, Agent at, std::int64_t units)
      : schedule_(schedule),
        at_(at),
        units_(units),
        alltoall_(schedule::traits_of(schedule.collective().kind).by_pair()),
        within_block_(schedule.segments().count > 1 && !schedule.collective().whole_buffer()) {}

  bool scattered() const { return scattered_; }
  void add(Piece piece) {
    const Buffer buffer = alltoall_ ? buffer_of(schedule_, at_, piece) : Buffer::row;
    scattered_ |= buffer == Buffer::several || (first_ <= last_ && buffer != buffer_);
    buffer_ = buffer;
    const std::int64_t place = place_of(schedule_, buffer, piece);
    first_ = std::min(first_, place);
    last_ = std::max(last_, place + piece.count - 1);
    scattered_ |= last_ - first_ >= units_;
    const std::int64_t block = schedule_.units_per_block();
    scattered_ |= within_block_ && first_ / block != last_ / block;
  }

 private:
  const Schedule& schedule_;
  Agent at_;
  std::int64_t units_;
  bool alltoall_, within_block_, scattered_ = false;
  Buffer buffer_ = Buffer::row;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max(), last_ = -1;
};

}  // namespace

bool is_run_in_rank_order(const Schedule& schedule, Agent at, std::span<const Piece> pieces,
                          std::int64_t units, std::int32_t element) {
  Span span(schedule, at, units);
  for (const Piece& piece : pieces) {
    schedule::translate(schedule, element, piece, [&](Piece image) { span.add(image); });
    if (span.scattered()) return false;
  }
  return true;
}

}  // namespace weft::program
