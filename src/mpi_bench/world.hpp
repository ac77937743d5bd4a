// What every part of weft-bench needs of MPI: who one is, and how all end together.
#pragma once

#include <mpi.h>

#include <string>

namespace weft::mpi_bench {

struct World {
  int rank = 0, ranks = 0;

  bool first() const { return rank == 0; }
};

/// Ends all ranks with code 2; the first one says why. Called by all of them.
[[noreturn]] void refuse(const World& world, const std::string& why);

/// Ends all ranks with `code` if any rank found a fault; the first such rank says which. Called by
/// all of them.
void refuse_faults(const World& world, const std::string& fault, int code = 2);

/// The first rank's text, on all ranks.
std::string from_first(const World& world, std::string text);

/// "Open MPI v4.1.4", and the name of each rank's host on the first rank.
std::string library();
std::string hosts(const World& world);

}  // namespace weft::mpi_bench
