// Where the elements of a collective's row of blocks lie in a process: in the buffer that it sends
// from, in the one that it receives to, or in a scratch of its own.
//
// Rows. The elements of all blocks, block after block, are the row; unit x of the schedule starts
// at element floor(x * E / X) of its E elements, or of its block's where blocks differ. Collectives
// that only move data count bytes, those that reduce elements of the datatype.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

enum class Base : std::uint8_t { in, out, scratch };

/// Elements [first, first + count) of a buffer.
struct Span {
  Base base = Base::out;
  std::int64_t first = 0, count = 0;

  std::int64_t end() const { return first + count; }
};

/// What an execution depends on beside pointers.
struct Shape {
  std::int32_t schedule = 0;
  std::int64_t elements = 0;              // of the row
  std::vector<std::int64_t> starts = {};  // of blocks, where they differ: one more than blocks
  std::int32_t counts = -1;               // of the plan, which has the starts instead; -1: none
  /// Of blocks in the buffer that they are received to, and sent from, where they differ.
  std::vector<std::int64_t> places = {}, in_places = {};

  friend bool operator==(const Shape&, const Shape&) = default;
};

class Layout {
 public:
  /// `user_rank[s]`: where schedule rank s stands in the communicator, whose blocks lie in that
  /// order.
  Layout(const plan::MappedPlan& plan, const Shape& shape, std::int32_t rank,
         const std::vector<std::int32_t>& user_rank);

  /// Appends the spans of units [first, first + count) of one segment, neighbours joined.
  void spans(std::int64_t first, std::int64_t count, std::int64_t segment, std::vector<Span>& out);

  /// Elements of the scratch that spans have been found in.
  std::int64_t scratch_elements() const { return scratch_elements_; }

 private:
  std::int64_t offset(std::int64_t fine_unit) const;
  void add(std::int64_t begin, std::int64_t end, std::vector<Span>& out);
  void add_block(std::int64_t block, std::int64_t first, std::int64_t count,
                 std::vector<Span>& out);
  Span scratch(std::int64_t block, std::int64_t first, std::int64_t count);

  plan::Kind kind_;
  std::int32_t ranks_, root_, rank_;
  std::int64_t units_, segments_, blocks_, elements_;
  std::span<const std::int64_t> starts_;
  const std::vector<std::int64_t>&places_, &in_places_;
  const std::vector<std::int32_t>& user_rank_;
  std::vector<std::int64_t> slots_;  // by block; -1: none yet
  std::int64_t scratch_elements_ = 0;
};

}  // namespace weft::pmpi
