#include "chunk_moves.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"

namespace weft::format::synthesized {

using program::Agent;
using program::ByteRange;
using program::Operation;
using program::OperationKind;
using program::Operations;

namespace {

using Held = std::map<std::pair<std::int64_t, std::int32_t>, std::size_t>;  // chunk, rank: the move

std::string rank_text(const Moves& all, std::int32_t rank) {
  return all.rank_names.empty() ? "rank " + std::to_string(rank)
                                : all.rank_names[static_cast<std::size_t>(rank)];
}

const Chunk& chunk_of(const Moves& all, const Move& move) {
  WEFT_ASSERT(move.chunk >= 0 && move.chunk < std::ssize(all.chunks));
  return all.chunks[static_cast<std::size_t>(move.chunk)];
}

// The move that brings a chunk to a rank. There may be one only.
Held arrivals_of(const Moves& all) {
  Held arrivals;
  for (std::size_t i = 0; i < all.moves.size(); ++i) {
    const Move& move = all.moves[i];
    const bool is_new = arrivals.try_emplace({move.chunk, move.to}, i).second;
    if (!is_new || chunk_of(all, move).owner == move.to)
      refuse_at(all.file, move.line, "{} arrives at {}, which already has it",
                chunk_of(all, move).name, rank_text(all, move.to));
  }
  return arrivals;
}

class Builder {
 public:
  explicit Builder(const Moves& all)
      : all_(all),
        arrivals_(arrivals_of(all)),
        builder_(all.ranks, {.name = all.file, .size_B = all.size_B}),
        received_(all.moves.size()) {}

  // Receives wait for nothing, so that they may stand before all sends of their rank.
  Program build() && {
    for (std::size_t i = 0; i < all_.moves.size(); ++i) {
      const Move& move = all_.moves[i];
      received_[i] = builder_.add(Agent(move.to), {.kind = OperationKind::receive,
                                                   .peer = Agent(move.from),
                                                   .tag = tag(move),
                                                   .writes = {chunk_of(all_, move).data}});
    }
    for (const Move& move : all_.moves) send(move);
    try {
      return std::move(builder_).build();
    } catch (const program::OperationFault& fault) {  // moves have no lines here
      reject("{}", fault.what());
    }
  }

 private:
  // A chunk has a tag of its own where chunks may overtake each other.
  std::int32_t tag(const Move& move) const {
    return all_.sending == Sending::in_order ? 0 : static_cast<std::int32_t>(move.chunk);
  }

  void send(const Move& move) {
    std::vector<std::int32_t> waits;
    if (chunk_of(all_, move).owner != move.from) {
      const auto arrival = arrivals_.find({move.chunk, move.from});
      if (arrival == arrivals_.end())
        refuse_at(all_.file, move.line, "{} sends {}, which it never receives",
                  rank_text(all_, move.from), chunk_of(all_, move).name);
      waits.push_back(received_[arrival->second]);
    }
    if (all_.sending == Sending::in_order)
      if (const auto before = last_.find({move.from, move.to}); before != last_.end())
        waits.push_back(before->second);
    last_[{move.from, move.to}] =
        builder_.add(Agent(move.from), {.kind = OperationKind::send,
                                        .peer = Agent(move.to),
                                        .tag = tag(move),
                                        .reads = {chunk_of(all_, move).data},
                                        .waits = std::move(waits)});
  }

  const Moves& all_;
  Held arrivals_;
  program::ProgramBuilder builder_;
  std::vector<std::int32_t> received_;  // by move: the receive, among the operations of its rank
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last_;  // by ends: the send
};

// Blocks of one size, which messages cut at multiples of a chunk.
class Chunking {
 public:
  Chunking(const Program& program, const Operations& operations, const std::string& format)
      : program_(program), operations_(operations), format_(format) {
    unit_B_ = program.size_B();
    for (const Operations::MessageEnds& message : operations.messages()) check(message);
    require(unit_B_ > 0, "{} has no size, but {} has chunks of one size", program.name(), format);
    WEFT_ASSERT(program.size_B() % unit_B_ == 0);
    per_block_ = program.size_B() / unit_B_;
    constexpr std::int64_t kMost = std::int64_t{1} << 22;
    require(per_block_ * program.ranks() <= kMost,
            "'{}' cuts its blocks into {} chunks each, too many for {} (at most {} in total); "
            "give a --size that its steps divide evenly",
            program.name(), per_block_, format, kMost);
  }

