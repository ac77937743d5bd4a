// Chunks that move from rank to rank, which is how synthesizers (TACOS, TE-CCL, ForestColl) write
// their schedules, as a program and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/program/operations.hpp"
#include "weft/program/prove.hpp"

namespace weft::format::synthesized {

/// A part of the row of all blocks that moves as a whole.
struct Chunk {
  program::ByteRange data;
  std::int32_t owner = 0;  // the rank that has it at first
  std::string name = {};   // as the file has it, for messages
};

/// A chunk goes from one rank to another.
struct Move {
  std::int32_t from = 0, to = 0;
  std::int64_t chunk = 0;
  std::int64_t line = 0;  // of the file
  RouteId route = kRouted;
};

/// Whether a rank sends what it has for another rank in the order of the moves, each chunk after
/// the one before it has left, or each chunk as soon as it is there.
enum class Sending : std::uint8_t { in_order, when_ready };

/// What moves, in a file of so many ranks.
struct Moves {
  std::string file;
  std::int32_t ranks = 0;
  std::int64_t size_B = 0;  // what one call is given
  std::vector<Chunk> chunks;
  std::vector<Move> moves;
  Sending sending = Sending::in_order;
  std::vector<std::string> rank_names = {};  // as the file has them, for messages; empty: numbers
};

/// The program: a rank sends a chunk once it has it. Throws InvalidInput, with the line, for a move
/// of a chunk that its sender never has, one to the owner, and a second one to the same rank; and
/// where chunks wait for each other in a circle. O(moves log moves).
Program program_of(const Moves& moves);

/// An allgather of chunks.
struct AllgatherMoves {
  Program program;  // with its operations written out
  Moves moves;
};

/// The moves of a program that is an allgather, for writing: chunks of equal size, as large as they
/// can be, numbered by rank and then by their place in the rank's block; moves by step. Throws
/// InvalidInput for a program that is no allgather, sends a rank what it has, or computes; `format`
/// leads the message.
AllgatherMoves allgather_of(const Program& program, const std::string& format);

}  // namespace weft::format::synthesized
