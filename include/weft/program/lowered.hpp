// Lowered: the generated storage of a program, a verified schedule at one message size.
//
// Nothing is written out: it holds the schedule's representative messages, their symmetry, the
// steps of one segment and the number of segments, so that a million ranks stay kilobytes.
//
// Sizes: unit x of the fine unit line (all segments) starts at floor(x * E / X) elements, X its
// length and E the elements of all blocks: both ends of a message agree for any count, and empty
// messages vanish at both ends. Translates of a message then differ by an element, so a simulation
// has to look at each. For times alone all units can have equal shares instead.
//
// Blocks may have sizes of their own (block_sizes.hpp). Then unit x of the fine units of a block of
// S elements starts floor(x * S / X) elements into it, X the fine units of a block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "weft/base/error.hpp"
#include "weft/program/copies.hpp"
#include "weft/program/step_program.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::program {

class BlockSizes;
struct ByteClasses;

using schedule::Verified;

/// How the elements are shared among the units.
enum class Shares : std::uint8_t {
  elements,  // a unit has whole elements, some have one more than others
  equal,  // each has as much, and a message is rounded up to whole elements; for simulations only
};

struct LowerOptions {
  std::int64_t size_B = 1 << 20;  // what one call is given (--size)
  std::int64_t element_B = 1;     // bytes of one element, which is never cut; divides size_B
  std::shared_ptr<const CopyPlan> copies = {};  // what the layout of blocks copies; rank order
  Shares shares = Shares::elements;  // not looked at where blocks have sizes of their own
  std::shared_ptr<const BlockSizes> blocks = {};  // their sizes, by BlockSizes::at(); null: alike
};

class Lowered {
 public:
  /// Throws InvalidInput when the size is negative, no multiple of the element or too large.
  Lowered(Verified verified, LowerOptions options);

  const Verified& verified() const { return verified_; }
  const schedule::Schedule& schedule() const { return verified_.schedule(); }
  std::int64_t size_B() const { return options_.size_B; }

  /// Writes step t, t in [0, steps()), into the buffers of `out`. O(messages and pieces of the
  /// step).
  void step(std::int64_t t, StepProgram& out, Copies copies = Copies::counted) const;
  /// The same, of the transfers that representatives send, with their reductions; without copies.
  void representatives(std::int64_t t, StepProgram& out) const;

  /// Bytes of the pieces of a stored message in one segment, as its translate by `element` moves
  /// them.
  std::int64_t bytes(std::int64_t message, std::int64_t segment, std::int32_t element = 0) const;
  /// Byte offset, in the row of all blocks, of a fine unit. Precondition: not of equal shares.
  std::int64_t offset_B(std::int64_t fine_unit) const;

  /// Calls sink(offset_B, bytes) for each range of the row of all blocks that `piece` is in a
  /// segment. Segments follow each other where only the whole buffer counts, else they lie within
  /// each block, so that a piece is cut at blocks.
  template <class Sink>
  void byte_ranges(schedule::Piece piece, std::int64_t segment, Sink&& sink) const {
    WEFT_ASSERT(piece.count > 0 && segment >= 0 && segment < schedule().segments().count);
    const std::int64_t segments = schedule().segments().count, units = schedule().units_per_block();
    const auto range = [&](std::int64_t first, std::int64_t count) {
      const std::int64_t begin_B = offset_B(first);
      sink(begin_B, offset_B(first + count) - begin_B);
    };
    if (segments == 1) return range(piece.first, piece.count);
    if (schedule().collective().whole_buffer())
      return range(segment * schedule().units() + piece.first, piece.count);
    for (std::int64_t unit = piece.first; unit < piece.end();) {
      const std::int64_t count = std::min(piece.end(), (unit / units + 1) * units) - unit;
      range((unit / units * segments + segment) * units + unit % units, count);
      unit += count;
    }
  }

  /// Whether the start of every block is a whole element in each segment, or shares are equal: then
  /// translates of a piece, which move whole blocks, have as many bytes.
  bool translates_alike() const;
  /// Returns whether all units of all segments have the same number of bytes. Between two such
  /// sizes all messages grow by the same factor.
  bool has_whole_units() const;
  /// Bytes of all messages, those to oneself included. Translates of a message may differ by an
  /// element or so, which is left out of account unless blocks have sizes of their own.
  double payload_B() const;
  /// Messages of one step that runs, at most: of all steps that several segments are in.
  double messages_at_once() const;

  /// Calls visit(stored message, segment) for all that is in step t. Later segments, which are
  /// behind, come later.
  template <class Visit>
  void each_stored_message(std::int64_t t, Visit&& visit) const {
    WEFT_ASSERT(t >= 0 && t < schedule().steps());
    const std::int64_t stride = schedule().segments().stride;
    for (std::int64_t i = std::max<std::int64_t>(0, (t - schedule().stored_steps()) / stride);
         i < schedule().segments().count && t - i * stride >= 0; ++i) {
      const std::int64_t stored = t - i * stride;
      if (stored >= schedule().stored_steps()) continue;
      for (std::int64_t m = schedule().first_message(stored);
           m < schedule().first_message(stored + 1); ++m)
        visit(m, i);
    }
  }

 private:
  /// Units of a stored message, and those of them that meet others where they land: none of a copy,
  /// nor of what an empty helper keeps.
  struct Combined {
    std::int64_t units = 0, reduced = 0;

    Arrival arrival() const { return reduced > 0 ? Arrival::reduce : Arrival::copy; }
  };
  Combined combined_of(std::int64_t message) const;
  static void append_reduction(Agent at, const Combined& combined, std::int64_t size_B,
                               StepProgram& out);

  bool has_equal_shares() const { return !uniform_ && options_.shares == Shares::equal; }
  /// Of equal shares.
  std::int64_t bytes_of_units(std::int64_t units) const;
  std::int64_t piece_bytes(schedule::Piece piece, std::int64_t segment) const;
  void append(std::int64_t message, std::int64_t segment, Copies copies, StepProgram& out) const;
  void append_copies(const Transfer& transfer, std::int64_t units, StepProgram& out) const;

  Verified verified_;
  LowerOptions options_;
  std::int64_t fine_units_ = 0, elements_ = 0;
  bool uniform_ = false;  // every unit has the same number of bytes
  std::int64_t unit_B_ = 0;
  std::shared_ptr<const ByteClasses> classes_;  // of translates, where units differ; else null
};

}  // namespace weft::program

namespace weft {
using program::LowerOptions;
using program::Shares;
}  // namespace weft
