// Elements of any type as bytes in a row, and back, however many they are.
#pragma once

#include <cstdint>

#include "pmpi/communicator.hpp"
#include "pmpi/mpi/types.hpp"

namespace weft::pmpi {

struct Elements {
  char* at;
  int count;
  MPI_Datatype type;
};

/// Elements of one type as those of another: a message to oneself.
int pass_to_self(const Communicator& communicator, Elements from, Elements to);

/// `count` elements at `from`, of a type that is not plain, as count * type.size bytes. Returns the
/// first code of MPI that is none of success.
int pack(const Communicator& communicator, const TypeInfo& type, char* from, std::int64_t count,
         char* bytes);
/// And back.
int unpack(const Communicator& communicator, const TypeInfo& type, char* bytes, std::int64_t count,
           char* to);

}  // namespace weft::pmpi
