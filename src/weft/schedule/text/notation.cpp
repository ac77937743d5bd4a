#include "notation.hpp"

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::schedule {

Notation::Notation(const Collective& collective, std::int64_t units_per_block, std::int64_t agents)
    : kind_(collective.kind),
      ranks_(collective.ranks),
      agents_(agents),
      blocks_(collective.blocks()),
      units_per_block_(units_per_block) {
  WEFT_ASSERT(agents_ >= ranks_ && units_per_block_ >= 1);
  checked_mul(blocks_, units_per_block_);
}

std::string Notation::agent(Agent agent) const {
  return agent.value() < ranks_ ? fmt::format("{}", agent.value())
                                : fmt::format("h{}", agent.value() - ranks_);
}

std::string Notation::block(std::int64_t block) const {
  return traits_of(kind_).by_pair() ? fmt::format("{}:{}", block / ranks_, block % ranks_)
                                    : fmt::format("{}", block);
}

std::string Notation::piece(const Piece& piece) const {
  WEFT_ASSERT(piece.count > 0);  // the end that is written is the last unit's
  const std::int64_t first = piece.first / units_per_block_;
  const std::int64_t last = (piece.end() - 1) / units_per_block_;
  if (piece.first % units_per_block_ == 0 && piece.end() % units_per_block_ == 0)
    return first == last ? block(first) : fmt::format("{}-{}", block(first), block(last));
  std::string begin = fmt::format("{}.{}", block(first), piece.first % units_per_block_);
  if (piece.count == 1) return begin;
  return fmt::format("{}-{}.{}", begin, block(last), (piece.end() - 1) % units_per_block_);
}

std::string Notation::pieces(std::span<const Piece> pieces) const {
  std::string out;
  for (const Piece& part : pieces) out += (out.empty() ? "" : ", ") + piece(part);
  return out;
}

Agent Notation::agent(Words& words, std::string_view what) const {
  if (words.is_number()) return Agent(words.integer(what, 0, ranks_ - 1));
  const auto helper = words.word().starts_with('h')
                          ? number_in<std::int64_t>(words.word().substr(1))
                          : std::nullopt;
  if (!helper)
    words.fail("'{}' is not a {} (expected a rank from 0 to {}, or h0, h1, ... for a helper)",
               words.word(), what, ranks_ - 1);
  if (*helper < 0 || *helper >= agents_ - ranks_)
    words.fail("the schedule has {}, so {} does not exist; write 'helpers {}' above the steps",
               counted(agents_ - ranks_, "helper"), words.word(), *helper + 1);
  words.take();
  return Agent(ranks_ + *helper);
}

Piece Notation::place(Words& words) const {
  std::int64_t block = 0;
  if (traits_of(kind_).by_pair()) {
    block = words.integer("block's source", 0, ranks_ - 1) * ranks_;
    words.expect(":", "SOURCE:DESTINATION, such as 2:5, for a block of an all-to-all");
    block += words.integer("block's destination", 0, ranks_ - 1);
  } else {
    block = words.integer("block", 0, blocks_ - 1);
  }
  if (!words.take_if(".")) return {block * units_per_block_, units_per_block_};
  return {block * units_per_block_ + words.integer("unit", 0, units_per_block_ - 1), 1};
}

void Notation::pieces(Words& words, std::vector<Piece>& pieces) const {
  WEFT_ASSERT(pieces.empty());
  do {
    Piece piece = place(words);
    if (words.take_if("-")) {
      const Piece last = place(words);
      if (last.end() <= piece.first)
        words.fail("the range of blocks ends before it begins; write the smaller end first");
      piece.count = last.end() - piece.first;
    }
    pieces.push_back(piece);
  } while (words.take_if(","));
}

}  // namespace weft::schedule
