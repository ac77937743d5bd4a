// The own buffers of agents, in an order that makes runs of messages.
#pragma once

#include <span>
#include <vector>

#include "moves.hpp"

namespace weft::program {

/// What an agent has of a cell: its input or partial sum, or what a message brought.
struct BufferEntry {
  schedule::Agent agent;
  bool landed = false;      // brought by a message
  std::int32_t list = 0;    // of later messages, see own_buffers.cpp; entries are sorted by it,
  std::int64_t move = -1;   // then by the move that brought it,
  std::size_t order = 0;    // then in the order in which it came
  std::int64_t place = -1;  // in the own buffer of its agent
};

struct OwnBuffers {
  std::vector<BufferEntry> entries;
  std::vector<std::size_t> sent, received;  // entries of each move, as Moves::cell_of
  std::vector<bool> last;                   // as `received`: nothing lands on that cell later

  std::span<const std::size_t> sent_in(const Move& move) const {
    return std::span(sent).subspan(move.first_cell, move.cells);
  }
  /// Whether the move is one run of its sender's own buffer.
  bool is_run(const Move& move) const;
};

/// `from_users[i]` says that move i is sent from a run of its sender's input or result.
OwnBuffers own_buffers(const Moves& moves, const std::vector<bool>& from_users);

}  // namespace weft::program
