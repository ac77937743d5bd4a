// How a schedule's text names agents, and intervals of the unit line.
//
//   agents   3           rank 3
//            h0          helper 0, the first agent after the ranks
//   blocks   3           block 3; of all-to-all 2:5, what rank 2 has for rank 5
//   pieces   3           the whole block
//            2-5         blocks 2 to 5, all of them
//            2.0         unit 0 of block 2
//            2.1-4.0     from unit 1 of block 2 to unit 0 of block 4, which is in it
//            3, 7-8      several
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/schedule/schedule.hpp"
#include "words.hpp"

namespace weft::schedule {

/// The first line of every text.
inline constexpr std::string_view kFirstLine = "weft schedule 1";

/// The lines above the first step.
std::string head_text(const Schedule& schedule);

class Notation {
 public:
  /// Throws InvalidInput if the unit line is longer than 2^63.
  Notation(const Collective& collective, std::int64_t units_per_block, std::int64_t agents);
  static Notation of(const Schedule& schedule) {
    return {schedule.collective(), schedule.units_per_block(), schedule.agents()};
  }

  std::string agent(Agent agent) const;
  std::string pieces(std::span<const Piece> pieces) const;

  /// Read what these write. Throw InvalidInput with file and line.
  Agent agent(Words& words, std::string_view what) const;
  /// One or more. Precondition: `pieces` is empty.
  void pieces(Words& words, std::vector<Piece>& pieces) const;

 private:
  std::string block(std::int64_t block) const;
  std::string piece(const Piece& piece) const;
  /// [first, end) of the block or unit at the present word.
  Piece place(Words& words) const;

  CollectiveKind kind_;
  std::int64_t ranks_, agents_, blocks_, units_per_block_;
};

}  // namespace weft::schedule
