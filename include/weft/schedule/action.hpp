// How a schedule's symmetry moves units: block b of rank r becomes the block of g r.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Calls sink(first, count) for each run of ranks that the ranks [first, first + count) become
/// under `element`. The runs come in no particular order. O(runs): an aligned box of the low digits
/// (Group::extents) stays one run, so all ranks of an orbit are one.
template <class Sink>
void translate_ranks(const Symmetry& symmetry, std::int32_t element, std::int64_t first,
                     std::int64_t count, Sink&& sink) {
  if (element == 0 || symmetry.is_trivial()) return sink(first, count);
  const Group& group = symmetry.group();
  const auto& extents = group.extents();
  while (count > 0) {
    // The largest box, all values of the low digits, that starts here; then its neighbours along
    // the next digit where that shifts cyclically: at most two runs come out.
    std::int64_t box = 1;
    std::size_t digit = 0;
    while (digit < extents.size() && first % (box * extents[digit]) == 0 &&
           count >= box * extents[digit])
      box *= extents[digit++];
    const bool shifts = digit < extents.size() && group.shifts(digit, element);
    const std::int64_t modulus = digit < extents.size() ? extents[digit] : 1;
    const std::int64_t boxes = shifts ? std::min(count / box, modulus - first / box % modulus) : 1;
    const std::int64_t image = symmetry.apply(element, Agent(first)).value();
    const std::int64_t until_wrap = std::min(boxes, modulus - image / box % modulus);
    sink(image - image % box, until_wrap * box);
    if (boxes > until_wrap) sink(image - image % (box * modulus), (boxes - until_wrap) * box);
    first += boxes * box;
    count -= boxes * box;
  }
}

/// The same for blocks: ranks, except for all-to-all, where both ends of a block move.
template <class Sink>
void translate_blocks(const Schedule& schedule, std::int32_t element, std::int64_t first,
                      std::int64_t count, Sink&& sink) {
  const Symmetry& symmetry = schedule.symmetry();
  if (!traits_of(schedule.collective().kind).by_pair())
    return translate_ranks(symmetry, element, first, count, sink);
  if (element == 0) return sink(first, count);
  const std::int64_t n = schedule.collective().ranks;
  while (count > 0) {
    const std::int64_t destination = first % n;
    const std::int64_t run = std::min(count, n - destination);
    const std::int64_t row = symmetry.apply(element, Agent(first / n)).value() * n;
    translate_ranks(symmetry, element, destination, run,
                    [&](std::int64_t to, std::int64_t length) { sink(row + to, length); });
    first += run;
    count -= run;
  }
}

/// Calls sink(piece) for each piece that `piece` becomes under `element`.
template <class Sink>
void translate(const Schedule& schedule, std::int32_t element, Piece piece, Sink&& sink) {
  if (element == 0) return sink(piece);
  const std::int64_t units = schedule.units_per_block();
  const auto whole_blocks = [&](std::int64_t first, std::int64_t count) {
    translate_blocks(schedule, element, first, count, [&](std::int64_t image, std::int64_t run) {
      sink(Piece{image * units, run * units});
    });
  };
  if (units == 1) return whole_blocks(piece.first, piece.count);
  const auto part_of_block = [&](std::int64_t first, std::int64_t count) {
    translate_blocks(schedule, element, first / units, 1, [&](std::int64_t image, std::int64_t) {
      sink(Piece{image * units + first % units, count});
    });
  };
  if (piece.first % units != 0) {
    const std::int64_t head = std::min(piece.count, units - piece.first % units);
    part_of_block(piece.first, head);
    piece = {piece.first + head, piece.count - head};
  }
  if (piece.count >= units) whole_blocks(piece.first / units, piece.count / units);
  if (piece.count % units != 0)
    part_of_block(piece.first + piece.count / units * units, piece.count % units);
}

}  // namespace weft::schedule
