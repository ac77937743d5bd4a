// execute: a script, step by step, over point-to-point messages.
#pragma once

#include <array>

#include "pmpi/communicator.hpp"
#include "pmpi/mpi/types.hpp"
#include "pmpi/script/script.hpp"

namespace weft::pmpi {

/// Where elements are, and what they are.
struct Buffers {
  std::array<char*, 3> base = {};  // by Base, of element 0
  std::int64_t stride = 1;         // bytes from one element to the next
  /// Of reductions whose elements have holes, or lie in another order; else bytes are moved.
  const TypeInfo* typed = nullptr;
  MPI_Op op = {};
  MPI_Datatype type = {};  // that op takes
  Kernel kernel = nullptr;

  char* at(const Span& span) const {
    return base[static_cast<std::size_t>(span.base)] + span.first * stride;
  }
};

/// Bytes of scratch for `count` elements, and where the first stands in it.
std::int64_t scratch_bytes(const Buffers& buffers, std::int64_t count);
char* first_element(const Buffers& buffers, char* scratch, std::int64_t count);

/// Moves elements within the process.
int move(Communicator& communicator, const Buffers& buffers, char* from, char* to,
         std::int64_t count);

/// Returns the first code of MPI that is none of success. Allocates nothing after the first call
/// of a script. Of `buffers` it sets where the scratch is.
int execute(Communicator& communicator, const Script& script, Buffers& buffers);

}  // namespace weft::pmpi
