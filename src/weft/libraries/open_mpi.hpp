// The rules of Open MPI; see library.hpp.
#pragma once

#include "weft/libraries/library.hpp"

namespace weft::libraries {

LibraryChoice open_mpi_4(const LibraryCall& call);
LibraryChoice open_mpi_5(const LibraryCall& call);

}  // namespace weft::libraries
