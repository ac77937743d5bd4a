// prove: whether a program performs a collective, by executing it on sets of contributions in
// place of data.
//
//   const ProveResult result = prove(program, {.collective = allgather(8), .size_B = 1024});
//   if (result) use(*result);  // the program, which says now what it performs
//   else complain(result.fault().text);
//
// The program's operations run in any order that its dependencies allow, so that one execution
// proves nothing by itself. So it is asked first that operations which touch the same bytes, one
// of them writing, are ordered by what they wait for; then all executions end alike, and one of
// them is followed. Data is known by where on the row of all blocks it belongs and whose
// contributions are in it (contributors.hpp): it may be copied to other buffers and places, and is
// reduced with data that belongs to the same place.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "weft/base/error.hpp"
#include "weft/program/program.hpp"

namespace weft::program {

/// What a program is said to do. Unless they have sizes of their own, block b of `blocks` starts in
/// buffer "data" at element floor(b * E / blocks), E the elements of all blocks.
struct Claim {
  schedule::Collective collective;
  std::int64_t size_B = 0;  // what one call is given
  std::int64_t element_B = 1;
  /// Where blocks have sizes of their own, which BlockSizes::at() gives; null: alike.
  std::shared_ptr<const BlockSizes> blocks = {};
  std::int32_t output = 0;  // the buffer that has the result in the end, in the same row of blocks
};

/// The first thing that is wrong with a program.
struct ProgramFault {
  Agent agent;
  std::optional<std::int32_t> operation;  // of the agent; nothing for a fault of the end state
  std::string text;                       // one line: who, what, which bytes, why
};

class ProveResult {
 public:
  ProveResult(Program program) : outcome_(std::move(program)) {}   // NOLINT: either is a result
  ProveResult(ProgramFault fault) : outcome_(std::move(fault)) {}  // NOLINT
  explicit operator bool() const { return outcome_.index() == 0; }
  /// The program, written out, with its collective; precondition: there is no fault.
  const Program& operator*() const {
    WEFT_ASSERT(*this);
    return std::get<0>(outcome_);
  }
  const Program* operator->() const { return &std::get<0>(outcome_); }
  const ProgramFault& fault() const {
    WEFT_ASSERT(!*this);
    return std::get<1>(outcome_);
  }

 private:
  std::variant<Program, ProgramFault> outcome_;
};

/// O(operations * runs of equal data that each touches), and for two that touch the same bytes the
/// operations between them. Throws InvalidInput when the claim has other ranks than the program.
[[nodiscard]] ProveResult prove(const Program& program, const Claim& claim);

}  // namespace weft::program

namespace weft {
using program::prove;
}  // namespace weft
