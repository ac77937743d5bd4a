// The rules of Open MPI; see library.hpp.
#pragma once

#include "weft/evaluate/library/library.hpp"

namespace weft::evaluate {

LibraryChoice open_mpi_4(const LibraryCall& call);
LibraryChoice open_mpi_5(const LibraryCall& call);

}  // namespace weft::evaluate