  Moves moves() const {
    Moves all;
    all.file = program_.name();
    all.ranks = program_.ranks();
    all.size_B = program_.size_B();
    for (std::int64_t c = 0; c < per_block_ * program_.ranks(); ++c)
      all.chunks.push_back({{0, c * unit_B_, unit_B_}, static_cast<std::int32_t>(c / per_block_)});
    for (const Operations::MessageEnds& message : operations_.messages())
      for (const ByteRange& range : operations_.reads(send(message)))
        for (std::int64_t at = range.offset_B; at < range.offset_B + range.bytes; at += unit_B_)
          all.moves.push_back(
              {message.from.value(), message.to.value(), at / unit_B_, 0, send(message).route});
    return all;
  }

 private:
  const Operation& send(const Operations::MessageEnds& message) const {
    return operations_.of(message.from)[static_cast<std::size_t>(message.send)];
  }

  void check(const Operations::MessageEnds& message) {
    const Operation& receive =
        operations_.of(message.to)[static_cast<std::size_t>(message.receive)];
    const auto reads = operations_.reads(send(message)), writes = operations_.writes(receive);
    require(receive.kind == OperationKind::receive && std::ranges::equal(reads, writes),
            "'{}' moves data to other places or reduces it, but {} supports only allgather",
            program_.name(), format_);
    for (const ByteRange& range : reads)
      unit_B_ = std::gcd(std::gcd(unit_B_, range.offset_B), range.bytes);
  }

  const Program& program_;
  const Operations& operations_;
  const std::string& format_;
  std::int64_t unit_B_ = 0, per_block_ = 0;
};

// Nothing but messages and the copies of a layout, which move no named bytes.
void require_messages_only(const Operations& operations, const Program& program,
                           const std::string& format) {
  for (std::int32_t a = 0; a < operations.agents(); ++a)
    for (const Operation& operation : operations.of(Agent(a)))
      require(
          operation.is_message() || (operation.kind == OperationKind::copy && operation.reads == 0),
          "'{}' has {} operations, but {} supports only messages", program.name(),
          name_of(operation.kind), format);
}

// All chunks have one size only where all units do.
void require_even_cut(const Program& program, const std::string& format) {
  if (program.units() == 0 || program.has_whole_units()) return;
  const std::int64_t parts = program.units() / program.ranks() * program.pipeline().segments;
  reject(
      "'{}' cuts a block into {} parts, but {} B is not a multiple, so {} has no size of a "
      "chunk; give --size a multiple of {}",
      program.name(), parts, program.size_B(), format, parts);
}

// A file is a claim that nobody has proved.
void require_allgather(const Program& program, const std::string& format) {
  require_equal_blocks(program, format);
  if (program.collective()) {
    require(program.collective()->kind == schedule::CollectiveKind::allgather,
            "'{}' is a program of {}, but {} supports only allgather; give a schedule of "
            "allgather",
            program.name(), name_of(program.collective()->kind), format);
    return;
  }
  require(program.size_B() > 0,
          "'{}' has no size, so it cannot be proved to be an allgather for {}", program.name(),
          format);
  const auto proof = program::prove(
      program, {.collective = schedule::allgather(program.ranks()), .size_B = program.size_B()});
  require(static_cast<bool>(proof), "'{}' is not an allgather, which {} needs: {}", program.name(),
          format, proof ? "" : proof.fault().text);
}

}  // namespace

Program program_of(const Moves& moves) {
  return Builder(moves).build();
}

AllgatherMoves allgather_of(const Program& program, const std::string& format) {
  require_ranks_only(program, format);
  require_even_cut(program, format);
  AllgatherMoves all{write_out(program), {}};
  require_allgather(all.program, format);
  require_messages_only(*all.program.operations(), program, format);
  all.moves = Chunking(all.program, *all.program.operations(), format).moves();
  Held seen;
  for (std::size_t i = 0; i < all.moves.moves.size(); ++i) {
    const Move& move = all.moves.moves[i];
    const bool is_new = seen.try_emplace({move.chunk, move.to}, i).second;
    require(is_new && chunk_of(all.moves, move).owner != move.to,
            "'{}' sends rank {} data that it already has, which {} cannot express; choose "
            "another algorithm",
            program.name(), move.to, format);
  }
  return all;
}

}  // namespace weft::format::synthesized
