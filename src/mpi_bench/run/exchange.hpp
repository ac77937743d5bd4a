// A collective's data on a rank: what it is given, what it must have in the end, and the MPI's own
// call, which says what that is.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "../collectives.hpp"
#include "memory.hpp"
#include "program.hpp"

namespace weft::mpi_bench {

/// One rank's part of one call of the program's collective.
class Exchange {
 public:
  Exchange(const World& world, const RunProgram& program);

  /// Ranges of the row of all blocks, in order, in units: this rank's input and its result.
  const std::vector<UnitRange>& given() const { return given_; }
  const std::vector<UnitRange>& wanted() const { return wanted_; }

  /// Units of a block.
  std::int64_t block() const { return block_; }

  /// Makes room for blocks of units of so many elements, and draws the input: random whole numbers
  /// from -64 to 63 as floats, whose sums are exact in any order, else any bits, for integers that
  /// wrap around.
  void draw(std::int64_t elements, MPI_Datatype type);

  /// The MPI's own collective, out of place or in place.
  void call();
  void call_in_place();

  const std::vector<Element>& input() const { return input_; }
  const std::vector<Element>& result() const { return result_; }

 private:
  std::vector<UnitRange> ranges_of(const Side& side) const;
  void find_ranges();
  void call_with(const void* out, void* in) const;

  const World& world_;
  const RunProgram& program_;
  const NativeCollective* native_;  // null: point-to-point
  std::int64_t block_ = 0;          // units
  bool broadcast_ = false, rooted_ = false;
  std::vector<UnitRange> given_, wanted_;
  std::vector<Element> input_, result_, both_;
  MPI_Datatype type_ = MPI_FLOAT;
  int count_ = 0;
};

}  // namespace weft::mpi_bench
