// What the shared library weft_mpi exports: the few calls of MPI that a sweep makes, as plain C
// functions, so that weft itself needs no MPI to build or to start.
#pragma once

#include <cstddef>

namespace weft::study {

/// Each function but rank, size and end returns 0, or an error code for `text`.
struct MpiLink {
  int (*begin)();
  int (*rank)();
  int (*size)();
  int (*send)(int to, const char* bytes, std::size_t count);
  /// Looks for a message: sets `*from` (-1: none yet) and its length.
  int (*probe)(int* from, std::size_t* count);
  int (*receive)(int from, char* bytes, std::size_t count);
  void (*end)();
  /// What an error code means; valid until the next call.
  const char* (*text)(int code);
};

inline constexpr const char* kMpiLinkFunction = "weft_mpi_link_1";
using MpiLinkFunction = const MpiLink* (*)();

}  // namespace weft::study
