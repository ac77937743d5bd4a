// How a schedule's symmetry moves units: block b of rank r becomes the block of g r.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/schedule/schedule.hpp"

namespace weft::schedule {

/// Calls sink(first, count) for each run of ranks that the ranks [first, first + count) become
/// under `element`. The runs come in no particular order. O(count / first modulus + orbits).
template <class Sink>
void translate_ranks(const Symmetry& symmetry, std::int32_t element, std::int64_t first,
                     std::int64_t count, Sink&& sink) {
  if (element == 0 || symmetry.is_trivial()) return sink(first, count);
  // Within a run of equal higher digits the first digit shifts cyclically: at most two runs come
  // out.
  const std::int64_t modulus = symmetry.moduli()[0];
  while (count > 0) {
    const std::int64_t digit = first % modulus;
    const std::int64_t run = std::min(count, modulus - digit);
    const std::int64_t image = symmetry.apply(element, Agent(first)).value();
    const std::int64_t until_wrap = std::min(run, modulus - image % modulus);
    sink(image, until_wrap);
    if (run > until_wrap) sink(image - image % modulus, run - until_wrap);
    first += run;
    count -= run;
  }
}

/// The same for blocks: ranks, except for all-to-all, where both ends of a block move.
template <class Sink>
void translate_blocks(const Schedule& schedule, std::int32_t element, std::int64_t first,
                      std::int64_t count, Sink&& sink) {
  const Symmetry& symmetry = schedule.symmetry();
  if (schedule.collective().kind != CollectiveKind::alltoall)
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
