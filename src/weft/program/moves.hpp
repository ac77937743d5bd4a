// Moves: every message of a schedule with all that it carries, cut where any message is.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "weft/schedule/verify.hpp"

namespace weft::program {

/// An interval of the unit line that no message and no block cuts (a broadcast, reduce or allreduce
/// counts as one block). Cells are numbered along the line.
struct Cell {
  std::int64_t first = 0, units = 0;
};

/// A message between two agents, a translate written out.
struct Move {
  schedule::Agent from, to;
  schedule::Arrival arrival = schedule::Arrival::copy;
  std::int64_t step = 0, message = 0;
  std::int32_t element = 0;
  std::size_t first_cell = 0, cells = 0;  // in Moves::cell_of
  std::int64_t units = 0;
  bool run_at_sender = false, run_at_receiver = false;  // in rank order
};

struct Moves {
  std::vector<Cell> cells;
  std::vector<Move> all;              // by step, then in message order
  std::vector<std::int32_t> cell_of;  // of each move, increasing

  std::span<const std::int32_t> cells_of(const Move& move) const {
    return std::span(cell_of).subspan(move.first_cell, move.cells);
  }
};

/// All moves of one segment; nothing where they carry more than `most` cells together.
std::optional<Moves> moves_of(const schedule::Schedule& schedule, std::int64_t most);

}  // namespace weft::program
