// What datatypes and operations are, as far as a collective's way depends on it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pmpi/mpi/mpi_table.hpp"

namespace weft::pmpi {

enum class TypeClass : std::uint8_t {
  other,
  signed_integer,
  unsigned_integer,
  floating,
  complex,
  logical,
  byte,
  pair
};

struct TypeInfo {
  MPI_Datatype type = {};
  TypeClass type_class = TypeClass::other;
  std::int64_t size = 0, extent = 0, true_lb = 0, true_extent = 0;
  /// Elements lie one after the other without holes, in the order of their signature; never said
  /// of a derived type, whose parts may be in any order.
  bool is_plain = false;
};

/// Precondition: no null type. Three calls of MPI for a derived type, none for a built-in one but
/// the rarest.
TypeInfo type_info(MPI_Datatype type);

/// out[i] = left[i] op right[i]; out may be either of them.
using Kernel = void (*)(const void* left, const void* right, void* out, std::size_t count);

struct OpInfo {
  bool is_valid = false;  // such an operation on such a type is known to be right
  bool commutes = true;
  bool is_exact = false;    // any association gives the same bits
  Kernel kernel = nullptr;  // our own; null: MPI_Reduce_local
  bool is_built_in = false;
};

OpInfo op_info(MPI_Op op, const TypeInfo& type);

/// Null where there is none. `op` is built in.
Kernel kernel_of(MPI_Op op, const TypeInfo& type);

}  // namespace weft::pmpi
