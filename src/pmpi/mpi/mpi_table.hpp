// The MPI that the process runs, by its functions and handles. All are looked up by name, none is
// linked: so the library loads where there is no MPI, in a shell or a launcher, and does nothing.
#pragma once

#include <mpi.h>

#include <atomic>

namespace weft::pmpi {

// What a collective is made of, and those that are wrapped themselves.
// Its second run would lay this out otherwise.
// clang-format off
#define WEFT_MPI_FUNCTIONS(X) \
  X(Abort) X(Allgather) X(Allgatherv) X(Allreduce) X(Alltoall) X(Alltoallv) X(Barrier) X(Bcast) \
  X(Comm_call_errhandler) \
  X(Comm_create_keyval) X(Comm_free) X(Comm_get_attr) X(Comm_get_name) \
  X(Comm_group) X(Comm_rank) X(Comm_set_attr) X(Comm_set_errhandler) X(Comm_size) \
  X(Comm_split) X(Comm_split_type) X(Comm_test_inter) X(Finalize) X(Gather) X(Gatherv) \
  X(Get_processor_name) X(Group_free) X(Group_translate_ranks) X(Init) X(Init_thread) X(Irecv) X(Isend) \
  X(Op_commutative) X(Pack) X(Pack_size) X(Query_thread) X(Reduce) X(Reduce_local) \
  X(Reduce_scatter) X(Reduce_scatter_block) X(Scatter) X(Sendrecv) X(T_cvar_get_index) \
  X(T_cvar_handle_alloc) X(T_cvar_handle_free) X(T_cvar_read) X(T_finalize) X(T_init_thread) X(Testall) \
  X(Type_commit) X(Type_contiguous) X(Type_create_struct) X(Type_free) \
  X(Type_get_extent) X(Type_get_true_extent) X(Type_size_x) X(Unpack) X(Waitall)
// clang-format on

// Handles: member, MPI's name, Open MPI's object behind it.
#define WEFT_MPI_HANDLES(X)                                                                \
  X(MPI_Comm, comm_world, MPI_COMM_WORLD, ompi_mpi_comm_world)                             \
  X(MPI_Comm, comm_null, MPI_COMM_NULL, ompi_mpi_comm_null)                                \
  X(MPI_Info, info_null, MPI_INFO_NULL, ompi_mpi_info_null)                                \
  X(MPI_Errhandler, errors_return, MPI_ERRORS_RETURN, ompi_mpi_errors_return)              \
  X(MPI_Request, request_null, MPI_REQUEST_NULL, ompi_request_null)                        \
  X(MPI_Op, op_null, MPI_OP_NULL, ompi_mpi_op_null)                                        \
  X(MPI_Op, sum, MPI_SUM, ompi_mpi_op_sum)                                                 \
  X(MPI_Op, prod, MPI_PROD, ompi_mpi_op_prod)                                              \
  X(MPI_Op, max, MPI_MAX, ompi_mpi_op_max)                                                 \
  X(MPI_Op, min, MPI_MIN, ompi_mpi_op_min)                                                 \
  X(MPI_Op, land, MPI_LAND, ompi_mpi_op_land)                                              \
  X(MPI_Op, lor, MPI_LOR, ompi_mpi_op_lor)                                                 \
  X(MPI_Op, lxor, MPI_LXOR, ompi_mpi_op_lxor)                                              \
  X(MPI_Op, band, MPI_BAND, ompi_mpi_op_band)                                              \
  X(MPI_Op, bor, MPI_BOR, ompi_mpi_op_bor)                                                 \
  X(MPI_Op, bxor, MPI_BXOR, ompi_mpi_op_bxor)                                              \
  X(MPI_Op, maxloc, MPI_MAXLOC, ompi_mpi_op_maxloc)                                        \
  X(MPI_Op, minloc, MPI_MINLOC, ompi_mpi_op_minloc)                                        \
  X(MPI_Op, replace, MPI_REPLACE, ompi_mpi_op_replace)                                     \
  X(MPI_Op, no_op, MPI_NO_OP, ompi_mpi_op_no_op)                                           \
  X(MPI_Datatype, type_null, MPI_DATATYPE_NULL, ompi_mpi_datatype_null)                    \
  X(MPI_Datatype, byte, MPI_BYTE, ompi_mpi_byte)                                           \
  X(MPI_Datatype, packed, MPI_PACKED, ompi_mpi_packed)                                     \
  X(MPI_Datatype, char_, MPI_CHAR, ompi_mpi_char)                                          \
  X(MPI_Datatype, wide_char, MPI_WCHAR, ompi_mpi_wchar)                                    \
  X(MPI_Datatype, f_character, MPI_CHARACTER, ompi_mpi_character)                          \
  X(MPI_Datatype, signed_char, MPI_SIGNED_CHAR, ompi_mpi_signed_char)                      \
  X(MPI_Datatype, unsigned_char, MPI_UNSIGNED_CHAR, ompi_mpi_unsigned_char)                \
  X(MPI_Datatype, short_, MPI_SHORT, ompi_mpi_short)                                       \
  X(MPI_Datatype, unsigned_short, MPI_UNSIGNED_SHORT, ompi_mpi_unsigned_short)             \
  X(MPI_Datatype, int_, MPI_INT, ompi_mpi_int)                                             \
  X(MPI_Datatype, unsigned_, MPI_UNSIGNED, ompi_mpi_unsigned)                              \
  X(MPI_Datatype, long_, MPI_LONG, ompi_mpi_long)                                          \
  X(MPI_Datatype, unsigned_long, MPI_UNSIGNED_LONG, ompi_mpi_unsigned_long)                \
  X(MPI_Datatype, long_long, MPI_LONG_LONG_INT, ompi_mpi_long_long_int)                    \
  X(MPI_Datatype, unsigned_long_long, MPI_UNSIGNED_LONG_LONG, ompi_mpi_unsigned_long_long) \
  X(MPI_Datatype, int8, MPI_INT8_T, ompi_mpi_int8_t)                                       \
  X(MPI_Datatype, uint8, MPI_UINT8_T, ompi_mpi_uint8_t)                                    \
  X(MPI_Datatype, int16, MPI_INT16_T, ompi_mpi_int16_t)                                    \
  X(MPI_Datatype, uint16, MPI_UINT16_T, ompi_mpi_uint16_t)                                 \
  X(MPI_Datatype, int32, MPI_INT32_T, ompi_mpi_int32_t)                                    \
  X(MPI_Datatype, uint32, MPI_UINT32_T, ompi_mpi_uint32_t)                                 \
  X(MPI_Datatype, int64, MPI_INT64_T, ompi_mpi_int64_t)                                    \
  X(MPI_Datatype, uint64, MPI_UINT64_T, ompi_mpi_uint64_t)                                 \
  X(MPI_Datatype, aint, MPI_AINT, ompi_mpi_aint)                                           \
  X(MPI_Datatype, offset, MPI_OFFSET, ompi_mpi_offset)                                     \
  X(MPI_Datatype, count, MPI_COUNT, ompi_mpi_count)                                        \
  X(MPI_Datatype, float_, MPI_FLOAT, ompi_mpi_float)                                       \
  X(MPI_Datatype, double_, MPI_DOUBLE, ompi_mpi_double)                                    \
  X(MPI_Datatype, long_double, MPI_LONG_DOUBLE, ompi_mpi_long_double)                      \
  X(MPI_Datatype, c_bool, MPI_C_BOOL, ompi_mpi_c_bool)                                     \
  X(MPI_Datatype, c_float_complex, MPI_C_FLOAT_COMPLEX, ompi_mpi_c_float_complex)          \
  X(MPI_Datatype, c_double_complex, MPI_C_DOUBLE_COMPLEX, ompi_mpi_c_double_complex)       \
  X(MPI_Datatype, float_int, MPI_FLOAT_INT, ompi_mpi_float_int)                            \
  X(MPI_Datatype, double_int, MPI_DOUBLE_INT, ompi_mpi_double_int)                         \
  X(MPI_Datatype, long_int, MPI_LONG_INT, ompi_mpi_long_int)                               \
  X(MPI_Datatype, short_int, MPI_SHORT_INT, ompi_mpi_short_int)                            \
  X(MPI_Datatype, two_int, MPI_2INT, ompi_mpi_2int)                                        \
  X(MPI_Datatype, f_integer, MPI_INTEGER, ompi_mpi_integer)                                \
  X(MPI_Datatype, f_integer4, MPI_INTEGER4, ompi_mpi_integer4)                             \
  X(MPI_Datatype, f_integer8, MPI_INTEGER8, ompi_mpi_integer8)                             \
  X(MPI_Datatype, f_real, MPI_REAL, ompi_mpi_real)                                         \
  X(MPI_Datatype, f_real4, MPI_REAL4, ompi_mpi_real4)                                      \
  X(MPI_Datatype, f_real8, MPI_REAL8, ompi_mpi_real8)                                      \
  X(MPI_Datatype, f_double, MPI_DOUBLE_PRECISION, ompi_mpi_dblprec)                        \
  X(MPI_Datatype, f_complex, MPI_COMPLEX, ompi_mpi_cplex)                                  \
  X(MPI_Datatype, f_double_complex, MPI_DOUBLE_COMPLEX, ompi_mpi_dblcplex)                 \
  X(MPI_Datatype, f_logical, MPI_LOGICAL, ompi_mpi_logical)

struct MpiTable {
#define WEFT_MEMBER(name) decltype(&PMPI_##name) name = nullptr;
  WEFT_MPI_FUNCTIONS(WEFT_MEMBER)
#undef WEFT_MEMBER
#define WEFT_MEMBER(type, member, mpi_name, object) type member = {};
  WEFT_MPI_HANDLES(WEFT_MEMBER)
#undef WEFT_MEMBER
  bool is_there = false;  // an MPI, whichever
  bool is_right = false;  // the one that this library was built for
};

/// The table once it is looked up.
extern std::atomic<const MpiTable*> found_table;
const MpiTable& look_up_table();

/// Looked up once, at the first call. Never allocates.
inline const MpiTable& mpi() {
  const MpiTable* found = found_table.load(std::memory_order_acquire);
  return found != nullptr ? *found : look_up_table();
}

/// The MPI that this library was built for: all that differs from MPI to MPI is in mpi_table.cpp.
struct BuiltFor {
  const char* name;    // "Open MPI"
  const char* advice;  // to who runs a program of another MPI, after "; "
  bool stops_others;   // such a program cannot go on: its handles do not fit
};
const BuiltFor& built_for();

}  // namespace weft::pmpi
